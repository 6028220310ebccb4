/** One task paused, resumed, cancelled or restarted by a person. */
import type { TaskStatus } from '../../contract/task-shapes.ts';
import { now } from '../../platform/clock.ts';
import type { Database } from '../../platform/database.ts';
import { ForagerError } from '../../platform/errors.ts';
import { loadSql } from '../../platform/sql-file.ts';
import { inTransaction, type Transaction } from '../../platform/transaction.ts';
import { type Actor, recordAct } from '../access/actor.ts';
import { readTaskRow, type TaskRow, unknownTask } from './list-tasks.ts';
import { duplicateTask, findLiveTasks, isDuplicate, keyOf } from './live-tasks.ts';
import { type LockedTask, lockTasks } from './lock-tasks.ts';
import { refreshTaskPriority } from './refresh-task-priority.ts';
import { type NewPlace, placeAnew } from './restart-waiting.ts';
import { expectSchedule } from './schedule.ts';
import { judge, type MovingAction, possibleActions, TASK_ACTIONS, type TaskAction } from './task-actions.ts';

const moveRows = loadSql(import.meta.url, './move-tasks.sql');
const restartRows = loadSql(import.meta.url, './restart-tasks.sql');
const wakeScheduler = loadSql(import.meta.url, '../../engine/tasks/wake-scheduler.sql');

export interface ActOptions {
  readonly resetRetryCount?: boolean | undefined;
  readonly priority?: number | undefined;
  readonly scheduledAt?: Date | undefined;
  readonly reason?: string | undefined;
}

export interface TaskChange {
  readonly changed: boolean;
  readonly from: TaskStatus;
  readonly task: TaskRow;
}

export async function actOnTask(
  db: Database,
  id: number,
  action: MovingAction,
  actor: Actor,
  options: ActOptions = {},
): Promise<TaskChange> {
  const scheduledAt = expectSchedule(options.scheduledAt, now());
  const place = {
    priority: options.priority,
    // A moment of the past that counts as now is told to the database as null.
    scheduledAt: options.scheduledAt === undefined ? undefined : (scheduledAt ?? null),
  };
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await inTransaction(db, (tx) =>
        actWithin(tx, id, action, actor, { ...options, scheduledAt }, place),
      );
    } catch (error) {
      if (!isDuplicate(error) || attempt === MOST_ATTEMPTS) throw error;
    }
  }
}

const MOST_ATTEMPTS = 3;

async function actWithin(
  tx: Transaction,
  id: number,
  action: MovingAction,
  actor: Actor,
  options: ActOptions,
  place: NewPlace,
): Promise<TaskChange> {
  const [task] = await lockTasks(tx, [id]);
  if (task === undefined) throw unknownTask(id);
  const { status: from } = task;
  const verdict = judge(action, from);
  if (verdict === 'refuse') throw wrongState(task, action);
  if (verdict === 'unchanged') {
    const changed = action === 'restart' && (await placeAnew(tx, task, place));
    if (changed) await recordAct(tx, actor, 'task.restart', String(id), { url: task.url, from, ...place });
    return { changed, from, task: await readTaskRow(tx, id) };
  }
  if (action === 'restart-parsing' && !task.hasBody) throw await noBody(tx, task);
  if (action === 'restart' || action === 'restart-parsing') await refuseDuplicate(tx, task);
  await moveTasks(tx, [task], action, actor, options);
  const { resetRetryCount, priority, scheduledAt } = options;
  await recordAct(tx, actor, `task.${action}`, String(id), {
    ...{ url: task.url, from, to: TASK_ACTIONS[action].to },
    ...(action === 'restart' ? { resetRetryCount, priority, scheduledAt } : {}),
  });
  return { changed: true, from, task: await readTaskRow(tx, id) };
}

/** Tasks that are locked, and that the table lets go there. */
export async function moveTasks(
  tx: Transaction,
  tasks: readonly LockedTask[],
  action: MovingAction,
  actor: Actor,
  { resetRetryCount = true, priority, scheduledAt, reason }: ActOptions,
): Promise<void> {
  const { to } = TASK_ACTIONS[action];
  const move = [tasks.map(({ id }) => id), to, actor.name, reason ?? null];
  if (action === 'restart' || action === 'restart-parsing') {
    await tx.query(restartRows, [...move, resetRetryCount, priority ?? null, scheduledAt ?? null]);
  } else {
    await tx.query(moveRows, move);
  }
  await refreshTaskPriority(tx, tasks);
  if (to === 'pending' || to === 'queued_parse') await tx.query(wakeScheduler);
}

async function refuseDuplicate(tx: Transaction, task: LockedTask): Promise<void> {
  const live = (await findLiveTasks(tx, [task])).get(keyOf(task));
  if (live !== undefined && live.id !== task.id) throw duplicateTask(task.url, live);
}

/** What it is, and what can be done instead. */
export function wrongState(
  { id, status, hasBody }: Pick<LockedTask, 'id' | 'status' | 'hasBody'>,
  action: TaskAction,
): ForagerError {
  const possible = possibleActions(status).filter((other) => hasBody || other !== 'restart-parsing');
  const others = possible.map((other) => TASK_ACTIONS[other].done);
  const last = others.pop();
  const instead = others.length === 0 ? last : `${others.join(', ')} or ${last}`;
  return new ForagerError(
    'wrong-state',
    `Task ${id} is ${status}: it cannot be ${TASK_ACTIONS[action].done}.`,
    { hint: `it can be ${instead}` },
  );
}

/** Fetching it again is what helps, unless that is under way already. */
async function noBody(tx: Transaction, task: LockedTask): Promise<ForagerError> {
  const live = (await findLiveTasks(tx, [task])).get(keyOf(task));
  return new ForagerError(
    'no-stored-body',
    `Task ${task.id} is ${task.status}, and nothing of its page is kept that could be parsed.`,
    {
      hint:
        live === undefined
          ? 'restart it to have the page fetched, which is parsed then'
          : `task ${live.id} is for the same page, and ${live.status}`,
    },
  );
}
