/** What is told about a task, and what makes one. */
import { z } from 'zod';
import { crawledText, rowId, time, timeInText, trimmedLine } from './values.ts';

export const TASK_STATUSES = [
  'pending',
  'queued',
  'crawling',
  'downloaded',
  'queued_parse',
  'parsing',
  'completed',
  'failed',
  'paused',
  'cancelled',
  'locked',
  'expired',
] as const;
export type TaskStatus = (typeof TASK_STATUSES)[number];

export const taskStatus = z
  .enum(TASK_STATUSES)
  .describe(
    'pending: waits for its time, a retry or its parent; queued: waits for a worker; crawling, downloaded, queued_parse, parsing: on its way; completed, failed, cancelled, expired: over; paused: until somebody resumes it; locked: with a bot',
  )
  .meta({ id: 'TaskStatus' });

export const PRIORITIES = '1 is the most urgent, 10 the least';
export const taskPriority = z.int().min(1).max(10).describe(PRIORITIES);
export const maxRetries = z.int().min(0).max(20).describe('Further attempts, after 1, 2, 4, 8 … minutes');
export const executor = z.enum(['forager', 'bot']).describe('Who is to fetch it');
export const WANTED = ['price', 'page', 'data', 'any'] as const;
export type Wanted = (typeof WANTED)[number];
export const wanted = z
  .enum(WANTED)
  .describe(
    'Of what a bot fetches: what it must bring. price: a price with its currency; page: the page itself (raw_html); data: something of parsed_data; any: whatever it has found',
  )
  .meta({ id: 'Wanted' });

/** No request counts more tasks than this. */
export const MOST_COUNTED = 250_000;
/** Nor does one look at more in search of those that it lists. */
export const MOST_LOOKED_AT = 50_000;

/** One line of the list. */
export const task = z
  .object({
    id: z.int(),
    url: crawledText,
    domain: z.string(),
    status: taskStatus,
    statusReason: crawledText.nullable().describe('Why it is in its status, as far as somebody said so'),
    priority: z.int().describe(PRIORITIES),
    scheduledAt: time.describe('Not before this'),
    startedAt: time.nullable(),
    completedAt: time.nullable().describe('When it was over, in whichever way'),
    retryCount: z.int().describe('Of the current phase: fetching, or parsing again'),
    maxRetries: z.int(),
    errorMessage: crawledText.nullable().describe('What went wrong last'),
    executor,
    wanted,
    isRecurring: z.boolean().describe('Its policy makes the next one when this one is over'),
    crawlFrequencyHours: z.number().nullable(),
    nextCrawlAt: time
      .nullable()
      .describe('When its policy is due next; while this task lives, it waits for it'),
    recrawlCount: z.int().describe('How many of its policy came before it'),
    policyId: z.int().nullable(),
    batchId: z.int().nullable(),
    batchName: z.string().nullable(),
    parentTaskId: z.int().nullable(),
    isWaiting: z.boolean().describe('For its parent to be completed'),
    followDepth: z.int(),
    followLimit: z.int(),
    httpStatus: z.int().nullable(),
    responseTimeMs: z.int().nullable(),
    proxyId: z.int().nullable().describe('The proxy through which it was fetched last; null: none'),
    finalUrl: crawledText.nullable().describe('Where redirects have led, if anywhere'),
    fetchedAt: time.nullable(),
    hasBody: z.boolean().describe('What was fetched is kept: it can be parsed again'),
    lockedBy: z.string().nullable().describe('The worker, parser or bot that has it now'),
    lockedUntil: time.nullable(),
    createdBy: z.string(),
    createdAt: time,
    updatedAt: time,
  })
  .meta({ id: 'Task' });

export const taskEvent = z
  .object({
    at: time,
    from: taskStatus.nullable().describe('Null: it was created'),
    to: taskStatus,
    actor: z.string().describe('Who did it: a person, a worker, the scheduler'),
    reason: crawledText.nullable(),
  })
  .meta({ id: 'TaskEvent' });

export const WAIT_CODES = [
  'scheduled',
  'retry',
  'parent',
  'paused',
  'batch-paused',
  'bot',
  'no-bot',
  'bot-locks',
  'no-scheduler',
  'scheduler',
  'domain-inactive',
  'domain-blocked',
  'domain-unreachable',
  'domain-resting',
  'domain-maintenance',
  'domain-no-proxy',
  'domain-in-crawl',
  'no-worker',
  'worker',
  'no-parser',
  'parser',
] as const;

