/** The batch that tasks are added to. It is locked before anything else: whoever pauses it waits for what is added. */
import { ForagerError } from '../../platform/errors.ts';
import { loadSql } from '../../platform/sql-file.ts';
import type { Transaction } from '../../platform/transaction.ts';
import { type Actor, recordAct } from '../access/actor.ts';

const findBatch = loadSql(import.meta.url, './find-batch.sql');
const insertBatch = loadSql(import.meta.url, './insert-batch.sql');
const lockName = loadSql(import.meta.url, './lock-batch-name.sql');

/** Why a task is paused that was paused with its batch: those, and no others, go on with it. */
export const BATCH_PAUSED = 'batch paused';

export interface BatchChoice {
  readonly batchId?: number | undefined;
  /** Made, if there is none of that name. */
  readonly batchName?: string | undefined;
}

export interface TaskBatch {
  readonly id: number;
  readonly name: string;
  readonly isPaused: boolean;
}

/** Undefined: no batch was named. */
export async function chooseBatch(
  tx: Transaction,
  { batchId, batchName: given }: BatchChoice,
  actor: Actor,
): Promise<TaskBatch | undefined> {
  const batchName = given?.trim();
  if (batchId === undefined && batchName === undefined) return undefined;
  if (batchName !== undefined) await tx.query(lockName, [batchName]);
  const [found] = (await tx.query<TaskBatch>(findBatch, [batchId ?? null, batchName ?? null])).rows;
  if (found !== undefined) return found;
  if (batchName === undefined) throw unknownBatch(String(batchId));
  return addBatch(tx, batchName, actor);
}

/** Throws when the name is taken. */
export async function createBatchWithin(tx: Transaction, given: string, actor: Actor): Promise<number> {
  const name = given.trim();
  await tx.query(lockName, [name]);
  const [found] = (await tx.query<TaskBatch>(findBatch, [null, name])).rows;
  if (found === undefined) return (await addBatch(tx, name, actor)).id;
  throw new ForagerError('batch-exists', `Batch ${found.id} has the name ${name} already.`, {
    hint: 'add tasks to it, or take another name',
  });
}

async function addBatch(tx: Transaction, name: string, actor: Actor): Promise<TaskBatch> {
  const [added] = (await tx.query<{ id: number }>(insertBatch, [name, actor.name])).rows;
  if (added === undefined) throw new Error('a batch was neither made nor refused');
  await recordAct(tx, actor, 'batch.create', String(added.id), { name });
  return { id: added.id, name, isPaused: false };
}

export function unknownBatch(which: string): ForagerError {
  return new ForagerError('unknown-batch', `There is no batch ${which}.`, {
    hint: '"forager batch list" lists them',
  });
}
