/** What a batch has learned about proxies, inside its transaction: pairs under the leases that still hold. */
import { prepared } from '../../platform/database.ts';
import { numberArray, textArray } from '../../platform/pg-array.ts';
import { loadSql } from '../../platform/sql-file.ts';
import type { Transaction } from '../../platform/transaction.ts';
import { PAIR_RULES, PROXY_RULES } from '../proxies/exit-health.ts';
import type { Lease } from '../visit.ts';
import type { ProxyUses, UseSum } from './proxy-uses.ts';

const notePairs = prepared('note-pair-uses', loadSql(import.meta.url, './note-pair-uses.sql'));
const lockProxies = prepared('lock-used-proxies', loadSql(import.meta.url, '../proxies/lock-proxies.sql'));
const noteProxies = prepared('note-proxy-uses', loadSql(import.meta.url, './note-proxy-uses.sql'));

export async function writePairUses(
  tx: Transaction,
  uses: ProxyUses,
  isHeld: (lease: Lease) => boolean,
): Promise<void> {
  const pairs = [...uses.pairs]
    .filter(([lease]) => isHeld(lease))
    .flatMap(([lease, sums]) => [...sums].map(([proxyId, sum]) => ({ lease, proxyId, sum })));
  if (pairs.length === 0) return;
  const column = (pick: (sum: UseSum) => number | null): string =>
    numberArray(pairs.map(({ sum }) => pick(sum)));
  await tx.query(notePairs, [
    numberArray(pairs.map(({ lease }) => lease.domainId)),
    numberArray(pairs.map(({ proxyId }) => proxyId)),
    column(({ uses: count }) => count),
    column(({ successes }) => successes),
    column(({ failures }) => failures),
    column(({ trailing }) => trailing),
    column(meanMs),
    textArray(pairs.map(({ sum }) => sum.lastError)),
    ...[PAIR_RULES.limit, PAIR_RULES.firstCoolingMs / 1000, PAIR_RULES.longestCoolingMs / 1000],
  ]);
}

/** Late in the transaction, since every worker writes these rows. */
export async function writeProxyUses(tx: Transaction, { proxies }: ProxyUses): Promise<void> {
  if (proxies.size === 0) return;
  const ids = [...proxies.keys()];
  const sums = [...proxies.values()];
  const column = (pick: (sum: UseSum) => number | null): string => numberArray(sums.map(pick));
  await tx.query(lockProxies, [numberArray(ids)]);
  await tx.query(noteProxies, [
    numberArray(ids),
    column(({ successes }) => successes),
    column(({ failures }) => failures),
    column(({ trailing }) => trailing),
    column(meanMs),
    textArray(sums.map(({ lastError }) => lastError)),
    ...[PROXY_RULES.limit, PROXY_RULES.firstCoolingMs / 1000, PROXY_RULES.longestCoolingMs / 1000],
  ]);
}

function meanMs({ successes, totalMs }: UseSum): number | null {
  return successes === 0 ? null : Math.round(totalMs / successes);
}
