/** Workers that come, change, fall silent and leave. */
import type { LiveEvent } from '../../contract/live.ts';
import { now } from '../../platform/clock.ts';
import { type Database, prepared } from '../../platform/database.ts';
import { loadSql } from '../../platform/sql-file.ts';
import type { Watch } from './watch.ts';

const watchedWorkers = prepared('watched-workers', loadSql(import.meta.url, './watched-workers.sql'));

type WorkerEvent = Extract<LiveEvent, { type: 'worker' }>;

interface WorkerRow extends Pick<WorkerEvent, 'id' | 'kind' | 'host' | 'state'> {
  /** Tells two lives of one name apart. */
  readonly incarnation: string;
}

export function watchWorkers(db: Database): Watch {
  let known = new Map<string, WorkerRow>();
  const read = async (): Promise<Map<string, WorkerRow>> => {
    const { rows } = await db.query<WorkerRow>(watchedWorkers);
    return new Map(rows.map((row) => [row.id, row]));
  };
  return {
    begin: async () => {
      known = await read();
    },
    look: async () => {
      const before = known;
      known = await read();
      const gone = [...before.values()].filter(({ id }) => !known.has(id));
      return [
        ...[...known.values()].flatMap((row) => tell(row, before.get(row.id))),
        ...gone.map((row) => toEvent('gone', row)),
      ];
    },
  };
}

function tell(row: WorkerRow, before: WorkerRow | undefined): WorkerEvent[] {
  const isNew = before === undefined || before.incarnation !== row.incarnation;
  if (!isNew && before.state === row.state) return [];
  const appeared = isNew ? [toEvent('appeared', row)] : [];
  if (row.state === 'dead' || row.state === 'stopped') return [...appeared, toEvent(row.state, row)];
  return isNew ? appeared : [toEvent('changed', row)];
}

function toEvent(change: WorkerEvent['change'], row: WorkerRow): WorkerEvent {
  const { incarnation: _, ...worker } = row;
  return { type: 'worker', change, ...worker, at: now().toISOString() };
}
