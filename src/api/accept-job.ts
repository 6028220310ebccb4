/** The answer to a request for long work (202): the job, and where to see how it goes. To be called after the commit. */
import type { FastifyReply } from 'fastify';
import type { Job } from '../control/jobs/job.ts';
import type { ServerParts } from './server-parts.ts';
import { showJob } from './show-job.ts';

export function acceptJob({ jobRunner }: Pick<ServerParts, 'jobRunner'>, reply: FastifyReply, job: Job) {
  jobRunner.wake();
  reply.header('location', `/api/jobs/${job.id}`);
  return showJob(job);
}
