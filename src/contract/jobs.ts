/** Jobs: long work that was asked for, and how far it is. */
import { z } from 'zod';
import { endpoint } from './endpoint.ts';
import { pageOf, pageQuery } from './paging.ts';
import { idParams, time } from './values.ts';

export const JOB_KINDS = ['clear-frontier', 'delete-domain', 'purge-pages'] as const;

export const JOB_STATES = ['queued', 'running', 'done', 'failed', 'cancelled'] as const;

/** What was asked for, by the names it was asked for with. */
export const jobParams = z
  .object({
    domain: z.string().optional().describe('Left out: of all domains'),
    state: z.string().optional().describe('Of the URLs'),
    status: z.int().optional().describe('HTTP status of the pages'),
    isGone: z.boolean().optional(),
    crawledUntil: time.optional(),
    recrawl: z.boolean().optional(),
  })
  .meta({ id: 'JobParams' });

export const job = z
  .object({
    id: z.int(),
    kind: z.enum(JOB_KINDS),
    params: jobParams,
    state: z.enum(JOB_STATES),
    isCancelRequested: z.boolean(),
    done: z.int().describe('Rows dealt with so far'),
    total: z.int().nullable().describe('Of how many, as far as that is known'),
    result: z.record(z.string(), z.unknown()).nullable(),
    error: z.string().nullable(),
    createdBy: z.string(),
    createdAt: time,
    startedAt: time.nullable(),
    finishedAt: time.nullable(),
    updatedAt: time,
  })
  .meta({ id: 'Job' });
export type JobKindName = (typeof JOB_KINDS)[number];

export const listJobs = endpoint({
  ...{ name: 'listJobs', method: 'GET', path: '/api/jobs', group: 'jobs', allows: 'read' },
  summary: 'Jobs, the newest first',
  description: 'Jobs that are over are forgotten after 30 days.',
  query: z.strictObject({
    ...pageQuery,
    state: z.enum(JOB_STATES).optional(),
    kind: z.enum(JOB_KINDS).optional(),
  }),
  answer: pageOf(job),
  problems: ['bad-cursor'],
});

export const readJob = endpoint({
  ...{ name: 'readJob', method: 'GET', path: '/api/jobs/:id', group: 'jobs', allows: 'read' },
  summary: 'One job: how far it is, or what became of it',
  params: idParams,
  answer: job,
  problems: ['unknown-job'],
});

export const cancelJob = endpoint({
  ...{ name: 'cancelJob', method: 'POST', path: '/api/jobs/:id/cancel', group: 'jobs', allows: 'manage' },
  summary: 'Stops a job',
  description:
    'A job that was not begun is over at once; one that is running stops after the portion it is at, so that its ' +
    'state is still `running` in the answer. What it has done stays done. Cancelling twice is harmless.',
  params: idParams,
  answer: job,
  problems: ['unknown-job', 'job-over'],
});

export const jobEndpoints = [listJobs, readJob, cancelJob];
