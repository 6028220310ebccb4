/**
 * Asks for long work. The job is there when the transaction commits, together with whatever else was decided in it;
 * the act is recorded here, so that whoever submits need not. A runner of this process is woken by `wake()` of it,
 * after the commit; without that it is found within a second.
 */
import type { JobKindName } from '../../contract/jobs.ts';
import { loadSql } from '../../platform/sql-file.ts';
import type { Transaction } from '../../platform/transaction.ts';
import { type Actor, recordAct } from '../access/actor.ts';
import type { Job } from './job.ts';
import { jobKindOf } from './job-kinds.ts';

const insertJob = loadSql(import.meta.url, './submit-job.sql');

/** `params` is what the kind's schema takes: it is stored as JSON and read through the schema when the job is run. */
export async function submitJob(
  tx: Transaction,
  kind: JobKindName,
  params: Readonly<Record<string, unknown>>,
  actor: Actor,
): Promise<Job> {
  jobKindOf(kind).params.parse(params);
  const { rows } = await tx.query<Job>(insertJob, [kind, JSON.stringify(params), actor.name]);
  const [job] = rows;
  if (job === undefined) throw new Error('the job that was just written is not there');
  await recordAct(tx, actor, 'job.submit', `job ${job.id}`, { kind, params });
  return job;
}
