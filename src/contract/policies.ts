/** Policies: standing orders, a page that is fetched again and again. */
import { z } from 'zod';
import { endpoint } from './endpoint.ts';
import { pageOf, pageQuery, sortQuery } from './paging.ts';
import { executor, maxRetries, PRIORITIES, taskPriority, taskStatus, wanted } from './task-shapes.ts';
import { crawledText, domainName, flagInText, idParams, lineOfText, time, timeInText } from './values.ts';

const SNAKE = 'Fields may also be named in snake_case, such as `frequency_hours`.';

/** A minute. */
const LEAST_HOURS = 1 / 60;
const MOST_HOURS = 87_600;
const MOST_MINUTES = 10_080;

const frequencyHours = z
  .number()
  .min(LEAST_HOURS, 'must be more than 0: hours between two runs, at least a minute (0.017)')
  .max(MOST_HOURS, `must be at most ${MOST_HOURS} hours: ten years`)
  .describe('Hours from the end of a run to the next; fractions are possible, down to a minute (0.017)');

const fields = {
  frequencyHours,
  priority: taskPriority,
  maxRetries,
  retryBackoffMinutes: z
    .int()
    .min(1)
    .max(MOST_MINUTES)
    .describe(
      'After a run that failed for good the next waits this long; twice as long after the second in a row, then four and eight times; after that as long as usual',
    ),
  timeoutMinutes: z.int().min(1).max(MOST_MINUTES).describe('How long a bot may take for a run'),
  executor,
  wanted,
  followDepth: z
    .int()
    .min(0)
    .max(5)
    .describe('The pages that its page names become tasks too, that many steps deep, with every run'),
  followLimit: z.int().min(1).max(1000).describe('Of each page, so many at most'),
};

const nextRunAt = timeInText.describe('When it is run next; left out: at once');

export const policy = z
  .object({
    id: z.int(),
    url: crawledText,
    domain: z.string(),
    frequencyHours: z.number(),
    priority: z.int().describe(PRIORITIES),
    maxRetries: z.int(),
    retryBackoffMinutes: z.int(),
    timeoutMinutes: z.int(),
    executor,
    wanted,
    followDepth: z.int(),
    followLimit: z.int(),
    isEnabled: z.boolean(),
    nextRunAt: time.describe(
      'While a task of it is under way it is set anew when that is over; while it is disabled nothing comes of it',
    ),
    liveTaskId: z.int().nullable().describe('Its task that is under way: there is one at a time'),
    liveTaskStatus: taskStatus.nullable(),
    liveTaskScheduledAt: time
      .nullable()
      .describe('Not before this: a task that somebody scheduled for later counts as its run all the same'),
    lastRunAt: time.nullable(),
    lastSuccessAt: time.nullable(),
    lastFailedAt: time.nullable(),
    failureCount: z.int().describe('In a row'),
    runsCount: z.int().describe('Tasks it has had'),
    createdBy: z.string(),
    createdAt: time,
    updatedAt: time,
  })
  .meta({ id: 'Policy' });

export const policyRun = z
  .object({
    taskId: z.int(),
    status: taskStatus,
    recrawlCount: z.int().describe('Its number among the tasks of the policy, from 0 on'),
    scheduledAt: time,
    startedAt: time.nullable(),
    completedAt: time.nullable(),
    retryCount: z.int(),
    httpStatus: z.int().nullable(),
    errorMessage: crawledText.nullable(),
  })
  .meta({ id: 'PolicyRun' });

export const policyDetails = policy
  .extend({ runs: z.array(policyRun).describe('Its tasks, the latest first, at most twenty') })
  .meta({ id: 'PolicyDetails' });

export const createPolicy = endpoint({
  ...{ name: 'createPolicy', method: 'POST', path: '/api/admin/policies', group: 'policies' },
  allows: 'crawl',
  summary: 'Makes a standing order for a page',
  description: `A page has one policy: a second is refused, with the number of the first. The first run comes at once, unless nextRunAt says when; where the page has a task that is not over, that one (liveTaskId) counts as the first run, whenever it is due. A domain that is not known is made known for its tasks only, unless the server is set up to refuse it. ${SNAKE}`,
  body: z.strictObject({
    url: z.string().min(1).max(20_000).describe('The page; a bare name is taken as https'),
    frequencyHours,
    priority: fields.priority.default(5),
    maxRetries: fields.maxRetries.default(3),
    retryBackoffMinutes: fields.retryBackoffMinutes.default(5),
    timeoutMinutes: fields.timeoutMinutes.default(10),
    executor: fields.executor.default('forager'),
    wanted: fields.wanted.default('price'),
    followDepth: fields.followDepth.default(0),
    followLimit: fields.followLimit.default(100),
    isEnabled: z.boolean().default(true),
    nextRunAt: nextRunAt.optional(),
  }),
  alsoSnakeCase: true,
  isIdempotent: true,
  status: 201,
  answer: policy,
  problems: [
    ...(['bad-url', 'unknown-domain', 'domain-going', 'policy-exists'] as const),
    ...(['schedule-past', 'schedule-too-far'] as const),
  ],
});

