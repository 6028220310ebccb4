/** Pages that were found, as they are told. */
import type { Queryable } from '../platform/database.ts';
import { loadSql } from '../platform/sql-file.ts';
import type { FoundPage, Snippet } from './search-engine.ts';

const readPages = loadSql(import.meta.url, './read-pages.sql');

interface PageRow {
  readonly pageId: number;
  readonly url: string;
  readonly domain: string;
  readonly title: string | null;
  readonly crawledAt: Date;
}

export interface PageHit extends PageRow {
  readonly score: number;
  readonly snippet: Snippet;
}

/** Without those that are gone, or ask not to be indexed, since they were indexed. */
export async function readPageHits(db: Queryable, found: readonly FoundPage[]): Promise<PageHit[]> {
  if (found.length === 0) return [];
  const { rows } = await db.query<PageRow>(readPages, [found.map(({ id }) => id)]);
  const pages = new Map(rows.map((row) => [row.pageId, row]));
  return found.flatMap(({ id, score, snippet }) => {
    const page = pages.get(id);
    return page === undefined ? [] : [{ ...page, score, snippet }];
  });
}
