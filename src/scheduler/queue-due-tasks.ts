/** Tasks whose time has come are queued, by priority and then by schedule, whatever their domains are doing. */
import { loadSql } from '../platform/sql-file.ts';
import { announceTasks, type ReadyTask } from './announce-tasks.ts';
import type { Ground, Step } from './ground.ts';
import { type Candidate, moveInPortions } from './move-in-portions.ts';
import { noteQueued } from './note-queued.ts';

export const findDueTasks = loadSql(import.meta.url, './find-due-tasks.sql');
const queueTasks = loadSql(import.meta.url, './queue-tasks.sql');

export function queueDueTasks({ db, distribution }: Ground): Step {
  const step = {
    db,
    find: async (tx, limit, passedOver) =>
      (await tx.query<Candidate>(findDueTasks, [limit, passedOver])).rows,
    move: async (tx, ids) => {
      const { rows } = await tx.query<ReadyTask>(queueTasks, [ids]);
      await noteQueued(tx, rows);
      return rows;
    },
    afterwards: (queued) => announceTasks(distribution, 'crawl', queued),
  } satisfies Parameters<typeof moveInPortions<ReadyTask>>[0];
  return { name: 'queued', everyMs: 0, run: (isTimeUp) => moveInPortions(step, isTimeUp) };
}
