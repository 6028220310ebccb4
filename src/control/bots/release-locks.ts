/** Jobs that are taken from the bot that holds them. It costs them no retry: it was not their fault. */
import type { Database } from '../../platform/database.ts';
import { ForagerError } from '../../platform/errors.ts';
import { textArray } from '../../platform/pg-array.ts';
import { loadSql } from '../../platform/sql-file.ts';
import { inTransaction } from '../../platform/transaction.ts';
import { type Actor, recordAct } from '../access/actor.ts';
import { guardPower } from '../access/guard-power.ts';
import type { TaskChange } from '../tasks/act-on-task.ts';
import { readTaskRow, unknownTask } from '../tasks/list-tasks.ts';
import { lockTasks } from '../tasks/lock-tasks.ts';
import { type Bot, readBot } from './bots.ts';
import type { Job } from './pull-jobs.ts';

const revokeBotSql = loadSql(import.meta.url, './revoke-bot.sql');
const findHeldSql = loadSql(import.meta.url, './find-held-jobs.sql');
const releaseSql = loadSql(import.meta.url, './release-jobs.sql');

const PORTION = 200;

export interface RevokedBot {
  readonly bot: Bot;
  readonly releasedCount: number;
}

/**
 * Its keys are refused from the first commit on, and it gets no more jobs. Those that it holds go back in portions
 * after that; should this process die in between, the rest goes back when their locks run out.
 */
export async function revokeBot(db: Database, botId: string, actor: Actor): Promise<RevokedBot> {
  guardPower(actor, 'bot');
  await inTransaction(db, async (tx) => {
    await readBot(tx, botId);
    const { rowCount } = await tx.query(revokeBotSql, [botId]);
    if (rowCount > 0) await recordAct(tx, actor, 'bot.revoke', botId);
  });
  let releasedCount = 0;
  for (;;) {
    const released = await releasePortion(db, botId, actor);
    if (released === 0) break;
    releasedCount += released;
  }
  return { bot: await readBot(db, botId), releasedCount };
}

function releasePortion(db: Database, botId: string, actor: Actor): Promise<number> {
  return inTransaction(db, async (tx) => {
    const found = (await tx.query<{ id: number }>(findHeldSql, [botId, PORTION])).rows;
    const ids = found.map(({ id }) => id);
    if (ids.length === 0) return 0;
    await lockTasks(tx, ids);
    const reason = `the bot ${botId} was revoked`;
    return (await tx.query(releaseSql, [ids, 'pending', actor.name, reason, botId, null])).rowCount;
  });
}

/** Jobs that were locked for a bot that hung up before it could be told: nobody works on them. */
export function giveBackJobs(
  db: Database,
  botId: string,
  jobs: readonly Pick<Job, 'task_id' | 'lock_token'>[],
): Promise<number> {
  const ids = jobs.map(({ task_id }) => task_id);
  return inTransaction(db, async (tx) => {
    await lockTasks(tx, ids);
    const tokens = textArray(jobs.map(({ lock_token }) => lock_token));
    const values = [ids, 'pending', `bot:${botId}`, 'the bot had hung up', botId, tokens];
    return (await tx.query(releaseSql, values)).rowCount;
  });
}

export async function releaseLock(
  db: Database,
  id: number,
  to: 'pending' | 'expired',
  actor: Actor,
): Promise<TaskChange> {
  return inTransaction(db, async (tx) => {
    const [task] = await lockTasks(tx, [id]);
    if (task === undefined) throw unknownTask(id);
    const { status: from, url } = task;
    const isDone = from === to;
    if (!isDone && from !== 'locked') {
      throw new ForagerError('wrong-state', `Task ${id} is ${from}: no bot holds it.`);
    }
    if (!isDone) {
      await tx.query(releaseSql, [[id], to, actor.name, 'its lock was ended by a person', null, null]);
      await recordAct(tx, actor, 'task.release-lock', String(id), { url, from, to });
    }
    return { changed: !isDone, from, task: await readTaskRow(tx, id) };
  });
}
