/** What a batch adds to the counters of its domains and its run. */
import { CONSEQUENCES } from '../outcome.ts';
import type { Visit } from '../visit.ts';
import type { UrlEnding } from './url-ending.ts';

export interface DomainSum {
  pages: number;
  fetches: number;
  errors: number;
  bytes: number;
  /** Of all its fetches together. */
  durationMs: number;
  /** Pages that were not known before, and the images on them: a page read again is not a page more. */
  newPages: number;
  newImages: number;
  newProducts: number;
  depth: number;
}

export interface SavedPage {
  readonly domain_id: number;
  readonly images_count: number;
  readonly is_new: boolean;
}

/** What visits, and what they found of known pages, add to the run's tallies. */
export function tallyVisits(
  visits: readonly Visit[],
  endings: readonly UrlEnding[],
  others: Iterable<readonly [string, number]>,
): Map<string, number> {
  const tallies = new Map(others);
  const count = (name: string): void => void tallies.set(name, (tallies.get(name) ?? 0) + 1);
  for (const { outcome } of visits) {
    if (outcome.httpStatus !== undefined) count(`status:${outcome.httpStatus}`);
    count(outcome.kind === 'robots-denied' ? 'skip:robots' : `outcome:${outcome.kind}`);
  }
  for (const [index, { due, isLeftToParser }] of visits.entries()) {
    // What a parser will find is for it to count.
    if (isLeftToParser === true) continue;
    const finding = endings[index]?.finding;
    if (due.known !== undefined && finding !== undefined) count(`refresh:${finding}`);
  }
  return tallies;
}

export function sumByDomain(
  visits: readonly Visit[],
  saved: readonly SavedPage[],
  domainIds: Iterable<number>,
  newProducts: ReadonlyMap<number, number> = new Map(),
): Map<number, DomainSum> {
  const sums = new Map<number, DomainSum>();
  for (const id of domainIds)
    sums.set(id, {
      ...{ pages: 0, fetches: 0, errors: 0, bytes: 0, durationMs: 0, newPages: 0, newImages: 0, depth: 0 },
      newProducts: newProducts.get(id) ?? 0,
    });
  for (const visit of visits) {
    const sum = sums.get(visit.lease.domainId);
    if (sum === undefined || visit.outcome.kind === 'robots-denied') continue;
    sum.fetches += 1;
    sum.bytes += visit.bytes;
    sum.durationMs += visit.durationMs;
    if (CONSEQUENCES[visit.outcome.kind].isError) sum.errors += 1;
    if (visit.page === undefined) continue;
    sum.pages += 1;
    sum.depth = Math.max(sum.depth, visit.due.depth);
  }
  for (const page of saved) {
    const sum = sums.get(page.domain_id);
    if (sum === undefined || !page.is_new) continue;
    sum.newPages += 1;
    sum.newImages += page.images_count;
  }
  return sums;
}
