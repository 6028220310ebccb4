import type { Queryable } from '../../platform/database.ts';
import { loadSql } from '../../platform/sql-file.ts';

const countStatement = loadSql(import.meta.url, './count-waiting.sql');

const MOST_COUNTED = 10_000;

/** What was read, but is not searchable yet: texts of pages, and words that corrections are made of. */
export interface Waiting {
  readonly pages: number;
  readonly products: number;
}

/** Undefined: nothing waits. */
export async function countWaiting(db: Queryable): Promise<Waiting | undefined> {
  const [waiting] = (await db.query<Waiting>(countStatement, [MOST_COUNTED])).rows;
  return waiting === undefined || waiting.pages + waiting.products === 0 ? undefined : waiting;
}
