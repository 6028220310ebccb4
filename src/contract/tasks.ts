/** Tasks: explicit orders, and what can be done with them. */
import { z } from 'zod';
import { endpoint } from './endpoint.ts';
import { pageOf, pageQuery } from './paging.ts';
import {
  batchFields,
  bulkTask,
  isOneBatch,
  MOST_COUNTED,
  MOST_LOOKED_AT,
  maxRetries,
  newTask,
  ONE_BATCH,
  scheduledAt,
  task,
  taskDetails,
  taskEvent,
  taskPriority,
  taskStatus,
} from './task-shapes.ts';
import {
  domainName,
  idParams,
  lineOfText,
  numberInText,
  rowId,
  rowIdInText,
  time,
  timeInText,
} from './values.ts';

const SNAKE = 'Fields may also be named in snake_case, such as `reset_retry_count`.';
const count = z.int();
const COUNTED = MOST_COUNTED.toLocaleString('en');

export const submitTask = endpoint({
  ...{ name: 'submitTask', method: 'POST', path: '/api/admin/tasks', group: 'tasks', allows: 'crawl' },
  summary: 'Orders a page to be fetched',
  description: `A page has one live task at a time: while it has one, another is refused, with the number of the first. A domain that is not known is made known for its tasks only, unless the server is set up to refuse it. A time up to five minutes back counts as now. ${SNAKE}`,
  body: newTask,
  alsoSnakeCase: true,
  isIdempotent: true,
  status: 201,
  answer: task,
  problems: [
    ...(['bad-url', 'unknown-domain', 'domain-going', 'duplicate-task', 'unknown-batch'] as const),
    ...(['unknown-parent', 'schedule-past', 'schedule-too-far'] as const),
  ],
});

export const MOST_TASKS = 10_000;
export const MOST_REFUSED = 1000;

export const submitTasks = endpoint({
  ...{ name: 'submitTasks', method: 'POST', path: '/api/admin/tasks/bulk', group: 'tasks', allows: 'crawl' },
  summary: `Orders up to ${MOST_TASKS.toLocaleString('en')} pages at once`,
  description: `Each item is judged by itself. What is wrong with one (a field that is not as described here, code \`invalid\`; a URL that cannot be crawled; a page that has a live task; a parent that is not there) is told by its index, counted from 0. With onError "skip" the others are taken, a thousand in each transaction; with "refuse-all" none is. Items may wait for each other by ref and parentRef. ${SNAKE}`,
  body: z
    .strictObject({
      tasks: z
        .array(z.union([z.string().min(1).max(20_000), bulkTask]))
        .min(1)
        .max(MOST_TASKS),
      onError: z.enum(['skip', 'refuse-all']).default('skip'),
      priority: taskPriority.optional().describe('Of those that name none'),
      ...batchFields,
      skipKnownOfBatch: z
        .boolean()
        .default(false)
        .describe(
          'Pages that the batch has already, whatever became of their tasks, are passed over (`already-in-batch`), which is no error: what was interrupted can be sent again, and nothing is done twice',
        ),
    })
    .refine(isOneBatch, ONE_BATCH)
    .refine(
      (given) => !given.skipKnownOfBatch || given.batchId !== undefined || given.batchName !== undefined,
      {
        error: 'is for tasks of a batch: give batchId or batchName',
        path: ['skipKnownOfBatch'],
      },
    ),
  bodyLimitBytes: 16 * 1024 * 1024,
  // Every item with every field.
  mostBodyValues: 20 * MOST_TASKS,
  itemsApart: 'tasks',
  alsoSnakeCase: true,
  isIdempotent: true,
  answer: z
    .object({
      accepted: count,
      refusedCount: count.describe('How many there are in all, duplicates among them'),
      duplicateCount: count,
      inBatchCount: count.describe('Among the refused: passed over because of skipKnownOfBatch'),
      newDomains: count,
      batchId: z.int().nullable(),
      ids: z.array(z.int().nullable()).describe('By index: the task that was made, or null'),
      refused: z
        .array(
          z.object({
            index: count,
            url: z.string().describe('As far as there was one'),
            code: z.string(),
            reason: z.string(),
            taskId: z
              .int()
              .nullable()
              .describe('Of a duplicate: the live task; of one passed over: that of the batch'),
          }),
        )
        .describe(`The first ${MOST_REFUSED.toLocaleString('en')}`),
    })
    .meta({ id: 'SubmittedTasks' }),
  problems: ['tasks-refused', 'unknown-batch'],
});

