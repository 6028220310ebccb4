/** Tasks whose time has come are queued, by priority and then by schedule, whatever their domains are doing. */
import { loadSql } from '../platform/sql-file.ts';
import { announceTasks, type ReadyTask } from './announce-tasks.ts';
import type { Ground, Step } from './ground.ts';
import { type Candidate, moveInPortions } from './move-in-portions.ts';
import { noteQueued } from './note-queued.ts';

export const findDueTasks = loadSql(import.meta.url, './find-due-tasks.sql');
const queueTasks = loadSql(import.meta.url, './queue-tasks.sql');

interface DueTask extends Candidate {
  readonly priority: number;
  /** As the database writes it: to the microsecond. */
  readonly scheduledAt: string;
}

const BEFORE_ALL: DueTask = { id: 0, domainId: 0, priority: 1, scheduledAt: '-infinity' };

export function queueDueTasks({ db, distribution }: Ground): Step {
  const step = {
    db,
    // Each portion goes on after the one before: those of a locked domain are passed over once in a tick.
    find: async (tx, limit, passedOver, last = BEFORE_ALL) => {
      const after = [last.priority, last.scheduledAt, last.id];
      return (await tx.query<DueTask>(findDueTasks, [limit, passedOver, ...after])).rows;
    },
    move: async (tx, ids) => {
      const { rows } = await tx.query<ReadyTask>(queueTasks, [ids]);
      await noteQueued(tx, rows);
      return rows;
    },
    afterwards: (queued) => announceTasks(distribution, 'crawl', queued),
  } satisfies Parameters<typeof moveInPortions<ReadyTask, DueTask>>[0];
  return { name: 'queued', everyMs: 0, run: (isTimeUp) => moveInPortions(step, isTimeUp) };
}
