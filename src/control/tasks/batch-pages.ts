/** Pages that a batch has already, whatever became of their tasks: what is sent again need not be done again. */
import { byteaArray, numberArray } from '../../platform/pg-array.ts';
import { loadSql } from '../../platform/sql-file.ts';
import type { Transaction } from '../../platform/transaction.ts';
import { keyOf, type LiveTask, type PageKey } from './live-tasks.ts';
import type { OrderProblem } from './task-order.ts';

const findPages = loadSql(import.meta.url, './find-batch-pages.sql');

const IN_BATCH = 'already-in-batch';

/** By keyOf: their newest tasks of the batch. `live` are all tasks of these pages that are not over. */
export async function findBatchPages(
  tx: Transaction,
  batchId: number,
  pages: readonly PageKey[],
  live: ReadonlyMap<string, LiveTask>,
): Promise<Map<string, number>> {
  const { rows } = await tx.query<PageKey & { id: number }>(findPages, [
    batchId,
    numberArray(pages.map(({ domainId }) => domainId)),
    byteaArray(pages.map(({ hash }) => hash)),
  ]);
  const known = new Map(rows.map((row) => [keyOf(row), row.id]));
  for (const [key, task] of live) if (task.batchId === batchId) known.set(key, task.id);
  return known;
}

export function describeInBatch(taskId: number): readonly [code: string, reason: string, taskId: number] {
  return [IN_BATCH, `the batch has this page already: task ${taskId}`, taskId];
}

/** It was not ordered because it need not be, not because it cannot be. */
export function isPassedOver({ code }: Pick<OrderProblem, 'code'>): boolean {
  return code === IN_BATCH;
}
