/** A job as it is shown: of its parameters what somebody asked for, not what the work needs to know besides. */
import { jobParams } from '../contract/jobs.ts';
import type { Job } from '../control/jobs/job.ts';

export function showJob(job: Job) {
  const given = Object.entries(job.params).filter(([, value]) => value !== null);
  return { ...job, params: jobParams.parse(Object.fromEntries(given)) };
}
