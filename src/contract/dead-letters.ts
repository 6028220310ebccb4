/** Work that was given up, and giving it another chance. */
import { z } from 'zod';
import { endpoint } from './endpoint.ts';
import { pageOf, pageQuery } from './paging.ts';
import { crawledText, domainName, idParams, lineOfText, time } from './values.ts';

const admin = { group: 'errors', allows: 'manage' } as const;
const count = z.int().nonnegative();
export const MOST_REQUEUED = 10_000;

export const deadLetter = z
  .object({
    id: z.int(),
    queue: z
      .string()
      .describe('`crawl_queue`, `priority_queue` or `parse_queue`: where it was worked on last'),
    reason: crawledText,
    taskId: z.int().nullable().describe('Null: a message that nobody could understand'),
    domain: z.string().nullable(),
    url: z.string().nullable().describe('Of its task; null: there is none, or it was removed'),
    taskStatus: z.string().nullable(),
    retryCount: count.nullable(),
    payload: z.unknown().describe('Of a message: what it said'),
    createdAt: time,
    requeuedAt: time.nullable().describe('When somebody dealt with it; null: it is open'),
    requeuedBy: z.string().nullable(),
  })
  .meta({ id: 'DeadLetter' });

const queueName = lineOfText(100).min(1);

export const listDeadLetters = endpoint({
  ...{ ...admin, name: 'listDeadLetters', method: 'GET', path: '/api/admin/dead-letters' },
  summary: 'Work that was given up, the latest first',
  description:
    'Tasks that failed for good, and messages that nobody could understand. Those not dealt with yet.',
  query: z.strictObject({
    ...pageQuery,
    queue: queueName.optional().describe('Exactly this one'),
    domain: domainName.optional(),
  }),
  answer: pageOf(deadLetter),
  problems: ['bad-cursor', 'bad-domain', 'unknown-domain'],
});

export const requeueDeadLetter = endpoint({
  ...{ ...admin, name: 'requeueDeadLetter', method: 'POST', path: '/api/admin/dead-letters/:id/requeue' },
  summary: 'Give one another chance',
  description:
    'Its task is pending again, with all its retries. A message without a task is marked as dealt with. Doing it ' +
    'twice is harmless: `changed` is false then.',
  params: idParams,
  answer: z.object({ deadLetter, changed: z.boolean() }),
  problems: ['unknown-dead-letter', 'duplicate-task'],
});

export const requeueReport = z
  .object({
    isDryRun: z.boolean(),
    matched: count.describe('Open ones that fit, at most as many as `limit`'),
    requeued: count.describe('Tasks that are pending again, or would be'),
    dismissed: count.describe('Without a task: marked as dealt with, or would be'),
    skipped: count.describe('Their URL has another task by now that is not over: they stay open'),
  })
  .meta({ id: 'RequeueReport' });

export const requeueDeadLetters = endpoint({
  ...{ ...admin, name: 'requeueDeadLetters', method: 'POST', path: '/api/admin/dead-letters/requeue' },
  summary: 'Give many another chance',
  description:
    'Those of a queue or a domain, or `all`. The oldest first. In portions, each committed by itself: whoever does not ' +
    'know whether all of them were done asks again. Fields may also be named in snake_case.',
  body: z
    .strictObject({
      queue: queueName.optional(),
      domain: domainName.optional(),
      all: z.literal(true).optional().describe('Of every queue and domain; needed where neither is named'),
      limit: z.int().min(1).max(MOST_REQUEUED).default(1000),
      dryRun: z.boolean().default(false).describe('Count, and change nothing'),
    })
    .refine(({ queue, domain, all }) => (all === true) !== (queue !== undefined || domain !== undefined), {
      error: 'name a queue or a domain, or say all: true to mean every one, not both',
    }),
  alsoSnakeCase: true,
  answer: requeueReport,
  problems: ['bad-domain', 'unknown-domain'],
});

export const deadLetterEndpoints = [listDeadLetters, requeueDeadLetters, requeueDeadLetter];
