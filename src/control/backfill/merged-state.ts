/**
 * The state of a domain made of several. The most careful one wins:
 *
 *   blocked       the site asked us to stay away, under whatever spelling we came
 *   unreachable   it is left alone for as long as its cooldown lasts
 *   active, pending  something is still to be done; the kept row's own word of the two stays
 *   exhausted     only if all of them are
 *
 * So a merge never makes us knock where we were told not to, and never forgets what is still due: after its
 * cooldown a blocked domain is pending, with the URLs of all. The rest is the longest of those in the winning
 * state; a blocked one that waits for a person (it has no end of its rest) goes on waiting for one.
 */
import type { DomainStatus } from '../domains/list-domains.ts';

export interface StateRow {
  readonly id: number;
  readonly status: DomainStatus;
  readonly statusCode: string;
  readonly blockReason: string | null;
  readonly blockReasonCode: string | null;
  /** As the database writes it: milliseconds would not be the same moment. */
  readonly nextCrawlAfter: string | null;
}

const CARE: Readonly<Record<DomainStatus, number>> = {
  blocked: 3,
  unreachable: 2,
  active: 1,
  pending: 1,
  exhausted: 0,
};

export function mergeStates(keeper: StateRow, others: readonly StateRow[]): StateRow {
  const most = Math.max(CARE[keeper.status], ...others.map(({ status }) => CARE[status]));
  const alike = [keeper, ...others].filter(({ status }) => CARE[status] === most);
  const winner = alike[0] ?? keeper;
  const nextCrawlAfter = longestRest(alike);
  if (winner === keeper) return { ...keeper, nextCrawlAfter };
  // What is to be done is done by the next worker; nobody is at it.
  const status = winner.status === 'active' ? 'pending' : winner.status;
  const statusCode = status === winner.status ? winner.statusCode : 'new_urls';
  return { ...winner, id: keeper.id, status, statusCode, nextCrawlAfter };
}

function longestRest(rows: readonly StateRow[]): string | null {
  const isRefused = rows.some(({ status }) => status === 'blocked' || status === 'unreachable');
  if (isRefused && rows.some(({ nextCrawlAfter }) => nextCrawlAfter === null)) return null;
  const ends = rows.flatMap(({ nextCrawlAfter }) => nextCrawlAfter ?? []);
  // All in UTC and of one form, so the order of the text is that of time.
  return ends.sort().at(-1) ?? null;
}