export const waitsFor = z
  .object({
    code: z.enum(WAIT_CODES),
    sentence: crawledText.describe('The same for people'),
    until: time.nullable().describe('When that is over, as far as it is known'),
  })
  .meta({ id: 'TaskWaitsFor' });

export const taskDetails = task
  .extend({
    waitsFor: waitsFor.nullable().describe('Why it does not run now; null: it runs, or it is over'),
    history: z.array(taskEvent).describe('Every move in order; of more than a thousand the latest'),
    errors: z
      .array(
        z.object({
          at: time,
          category: z.string(),
          code: z.string(),
          message: crawledText,
          httpStatus: z.int().nullable(),
          attempt: z.int(),
          worker: z.string().nullable(),
        }),
      )
      .describe('What went wrong, the latest first, at most fifty'),
    childrenCount: z.int().describe('Tasks whose parent it is; counted up to 10,000'),
    policyTaskId: z
      .int()
      .nullable()
      .describe('Of its policy, the task that is not over, if any: the next run counts from its end'),
  })
  .meta({ id: 'TaskDetails' });

/** URLs end at 8,192 characters; a longer text is refused by itself, not with all the others. */
const urlText = z.string().min(1).max(20_000).describe('The page; a bare name is taken as https');

export const scheduledAt = timeInText.describe('Not before this; left out: at once');

const taskFields = {
  url: urlText,
  priority: taskPriority.optional().describe(`${PRIORITIES}; left out: 5`),
  scheduledAt: scheduledAt.optional(),
  maxRetries: maxRetries.optional(),
  isRecurring: z
    .boolean()
    .optional()
    .describe('Creates or updates the policy of this page: the task is its first'),
  crawlFrequencyHours: z
    .number()
    .min(1 / 60, 'must be more than 0: hours between two runs, at least a minute (0.017)')
    .max(87_600)
    .optional()
    .describe('Hours from the end of one run to the next, with isRecurring; left out: 24'),
  parentTaskId: rowId.optional().describe('Waits until that task is completed'),
  followDepth: z
    .int()
    .min(0)
    .max(5)
    .optional()
    .describe('The pages that its page names become tasks too, that many steps deep'),
  followLimit: z.int().min(1).max(1000).optional().describe('Of each page, so many at most; left out: 100'),
  executor: executor.optional(),
  wanted: wanted.optional().describe('Of a bot: what it must bring; left out: price'),
};

const FREQUENCY_ALONE = {
  error: 'crawlFrequencyHours is for what is recurring: add isRecurring: true',
  path: ['crawlFrequencyHours'],
};
const isFrequencyMeant = (given: { isRecurring?: unknown; crawlFrequencyHours?: unknown }): boolean =>
  given.crawlFrequencyHours === undefined || given.isRecurring === true;

export const batchName = trimmedLine(255)
  .regex(/\D/, 'must be a name, not a number')
  .describe('Of a batch: "Black Friday". Space around it is left out');

export const batchFields = {
  batchId: rowId.optional(),
  batchName: batchName.optional().describe('The batch of this name; created if there is none'),
};
export const ONE_BATCH = { error: 'give batchId or batchName, not both', path: ['batchName'] };
export const isOneBatch = (given: { batchId?: unknown; batchName?: unknown }): boolean =>
  given.batchId === undefined || given.batchName === undefined;

export const newTask = z
  .strictObject({ ...taskFields, ...batchFields })
  .refine(isFrequencyMeant, FREQUENCY_ALONE)
  .refine(isOneBatch, ONE_BATCH);

const ref = z.string().min(1).max(200);

/** One of many. */
export const bulkTask = z
  .strictObject({
    ...taskFields,
    ref: ref.optional().describe('A name for it within this call'),
    parentRef: ref.optional().describe('Waits for the item of this call that has that ref'),
  })
  .refine(isFrequencyMeant, FREQUENCY_ALONE)
  .refine((given) => given.parentRef === undefined || given.parentTaskId === undefined, {
    error: 'give parentTaskId or parentRef, not both',
    path: ['parentRef'],
  });
export type BulkTask = z.output<typeof bulkTask>;