export const listTasks = endpoint({
  ...{ name: 'listTasks', method: 'GET', path: '/api/admin/tasks', group: 'tasks', allows: 'crawl' },
  summary: 'Tasks, the newest first',
  description: `A request looks at ${MOST_LOOKED_AT.toLocaleString('en')} tasks at most. Where several filters together, or \`search\`, \`priority\`, \`since\` and \`until\`, leave few of many, a page may have fewer rows than \`limit\`, or none, and a \`nextCursor\` nevertheless: the next request goes on from there. ${SNAKE}`,
  query: z.strictObject({
    ...pageQuery,
    order: z.enum(['asc', 'desc']).default('desc').describe('By number: asc begins with the oldest'),
    status: taskStatus.optional(),
    domain: domainName.optional(),
    batchId: rowIdInText.optional(),
    policyId: rowIdInText.optional(),
    parentTaskId: rowIdInText.optional(),
    createdBy: lineOfText(200).min(1).optional().describe('As tasks tell it, such as user:anna'),
    priority: numberInText(1, 10).optional(),
    since: timeInText.optional().describe('Created at this time or later'),
    until: timeInText.optional().describe('Created before this time'),
    search: lineOfText(500).min(1).optional().describe('Part of the URL'),
  }),
  alsoSnakeCase: true,
  answer: pageOf(task),
  problems: ['bad-cursor', 'bad-domain', 'unknown-domain'],
});

export const taskStats = endpoint({
  ...{ name: 'getTaskStats', method: 'GET', path: '/api/admin/tasks/stats', group: 'tasks', allows: 'crawl' },
  summary: 'How many tasks are in which state, and how long they take',
  query: z.strictObject({
    since: timeInText.optional().describe('Only those created at this time or later'),
    domain: domainName.optional(),
    batchId: rowIdInText.optional(),
  }),
  alsoSnakeCase: true,
  answer: z
    .object({
      total: count,
      byStatus: z.record(z.string(), count).describe('States that no task is in are left out'),
      averageDurationMs: z
        .number()
        .nullable()
        .describe('Of the completed ones, from the beginning of their last attempt'),
      averageWaitMs: z
        .number()
        .nullable()
        .describe('Of the completed ones, from their time to that beginning'),
      since: time.nullable(),
      isPartial: z
        .boolean()
        .describe(
          `True: there are more than ${COUNTED} tasks; of the domain or batch if one is named. Those with the greatest numbers were counted, and no others`,
        ),
    })
    .meta({ id: 'TaskStats' }),
  problems: ['bad-domain', 'unknown-domain'],
});

export const getTask = endpoint({
  ...{ name: 'getTask', method: 'GET', path: '/api/admin/tasks/:id', group: 'tasks', allows: 'crawl' },
  summary: 'Everything about one task: its history, its errors, what it waits for',
  params: idParams,
  answer: taskDetails,
  problems: ['unknown-task'],
});

export const listTaskEvents = endpoint({
  ...{ name: 'listTaskEvents', method: 'GET', group: 'tasks', allows: 'crawl' },
  path: '/api/admin/tasks/:id/events',
  summary: 'Every move of a task, the newest first',
  params: idParams,
  query: z.strictObject(pageQuery),
  answer: pageOf(taskEvent),
  problems: ['unknown-task', 'bad-cursor'],
});

export const changedTask = z
  .object({
    changed: z.boolean().describe('False: it was so already'),
    from: taskStatus.describe('What it was before'),
    task,
  })
  .meta({ id: 'ChangedTask' });

const TWICE = 'Doing it twice is harmless.';

export const pauseTask = endpoint({
  ...{
    name: 'pauseTask',
    method: 'POST',
    path: '/api/admin/tasks/:id/pause',
    group: 'tasks',
    allows: 'crawl',
  },
  summary: 'Pauses a task',
  description: `One that is being fetched is paused at once; what that fetch brings is not counted as its result. ${TWICE}`,
  params: idParams,
  answer: changedTask,
  problems: ['unknown-task', 'wrong-state'],
});

export const resumeTask = endpoint({
  ...{
    name: 'resumeTask',
    method: 'POST',
    path: '/api/admin/tasks/:id/resume',
    group: 'tasks',
    allows: 'crawl',
  },
  summary: 'Lets a paused task go on',
  description: `It begins again as pending, with the time and the place among the others that it had. ${TWICE}`,
  params: idParams,
  answer: changedTask,
  problems: ['unknown-task', 'wrong-state'],
});

export const cancelTask = endpoint({
  ...{
    name: 'cancelTask',
    method: 'POST',
    path: '/api/admin/tasks/:id/cancel',
    group: 'tasks',
    allows: 'crawl',
  },
  summary: 'Cancels a task',
  description: `From whichever state. What a fetch that is under way brings is not counted as its result. ${TWICE}`,
  params: idParams,
  answer: changedTask,
  problems: ['unknown-task'],
});

