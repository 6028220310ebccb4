/** Batches: tasks that belong together. */
import { z } from 'zod';
import { endpoint } from './endpoint.ts';
import { pageOf, pageQuery } from './paging.ts';
import { batchName, MOST_COUNTED } from './task-shapes.ts';
import { lineOfText, rowId, time } from './values.ts';

const SNAKE = 'Fields may also be named in snake_case.';
const count = z.int();

const batchParams = z.strictObject({
  batch: lineOfText(255).min(1).describe('Its number, or its name, percent-encoded: Black%20Friday'),
});

export const batch = z
  .object({
    id: z.int(),
    name: z.string(),
    isPaused: z.boolean(),
    pausedAt: time.nullable(),
    createdBy: z.string(),
    createdAt: time,
  })
  .meta({ id: 'Batch' });

export const batchDetails = batch
  .extend({
    total: count,
    byStatus: z
      .record(z.string(), count)
      .describe('Tasks in each state; states that none is in are left out'),
    isPartial: z
      .boolean()
      .describe(
        `True: it has more than ${MOST_COUNTED.toLocaleString('en')} tasks, and these were not counted`,
      ),
  })
  .meta({ id: 'BatchDetails' });

export const listBatches = endpoint({
  ...{ name: 'listBatches', method: 'GET', path: '/api/admin/batches', group: 'tasks', allows: 'crawl' },
  summary: 'Batches, the newest first',
  query: z.strictObject({
    ...pageQuery,
    search: lineOfText(255).min(1).optional().describe('Part of the name'),
  }),
  alsoSnakeCase: true,
  answer: pageOf(batch),
  problems: ['bad-cursor'],
});

export const createBatch = endpoint({
  ...{ name: 'createBatch', method: 'POST', path: '/api/admin/batches', group: 'tasks', allows: 'crawl' },
  summary: 'Makes a batch, to which tasks can be added',
  description: `Submitting tasks with a batchName that nobody has makes one as well. ${SNAKE}`,
  body: z.strictObject({ name: batchName }),
  alsoSnakeCase: true,
  isIdempotent: true,
  status: 201,
  answer: batch,
  problems: ['batch-exists'],
});

export const getBatch = endpoint({
  ...{ name: 'getBatch', method: 'GET', path: '/api/admin/batches/:batch', group: 'tasks', allows: 'crawl' },
  summary: 'One batch, and how far it is',
  params: batchParams,
  answer: batchDetails,
  problems: ['unknown-batch'],
});

const movedBatch = z
  .object({
    batch,
    moved: count.describe('Tasks that were moved'),
    skipped: count.describe('Of a restart: their pages have a live task'),
    isComplete: z
      .boolean()
      .describe('False: not all was done in the time a request has; sending it again goes on'),
    beforeTaskId: z.int().nullable().describe('Of a restart that is not complete: where to go on'),
  })
  .meta({ id: 'MovedBatch' });

const PORTIONS = 'A thousand tasks in each transaction.';

export const pauseBatch = endpoint({
  ...{
    name: 'pauseBatch',
    method: 'POST',
    path: '/api/admin/batches/:batch/pause',
    group: 'tasks',
    allows: 'crawl',
  },
  summary: 'Pauses every task of a batch that can be paused',
  description: `What is added to it meanwhile starts paused. ${PORTIONS} Doing it twice is harmless.`,
  params: batchParams,
  answer: movedBatch,
  problems: ['unknown-batch'],
});

export const resumeBatch = endpoint({
  ...{
    name: 'resumeBatch',
    method: 'POST',
    path: '/api/admin/batches/:batch/resume',
    group: 'tasks',
    allows: 'crawl',
  },
  summary: 'Lets a paused batch go on',
  description: `Tasks that were paused one by one stay so. ${PORTIONS} Doing it twice is harmless.`,
  params: batchParams,
  answer: movedBatch,
  problems: ['unknown-batch'],
});

export const cancelBatch = endpoint({
  ...{
    name: 'cancelBatch',
    method: 'POST',
    path: '/api/admin/batches/:batch/cancel',
    group: 'tasks',
    allows: 'crawl',
  },
  summary: 'Cancels every task of a batch that is not over',
  description: `What is completed or failed stays so. ${PORTIONS} Doing it twice is harmless.`,
  params: batchParams,
  answer: movedBatch,
  problems: ['unknown-batch'],
});

export const restartBatch = endpoint({
  ...{
    name: 'restartBatch',
    method: 'POST',
    path: '/api/admin/batches/:batch/restart',
    group: 'tasks',
    allows: 'crawl',
  },
  summary: 'Starts every task of a batch that is over once more',
  description: `Of several for one page the newest. ${PORTIONS} ${SNAKE}`,
  params: batchParams,
  body: z.strictObject({
    onlyFailed: z.boolean().default(false).describe('Not those that were completed or cancelled'),
    beforeTaskId: rowId
      .optional()
      .describe('Goes on with tasks of lesser numbers: `beforeTaskId` of the answer before'),
  }),
  isBodyOptional: true,
  alsoSnakeCase: true,
  answer: movedBatch,
  problems: ['unknown-batch', 'batch-paused'],
});

export const batchEndpoints = [
  listBatches,
  createBatch,
  getBatch,
  pauseBatch,
  resumeBatch,
  cancelBatch,
  restartBatch,
];
