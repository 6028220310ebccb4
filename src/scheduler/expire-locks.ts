/** Whoever had a task until a certain time and did not finish it loses it: bots at the cost of a retry, parsers not. */
import { loadSql } from '../platform/sql-file.ts';
import { announceTasks, type LostTask, type ReadyTask } from './announce-tasks.ts';
import type { Ground, Step } from './ground.ts';
import { type Candidate, moveInPortions } from './move-in-portions.ts';

const findLate = loadSql(import.meta.url, './find-late-locks.sql');
const expireBots = loadSql(import.meta.url, './expire-bot-locks.sql');
const freeParsers = loadSql(import.meta.url, './free-parser-locks.sql');

export function expireBotLocks({ db }: Ground): Step {
  const step = {
    db,
    find: async (tx, limit, passedOver) =>
      (await tx.query<Candidate>(findLate, [limit, passedOver, 'locked'])).rows,
    move: async (tx, ids) => (await tx.query<ReadyTask>(expireBots, [ids])).rows,
  } satisfies Parameters<typeof moveInPortions<ReadyTask>>[0];
  return { name: 'bot locks expired', everyMs: 0, run: (isTimeUp) => moveInPortions(step, isTimeUp) };
}

export function freeParserLocks({ db, distribution }: Ground): Step {
  const step = {
    db,
    find: async (tx, limit, passedOver) =>
      (await tx.query<Candidate>(findLate, [limit, passedOver, 'parsing'])).rows,
    move: async (tx, ids) => (await tx.query<LostTask>(freeParsers, [ids])).rows,
    afterwards: (freed) =>
      announceTasks(
        distribution,
        'parse',
        freed.filter(({ isReady }) => isReady),
      ),
  } satisfies Parameters<typeof moveInPortions<LostTask>>[0];
  return { name: 'parser locks expired', everyMs: 0, run: (isTimeUp) => moveInPortions(step, isTimeUp) };
}
