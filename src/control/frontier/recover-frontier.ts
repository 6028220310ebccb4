/**
 * What workers do by themselves, done now: leases that ran out, or whose holders are dead, are free again, and domains
 * whose time has come can be claimed. Whoever has been heard of lately keeps what it has.
 */
import { freeExpiredClaims, freeGoneClaims } from '../../engine/claim/claim-domains.ts';
import { beginRefreshes, wakeDomains } from '../../engine/claim/wake-domains.ts';
import { STANDING_RUN } from '../../engine/run/standing-run.ts';
import type { Database } from '../../platform/database.ts';
import { loadSql } from '../../platform/sql-file.ts';
import { inTransaction } from '../../platform/transaction.ts';
import { type Actor, recordAct } from '../access/actor.ts';

const freeSilent = loadSql(import.meta.url, './free-silent-claims.sql');

export interface RecoveryReport {
  readonly expiredLeases: number;
  readonly silentLeases: number;
  readonly goneLeases: number;
  readonly wokenDomains: number;
  readonly refreshedDomains: number;
}

export async function recoverFrontier(
  db: Database,
  staleSeconds: number,
  actor: Actor,
): Promise<RecoveryReport> {
  // It is many transactions: the first says what was asked for, the last what came of it.
  await inTransaction(db, (tx) => recordAct(tx, actor, 'frontier.recover', undefined, { staleSeconds }));
  const expiredLeases = await untilNothing(() => freeExpiredClaims(db));
  const silentLeases = await inTransaction(
    db,
    async (tx) => (await tx.query(freeSilent, [staleSeconds])).rowCount,
  );
  const goneLeases = await freeGoneClaims(db);
  const wokenDomains = await untilNothing(() => wakeDomains(db));
  const refreshedDomains = await untilNothing(() => beginRefreshes(db, STANDING_RUN));
  const report = { expiredLeases, silentLeases, goneLeases, wokenDomains, refreshedDomains };
  await inTransaction(db, (tx) => recordAct(tx, actor, 'frontier.recovered', undefined, report));
  return report;
}

/** Each look takes so many at most; what others add meanwhile is not waited for. */
const MOST_LOOKS = 1000;

async function untilNothing(look: () => Promise<number>): Promise<number> {
  let sum = 0;
  for (let looks = 0; looks < MOST_LOOKS; looks += 1) {
    const count = await look();
    if (count === 0) break;
    sum += count;
  }
  return sum;
}
