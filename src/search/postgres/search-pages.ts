/** Pages by the words of their text, from PostgreSQL. */
import type { Database, Queryable } from '../../platform/database.ts';
import { loadSql } from '../../platform/sql-file.ts';
import {
  type Found,
  type FoundPage,
  MOST_COUNTED,
  MOST_RANKED_PAGES,
  type PageSearch,
} from '../search-engine.ts';
import { inSnapshot } from './snapshot.ts';
import { HIT_BEGINS, HIT_ENDS, toSnippet } from './snip.ts';
import { makeTextQuery, type TextQuery } from './tsquery.ts';

const rankPages = loadSql(import.meta.url, './rank-pages.sql');
const sortPages = loadSql(import.meta.url, './sort-pages.sql');
const countPages = loadSql(import.meta.url, './count-pages.sql');
const snipPages = loadSql(import.meta.url, './snip-pages.sql');

export async function searchPages(db: Pick<Database, 'pool'>, search: PageSearch): Promise<Found<FoundPage>> {
  return inSnapshot(db, async (snapshot) => {
    const query = await makeTextQuery(snapshot, 'pages', search.query, search.isAnyWord);
    if (query === undefined) return { hits: [], total: 0, isTotalExact: true, isMore: false };
    const rows = await find(snapshot, query, search);
    const shown = rows.slice(0, search.limit);
    const total = await count(snapshot, query, search);
    const snippets = await snip(snapshot, query.wanted, shown);
    return {
      ...total,
      isMore: rows.length > search.limit,
      hits: shown.map(({ id, score, key }) => ({
        ...{ id, score, place: { key, id }, snippet: snippets.get(id) ?? [] },
      })),
    };
  });
}

interface Row {
  readonly id: number;
  readonly score: number;
  readonly key: string;
}

async function find(db: Queryable, query: TextQuery, search: PageSearch): Promise<Row[]> {
  const { sort, order, after, limit } = search;
  const domainId = search.domainId ?? null;
  const place = [query.wanted, query.unwanted, after?.key ?? null, after?.id ?? null, limit + 1];
  if (sort === 'relevance') {
    return (await db.query<Row>(rankPages, [...place, MOST_RANKED_PAGES, domainId])).rows;
  }
  const statement = sortPages
    .replaceAll('{order}', order)
    .replaceAll('{beyond}', order === 'asc' ? '>' : '<');
  return (await db.query<Row>(statement, [...place, domainId])).rows;
}

async function count(
  db: Queryable,
  query: TextQuery,
  { withTotal, domainId }: PageSearch,
): Promise<Pick<Found<FoundPage>, 'total' | 'isTotalExact'>> {
  if (!withTotal) return { total: 0, isTotalExact: false };
  const values = [query.wanted, query.unwanted, MOST_COUNTED + 1, domainId ?? null];
  const found = (await db.query<{ count: number }>(countPages, values)).rows[0]?.count ?? 0;
  return { total: Math.min(found, MOST_COUNTED), isTotalExact: found <= MOST_COUNTED };
}

async function snip(db: Queryable, wanted: string, rows: readonly Row[]) {
  if (rows.length === 0) return new Map<number, FoundPage['snippet']>();
  const ids = rows.map(({ id }) => id);
  const values = [wanted, ids, HIT_BEGINS, HIT_ENDS];
  const found = await db.query<{ id: number; snippet: string }>(snipPages, values);
  return new Map(found.rows.map(({ id, snippet }) => [id, toSnippet(snippet)]));
}
