/** Tasks, one or a page of many, as they are told. */
import type { TaskStatus } from '../../contract/task-shapes.ts';
import type { Database, Queryable } from '../../platform/database.ts';
import { ForagerError } from '../../platform/errors.ts';
import { loadSql } from '../../platform/sql-file.ts';

const newestFirst = loadSql(import.meta.url, './list-tasks.sql');
const oldestFirst = newestFirst
  .replace('t.id < $12', 't.id > $12')
  .replace('order by t.id desc', 'order by t.id asc');

export interface TaskRow {
  readonly id: number;
  readonly url: string;
  readonly domain: string;
  readonly status: TaskStatus;
  readonly statusReason: string | null;
  readonly priority: number;
  readonly scheduledAt: Date;
  readonly startedAt: Date | null;
  readonly completedAt: Date | null;
  readonly retryCount: number;
  readonly maxRetries: number;
  readonly errorMessage: string | null;
  readonly executor: 'forager' | 'bot';
  readonly isRecurring: boolean;
  readonly crawlFrequencyHours: number | null;
  readonly nextCrawlAt: Date | null;
  readonly recrawlCount: number;
  readonly policyId: number | null;
  readonly batchId: number | null;
  readonly batchName: string | null;
  readonly parentTaskId: number | null;
  readonly isWaiting: boolean;
  readonly followDepth: number;
  readonly followLimit: number;
  readonly httpStatus: number | null;
  readonly responseTimeMs: number | null;
  readonly finalUrl: string | null;
  readonly fetchedAt: Date | null;
  readonly hasBody: boolean;
  readonly lockedBy: string | null;
  readonly lockedUntil: Date | null;
  readonly createdBy: string;
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

export interface TaskFilter {
  readonly status?: TaskStatus | undefined;
  readonly domainId?: number | undefined;
  readonly batchId?: number | undefined;
  readonly policyId?: number | undefined;
  readonly parentTaskId?: number | undefined;
  readonly createdBy?: string | undefined;
  readonly priority?: number | undefined;
  readonly since?: Date | undefined;
  readonly until?: Date | undefined;
  readonly search?: string | undefined;
}

export async function listTasks(
  db: Database,
  filter: TaskFilter,
  order: 'asc' | 'desc',
  after: number | undefined,
  limit: number,
): Promise<TaskRow[]> {
  const { status, domainId, batchId, policyId, parentTaskId, createdBy, priority, since, until, search } =
    filter;
  const { rows } = await db.query<TaskRow>(order === 'desc' ? newestFirst : oldestFirst, [
    ...[null, status ?? null, domainId ?? null, batchId ?? null, policyId ?? null, parentTaskId ?? null],
    ...[createdBy ?? null, priority ?? null, since ?? null, until ?? null, search ?? null],
    ...[after ?? null, limit],
  ]);
  return rows;
}

const NOTHING_ELSE: readonly null[] = Array.from({ length: 11 }, () => null);

export async function readTaskRow(db: Queryable, id: number): Promise<TaskRow> {
  const [row] = (await db.query<TaskRow>(newestFirst, [id, ...NOTHING_ELSE, 1])).rows;
  if (row === undefined) throw unknownTask(id);
  return row;
}

export function unknownTask(id: number): ForagerError {
  return new ForagerError('unknown-task', `There is no task ${id}.`, {
    hint: '"forager task list" lists them',
  });
}
