/** Removing a domain for somebody who waits for it: the job is done here, or by a server that was quicker. */
import { setTimeout as pause } from 'node:timers/promises';
import { findGoingDomains } from '../../engine/seeds/going-domains.ts';
import type { Database } from '../../platform/database.ts';
import { errorCode, ForagerError } from '../../platform/errors.ts';
import type { Actor } from '../access/actor.ts';
import type { Job } from '../jobs/job.ts';
import { startJobRunner } from '../jobs/job-runner.ts';
import { readJob } from '../jobs/read-jobs.ts';
import { deleteDomainJob, type RemovedRows, submitDeletion } from './delete-domain.ts';
import { findDomain } from './find-domain.ts';

const LOOK_MS = 100;

const NOTHING_REMOVED = { urls: 0, pages: 0, fetches: 0, tasks: 0, errors: 0, products: 0 };

export async function removeDomain(
  db: Database,
  name: string,
  restMs: number,
  actor: Actor,
): Promise<RemovedRows> {
  const { id, domain } = await findDomain(db, name);
  const jobId = await submitOrJoin(db, id, domain, restMs, actor);
  const runner = startJobRunner(db, [deleteDomainJob]);
  try {
    runner.wake();
    const { state, error, result } = await waitForEnd(db, jobId);
    if (state === 'done') return { ...NOTHING_REMOVED, domain, ...result };
    const why = state === 'cancelled' ? 'somebody has cancelled it' : (error ?? 'it failed');
    throw new ForagerError('domain-not-removed', `${domain} was not removed: ${why}.`, {
      hint: 'it is switched off; remove it again, or activate it',
    });
  } finally {
    await runner.stop();
  }
}

/** A removal that was begun and left is gone on with. */
async function submitOrJoin(
  db: Database,
  id: number,
  domain: string,
  restMs: number,
  actor: Actor,
): Promise<number> {
  try {
    return (await submitDeletion(db, domain, restMs, actor)).id;
  } catch (error) {
    if (errorCode(error) !== 'domain-going') throw error;
    const jobId = (await findGoingDomains(db, [id])).get(id);
    // It is over at this very moment: then this says what became of the domain.
    return jobId ?? (await submitDeletion(db, domain, restMs, actor)).id;
  }
}

async function waitForEnd(db: Database, jobId: number): Promise<Job> {
  for (;;) {
    const job = await readJob(db, jobId);
    if (job.finishedAt !== null) return job;
    await pause(LOOK_MS);
  }
}
