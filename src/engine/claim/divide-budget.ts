/**
 * How many pages of a limited run one lease is given.
 *
 * Everybody who waits is given the same. Only half of what there is goes out in one round, so that domains found
 * later get a part too, and what one domain has no use for comes round again; the last pages go out in portions
 * that are worth a lease. With fewer pages than domains, the first in the queue get one each.
 */
const SMALLEST_PORTION = 50;

export interface Portions {
  readonly pages: number;
  readonly domains: number;
}

export function divideBudget(available: number, waiting: number, room: number): Portions {
  if (available <= 0) return { pages: 0, domains: 0 };
  const among = Math.max(1, waiting);
  const equal = Math.floor(available / among);
  const pages = Math.max(1, Math.ceil(equal / 2), Math.min(SMALLEST_PORTION, equal));
  return { pages, domains: Math.min(room, Math.floor(available / pages)) };
}
