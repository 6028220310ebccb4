/** All tasks of a batch paused, resumed, cancelled or restarted. */
import type { TaskStatus } from '../../contract/task-shapes.ts';
import type { Database } from '../../platform/database.ts';
import { ForagerError } from '../../platform/errors.ts';
import { loadSql } from '../../platform/sql-file.ts';
import { inTransaction } from '../../platform/transaction.ts';
import { type Actor, recordAct } from '../access/actor.ts';
import { type MovedTasks, type MoveLimits, moveInPortions } from '../tasks/move-portions.ts';
import { NOT_OVER, OVER, TASK_ACTIONS } from '../tasks/task-actions.ts';
import { type BatchRow, findBatch } from './read-batches.ts';
import { BATCH_PAUSED, unknownBatch } from './task-batch.ts';

const setPaused = loadSql(import.meta.url, './set-batch-paused.sql');
const newestFirst = loadSql(import.meta.url, './find-batch-tasks.sql');
const oldestFirst = loadSql(import.meta.url, './find-oldest-batch-tasks.sql');

export type BatchAction = 'pause' | 'resume' | 'cancel' | 'restart';

export interface MovedBatch extends MovedTasks {
  readonly batch: BatchRow;
}

export interface BatchMoveLimits extends MoveLimits {
  /** Of a restart: not those that were completed or cancelled. */
  readonly onlyFailed?: boolean | undefined;
}

export async function moveBatch(
  db: Database,
  which: number | string,
  action: BatchAction,
  actor: Actor,
  limits: BatchMoveLimits = {},
): Promise<MovedBatch> {
  const { id, name, isPaused } = await findBatch(db, which);
  if (action === 'restart' && isPaused) {
    throw new ForagerError('batch-paused', `The batch ${name} is paused.`, { hint: 'resume it first' });
  }
  // First of all: what is added from now on starts in the right state.
  if (action === 'pause' || action === 'resume') await switchBatch(db, id, action, actor);
  const isResume = action === 'resume';
  // What was ordered first goes on first. Of several for one page the newest is restarted: that one is met first.
  const isUpwards = action === 'pause' || action === 'resume';
  const findTasks = isUpwards ? oldestFirst : newestFirst;
  const from = statesFor(action, limits.onlyFailed === true);
  const moved = await moveInPortions(
    db,
    {
      ...{ action, from, isUpwards, most: Number.POSITIVE_INFINITY },
      reason: REASONS[action],
      isMeant: (task) => task.batchId === id && (!isResume || task.reason === BATCH_PAUSED),
      find: async (behind, limit) => {
        const values = [id, from, behind ?? null, isResume ? BATCH_PAUSED : null, limit];
        return (await db.query<{ id: number }>(findTasks, values)).rows.map((row) => row.id);
      },
      act: { name: `batch.${action}`, target: String(id) },
    },
    actor,
    limits,
  );
  return { ...moved, batch: await findBatch(db, id) };
}

const REASONS: Readonly<Record<BatchAction, string>> = {
  pause: BATCH_PAUSED,
  resume: 'batch resumed',
  cancel: 'batch cancelled',
  restart: 'batch restarted',
};

/** What a person would do with each of them: what is over stays so, unless it is restarted. */
function statesFor(action: BatchAction, onlyFailed: boolean): readonly TaskStatus[] {
  if (action === 'cancel') return NOT_OVER;
  if (action !== 'restart') return TASK_ACTIONS[action].from;
  return onlyFailed ? ['failed', 'expired'] : OVER;
}

async function switchBatch(
  db: Database,
  id: number,
  action: 'pause' | 'resume',
  actor: Actor,
): Promise<void> {
  await inTransaction(db, async (tx) => {
    const { rowCount } = await tx.query(setPaused, [id, action === 'pause']);
    if (rowCount === 0) throw unknownBatch(String(id));
    await recordAct(tx, actor, `batch.${action}`, String(id));
  });
}
