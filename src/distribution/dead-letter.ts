/** Messages that nobody could understand are kept, so that a person can find out who sent them. */
import type { Database } from '../platform/database.ts';
import { loadSql } from '../platform/sql-file.ts';
import { inTransaction } from '../platform/transaction.ts';

const insertDeadLetter = loadSql(import.meta.url, './insert-dead-letter.sql');

export interface DeadLetter {
  readonly queue: string;
  readonly reason: string;
  /** As it came. */
  readonly text: string;
}

export type RecordDeadLetter = (letter: DeadLetter) => Promise<void>;

const MOST_KEPT_CHARACTERS = 8000;

/** Into the table `dead_letters`. One that is there already is not written again: messages come twice. */
export function recordInDatabase(db: Pick<Database, 'pool'>): RecordDeadLetter {
  return async ({ queue, reason, text }) => {
    // PostgreSQL keeps no NUL in text, and no half of a character: the bytes have none.
    const whole = Buffer.from(text.slice(0, MOST_KEPT_CHARACTERS)).toString();
    const kept = whole.replaceAll('\0', '\ufffd');
    await inTransaction(db, async (tx) => {
      await tx.query("select pg_advisory_xact_lock(hashtext('forager dead letters'))");
      await tx.query(insertDeadLetter, [queue, reason, JSON.stringify({ message: kept })]);
    });
  };
}
