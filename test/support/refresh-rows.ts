/** What readings have left of URLs, pages and the log, by path. */
import type { Queryable } from '../../src/platform/database.ts';
import { pathOf } from './crawl-rows.ts';

export interface UrlReadingRow {
  readonly state: string;
  readonly outcome: string | null;
  readonly misses: number;
  readonly visits: number;
  readonly changes: number;
  readonly errors: number;
  readonly hasHash: boolean;
  /** Planned time between two readings, in hours. */
  readonly everyHours: number | null;
  /** Until the next reading, in whole hours. */
  readonly inHours: number | null;
}

export async function readUrlReadings(
  db: Queryable,
  startsWith: string,
): Promise<Record<string, UrlReadingRow>> {
  const { rows } = await db.query<UrlReadingRow & { url: string }>(
    `select u.url, u.state::text as state, u.last_outcome as outcome, u.miss_count::int as misses,
            u.visits_count as visits, u.changes_count as changes, u.error_count::int as errors,
            u.content_hash is not null as "hasHash",
            round(u.refresh_seconds / 3600.0)::int as "everyHours",
            round(extract(epoch from u.next_crawl_at - forager_now()) / 3600)::int as "inHours"
       from urls u join domains d on d.id = u.domain_id where starts_with(d.domain, $1) order by u.url`,
    [`${startsWith}.`],
  );
  return Object.fromEntries(rows.map(({ url, ...row }) => [pathOf(url), row]));
}

export interface PageReadingRow {
  readonly title: string | null;
  /** Hours since then; null: never. */
  readonly readAgo: number;
  readonly changedAgo: number | null;
  readonly missingFor: number | null;
  readonly goneFor: number | null;
}

export async function readPageReadings(
  db: Queryable,
  startsWith: string,
): Promise<Record<string, PageReadingRow>> {
  const ago = (column: string, name: string): string =>
    `round(extract(epoch from forager_now() - p.${column}) / 3600)::int as "${name}"`;
  const { rows } = await db.query<PageReadingRow & { url: string }>(
    `select p.url, p.title, ${ago('crawled_at', 'readAgo')}, ${ago('changed_at', 'changedAgo')},
            ${ago('missing_since', 'missingFor')}, ${ago('gone_at', 'goneFor')}
       from pages p join domains d on d.id = p.domain_id where starts_with(d.domain, $1) order by p.url`,
    [`${startsWith}.`],
  );
  return Object.fromEntries(rows.map(({ url, ...row }) => [pathOf(url), row]));
}

export interface LoggedVisit {
  readonly path: string;
  readonly outcome: string;
  readonly type: string;
  readonly bytes: number;
}

/** The visits of the last hour, in order of their paths. */
export async function readLastVisits(db: Queryable, startsWith: string): Promise<LoggedVisit[]> {
  const { rows } = await db.query<Omit<LoggedVisit, 'path'> & { url: string }>(
    `select l.url, l.outcome, l.discovery_type as type, l.bytes_count::int as bytes
       from crawl_log l join domains d on d.id = l.domain_id
      where starts_with(d.domain, $1) and l.fetched_at > forager_now() - interval '30 minutes'
      order by l.url, l.fetched_at`,
    [`${startsWith}.`],
  );
  return rows.map(({ url, ...row }) => ({ path: pathOf(url), ...row }));
}