export const restartTask = endpoint({
  ...{
    name: 'restartTask',
    method: 'POST',
    path: '/api/admin/tasks/:id/restart',
    group: 'tasks',
    allows: 'crawl',
  },
  summary: 'Starts a task that is over once more',
  description: `${TWICE} One that is pending or queued has not begun: a priority that is given is applied, a time only while it is pending (a queued one answers 409: cancel it and restart it with that time), and changed says whether anything was; its retries stay as they are. ${SNAKE}`,
  params: idParams,
  body: z.strictObject({
    resetRetryCount: z.boolean().default(true).describe('All its attempts again'),
    priority: taskPriority.optional().describe('Left out: as it was'),
    scheduledAt: scheduledAt.optional(),
  }),
  isBodyOptional: true,
  alsoSnakeCase: true,
  answer: changedTask,
  problems: ['unknown-task', 'wrong-state', 'duplicate-task', 'schedule-past', 'schedule-too-far'],
});

export const restartParsing = endpoint({
  ...{ name: 'restartTaskParsing', method: 'POST', group: 'tasks', allows: 'crawl' },
  path: '/api/admin/tasks/:id/restart-parsing',
  summary: 'Parses what a task has fetched once more, without fetching',
  description: `${TWICE} ${SNAKE}`,
  params: idParams,
  body: z.strictObject({ resetRetryCount: z.boolean().default(true) }),
  isBodyOptional: true,
  alsoSnakeCase: true,
  answer: changedTask,
  problems: ['unknown-task', 'wrong-state', 'no-stored-body', 'duplicate-task'],
});

export const MOST_RESTARTED = 100_000;

export const restartFailed = endpoint({
  ...{ name: 'restartFailedTasks', method: 'POST', group: 'tasks', allows: 'crawl' },
  path: '/api/admin/tasks/restart-failed',
  summary: 'Starts failed tasks once more',
  description: `The newest first, a thousand in each transaction. Pages that have a live task by now are left out. Where not all was done in the time a request has (isComplete is false), sending it again goes on. ${SNAKE}`,
  body: z
    .strictObject({
      domain: domainName.optional().describe('Left out: of all domains'),
      domainId: rowId.optional().describe('The same by its number'),
      batchId: rowId.optional(),
      failedAfter: timeInText.optional().describe('Failed at this time or later'),
      limit: z.int().min(1).max(MOST_RESTARTED).default(1000),
      dryRun: z.boolean().default(false).describe('Only count them'),
    })
    .refine(({ domain, domainId }) => domain === undefined || domainId === undefined, {
      error: 'give domain or domainId, not both',
      path: ['domainId'],
    }),
  isBodyOptional: true,
  alsoSnakeCase: true,
  isIdempotent: true,
  answer: z
    .object({
      restarted: count.describe('With dryRun: how many would be'),
      skipped: count.describe('Their pages have a live task'),
      isDryRun: z.boolean(),
      isComplete: z.boolean(),
      matched: count.nullable().describe('With dryRun: failed tasks that fit, whatever the limit'),
      isPartial: z
        .boolean()
        .describe(`With dryRun, true: only ${COUNTED} failed tasks were looked at; there are more`),
    })
    .meta({ id: 'RestartedTasks' }),
  problems: ['bad-domain', 'unknown-domain', 'unknown-batch'],
});

export const setTaskPriority = endpoint({
  ...{ name: 'setTaskPriority', method: 'PATCH', group: 'tasks', allows: 'crawl' },
  path: '/api/admin/tasks/:id/priority',
  summary: 'Makes a task more or less urgent',
  description:
    'Holds for what waits: the next task that is taken is the most urgent one. Those of one urgency go by their times.',
  params: idParams,
  body: z.strictObject({ priority: taskPriority }),
  answer: changedTask,
  problems: ['unknown-task', 'wrong-state'],
});

export const updateTask = endpoint({
  ...{ name: 'updateTask', method: 'PATCH', path: '/api/admin/tasks/:id', group: 'tasks', allows: 'crawl' },
  summary: 'Changes what a task waits for, or how often it is tried',
  description: `The parent of a task that is pending or paused; the retries of any that is not over. A task that would wait for itself, also by way of others, is refused. ${SNAKE}`,
  params: idParams,
  body: z.strictObject({
    parentTaskId: rowId.nullable().optional().describe('Null: it waits for nobody'),
    maxRetries: maxRetries.optional(),
  }),
  alsoSnakeCase: true,
  answer: changedTask,
  problems: ['unknown-task', 'wrong-state', 'unknown-parent', 'parent-cycle'],
});

export const taskEndpoints = [
  submitTask,
  submitTasks,
  listTasks,
  taskStats,
  restartFailed,
  getTask,
  listTaskEvents,
  updateTask,
  setTaskPriority,
  pauseTask,
  resumeTask,
  cancelTask,
  restartTask,
  restartParsing,
];
