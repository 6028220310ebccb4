/** Of what is not over there is one task for each page. */
import type { TaskStatus } from '../../contract/task-shapes.ts';
import type { Queryable } from '../../platform/database.ts';
import { errorCode, ForagerError } from '../../platform/errors.ts';
import { byteaArray, numberArray } from '../../platform/pg-array.ts';
import { loadSql } from '../../platform/sql-file.ts';
import { showUrl } from './task-domains.ts';

const findLive = loadSql(import.meta.url, './find-live-tasks.sql');

export interface LiveTask {
  readonly id: number;
  readonly status: TaskStatus;
  readonly batchId: number | null;
}

export interface PageKey {
  readonly domainId: number;
  readonly hash: Buffer;
}

export function keyOf({ domainId, hash }: PageKey): string {
  return `${domainId}:${hash.toString('base64')}`;
}

/** By keyOf. To be asked with the domains locked: then nobody makes another before what was decided is committed. */
export async function findLiveTasks(
  db: Queryable,
  pages: readonly PageKey[],
): Promise<Map<string, LiveTask>> {
  if (pages.length === 0) return new Map();
  const { rows } = await db.query<LiveTask & PageKey>(findLive, [
    numberArray(pages.map(({ domainId }) => domainId)),
    byteaArray(pages.map(({ hash }) => hash)),
  ]);
  return new Map(rows.map((row) => [keyOf(row), { id: row.id, status: row.status, batchId: row.batchId }]));
}

export function duplicateTask(url: string, { id, status }: Pick<LiveTask, 'id' | 'status'>): ForagerError {
  return new ForagerError(
    'duplicate-task',
    `Task ${id} for ${showUrl(url)} is ${status}: a page has one at a time.`,
    {
      hint: `watch or cancel task ${id}`,
    },
  );
}

/** Somebody who did not lock the domain was faster: looking again tells who it is. */
export function isDuplicate(error: unknown): boolean {
  return (
    errorCode(error) === '23505' &&
    (error as { readonly constraint?: unknown }).constraint === 'crawl_tasks_one_live'
  );
}
