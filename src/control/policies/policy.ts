/** Standing orders as they are told, and reading one. */
import type { TaskStatus, Wanted } from '../../contract/task-shapes.ts';
import type { Queryable } from '../../platform/database.ts';
import { ForagerError } from '../../platform/errors.ts';
import { loadSql } from '../../platform/sql-file.ts';

const readRow = loadSql(import.meta.url, './read-policy.sql');
const listRuns = loadSql(import.meta.url, './list-runs.sql');

const MOST_RUNS = 20;

export interface Policy {
  readonly id: number;
  readonly url: string;
  readonly domain: string;
  readonly frequencyHours: number;
  readonly priority: number;
  readonly maxRetries: number;
  readonly retryBackoffMinutes: number;
  readonly timeoutMinutes: number;
  readonly executor: 'forager' | 'bot';
  readonly wanted: Wanted;
  readonly followDepth: number;
  readonly followLimit: number;
  readonly isEnabled: boolean;
  readonly nextRunAt: Date;
  /** Its task that is not over yet. */
  readonly liveTaskId: number | null;
  readonly liveTaskStatus: TaskStatus | null;
  readonly liveTaskScheduledAt: Date | null;
  readonly lastRunAt: Date | null;
  readonly lastSuccessAt: Date | null;
  readonly lastFailedAt: Date | null;
  readonly failureCount: number;
  readonly runsCount: number;
  readonly createdBy: string;
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

export interface PolicyRun {
  readonly taskId: number;
  readonly status: TaskStatus;
  readonly recrawlCount: number;
  readonly scheduledAt: Date;
  readonly startedAt: Date | null;
  readonly completedAt: Date | null;
  readonly retryCount: number;
  readonly httpStatus: number | null;
  readonly errorMessage: string | null;
}

export interface PolicyDetails extends Policy {
  /** The latest first. */
  readonly runs: readonly PolicyRun[];
}

export async function readPolicyRow(db: Queryable, id: number): Promise<Policy> {
  const [row] = (await db.query<Policy>(readRow, [id])).rows;
  if (row === undefined) throw unknownPolicy(id);
  return row;
}

export async function readPolicy(db: Queryable, id: number): Promise<PolicyDetails> {
  const row = await readPolicyRow(db, id);
  const { rows: runs } = await db.query<PolicyRun>(listRuns, [id, MOST_RUNS]);
  return { ...row, runs };
}

export function unknownPolicy(id: number): ForagerError {
  return new ForagerError('unknown-policy', `There is no policy ${id}.`, {
    hint: 'see "forager policy list"',
  });
}
