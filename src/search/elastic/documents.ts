/** What a search server is told, read from the database. */
import type { Queryable } from '../../platform/database.ts';
import { loadSql } from '../../platform/sql-file.ts';
import { HIT_BEGINS, HIT_ENDS } from '../postgres/snip.ts';
import type { IndexKind } from './indexes.ts';

const READ: Readonly<Record<IndexKind, string>> = {
  product: loadSql(import.meta.url, './read-product-docs.sql'),
  page: loadSql(import.meta.url, './read-page-docs.sql'),
};
const NEXT: Readonly<Record<IndexKind, string>> = {
  product: loadSql(import.meta.url, './next-product-ids.sql'),
  page: loadSql(import.meta.url, './next-page-ids.sql'),
};

const MARKS = new RegExp(`[${HIT_BEGINS}${HIT_ENDS}]`, 'g');

/** By number; what is not there any more is missing. */
export async function readDocuments(
  db: Queryable,
  kind: IndexKind,
  ids: readonly number[],
): Promise<Map<number, object>> {
  const { rows } = await db.query<{ id: number; doc: string }>(READ[kind], [ids]);
  // Prices are numbers there, for ranges and orders only: what is told of a hit comes from the database.
  return new Map(rows.map(({ id, doc }) => [id, JSON.parse(doc.replace(MARKS, '')) as object]));
}

export async function nextIds(
  db: Queryable,
  kind: IndexKind,
  after: number,
  limit: number,
): Promise<number[]> {
  const { rows } = await db.query<{ id: number }>(NEXT[kind], [after, limit]);
  return rows.map(({ id }) => id);
}
