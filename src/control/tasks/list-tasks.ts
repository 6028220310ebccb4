/** Tasks, one or a page of many, as they are told. */
import { MOST_LOOKED_AT, type TaskStatus, type Wanted } from '../../contract/task-shapes.ts';
import type { Database, Queryable } from '../../platform/database.ts';
import { ForagerError } from '../../platform/errors.ts';
import { loadSql } from '../../platform/sql-file.ts';
import { chooseWalk, type TaskOrderName, turnRound, type Walk, walkAlong } from './walk-index.ts';

const newestFirst = loadSql(import.meta.url, './list-tasks.sql');
const newestEdge = loadSql(import.meta.url, './find-edge.sql');

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
  readonly wanted: Wanted;
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
  /** The proxy through which it was fetched last; null: none. */
  readonly proxyId: number | null;
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

/** Which parameter of list-tasks.sql has the value. */
const PARAMETERS: Readonly<Record<Walk, number>> = {
  ...{ status: 2, domainId: 3, batchId: 4, policyId: 5, parentTaskId: 6, createdBy: 7 },
};

export interface TaskPage {
  readonly rows: readonly TaskRow[];
  /** Nothing behind this task has been looked at; undefined: everything there is has, or as many were found as asked for. */
  readonly lookedTo: number | undefined;
}

/** As many rows as asked for, or those that are found among so many tasks. */
export async function listTasks(
  db: Database,
  filter: TaskFilter,
  order: TaskOrderName,
  after: number | undefined,
  limit: number,
  mostLookedAt: number = MOST_LOOKED_AT,
): Promise<TaskPage> {
  const { status, domainId, batchId, policyId, parentTaskId, createdBy, priority, since, until, search } =
    filter;
  const walk = chooseWalk(filter);
  const inOrder = order === 'desc' ? (text: string): string => text : turnRound;
  const edge = isSelective(filter)
    ? await findEdge(db, inOrder(newestEdge), walk, [after ?? null, mostLookedAt], filter)
    : undefined;
  const statement = walkAlong(newestFirst, walk, walk === undefined ? 0 : PARAMETERS[walk]);
  const { rows } = await db.query<TaskRow>(inOrder(statement), [
    ...[null, status ?? null, domainId ?? null, batchId ?? null, policyId ?? null, parentTaskId ?? null],
    ...[createdBy ?? null, priority ?? null, since ?? null, until ?? null, search ?? null],
    ...[after ?? null, limit, edge ?? null],
  ]);
  return { rows, lookedTo: rows.length < limit ? edge : undefined };
}

/** Whether a task that is met on the way may be none of the list. */
function isSelective(filter: TaskFilter): boolean {
  const given = Object.values(filter).filter((value) => value !== undefined).length;
  return given > (chooseWalk(filter) === undefined ? 0 : 1);
}

async function findEdge(
  db: Database,
  statement: string,
  walk: Walk | undefined,
  values: readonly unknown[],
  filter: TaskFilter,
): Promise<number | undefined> {
  const { rows } = await db.query<{ id: number }>(walkAlong(statement, walk, 3), [
    ...values,
    ...(walk === undefined ? [] : [filter[walk]]),
  ]);
  return rows[0]?.id;
}

const NOTHING_ELSE: readonly null[] = Array.from({ length: 11 }, () => null);

export async function readTaskRow(db: Queryable, id: number): Promise<TaskRow> {
  const [row] = (await db.query<TaskRow>(newestFirst, [id, ...NOTHING_ELSE, 1, null])).rows;
  if (row === undefined) throw unknownTask(id);
  return row;
}

export function unknownTask(id: number): ForagerError {
  return new ForagerError('unknown-task', `There is no task ${id}.`, {
    hint: '"forager task list" lists them',
  });
}
