/** What was wrong long ago is forgotten. For the hourly upkeep. */
import type { Database } from '../../platform/database.ts';
import { loadSql } from '../../platform/sql-file.ts';
import { inTransaction } from '../../platform/transaction.ts';

const statement = loadSql(import.meta.url, './forget-alerts.sql');

export async function forgetAlerts(db: Database): Promise<void> {
  await inTransaction(db, (tx) => tx.query(statement));
}
