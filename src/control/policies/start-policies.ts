/**
 * The next run of standing orders. Their domains and rows must be locked, and none of them may have a task that is
 * under way. One whose URL somebody else has ordered meanwhile takes that task for its own.
 */
import { loadSql } from '../../platform/sql-file.ts';
import type { Transaction } from '../../platform/transaction.ts';

const addTasks = loadSql(import.meta.url, './add-policy-tasks.sql');
const adoptSql = loadSql(import.meta.url, './adopt-tasks.sql');

export interface StartedRun {
  readonly id: number;
  readonly taskId: number;
  /** The task was there already. */
  readonly isAdopted: boolean;
}

export async function startPolicies(tx: Transaction, ids: readonly number[]): Promise<StartedRun[]> {
  if (ids.length === 0) return [];
  const added = await tx.query<{ id: number; taskId: number }>(addTasks, [ids]);
  const started: StartedRun[] = added.rows.map((row) => ({ ...row, isAdopted: false }));
  if (started.length === ids.length) return started;
  const ready = new Set(started.map(({ id }) => id));
  const rest = ids.filter((id) => !ready.has(id));
  return [...started, ...(await adoptTasks(tx, rest))];
}

/** Those for whose URL there is a task that is not over take it for their own. */
export async function adoptTasks(tx: Transaction, ids: readonly number[]): Promise<StartedRun[]> {
  const { rows } = await tx.query<{ id: number; taskId: number }>(adoptSql, [ids]);
  return rows.map((row) => ({ ...row, isAdopted: true }));
}
