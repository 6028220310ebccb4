/** How well parsers did on the pages of a batch: by domain, parser and version, and in all. */
import type { Visit } from '../visit.ts';

export interface ParseCount {
  readonly domainId: number;
  readonly parser: string;
  readonly version: string;
  /** All that were read. */
  pages: number;
  valid: number;
  partial: number;
  invalid: number;
  /** There was a product before. */
  lost: number;
  /** The parser itself has failed. */
  failed: number;
}

export interface LostProduct {
  readonly visit: Visit;
  /** It was there when its page was last read. */
  readonly isNews: boolean;
  /** The page is there, and the parser sees nothing on it: it may be at fault. */
  readonly isOfParser: boolean;
}

export class ParseCounts {
  readonly #counts = new Map<string, ParseCount>();
  readonly tallies = new Map<string, number>();

  add(visit: Visit): void {
    const extraction = visit.page?.extraction;
    const count = this.#of(visit);
    if (extraction === undefined || count === undefined) return;
    count.pages += 1;
    const kind = extraction.failure === undefined ? extraction.verdict : 'failed';
    if (kind === 'none') return;
    count[kind] += 1;
    if (kind !== 'valid') this.tally(kind);
  }

  addUnwritten(visit: Visit): void {
    const count = this.#of(visit);
    if (count === undefined) return;
    count.pages += 1;
    count.failed += 1;
    this.tally('failed');
  }

  /** One that stays lost counts against its parser every time, and is told once. */
  addLost({ visit, isNews, isOfParser }: LostProduct): void {
    if (isNews) this.tally('lost');
    const count = isOfParser ? this.#of(visit) : undefined;
    if (count !== undefined) count.lost += 1;
  }

  tally(what: string): void {
    const name = `product:${what}`;
    this.tallies.set(name, (this.tallies.get(name) ?? 0) + 1);
  }

  /** Where there is nothing to tell apart there is nothing to keep: most sites sell nothing. */
  rows(withProducts: ReadonlySet<number>): ParseCount[] {
    return [...this.#counts.values()].filter(
      ({ domainId, valid, partial, invalid, lost, failed }) =>
        withProducts.has(domainId) || valid + partial + invalid + lost + failed > 0,
    );
  }

  #of({ lease, page }: Visit): ParseCount | undefined {
    if (page?.extraction === undefined) return undefined;
    const { parser, version } = page.extraction;
    const key = `${lease.domainId}\n${parser}\n${version}`;
    const known = this.#counts.get(key);
    if (known !== undefined) return known;
    const count = {
      ...{ domainId: lease.domainId, parser, version },
      ...{ pages: 0, valid: 0, partial: 0, invalid: 0, lost: 0, failed: 0 },
    };
    this.#counts.set(key, count);
    return count;
  }
}
