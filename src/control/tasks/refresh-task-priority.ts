/** What a domain's row says of its queued tasks, after a person has changed or moved some of them. */
import { numberArray } from '../../platform/pg-array.ts';
import { loadSql } from '../../platform/sql-file.ts';
import type { Transaction } from '../../platform/transaction.ts';
import type { LockedTask } from './lock-tasks.ts';

const refreshPriority = loadSql(import.meta.url, './refresh-task-priority.sql');

/** `tasks` as they were before: only what was queued had a part in it. Their domains are locked. */
export async function refreshTaskPriority(
  tx: Transaction,
  tasks: readonly Pick<LockedTask, 'domainId' | 'status'>[],
): Promise<void> {
  const ids = new Set(tasks.filter(({ status }) => status === 'queued').map(({ domainId }) => domainId));
  if (ids.size > 0) await tx.query(refreshPriority, [numberArray([...ids])]);
}
