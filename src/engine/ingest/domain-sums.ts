/** What a batch adds to the counters of its domains and its run. */
import { CONSEQUENCES } from '../outcome.ts';
import type { Visit } from '../visit.ts';

export interface DomainSum {
  pages: number;
  fetches: number;
  errors: number;
  bytes: number;
  images: number;
  depth: number;
}

/** What visits add to the run's tallies. */
export function tallyVisits(
  visits: readonly Visit[],
  others: ReadonlyMap<string, number>,
): Map<string, number> {
  const tallies = new Map(others);
  const count = (name: string): void => void tallies.set(name, (tallies.get(name) ?? 0) + 1);
  for (const { outcome } of visits) {
    if (outcome.httpStatus !== undefined) count(`status:${outcome.httpStatus}`);
    count(outcome.kind === 'robots-denied' ? 'skip:robots' : `outcome:${outcome.kind}`);
  }
  return tallies;
}

export function sumByDomain(visits: readonly Visit[], domainIds: Iterable<number>): Map<number, DomainSum> {
  const sums = new Map<number, DomainSum>();
  for (const id of domainIds)
    sums.set(id, { pages: 0, fetches: 0, errors: 0, bytes: 0, images: 0, depth: 0 });
  for (const visit of visits) {
    const sum = sums.get(visit.lease.domainId);
    if (sum === undefined || visit.outcome.kind === 'robots-denied') continue;
    sum.fetches += 1;
    sum.bytes += visit.bytes;
    if (CONSEQUENCES[visit.outcome.kind].isError) sum.errors += 1;
    if (visit.page === undefined) continue;
    sum.pages += 1;
    sum.images += visit.page.imagesCount;
    sum.depth = Math.max(sum.depth, visit.due.depth);
  }
  return sums;
}
