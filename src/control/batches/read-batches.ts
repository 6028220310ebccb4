/** Batches, one or a page of many, as they are told. */
import type { Database } from '../../platform/database.ts';
import { loadSql } from '../../platform/sql-file.ts';
import { inTransaction } from '../../platform/transaction.ts';
import type { Actor } from '../access/actor.ts';
import { createBatchWithin, unknownBatch } from './task-batch.ts';

const list = loadSql(import.meta.url, './list-batches.sql');
const countTasks = loadSql(import.meta.url, './count-batch-tasks.sql');

export interface BatchRow {
  readonly id: number;
  readonly name: string;
  readonly isPaused: boolean;
  readonly pausedAt: Date | null;
  readonly createdBy: string;
  readonly createdAt: Date;
}

export interface BatchDetails extends BatchRow {
  readonly total: number;
  readonly byStatus: Readonly<Record<string, number>>;
  /** There are more than were counted. */
  readonly isPartial: boolean;
}

export async function listBatches(
  db: Database,
  search: string | undefined,
  below: number | undefined,
  limit: number,
): Promise<BatchRow[]> {
  return (await db.query<BatchRow>(list, [below ?? null, null, null, search ?? null, limit])).rows;
}

/** By its number, or by its name: a number that is written as text is a number. */
export async function findBatch(db: Database, which: number | string): Promise<BatchRow> {
  const name = String(which).trim();
  const id = typeof which === 'number' ? which : /^\d{1,15}$/.test(name) ? Number(name) : undefined;
  const [found] = (
    await db.query<BatchRow>(list, [null, id ?? null, id === undefined ? name : null, null, 1])
  ).rows;
  if (found === undefined) throw unknownBatch(id === undefined ? `named "${name}"` : String(id));
  return found;
}

/** Counts so many of its tasks and no more, if that is asked for. */
export async function readBatch(db: Database, which: number | string, most?: number): Promise<BatchDetails> {
  const batch = await findBatch(db, which);
  const values = [batch.id, most === undefined ? null : most + 1];
  const { rows } = await db.query<{ status: string; count: number }>(countTasks, values);
  const total = rows.reduce((sum, { count }) => sum + count, 0);
  return {
    ...batch,
    total,
    byStatus: Object.fromEntries(rows.map(({ status, count }) => [status, count])),
    isPartial: most !== undefined && total > most,
  };
}

export async function createBatch(db: Database, name: string, actor: Actor): Promise<BatchRow> {
  const id = await inTransaction(db, (tx) => createBatchWithin(tx, name, actor));
  return findBatch(db, id);
}
