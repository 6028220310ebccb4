/** What became of a job is kept for a month. For the hourly upkeep. */
import type { Database } from '../../platform/database.ts';
import { loadSql } from '../../platform/sql-file.ts';
import { inTransaction } from '../../platform/transaction.ts';

const statement = loadSql(import.meta.url, './forget-jobs.sql');

/** Returns how many were forgotten. */
export async function forgetJobs(db: Database): Promise<number> {
  return (await inTransaction(db, (tx) => tx.query(statement))).rowCount;
}
