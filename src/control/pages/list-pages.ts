/** A page of pages: the newest or the oldest first, from where the last one ended. */
import type { Database } from '../../platform/database.ts';
import { loadSql } from '../../platform/sql-file.ts';
import { findDomain } from '../domains/find-domain.ts';
import type { PageRow } from './page-row.ts';
import { escapeLike } from './read-pages.ts';

const load = (name: string): string => loadSql(import.meta.url, `./${name}.sql`);
const OF_ALL = { desc: load('list-pages-newest'), asc: load('list-pages-oldest') };
const OF_DOMAIN = { desc: load('list-domain-pages-newest'), asc: load('list-domain-pages-oldest') };

export interface PageListFilter {
  readonly domain?: string | undefined;
  readonly status?: number | undefined;
  /** 4 for all of 400 to 499. */
  readonly statusClass?: number | undefined;
  /** Found anywhere in the title, whatever the case. */
  readonly title?: string | undefined;
  readonly language?: string | undefined;
  /** What the content type begins with: parameters such as a charset need not be named. */
  readonly contentType?: string | undefined;
  readonly isGone?: boolean | undefined;
  readonly changedSince?: Date | undefined;
  readonly crawledSince?: Date | undefined;
  readonly crawledUntil?: Date | undefined;
  readonly run?: number | undefined;
}

/** Throws for a domain that is not known: an empty list would say that it has no pages. */
export async function listPages(
  db: Database,
  filter: PageListFilter,
  order: 'asc' | 'desc',
  fromId: number | undefined,
  limit: number,
): Promise<PageRow[]> {
  const domain = filter.domain === undefined ? undefined : await findDomain(db, filter.domain);
  const [lowest, highest] = statusRange(filter);
  const statements = domain === undefined ? OF_ALL : OF_DOMAIN;
  const { rows } = await db.query<PageRow>(statements[order], [
    ...[fromId ?? null, limit, ...(domain === undefined ? [] : [domain.id]), lowest, highest],
    filter.title === undefined ? null : `%${escapeLike(filter.title)}%`,
    filter.language?.toLowerCase() ?? null,
    filter.contentType === undefined ? null : `${escapeLike(filter.contentType)}%`,
    ...[filter.isGone ?? null, filter.changedSince ?? null, filter.crawledSince ?? null],
    ...[filter.crawledUntil ?? null, filter.run ?? null],
  ]);
  return rows;
}

function statusRange({ status, statusClass }: PageListFilter): [number | null, number | null] {
  if (status !== undefined) return [status, status];
  if (statusClass !== undefined) return [statusClass * 100, statusClass * 100 + 99];
  return [null, null];
}
