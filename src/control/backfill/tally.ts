/** What a backfill has done so far, or, in a dry run, would do. */
export interface Moved {
  readonly urls: number;
  readonly pages: number;
  readonly fetches: number;
  /** URLs and pages that both sides had: one row of each stayed. */
  readonly duplicateUrls: number;
  readonly duplicatePages: number;
}

export const NUMBERS = ['pagesDiscovered', 'pagesCrawled', 'imagesFound', 'depth', 'errors'] as const;
export const MOMENTS = ['firstSeenAt', 'lastCrawledAt'] as const;
export type CounterName = (typeof NUMBERS)[number] | (typeof MOMENTS)[number];

type Numbers = Readonly<Record<(typeof NUMBERS)[number], number>>;
type Moments = Readonly<Record<(typeof MOMENTS)[number], string | null>>;
type Before<T> = { readonly [K in keyof T as `${string & K}Before`]: T[K] };

/** A domain whose counters are not what the tables say. */
export type Disagreement = { readonly id: number; readonly domain: string } & Numbers &
  Moments &
  Before<Numbers> &
  Before<Moments>;

export interface Difference {
  readonly domain: string;
  readonly counter: CounterName;
  readonly before: number;
  readonly after: number;
}

export interface Tally {
  rebuilt: number;
  merged: number;
  renamed: number;
  moved: Moved;
  correctedDomains: number;
  corrections: Record<CounterName, number>;
  largest: Difference[];
  ratesWritten: number;
  /** Not touched because a worker has them, or one they belong together with: by id, with a name to show. */
  readonly skipped: Map<number, string>;
  /** Names and hosts of which no web host can be made. */
  readonly nameless: Set<string>;
}

export function emptyTally(): Tally {
  return {
    rebuilt: 0,
    merged: 0,
    renamed: 0,
    moved: { urls: 0, pages: 0, fetches: 0, duplicateUrls: 0, duplicatePages: 0 },
    correctedDomains: 0,
    corrections: {
      pagesDiscovered: 0,
      pagesCrawled: 0,
      imagesFound: 0,
      depth: 0,
      errors: 0,
      firstSeenAt: 0,
      lastCrawledAt: 0,
    },
    largest: [],
    ratesWritten: 0,
    skipped: new Map(),
    nameless: new Set(),
  };
}

export function addMoved(tally: Tally, moved: Partial<Moved>): void {
  tally.moved = {
    urls: tally.moved.urls + (moved.urls ?? 0),
    pages: tally.moved.pages + (moved.pages ?? 0),
    fetches: tally.moved.fetches + (moved.fetches ?? 0),
    duplicateUrls: tally.moved.duplicateUrls + (moved.duplicateUrls ?? 0),
    duplicatePages: tally.moved.duplicatePages + (moved.duplicatePages ?? 0),
  };
}

const MOST_SHOWN = 5;

export function noteDisagreements(tally: Tally, rows: readonly Disagreement[]): void {
  tally.correctedDomains += rows.length;
  const differences: Difference[] = [...tally.largest];
  for (const row of rows) {
    for (const counter of MOMENTS) {
      if (row[counter] !== row[`${counter}Before`]) tally.corrections[counter] += 1;
    }
    for (const counter of NUMBERS) {
      const [before, after] = [row[`${counter}Before`], row[counter]];
      if (before === after) continue;
      tally.corrections[counter] += 1;
      differences.push({ domain: row.domain, counter, before, after });
    }
  }
  const size = ({ before, after }: Difference): number => Math.abs(after - before);
  tally.largest = differences.sort((a, b) => size(b) - size(a)).slice(0, MOST_SHOWN);
}
