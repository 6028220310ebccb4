/** Changing, switching and removing standing orders. Tasks that are under way go on as they were ordered. */
import type { Wanted } from '../../contract/task-shapes.ts';
import { now } from '../../platform/clock.ts';
import type { Database } from '../../platform/database.ts';
import { loadSql } from '../../platform/sql-file.ts';
import { inTransaction, type Transaction } from '../../platform/transaction.ts';
import { type Actor, recordAct } from '../access/actor.ts';
import { expectSchedule } from '../tasks/schedule.ts';
import { type Policy, readPolicyRow, unknownPolicy } from './policy.ts';

const change = loadSql(import.meta.url, './change-policy.sql');
const lockPolicySql = loadSql(import.meta.url, './lock-policy.sql');
const lockDomain = loadSql(import.meta.url, './lock-domain-of-policy.sql');
const switchSql = loadSql(import.meta.url, './switch-policy.sql');
const removeSql = loadSql(import.meta.url, './delete-policy.sql');
const wakeScheduler = loadSql(import.meta.url, '../../engine/tasks/wake-scheduler.sql');

export interface PolicyPatch {
  readonly frequencyHours?: number | undefined;
  readonly priority?: number | undefined;
  readonly maxRetries?: number | undefined;
  readonly retryBackoffMinutes?: number | undefined;
  readonly timeoutMinutes?: number | undefined;
  readonly executor?: 'forager' | 'bot' | undefined;
  readonly wanted?: Wanted | undefined;
  readonly followDepth?: number | undefined;
  readonly followLimit?: number | undefined;
  readonly nextRunAt?: Date | undefined;
}

export async function changePolicy(
  db: Database,
  id: number,
  patch: PolicyPatch,
  actor: Actor,
): Promise<Policy> {
  const { nextRunAt, ...settings } = patch;
  // A moment of the past that counts as now is told to the database as null.
  const time = nextRunAt === undefined ? {} : { nextRunAt: expectSchedule(nextRunAt, now()) ?? null };
  return inTransaction(db, async (tx) => {
    const { rowCount } = await tx.query(change, [id, JSON.stringify({ ...settings, ...time })]);
    if (rowCount === 0) throw unknownPolicy(id);
    await tx.query(wakeScheduler);
    await recordAct(tx, actor, 'policy.change', `policy ${id}`, { ...patch });
    return readPolicyRow(tx, id);
  });
}

export interface SwitchedPolicy extends Policy {
  /** False: it was so already. */
  readonly changed: boolean;
}

export async function switchPolicy(
  db: Database,
  id: number,
  isEnabled: boolean,
  actor: Actor,
): Promise<SwitchedPolicy> {
  return inTransaction(db, async (tx) => {
    const before = await lockPolicy(tx, id);
    const changed = before.isEnabled !== isEnabled;
    if (changed) {
      await tx.query(switchSql, [id, isEnabled]);
      if (isEnabled) await tx.query(wakeScheduler);
      await recordAct(tx, actor, isEnabled ? 'policy.enable' : 'policy.disable', `policy ${id}`);
    }
    return { ...(await readPolicyRow(tx, id)), changed };
  });
}

/** As it was. */
export async function removePolicy(db: Database, id: number, actor: Actor): Promise<Policy> {
  return inTransaction(db, async (tx) => {
    // Its tasks forget it, also one that a worker has: the domain first.
    await tx.query(lockDomain, [id]);
    await lockPolicy(tx, id);
    const policy = await readPolicyRow(tx, id);
    await tx.query(removeSql, [id]);
    await recordAct(tx, actor, 'policy.delete', `policy ${id}`, { url: policy.url });
    return policy;
  });
}

export interface LockedPolicy {
  readonly id: number;
  readonly domainId: number;
  readonly url: string;
  readonly isEnabled: boolean;
  readonly liveTaskId: number | null;
}

export async function lockPolicy(tx: Transaction, id: number): Promise<LockedPolicy> {
  const [row] = (await tx.query<LockedPolicy>(lockPolicySql, [id])).rows;
  if (row === undefined) throw unknownPolicy(id);
  return row;
}
