/** The next run of a standing order, now, whether it is due or not. There is one task for a page at a time. */
import type { TaskStatus } from '../../contract/task-shapes.ts';
import { refuseIfGoing } from '../../engine/seeds/going-domains.ts';
import type { Database } from '../../platform/database.ts';
import { loadSql } from '../../platform/sql-file.ts';
import { inTransaction } from '../../platform/transaction.ts';
import { type Actor, recordAct } from '../access/actor.ts';
import { lockPolicy } from './change-policy.ts';
import { type Policy, readPolicyRow, unknownPolicy } from './policy.ts';
import { startPolicies } from './start-policies.ts';

const lockDomain = loadSql(import.meta.url, './lock-domain-of-policy.sql');
const bringForward = loadSql(import.meta.url, './bring-forward.sql');
const wakeScheduler = loadSql(import.meta.url, '../../engine/tasks/wake-scheduler.sql');

export interface PolicyStart extends Policy {
  /** False: a task for the page was under way already. */
  readonly changed: boolean;
  /** That task was to run later: now it is due. */
  readonly isBroughtForward: boolean;
  readonly taskId: number;
  readonly taskStatus: TaskStatus;
}

export async function runPolicy(db: Database, id: number, actor: Actor): Promise<PolicyStart> {
  return inTransaction(db, async (tx) => {
    const [domain] = (await tx.query<{ id: number; domain: string }>(lockDomain, [id])).rows;
    if (domain === undefined) throw unknownPolicy(id);
    await refuseIfGoing(tx, domain.id, domain.domain);
    const { liveTaskId } = await lockPolicy(tx, id);
    const [started] = liveTaskId === null ? await startPolicies(tx, [id]) : [];
    const isNew = started !== undefined && !started.isAdopted;
    const isBroughtForward =
      !isNew && (await tx.query(bringForward, [started?.taskId ?? liveTaskId])).rowCount === 1;
    const changed = isNew || isBroughtForward;
    const policy = await readPolicyRow(tx, id);
    const { liveTaskId: taskId, liveTaskStatus: taskStatus } = policy;
    if (taskId === null || taskStatus === null) throw new Error(`policy ${id} was run and has no task`);
    if (changed) {
      await tx.query(wakeScheduler);
      await recordAct(tx, actor, 'policy.run', `policy ${id}`, { taskId, isBroughtForward });
    }
    return { ...policy, changed, isBroughtForward, taskId, taskStatus };
  });
}
