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
  readonly domainId: number;
  readonly proxyId: number;
  readonly granted: number;
  readonly minute: Date;
  readonly freeInMs: number | null;
}

export interface WantedGrant {
  readonly domainId: number;
  readonly pairs: readonly Pair[];
  readonly lot: number;
}

/** By domain and proxy. What has run out unused goes back first. */
export async function grantRequests(
  db: Database,
  wanted: readonly WantedGrant[],
): Promise<Map<number, Map<number, GrantedRow>>> {
  const nowMs = now().getTime();
  const unused = wanted.flatMap(({ domainId, pairs }) =>
    pairs.flatMap((pair) => takeBack(domainId, pair, ({ expiresAtMs }) => nowMs >= expiresAtMs)),
  );
  const asked = wanted.flatMap(({ domainId, pairs, lot }) =>
    pairs.map(({ proxy }) => ({ domainId, proxyId: proxy.endpoint.id, lot })),
  );
  return inTransaction(db, async (tx) => {
    await tx.query(lockProxies, [numberArray([...new Set(asked.map(({ proxyId }) => proxyId))])]);
    await writeBack(tx, unused);
    const { rows } = await tx.query<GrantedRow>(grantSql, [
      numberArray(asked.map(({ domainId }) => domainId)),
      numberArray(asked.map(({ proxyId }) => proxyId)),
      numberArray(asked.map(({ lot }) => lot)),
    ]);
    const granted = new Map<number, Map<number, GrantedRow>>();
    for (const row of rows) {
      const ofDomain = granted.get(row.domainId) ?? new Map<number, GrantedRow>();
      granted.set(row.domainId, ofDomain.set(row.proxyId, row));
    }
    return granted;
  });
}

export async function giveBackGrants(db: Database, domainId: number, pairs: readonly Pair[]): Promise<void> {
  const unused = pairs.flatMap((pair) => takeBack(domainId, pair, () => true));
  if (unused.length === 0) return;
  await inTransaction(db, async (tx) => {
    await tx.query(lockProxies, [numberArray([...new Set(unused.map(({ proxyId }) => proxyId))])]);
    await writeBack(tx, unused);
  });
}

interface Unused {
  readonly domainId: number;
  readonly proxyId: number;
  readonly minute: Date;
  readonly count: number;
}

/** From here on they are not to be used: should the transaction fail, they are simply lost. */
function takeBack(domainId: number, pair: Pair, isOver: (grant: Grant) => boolean): Unused[] {
  const over = pair.grants.filter(isOver);
  pair.grants = pair.grants.filter((grant) => !over.includes(grant));
  return over
    .filter(({ count }) => count > 0)
    .map(({ minute, count }) => ({ domainId, proxyId: pair.proxy.endpoint.id, minute, count }));
}

async function writeBack(tx: Transaction, unused: readonly Unused[]): Promise<void> {
  if (unused.length === 0) return;
  await tx.query(returnGrants, [
    numberArray(unused.map(({ domainId }) => domainId)),
    numberArray(unused.map(({ proxyId }) => proxyId)),
    dateArray(unused.map(({ minute }) => minute)),
    numberArray(unused.map(({ count }) => count)),
  ]);
}
