/**
 * A restart of a task that has not begun: there is nothing to start once more, but the priority and the time that come
 * with it are meant.
 */
import { ForagerError } from '../../platform/errors.ts';
import { loadSql } from '../../platform/sql-file.ts';
import type { Transaction } from '../../platform/transaction.ts';
import type { LockedTask } from './lock-tasks.ts';
import { refreshTaskPriority } from './refresh-task-priority.ts';

const setPriority = loadSql(import.meta.url, './set-task-priority.sql');
const setSchedule = loadSql(import.meta.url, './set-task-schedule.sql');
const wakeScheduler = loadSql(import.meta.url, '../../engine/tasks/wake-scheduler.sql');

export interface NewPlace {
  readonly priority?: number | undefined;
  /** Null: now. */
  readonly scheduledAt?: Date | null | undefined;
}

/** Whether anything was changed. */
export async function placeAnew(
  tx: Transaction,
  task: LockedTask,
  { priority, scheduledAt }: NewPlace,
): Promise<boolean> {
  const isMoreOrLess = priority !== undefined && priority !== task.priority;
  const isEarlierOrLater =
    scheduledAt !== undefined && (scheduledAt ?? undefined)?.getTime() !== task.scheduledAt.getTime();
  if (isEarlierOrLater && task.status !== 'pending') throw isQueued(task.id);
  if (isMoreOrLess) await tx.query(setPriority, [task.id, priority]);
  if (isMoreOrLess) await refreshTaskPriority(tx, [task]);
  if (isEarlierOrLater) await tx.query(setSchedule, [task.id, scheduledAt]);
  const isChanged = isMoreOrLess || isEarlierOrLater;
  if (isChanged) await tx.query(wakeScheduler);
  return isChanged;
}

function isQueued(id: number): ForagerError {
  return new ForagerError('wrong-state', `Task ${id} is queued: its time has come, and cannot be set anew.`, {
    hint: 'leave the time out, or cancel it and restart it with that time',
  });
}
