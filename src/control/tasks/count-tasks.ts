/** How many tasks are in which state, and how long they take. */
import { MOST_COUNTED } from '../../contract/task-shapes.ts';
import type { Database } from '../../platform/database.ts';
import { loadSql } from '../../platform/sql-file.ts';
import { chooseWalk, walkAlong } from './walk-index.ts';

const count = loadSql(import.meta.url, './count-tasks.sql');

export interface TaskStats {
  readonly total: number;
  readonly byStatus: Readonly<Record<string, number>>;
  readonly averageDurationMs: number | null;
  readonly averageWaitMs: number | null;
  readonly since: Date | null;
  /** There are more than were looked at. */
  readonly isPartial: boolean;
}

export interface StatsFilter {
  readonly since?: Date | undefined;
  readonly domainId?: number | undefined;
  readonly batchId?: number | undefined;
}

interface StatusCount {
  readonly status: string;
  readonly looked: number;
  readonly count: number;
  readonly durationMs: number | null;
  readonly waitMs: number | null;
}

export async function countTasks(
  db: Database,
  { since, domainId, batchId }: StatsFilter,
  mostCounted: number = MOST_COUNTED,
): Promise<TaskStats> {
  const walk = chooseWalk({ domainId, batchId });
  const { rows: met } = await db.query<StatusCount>(walkAlong(count, walk, walk === 'domainId' ? 2 : 3), [
    ...[since ?? null, domainId ?? null, batchId ?? null, mostCounted + 1],
  ]);
  const rows = met.filter((row) => row.count > 0);
  const completed = rows.find(({ status }) => status === 'completed');
  return {
    total: rows.reduce((sum, row) => sum + row.count, 0),
    byStatus: Object.fromEntries(rows.map((row) => [row.status, row.count])),
    averageDurationMs: completed?.durationMs ?? null,
    averageWaitMs: completed?.waitMs ?? null,
    since: since ?? null,
    isPartial: met.reduce((sum, row) => sum + row.looked, 0) > mostCounted,
  };
}
