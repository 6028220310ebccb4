/** Writes out every known URL and what became of it. */
import type { Database } from '../../platform/database.ts';
import { loadSql } from '../../platform/sql-file.ts';
import { findDomainIds } from '../domains/find-domain.ts';
import { type WriteRequest, writeRows } from './write-rows.ts';

const readPortion = loadSql(import.meta.url, './read-urls.sql');

export interface ExportRowsRequest extends WriteRequest {
  readonly runId?: number | undefined;
  /** In any spelling. */
  readonly domains?: readonly string[] | undefined;
}

const URL_FIELDS = [
  'url',
  'domain',
  'state',
  'depth',
  'priority',
  'seed',
  'status',
  'outcome',
  'errors',
  'discoveredAt',
  'lastCrawledAt',
  'retryAt',
  'nextCrawlAt',
  'etag',
  'lastModified',
  'contentHash',
  'simhash',
] as const;

export async function exportUrls(db: Database, request: ExportRowsRequest): Promise<{ rows: number }> {
  const domainIds = request.domains?.length ? await findDomainIds(db, request.domains) : undefined;
  return { rows: await writeRows(walkUrls(db, domainIds, request.runId), URL_FIELDS, request) };
}

interface UrlRow extends Record<string, unknown> {
  readonly domainId: number;
  readonly urlHash: Buffer;
}

const PORTION = 1000;

async function* walkUrls(
  db: Database,
  domainIds: readonly number[] | undefined,
  runId: number | undefined,
): AsyncGenerator<UrlRow> {
  let domainId = 0;
  let urlHash: Buffer = Buffer.alloc(0);
  for (;;) {
    const { rows } = await db.query<UrlRow>(readPortion, [
      domainId,
      urlHash,
      domainIds ?? null,
      runId ?? null,
      PORTION,
    ]);
    yield* rows;
    const last = rows.at(-1);
    if (last === undefined || rows.length < PORTION) return;
    ({ domainId, urlHash } = last);
  }
}
