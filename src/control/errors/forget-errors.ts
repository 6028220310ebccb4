/** What went wrong long ago is forgotten. For the hourly upkeep; in portions, so that nobody waits for it. */
import type { Database } from '../../platform/database.ts';
import { loadSql } from '../../platform/sql-file.ts';
import { inTransaction } from '../../platform/transaction.ts';

const forgetErrorsSql = loadSql(import.meta.url, './forget-errors.sql');
const MOST_PORTIONS = 200;

export async function forgetErrors(db: Database): Promise<void> {
  for (let portion = 0; portion < MOST_PORTIONS; portion += 1) {
    if ((await inTransaction(db, (tx) => tx.query(forgetErrorsSql))).rowCount === 0) return;
  }
}
