/**
 * Many tasks moved by a person, in portions: each is found, locked, looked at again and moved in a transaction of its
 * own, so that nobody waits long and what is committed is told. Whoever does not know whether all was done does it again.
 */
import type { TaskStatus } from '../../contract/task-shapes.ts';
import { monotonicMs } from '../../platform/clock.ts';
import type { Database } from '../../platform/database.ts';
import { inTransaction, type Transaction } from '../../platform/transaction.ts';
import { type Actor, recordAct } from '../access/actor.ts';
import { moveTasks } from './act-on-task.ts';
import { findLiveTasks, isDuplicate, keyOf } from './live-tasks.ts';
import { type LockedTask, lockTasks } from './lock-tasks.ts';
import type { MovingAction } from './task-actions.ts';

const PORTION_TASKS = 1000;
const MOST_ATTEMPTS = 3;

export interface ManyTasks {
  readonly action: Exclude<MovingAction, 'restart-parsing'>;
  /** The states they are moved from; the table lets every one of them go there. */
  readonly from: readonly TaskStatus[];
  /** Whether one that was found is still meant when it is locked. */
  readonly isMeant?: (task: LockedTask) => boolean;
  readonly reason?: string | undefined;
  /** Numbers of the next ones with less than this number, the greatest first; or the other way round. */
  readonly find: (behind: number | undefined, limit: number) => Promise<number[]>;
  /** From the least number on: those that were ordered first are dealt with first. */
  readonly isUpwards?: boolean;
  readonly most: number;
  /** What the record calls it, and what it was done to. */
  readonly act: { readonly name: string; readonly target: string | undefined };
}

export interface MovedTasks {
  readonly moved: number;
  /** Their pages have a live task. */
  readonly skipped: number;
  readonly isComplete: boolean;
  /** All with a greater number, or this one, have been dealt with; null: nothing is left, or doing it again is enough. */
  readonly beforeTaskId: number | null;
}

export interface Progress {
  readonly moved: number;
  readonly skipped: number;
}

export interface MoveLimits {
  /** Ends after this time, at the end of a portion; left out: when all is done. */
  readonly timeMs?: number | undefined;
  /** Begins below this number. */
  readonly beforeTaskId?: number | undefined;
  readonly onPortion?: ((progress: Progress) => void) | undefined;
}

export async function moveInPortions(
  db: Database,
  many: ManyTasks,
  actor: Actor,
  { timeMs, beforeTaskId, onPortion }: MoveLimits = {},
): Promise<MovedTasks> {
  const startedMs = monotonicMs();
  const done = { moved: 0, skipped: 0 };
  let behind = beforeTaskId;
  while (done.moved < many.most) {
    if (timeMs !== undefined && monotonicMs() - startedMs > timeMs) {
      const place = many.isUpwards === true ? null : (behind ?? null);
      return { ...done, isComplete: false, beforeTaskId: place };
    }
    const ids = await many.find(behind, Math.min(PORTION_TASKS, many.most - done.moved));
    if (ids.length === 0) break;
    const portion = await movePortion(db, ids, many, actor);
    done.moved += portion.moved;
    done.skipped += portion.skipped;
    behind = ids.at(-1);
    onPortion?.(done);
  }
  return { ...done, isComplete: true, beforeTaskId: null };
}

async function movePortion(
  db: Database,
  ids: readonly number[],
  many: ManyTasks,
  actor: Actor,
): Promise<{ moved: number; skipped: number }> {
  const { action, from, isMeant = () => true, reason, act } = many;
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await inTransaction(db, async (tx) => {
        const locked = await lockTasks(tx, ids);
        const meant = locked.filter((task) => from.includes(task.status) && isMeant(task));
        const free = action === 'restart' ? await leaveOutDuplicates(tx, meant) : meant;
        if (free.length > 0) {
          await moveTasks(tx, free, action, actor, { reason });
          await recordAct(tx, actor, act.name, act.target, { moved: free.length });
        }
        return { moved: free.length, skipped: meant.length - free.length };
      });
    } catch (error) {
      if (!isDuplicate(error) || attempt === MOST_ATTEMPTS) throw error;
    }
  }
}

/** Of several for one page the newest; none where the page has a live task. */
async function leaveOutDuplicates(tx: Transaction, tasks: readonly LockedTask[]): Promise<LockedTask[]> {
  const live = await findLiveTasks(tx, tasks);
  const newest = new Map<string, LockedTask>();
  for (const task of tasks) {
    const key = keyOf(task);
    const other = newest.get(key);
    if (!live.has(key) && (other === undefined || other.id < task.id)) newest.set(key, task);
  }
  return [...newest.values()];
}
