/** A job is not to go on. What it has done stays done. */
import type { Database } from '../../platform/database.ts';
import { ForagerError } from '../../platform/errors.ts';
import { loadSql } from '../../platform/sql-file.ts';
import { inTransaction } from '../../platform/transaction.ts';
import { type Actor, recordAct } from '../access/actor.ts';
import type { Job } from './job.ts';
import { readJob } from './read-jobs.ts';

const statement = loadSql(import.meta.url, './cancel-job.sql');

/** Asking again while it runs changes nothing. */
export async function cancelJob(db: Database, id: number, actor: Actor): Promise<Job> {
  return inTransaction(db, async (tx) => {
    const [row] = (await tx.query<Job & { wasRequested: boolean }>(statement, [id])).rows;
    if (row === undefined) {
      const { state } = await readJob(tx, id);
      throw new ForagerError('job-over', `Job ${id} is over already: it is ${state}.`);
    }
    const { wasRequested, ...job } = row;
    if (!wasRequested) await recordAct(tx, actor, 'job.cancel', `job ${id}`, { kind: job.kind });
    return job;
  });
}
