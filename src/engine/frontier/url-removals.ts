/**
 * Workers remember which links they have dealt with, and do not ask the database again. Whoever removes URLs says so
 * here, in the same transaction; a worker that claims a domain looks, and forgets.
 */
import { type Database, prepared } from '../../platform/database.ts';
import { loadSql } from '../../platform/sql-file.ts';
import type { Transaction } from '../../platform/transaction.ts';

const note = loadSql(import.meta.url, './note-removal.sql');
const count = prepared('count-removals', loadSql(import.meta.url, './count-removals.sql'));

export async function noteRemoval(tx: Transaction): Promise<void> {
  await tx.query(note);
}

/** Another number than last time: URLs were removed since. */
export async function countRemovals(db: Database): Promise<number> {
  return (await db.query<{ times: number }>(count)).rows[0]?.times ?? 0;
}
