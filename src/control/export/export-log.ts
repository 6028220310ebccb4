/** Writes out the log: one row per fetch. */
import type { Database } from '../../platform/database.ts';
import { loadSql } from '../../platform/sql-file.ts';
import { findDomainIds } from '../domains/find-domain.ts';
import type { ExportRowsRequest } from './export-urls.ts';
import { streamRows } from './stream-rows.ts';
import { writeRows } from './write-rows.ts';

const readLog = loadSql(import.meta.url, './read-log.sql');

const LOG_FIELDS = [
  'fetchedAt',
  'url',
  'domain',
  'outcome',
  'status',
  'attempt',
  'durationMs',
  'bytes',
  'discovery',
  'worker',
  'run',
  'proxy',
  'message',
] as const;

export async function exportLog(db: Database, request: ExportRowsRequest): Promise<{ rows: number }> {
  const domainIds = request.domains?.length ? await findDomainIds(db, request.domains) : undefined;
  const rows = streamRows<Record<string, unknown>>(db, readLog, [domainIds ?? null, request.runId ?? null]);
  return { rows: await writeRows(rows, LOG_FIELDS, request) };
}
