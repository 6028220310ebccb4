/** A domain's due URLs, and when the next one will be. */
import { type Database, prepared } from '../../platform/database.ts';
import { loadSql } from '../../platform/sql-file.ts';
import type { DueUrl } from '../visit.ts';

const readDue = prepared('read-window', loadSql(import.meta.url, './read-window.sql'));
const readImages = prepared('read-image-window', loadSql(import.meta.url, './read-image-window.sql'));
const nextRetry = prepared('next-retry', loadSql(import.meta.url, './next-retry.sql'));

export interface DueRow {
  url_hash: Buffer;
  url: string;
  depth: number;
  priority: number;
  is_seed: boolean;
  redirect_count: number;
  error_count: number;
  etag: string | null;
  last_modified: string | null;
  state: string;
  content_hash: Buffer | null;
  refresh_seconds: number | null;
  miss_count: number;
  is_image?: boolean;
}

/** With `refreshSeconds`, also known pages that are to be read again within that time. */
export async function readWindow(
  db: Database,
  domainId: number,
  limit: number,
  refreshSeconds?: number,
): Promise<DueUrl[]> {
  const { rows } = await db.query<DueRow>(readDue, [domainId, limit, refreshSeconds ?? null]);
  return rows.map(toDueUrl);
}

/** Images that are due, and nothing else. */
export async function readImageWindow(db: Database, domainId: number, limit: number): Promise<DueUrl[]> {
  const { rows } = await db.query<DueRow>(readImages, [domainId, limit]);
  return rows.map(toDueUrl);
}

export function toDueUrl(row: DueRow): DueUrl {
  return {
    hash: row.url_hash,
    id: row.url_hash.toString('latin1'),
    url: row.url,
    depth: row.depth,
    priority: row.priority,
    isSeed: row.is_seed,
    redirectCount: row.redirect_count,
    errorCount: row.error_count,
    etag: row.etag ?? undefined,
    lastModified: row.last_modified ?? undefined,
    known: knownReading(row),
    isImage: row.is_image === true,
  };
}

/** Something was read here before, even if a person has made it due again as if it were new. */
function knownReading(row: DueRow): DueUrl['known'] {
  if (row.state === 'never_crawled' && row.content_hash === null) return undefined;
  return {
    contentHash: row.content_hash ?? undefined,
    refreshSeconds: row.refresh_seconds ?? undefined,
    missCount: row.miss_count,
  };
}

/** How long until the domain's earliest retry; undefined when none waits. */
export async function nextRetryMs(
  db: Database,
  domainId: number,
  of: 'anything' | 'images',
): Promise<number | undefined> {
  const { rows } = await db.query<{ wait_ms: number }>(nextRetry, [domainId, of === 'images']);
  return rows[0]?.wait_ms;
}
