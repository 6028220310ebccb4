/** Tasks with all that a move of theirs touches, locked in the order that everybody keeps: domains, policies, tasks. */
import type { TaskStatus } from '../../contract/task-shapes.ts';
import { numberArray } from '../../platform/pg-array.ts';
import { loadSql } from '../../platform/sql-file.ts';
import type { Transaction } from '../../platform/transaction.ts';

const findPlaces = loadSql(import.meta.url, './find-task-places.sql');
const lockDomains = loadSql(import.meta.url, './lock-domains-by-id.sql');
const lockPolicies = loadSql(import.meta.url, './lock-policies.sql');
const lockRows = loadSql(import.meta.url, './lock-tasks.sql');

export interface LockedTask {
  readonly id: number;
  readonly domainId: number;
  readonly url: string;
  readonly hash: Buffer;
  readonly status: TaskStatus;
  readonly priority: number;
  readonly scheduledAt: Date;
  readonly parentTaskId: number | null;
  readonly batchId: number | null;
  readonly reason: string | null;
  readonly hasBody: boolean;
}

/** Those that are there, by number. */
export async function lockTasks(tx: Transaction, ids: readonly number[]): Promise<LockedTask[]> {
  const { rows } = await tx.query<{ domainId: number; policyId: number | null }>(findPlaces, [
    numberArray(ids),
  ]);
  if (rows.length === 0) return [];
  await tx.query(lockDomains, [numberArray([...new Set(rows.map(({ domainId }) => domainId))])]);
  const policies = rows.flatMap(({ policyId }) => policyId ?? []);
  if (policies.length > 0) await tx.query(lockPolicies, [numberArray(policies)]);
  return (await tx.query<LockedTask>(lockRows, [numberArray(ids)])).rows;
}
