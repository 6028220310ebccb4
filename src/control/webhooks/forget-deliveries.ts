/** What was sent long ago is forgotten. For the hourly upkeep; in portions, so that nobody waits for it. */
import type { Database } from '../../platform/database.ts';
import { loadSql } from '../../platform/sql-file.ts';
import { inTransaction } from '../../platform/transaction.ts';

const forgetDeliveriesSql = loadSql(import.meta.url, './forget-deliveries.sql');
const MOST_PORTIONS = 200;

export async function forgetDeliveries(db: Database): Promise<void> {
  for (let portion = 0; portion < MOST_PORTIONS; portion += 1) {
    if ((await inTransaction(db, (tx) => tx.query(forgetDeliveriesSql))).rowCount === 0) return;
  }
}
