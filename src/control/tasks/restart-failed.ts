/** Failed tasks, many of them, started once more. */
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
  return { restarted: moved, skipped, isDryRun: false, isComplete };
}

/** How many would be restarted. */
export async function countRestartable(
  db: Database,
  filter: FailedFilter,
  most: number,
): Promise<RestartReport> {
  const values = [filter.domainId ?? null, filter.batchId ?? null, filter.failedAfter ?? null];
  const [row] = (await db.query<{ total: number; free: number }>(countFailed, values)).rows;
  const { total = 0, free = 0 } = row ?? {};
  return { restarted: Math.min(free, most), skipped: total - free, isDryRun: true, isComplete: true };
}
