/** Who schedules on this database, as each said last. */
import type { Database } from '../../platform/database.ts';
import { loadSql } from '../../platform/sql-file.ts';

const list = loadSql(import.meta.url, './list-schedulers.sql');

export interface SchedulerRow {
  readonly id: string;
  readonly host: string;
  readonly pid: number;
  readonly programVersion: string;
  /** Dead: silent for a minute without having stopped. */
  readonly state: 'leading' | 'waiting' | 'stopped' | 'dead';
  readonly leadsSince: Date | null;
  readonly ticks: number;
  readonly lastTickAt: Date | null;
  readonly lastTickMs: number | null;
  readonly heartbeatAgeSeconds: number;
  readonly heartbeatAt: Date;
  readonly startedAt: Date;
  readonly stoppedAt: Date | null;
}

/** The one that leads first, those that stopped last. */
export async function listSchedulers(db: Database): Promise<SchedulerRow[]> {
  return (await db.query<SchedulerRow>(list)).rows;
}
