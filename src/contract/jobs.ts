/** Jobs: long work that was asked for, and how far it is. */
import { z } from 'zod';
import { time } from './values.ts';

export const JOB_KINDS = ['clear-frontier', 'delete-domain', 'purge-pages'] as const;

export const job = z
  .object({
    id: z.int(),
    kind: z.enum(JOB_KINDS),
    params: z.record(z.string(), z.unknown()),
    state: z.enum(['queued', 'running', 'done', 'failed', 'cancelled']),
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
