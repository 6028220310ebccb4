/** Periodic work that any of all processes may do, and only one of them does. */
import type { Database } from '../../platform/database.ts';
import { loadSql } from '../../platform/sql-file.ts';
import { inTransaction } from '../../platform/transaction.ts';

const claimJob = loadSql(import.meta.url, './claim-job.sql');
const claimMinute = loadSql(import.meta.url, './claim-minute.sql');

/** True for one of all processes, once in so many seconds. */
export async function takeJob(db: Database, name: string, everySeconds: number): Promise<boolean> {
  return (await inTransaction(db, (tx) => tx.query(claimJob, [name, everySeconds]))).rowCount > 0;
}

/** True for one of all processes in every minute of the clock: for what is written down by the minute. */
export async function takeMinute(db: Database, name: string): Promise<boolean> {
  return (await inTransaction(db, (tx) => tx.query(claimMinute, [name]))).rowCount > 0;
}
