/** Pages in the order in which they were first read, a portion at a time. */
import type { Database } from '../../platform/database.ts';
import { loadSql } from '../../platform/sql-file.ts';
import type { StoredPage } from './page-row.ts';

const readPortion = loadSql(import.meta.url, './read-pages.sql');

export interface PageFilter {
  readonly domainIds?: readonly number[] | undefined;
  readonly runId?: number | undefined;
  readonly status?: number | undefined;
  /** Found anywhere in the title, whatever the case. */
  readonly title?: string | undefined;
  /** Only pages that are gone from their site, or only others. */
  readonly isGone?: boolean | undefined;
}

export async function readPages(
  db: Database,
  filter: PageFilter,
  afterId: number,
  limit: number,
): Promise<StoredPage[]> {
  const { rows } = await db.query<StoredPage>(readPortion, [
    afterId,
    filter.domainIds ?? null,
    filter.runId ?? null,
    filter.status ?? null,
    filter.title === undefined ? null : `%${escapeLike(filter.title)}%`,
    limit,
    filter.isGone ?? null,
  ]);
  return rows;
}

const PORTION = 500;

/** All of them, with no more than one portion in memory. */
export async function* walkPages(db: Database, filter: PageFilter): AsyncGenerator<StoredPage> {
  for (let afterId = 0; ; ) {
    const portion = await readPages(db, filter, afterId, PORTION);
    yield* portion;
    const last = portion.at(-1);
    if (last === undefined || portion.length < PORTION) return;
    afterId = last.id;
  }
}

export function escapeLike(text: string): string {
  return text.replaceAll('\0', '').replace(/[\\%_]/g, '\\$&');
}
