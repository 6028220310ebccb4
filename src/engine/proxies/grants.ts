/**
 * Requests through proxies are granted before they are made, a lot at a time: the limits of a proxy hold over all
 * domains and workers, and nobody asks the database for a single request. What was granted and not used is given back
 * with the next lot; whoever dies has used it up.
 */
import { now } from '../../platform/clock.ts';
import type { Database } from '../../platform/database.ts';
import { dateArray, numberArray } from '../../platform/pg-array.ts';
import { loadSql } from '../../platform/sql-file.ts';
import { inTransaction, type Transaction } from '../../platform/transaction.ts';
import type { Grant, Pair } from './domain-exits.ts';

const lockProxies = loadSql(import.meta.url, './lock-proxies.sql');
const returnGrants = loadSql(import.meta.url, './return-grants.sql');
const grantSql = loadSql(import.meta.url, './grant-requests.sql');

export interface GrantedRow {
  readonly proxyId: number;
  readonly granted: number;
  readonly minute: Date;
  readonly freeInMs: number | null;
}

/** What has run out unused goes back first. */
export async function grantRequests(
  db: Database,
  domainId: number,
  pairs: readonly Pair[],
  lot: number,
): Promise<Map<number, GrantedRow>> {
  const nowMs = now().getTime();
  const unused = pairs.flatMap((pair) => takeBack(pair, ({ expiresAtMs }) => nowMs >= expiresAtMs));
  const ids = numberArray(pairs.map(({ proxy }) => proxy.endpoint.id));
  return inTransaction(db, async (tx) => {
    await tx.query(lockProxies, [ids]);
    await writeBack(tx, domainId, unused);
    const { rows } = await tx.query<GrantedRow>(grantSql, [domainId, ids, numberArray(pairs.map(() => lot))]);
    return new Map(rows.map((row) => [row.proxyId, row]));
  });
}

export async function giveBackGrants(db: Database, domainId: number, pairs: readonly Pair[]): Promise<void> {
  const unused = pairs.flatMap((pair) => takeBack(pair, () => true));
  if (unused.length === 0) return;
  await inTransaction(db, async (tx) => {
    await tx.query(lockProxies, [numberArray([...new Set(unused.map(({ proxyId }) => proxyId))])]);
    await writeBack(tx, domainId, unused);
  });
}

interface Unused {
  readonly proxyId: number;
  readonly minute: Date;
  readonly count: number;
}

/** From here on they are not to be used: should the transaction fail, they are simply lost. */
function takeBack(pair: Pair, isOver: (grant: Grant) => boolean): Unused[] {
  const over = pair.grants.filter(isOver);
  pair.grants = pair.grants.filter((grant) => !over.includes(grant));
  return over
    .filter(({ count }) => count > 0)
    .map(({ minute, count }) => ({ proxyId: pair.proxy.endpoint.id, minute, count }));
}

async function writeBack(tx: Transaction, domainId: number, unused: readonly Unused[]): Promise<void> {
  if (unused.length === 0) return;
  await tx.query(returnGrants, [
    domainId,
    numberArray(unused.map(({ proxyId }) => proxyId)),
    dateArray(unused.map(({ minute }) => minute)),
    numberArray(unused.map(({ count }) => count)),
  ]);
}
