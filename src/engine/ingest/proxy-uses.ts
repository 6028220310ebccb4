/** What came through proxies, summed up for a batch: for each pair under its lease, and for each proxy over all. */
import type { ExitError, ExitUse } from '../proxies/fetch-through.ts';
import type { Lease } from '../visit.ts';

export interface UseSum {
  uses: number;
  successes: number;
  failures: number;
  /** Since the last success, or all of them where there was none. */
  trailing: number;
  /** Of those, what others have had as well: alone it puts nobody out. */
  trailingShared: number;
  /** Of the successes. */
  totalMs: number;
  lastError: string | undefined;
}

/** Failures are told one by one, but not without end. */
const MOST_ERRORS = 200;

export class ProxyUses {
  readonly pairs = new Map<Lease, Map<number, UseSum>>();
  readonly proxies = new Map<number, UseSum>();
  readonly errors: { readonly lease: Lease; readonly proxyId: number; readonly error: ExitError }[] = [];

  get isEmpty(): boolean {
    return this.proxies.size === 0;
  }

  add(lease: Lease, use: ExitUse): void {
    let ofLease = this.pairs.get(lease);
    if (ofLease === undefined) {
      ofLease = new Map();
      this.pairs.set(lease, ofLease);
    }
    count(sumOf(ofLease, use.proxyId), use.pair, use);
    count(sumOf(this.proxies, use.proxyId), use.proxy, use);
    const { error, proxyId } = use;
    if (error !== undefined && this.errors.length < MOST_ERRORS) this.errors.push({ lease, proxyId, error });
  }
}

function sumOf(sums: Map<number, UseSum>, proxyId: number): UseSum {
  let sum = sums.get(proxyId);
  if (sum === undefined) {
    sum = {
      uses: 0,
      successes: 0,
      failures: 0,
      trailing: 0,
      trailingShared: 0,
      totalMs: 0,
      lastError: undefined,
    };
    sums.set(proxyId, sum);
  }
  return sum;
}

function count(sum: UseSum, ending: ExitUse['pair'], use: ExitUse): void {
  sum.uses += 1;
  if (ending === 'success') {
    sum.successes += 1;
    sum.trailing = 0;
    sum.trailingShared = 0;
    sum.totalMs += use.durationMs;
  } else if (ending !== 'neither') {
    sum.failures += 1;
    sum.trailing += 1;
    if (ending === 'shared failure') sum.trailingShared += 1;
    sum.lastError = use.error?.message;
  }
}