export const POLICY_SORTS = ['id', 'nextRun'] as const;

export const listPolicies = endpoint({
  ...{ name: 'listPolicies', method: 'GET', path: '/api/admin/policies', group: 'policies', allows: 'crawl' },
  summary: 'Policies, a page at a time',
  description: SNAKE,
  query: z.strictObject({
    ...pageQuery,
    domain: domainName.optional(),
    isEnabled: flagInText.optional(),
    isFailing: flagInText.optional().describe('Whether its last run failed'),
    isRunning: flagInText.optional().describe('Whether a task of it is under way'),
    executor: executor.optional(),
    search: lineOfText(500).min(1).optional().describe('Part of the URL'),
    ...sortQuery(POLICY_SORTS, 'id', 'desc'),
  }),
  alsoSnakeCase: true,
  answer: pageOf(policy),
  problems: ['bad-cursor', 'bad-domain', 'unknown-domain'],
});

export const getPolicy = endpoint({
  ...{
    name: 'getPolicy',
    method: 'GET',
    path: '/api/admin/policies/:id',
    group: 'policies',
    allows: 'crawl',
  },
  summary: 'One policy, with its last runs',
  params: idParams,
  answer: policyDetails,
  problems: ['unknown-policy'],
});

export const changePolicy = endpoint({
  ...{ name: 'changePolicy', method: 'PATCH', path: '/api/admin/policies/:id', group: 'policies' },
  allows: 'crawl',
  summary: 'Changes a policy',
  description: `What is left out stays as it is. Another frequency counts from the end of the last run, unless nextRunAt is given too. A task that is under way goes on as it was ordered. ${SNAKE}`,
  params: idParams,
  body: z
    .strictObject({ ...fields, nextRunAt })
    .partial()
    .meta({ id: 'PolicyPatch' }),
  alsoSnakeCase: true,
  answer: policy,
  problems: ['unknown-policy', 'schedule-past', 'schedule-too-far'],
});

export const deletePolicy = endpoint({
  ...{ name: 'deletePolicy', method: 'DELETE', path: '/api/admin/policies/:id', group: 'policies' },
  allows: 'crawl',
  summary: 'Removes a policy',
  description: 'Its tasks stay, and one that is under way goes on; it is the last.',
  params: idParams,
  problems: ['unknown-policy'],
});

const switchAnswer = policy.extend({ changed: z.boolean().describe('False: it was so already') });

export const enablePolicy = endpoint({
  ...{ name: 'enablePolicy', method: 'POST', path: '/api/admin/policies/:id/enable', group: 'policies' },
  allows: 'crawl',
  summary: 'Switches a policy on',
  description: 'Runs that were missed meanwhile are made up for by one, at once.',
  params: idParams,
  answer: switchAnswer,
  problems: ['unknown-policy'],
});

export const disablePolicy = endpoint({
  ...{ name: 'disablePolicy', method: 'POST', path: '/api/admin/policies/:id/disable', group: 'policies' },
  allows: 'crawl',
  summary: 'Switches a policy off',
  description:
    'There are no further runs. A task that is under way (liveTaskId) goes on: cancel it to stop it.',
  params: idParams,
  answer: switchAnswer,
  problems: ['unknown-policy'],
});

export const runPolicy = endpoint({
  ...{ name: 'runPolicy', method: 'POST', path: '/api/admin/policies/:id/run', group: 'policies' },
  allows: 'crawl',
  summary: 'Runs a policy now',
  description:
    'Makes its next task at once, also where it is disabled; the run after that counts from the end of this one. While a task for its page is not over no other is made: one that was to run later is due now (isBroughtForward); one that is paused stays so until it is resumed (POST /api/admin/tasks/<taskId>/resume); any other goes on as it is, with changed false.',
  params: idParams,
  answer: policy.extend({
    changed: z.boolean().describe('False: a task for the page was under way already'),
    isBroughtForward: z.boolean().describe('Its task was to run later: now it is due'),
    taskId: z.int(),
    taskStatus,
  }),
  problems: ['unknown-policy', 'domain-going'],
});

export const policyEndpoints = [
  ...[createPolicy, listPolicies, getPolicy, changePolicy, deletePolicy],
  ...[enablePolicy, disablePolicy, runPolicy],
];
