/** What can be changed about a task without moving it: its priority, its parent, its retries. */
import type { Database } from '../../platform/database.ts';
import { ForagerError } from '../../platform/errors.ts';
import { loadSql } from '../../platform/sql-file.ts';
import { inTransaction, type Transaction } from '../../platform/transaction.ts';
import { type Actor, recordAct } from '../access/actor.ts';
import { type TaskChange, wrongState } from './act-on-task.ts';
import { readTaskRow, unknownTask } from './list-tasks.ts';
import { type LockedTask, lockTasks } from './lock-tasks.ts';
import { refreshTaskPriority } from './refresh-task-priority.ts';
import { judge, OVER } from './task-actions.ts';

const load = (name: string): string => loadSql(import.meta.url, `./${name}.sql`);
const setPriority = load('set-task-priority');
const lockParentage = load('lock-parentage');
const waitsForTask = load('waits-for-task');
const setParent = load('set-task-parent');
const setRetries = load('set-task-retries');
const wakeScheduler = loadSql(import.meta.url, '../../engine/tasks/wake-scheduler.sql');

/** Waiting work is taken in the new order from the next take on. */
export async function changePriority(
  db: Database,
  id: number,
  priority: number,
  actor: Actor,
): Promise<TaskChange> {
  return inTransaction(db, async (tx) => {
    const task = await lockOne(tx, id);
    if (judge('priority', task.status) === 'refuse') throw wrongState(task, 'priority');
    const changed = task.priority !== priority;
    if (changed) {
      await tx.query(setPriority, [id, priority]);
      await refreshTaskPriority(tx, [task]);
      await recordAct(tx, actor, 'task.priority', String(id), {
        ...{ url: task.url, from: task.priority, to: priority },
      });
      await tx.query(wakeScheduler);
    }
    return { changed, from: task.status, task: await readTaskRow(tx, id) };
  });
}

export interface TaskPatch {
  /** Null: it waits for nobody. */
  readonly parentTaskId?: number | null | undefined;
  readonly maxRetries?: number | undefined;
}

export async function changeTask(
  db: Database,
  id: number,
  patch: TaskPatch,
  actor: Actor,
): Promise<TaskChange> {
  const { parentTaskId, maxRetries } = patch;
  return inTransaction(db, async (tx) => {
    // Two who change parents at once could close a circle that neither of them sees.
    if (parentTaskId !== undefined) await tx.query(lockParentage);
    const locked = await lockTasks(tx, [
      id,
      ...(parentTaskId === undefined || parentTaskId === null ? [] : [parentTaskId]),
    ]);
    const task = locked.find((one) => one.id === id);
    if (task === undefined) throw unknownTask(id);
    if (OVER.includes(task.status)) throw unchangeable(task, 'changed');
    if (parentTaskId !== undefined) await changeParent(tx, task, parentTaskId, locked);
    if (maxRetries !== undefined) await tx.query(setRetries, [id, maxRetries]);
    const changed = parentTaskId !== undefined || maxRetries !== undefined;
    if (changed) await recordAct(tx, actor, 'task.update', String(id), { url: task.url, ...patch });
    return { changed, from: task.status, task: await readTaskRow(tx, id) };
  });
}

async function lockOne(tx: Transaction, id: number): Promise<LockedTask> {
  const [task] = await lockTasks(tx, [id]);
  if (task === undefined) throw unknownTask(id);
  return task;
}

async function changeParent(
  tx: Transaction,
  task: LockedTask,
  parentId: number | null,
  locked: readonly LockedTask[],
): Promise<void> {
  // One that is on its way waits for nobody any more.
  if (task.status !== 'pending' && task.status !== 'paused') throw unchangeable(task, 'given another parent');
  const parent = locked.find(({ id }) => id === parentId);
  if (parentId !== null && parent === undefined) {
    throw new ForagerError('unknown-parent', `There is no task ${parentId} to wait for.`);
  }
  if (parentId !== null) {
    const [circle] = (await tx.query<{ path: string[] }>(waitsForTask, [parentId, task.id])).rows;
    if (circle !== undefined) throw inCircle(task.id, circle.path);
  }
  await tx.query(setParent, [task.id, parentId, parent !== undefined && parent.status !== 'completed']);
  await tx.query(wakeScheduler);
}

function inCircle(id: number, path: readonly string[]): ForagerError {
  const way = path.length === 1 ? '' : `: ${path.join(' waits for ')}`;
  return new ForagerError('parent-cycle', `Task ${id} would wait for itself${way}.`, {
    hint: 'give it a parent that does not wait for it',
  });
}

function unchangeable({ id, status }: LockedTask, done: string): ForagerError {
  const hint = OVER.includes(status) ? 'restart it first' : 'pause it first';
  return new ForagerError('wrong-state', `Task ${id} is ${status}: it cannot be ${done}.`, { hint });
}
