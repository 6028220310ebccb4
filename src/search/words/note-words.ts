/** Keeps the words that products are named with, for corrections and suggestions: beside the crawl, in portions. */
import type { Database } from '../../platform/database.ts';
import { loadSql } from '../../platform/sql-file.ts';
import { inTransaction } from '../../platform/transaction.ts';

const beginMark = loadSql(import.meta.url, './begin-mark.sql');
const lockMark = loadSql(import.meta.url, './lock-mark.sql');
const moveMark = loadSql(import.meta.url, './move-mark.sql');
const noteWords = loadSql(import.meta.url, './note-words.sql');

const PORTION = 1000;

/** How many products were looked at: fewer than a portion means there are no more. Somebody else at it: none. */
export async function noteNewWords(db: Database, upTo: Date): Promise<{ count: number; isMore: boolean }> {
  return inTransaction(db, async (tx) => {
    await tx.query(beginMark);
    const [mark] = (await tx.query<{ at: string; id: number }>(lockMark)).rows;
    if (mark === undefined) return { count: 0, isMore: false };
    const { rows } = await tx.query<{ id: number; at: string; count: number }>(noteWords, [
      ...[mark.at, mark.id, PORTION, upTo],
    ]);
    const [last] = rows;
    if (last === undefined) return { count: 0, isMore: false };
    await tx.query(moveMark, [last.at, last.id]);
    return { count: last.count, isMore: last.count === PORTION };
  });
}
