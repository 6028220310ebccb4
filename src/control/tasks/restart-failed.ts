/** Failed tasks, many of them, started once more. */
import { MOST_COUNTED } from '../../contract/task-shapes.ts';
import type { Database } from '../../platform/database.ts';
import { loadSql } from '../../platform/sql-file.ts';
import type { Actor } from '../access/actor.ts';
import { type MoveLimits, moveInPortions } from './move-portions.ts';

const findFailed = loadSql(import.meta.url, './find-failed-tasks.sql');
const countFailed = loadSql(import.meta.url, './count-failed-tasks.sql');

export interface FailedFilter {
  readonly domainId?: number | undefined;
  readonly batchId?: number | undefined;
  readonly failedAfter?: Date | undefined;
}

export interface RestartReport {
  readonly restarted: number;
  readonly skipped: number;
  readonly isDryRun: boolean;
  readonly isComplete: boolean;
  /** Of a dry run: all that fit, however many are to be restarted. */
  readonly matched: number | null;
  /** There are so many that not all were counted. */
  readonly isPartial: boolean;
}

export async function restartFailed(
  db: Database,
  filter: FailedFilter,
  most: number,
  actor: Actor,
  limits: MoveLimits = {},
): Promise<RestartReport> {
  const values = [filter.domainId ?? null, filter.batchId ?? null, filter.failedAfter ?? null];
  const { moved, skipped, isComplete } = await moveInPortions(
    db,
    {
      action: 'restart',
      from: ['failed'],
      find: async (below, limit) =>
        (await db.query<{ id: number }>(findFailed, [below ?? null, ...values, limit])).rows.map(
          ({ id }) => id,
        ),
      most,
      act: { name: 'task.restart-failed', target: undefined },
    },
    actor,
    limits,
  );
  return { restarted: moved, skipped, isDryRun: false, isComplete, matched: null, isPartial: false };
}

/** How many would be restarted. */
export async function countRestartable(
  db: Database,
  filter: FailedFilter,
  most: number,
  mostCounted: number = MOST_COUNTED,
): Promise<RestartReport> {
  const values = [
    filter.domainId ?? null,
    filter.batchId ?? null,
    filter.failedAfter ?? null,
    mostCounted + 1,
  ];
  const [row] = (await db.query<FailedCount>(countFailed, values)).rows;
  const { looked = 0, matched = 0, free = 0 } = row ?? {};
  return {
    ...{ restarted: Math.min(free, most), skipped: matched - free, matched },
    ...{ isDryRun: true, isComplete: true, isPartial: looked > mostCounted },
  };
}

interface FailedCount {
  readonly looked: number;
  readonly matched: number;
  readonly free: number;
}
