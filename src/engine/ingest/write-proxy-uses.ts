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

/**
 * Late in the transaction, since every worker writes these rows. The proxies are locked before anything is said about
 * them: whoever grants requests through them does the same, and counts in the same rows.
 */
export async function writeProxyUses(
  tx: Transaction,
  uses: ProxyUses,
  isHeld: (lease: Lease) => boolean,
): Promise<void> {
  if (uses.isEmpty) return;
  await tx.query(lockProxies, [numberArray([...uses.proxies.keys()])]);
  await writePairs(tx, uses, isHeld);
  await writeProxies(tx, uses);
}

async function writePairs(
  tx: Transaction,
  uses: ProxyUses,
  isHeld: (lease: Lease) => boolean,
): Promise<void> {
  const pairs = [...uses.pairs]
    .filter(([lease]) => isHeld(lease))
    .flatMap(([lease, sums]) => [...sums].map(([proxyId, sum]) => ({ lease, proxyId, sum })));
  if (pairs.length === 0) return;
  await tx.query(notePairs, [
    numberArray(pairs.map(({ lease }) => lease.domainId)),
    numberArray(pairs.map(({ proxyId }) => proxyId)),
    numberArray(pairs.map(({ sum }) => sum.uses)),
    ...columns(pairs.map(({ sum }) => sum)),
    ...[PAIR_RULES.limit, PAIR_RULES.firstCoolingMs / 1000, PAIR_RULES.longestCoolingMs / 1000],
    numberArray(pairs.map(({ sum }) => sum.trailingShared)),
  ]);
}

async function writeProxies(tx: Transaction, { proxies }: ProxyUses): Promise<void> {
  await tx.query(noteProxies, [
    numberArray([...proxies.keys()]),
    ...columns([...proxies.values()]),
    ...[PROXY_RULES.limit, PROXY_RULES.firstCoolingMs / 1000, PROXY_RULES.longestCoolingMs / 1000],
  ]);
}

function columns(sums: readonly UseSum[]): string[] {
  return [
    numberArray(sums.map(({ successes }) => successes)),
    numberArray(sums.map(({ failures }) => failures)),
    numberArray(sums.map(({ trailing }) => trailing)),
    numberArray(sums.map(meanMs)),
    textArray(sums.map(({ lastError }) => lastError)),
  ];
}

function meanMs({ successes, totalMs }: UseSum): number | null {
  return successes === 0 ? null : Math.round(totalMs / successes);
}
