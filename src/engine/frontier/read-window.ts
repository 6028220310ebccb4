/** A domain's due URLs, and when the next one will be. */
import { type Database, prepared } from '../../platform/database.ts';
import { loadSql } from '../../platform/sql-file.ts';
import type { DueUrl } from '../visit.ts';

const readDue = prepared('read-window', loadSql(import.meta.url, './read-window.sql'));
const nextRetry = prepared('next-retry', loadSql(import.meta.url, './next-retry.sql'));

interface DueRow {
  url_hash: Buffer;
  url: string;
  depth: number;
  priority: number;
  is_seed: boolean;
  redirect_count: number;
  error_count: number;
  etag: string | null;
  last_modified: string | null;
}

export async function readWindow(db: Database, domainId: number, limit: number): Promise<DueUrl[]> {
  const { rows } = await db.query<DueRow>(readDue, [domainId, limit]);
  return rows.map((row) => ({
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
  }));
}

/** How long until the domain's earliest retry; undefined when none waits. */
export async function nextRetryMs(db: Database, domainId: number): Promise<number | undefined> {
  const { rows } = await db.query<{ wait_ms: number }>(nextRetry, [domainId]);
  return rows[0]?.wait_ms;
}
