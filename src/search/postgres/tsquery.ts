/** From what people typed to what PostgreSQL searches for. Only parameters: nothing of it becomes part of a statement. */
import type { Queryable } from '../../platform/database.ts';
import { loadSql } from '../../platform/sql-file.ts';
import type { SearchQuery, SearchTerm } from '../search-query.ts';

const MAKE = {
  products: loadSql(import.meta.url, './make-product-query.sql'),
  pages: loadSql(import.meta.url, './make-page-query.sql'),
};

/** As PostgreSQL writes queries itself; null: nothing. */
export interface TextQuery {
  readonly wanted: string;
  readonly unwanted: string | null;
}

/** Undefined: nothing can fit, because there is nothing to search for, or nothing to search in. */
export async function makeTextQuery(
  db: Queryable,
  what: keyof typeof MAKE,
  query: SearchQuery,
  isAnyWord: boolean,
): Promise<TextQuery | undefined> {
  if (query.wanted.length === 0) return undefined;
  const wanted = query.wanted.map(quote).join(isAnyWord ? ' or ' : ' ');
  const unwanted = query.unwanted.length === 0 ? null : query.unwanted.map(quote).join(' or ');
  const { rows } = await db.query<{ wanted: string | null; unwanted: string | null }>(MAKE[what], [
    wanted,
    unwanted,
  ]);
  const [made] = rows;
  if (made === undefined || made.wanted === null) return undefined;
  return { wanted: made.wanted, unwanted: made.unwanted };
}

/** In quotation marks nothing is an operator, not even "or"; the words of a term are free of them. */
function quote({ text }: SearchTerm): string {
  return `"${text}"`;
}
