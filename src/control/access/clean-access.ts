/** Deletes what is over: sessions, failed logins that no longer count, answers nobody will ask for again. */
import type { Database } from '../../platform/database.ts';
import { loadSql } from '../../platform/sql-file.ts';
import { inTransaction } from '../../platform/transaction.ts';

const cleanSessionsSql = loadSql(import.meta.url, './clean-sessions.sql');
const cleanThrottlesSql = loadSql(import.meta.url, './clean-throttles.sql');
const cleanIdempotencyKeysSql = loadSql(import.meta.url, './clean-idempotency-keys.sql');

export interface CleanReport {
  readonly sessions: number;
  readonly throttles: number;
  readonly idempotencyKeys: number;
}

/** To be called every hour or so. Each in a transaction of its own, so that nobody waits for the others. */
export async function cleanAccess(db: Database): Promise<CleanReport> {
  const run = async (sql: string): Promise<number> =>
    inTransaction(db, async (tx) => (await tx.query(sql)).rowCount);
  return {
    sessions: await run(cleanSessionsSql),
    throttles: await run(cleanThrottlesSql),
    idempotencyKeys: await run(cleanIdempotencyKeysSql),
  };
}
