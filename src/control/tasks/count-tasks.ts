/** How many tasks are in which state, and how long they take. */
import type { Database } from '../../platform/database.ts';
import { loadSql } from '../../platform/sql-file.ts';

const count = loadSql(import.meta.url, './count-tasks.sql');

export interface TaskStats {
  readonly total: number;
  readonly byStatus: Readonly<Record<string, number>>;
  readonly averageDurationMs: number | null;
  readonly averageWaitMs: number | null;
  readonly since: Date | null;
}

export interface StatsFilter {
  readonly since?: Date | undefined;
  readonly domainId?: number | undefined;
  readonly batchId?: number | undefined;
}

interface StatusCount {
  readonly status: string;
  readonly count: number;
  readonly durationMs: number | null;
  readonly waitMs: number | null;
}

export async function countTasks(
  db: Database,
  { since, domainId, batchId }: StatsFilter,
): Promise<TaskStats> {
  const { rows } = await db.query<StatusCount>(count, [since ?? null, domainId ?? null, batchId ?? null]);
  const completed = rows.find(({ status }) => status === 'completed');
  return {
    total: rows.reduce((sum, row) => sum + row.count, 0),
    byStatus: Object.fromEntries(rows.map((row) => [row.status, row.count])),
    averageDurationMs: completed?.durationMs ?? null,
    averageWaitMs: completed?.waitMs ?? null,
    since: since ?? null,
  };
}
