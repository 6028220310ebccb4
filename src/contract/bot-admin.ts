/** Bots as people see them: who they are, what they may do, how they do. */
import { z } from 'zod';
import { newApiKey } from './auth.ts';
import { botId } from './bots.ts';
import { endpoint } from './endpoint.ts';
import { pageOf, pageQuery } from './paging.ts';
import { changedTask } from './tasks.ts';
import { domainName, flagInText, idParams, lineOfText, time, timeInText } from './values.ts';

const admin = { group: 'bots', allows: 'manage' } as const;
const count = z.int().nonnegative();
const SNAKE = 'Fields may also be named in snake_case, such as `max_locks`.';
const MOST_DOMAINS = 1000;
/** In a path any text may stand: what is no name is no bot. */
const botParams = z.strictObject({ botId: lineOfText(100).min(1) });

const description = lineOfText(1000);
const domains = z
  .array(domainName)
  .min(1)
  .max(MOST_DOMAINS)
  .nullable()
  .describe('Only jobs of these domains and their subdomains; null: of all');
const maxLocks = z.int().min(1).max(10_000).describe('Jobs it may hold at a time');
const maxJobsPerHour = z
  .int()
  .min(1)
  .max(10_000_000)
  .nullable()
  .describe('Jobs it may pull from one full hour to the next; null: as many as there are');

const botFields = {
  botId: z.string(),
  description: z.string().nullable(),
  domains: z.array(z.string()).nullable(),
  maxLocks: z.int(),
  maxJobsPerHour: z.int().nullable(),
  isRevoked: z.boolean(),
  revokedAt: time.nullable(),
  heldCount: count.describe('Jobs it holds now'),
  pullsCount: count,
  jobsCount: count.describe('Jobs it has pulled'),
  successCount: count,
  failuresCount: count.describe('Failures it has handed in'),
  expiredCount: count.describe('Jobs of which it handed in nothing in time'),
  successRate: z
    .number()
    .nullable()
    .describe('Successes among all that is over for it, 0 to 1; null: nothing is'),
  meanWorkMs: z
    .int()
    .nullable()
    .describe('From pulling to handing in, on average; null: it has handed in nothing'),
  lastPullAt: time.nullable(),
  lastSubmitAt: time.nullable(),
  createdBy: z.string(),
  createdAt: time,
  updatedAt: time,
};

export const bot = z.object(botFields).meta({ id: 'Bot' });

export const botHour = z
  .object({
    hour: time.describe('Its beginning'),
    pullsCount: count,
    jobsCount: count,
    successCount: count,
    failuresCount: count,
    expiredCount: count,
    meanWorkMs: z.int().nullable(),
  })
  .meta({ id: 'BotHour' });

export const botDetails = z
  .object({
    ...botFields,
    pullsPerHour: z.number().describe('On average over those of the hours below in which it was there'),
    hours: z.array(botHour).describe('The last 24 hours, the current one last'),
  })
  .meta({ id: 'BotDetails' });

export const heldJob = z
  .object({
    jobId: z.string(),
    taskId: z.int(),
    url: z.string(),
    domain: z.string(),
    priority: z.int(),
    retryCount: count,
    maxRetries: count,
    lockToken: z.string(),
    lockedAt: time,
    lockedUntil: time,
    secondsLeft: z.int().describe('Negative: it has run out, and is taken back any moment'),
  })
  .meta({ id: 'HeldJob' });

export const listBots = endpoint({
  ...{ ...admin, name: 'listBots', method: 'GET', path: '/api/admin/bots' },
  summary: 'Bots with their statistics, the newest first',
  query: z.strictObject({ ...pageQuery, isRevoked: flagInText.optional() }),
  answer: pageOf(bot),
  problems: ['bad-cursor'],
});

export const createBot = endpoint({
  ...{ ...admin, name: 'createBot', method: 'POST', path: '/api/admin/bots' },
  summary: 'Register a bot',
  description: `Its key is in the answer and never shown again. A name is given once: also that of a revoked bot stays taken. ${SNAKE}`,
  alsoSnakeCase: true,
  body: z.strictObject({
    ...{ botId, description: description.optional(), domains: domains.default(null) },
    ...{ maxLocks: maxLocks.default(100), maxJobsPerHour: maxJobsPerHour.default(null) },
    keyExpiresAt: timeInText.optional().describe('When its key ends; left out: it does not'),
  }),
  status: 201,
  answer: z.object({ bot, key: newApiKey.shape.key, token: newApiKey.shape.token }),
  problems: ['not-permitted', 'bot-exists', 'bad-domain'],
});

export const getBot = endpoint({
  ...{ ...admin, name: 'getBot', method: 'GET', path: '/api/admin/bots/:botId' },
  summary: 'One bot, with its last 24 hours',
  params: botParams,
  answer: botDetails,
  problems: ['unknown-bot'],
});

export const changeBot = endpoint({
  ...{ ...admin, name: 'changeBot', method: 'PATCH', path: '/api/admin/bots/:botId' },
  summary: 'Change what a bot may do',
  description: `Holds from its next pull on, and for one that waits; jobs it has stay with it. ${SNAKE}`,
  alsoSnakeCase: true,
  params: botParams,
  body: z
    .strictObject({
      ...{ description: description.nullable().optional(), domains: domains.optional() },
      ...{ maxLocks: maxLocks.optional(), maxJobsPerHour: maxJobsPerHour.optional() },
    })
    .refine((body) => Object.keys(body).length > 0, 'must name something to change'),
  answer: bot,
  problems: ['not-permitted', 'unknown-bot', 'bad-domain'],
});

export const revokeBot = endpoint({
  ...{ ...admin, name: 'revokeBot', method: 'POST', path: '/api/admin/bots/:botId/revoke' },
  summary: 'End a bot',
  description:
    'At once: its keys are refused, and the jobs it holds go back to others without costing them a retry. What it has ' +
    'handed in stays. Doing it twice is harmless.',
  params: botParams,
  answer: z.object({ bot, releasedCount: count.describe('Jobs that went back') }),
  problems: ['not-permitted', 'unknown-bot'],
});

export const rotateBotKey = endpoint({
  ...{ ...admin, name: 'rotateBotKey', method: 'POST', path: '/api/admin/bots/:botId/rotate-key' },
  summary: 'Give a bot a new key',
  description:
    'Its keys before are refused from then on, unless they are to be kept: then both work until `forager key revoke` or ' +
    `\`DELETE /api/admin/keys/:id\` ends one. ${SNAKE}`,
  alsoSnakeCase: true,
  params: botParams,
  body: z.strictObject({
    keepsOthers: z.boolean().default(false),
    keyExpiresAt: timeInText.optional(),
  }),
  isBodyOptional: true,
  answer: z.object({ bot, key: newApiKey.shape.key, token: newApiKey.shape.token }),
  problems: ['not-permitted', 'unknown-bot', 'bot-revoked'],
});

export const listBotJobs = endpoint({
  ...{ ...admin, name: 'listBotJobs', method: 'GET', path: '/api/admin/bots/:botId/jobs' },
  summary: 'Jobs that a bot holds now, by number',
  params: botParams,
  query: z.strictObject(pageQuery),
  answer: pageOf(heldJob),
  problems: ['unknown-bot', 'bad-cursor'],
});

export const releaseLock = endpoint({
  ...{ ...admin, name: 'releaseLock', method: 'POST', path: '/api/admin/tasks/:id/release-lock' },
  summary: 'Take a job from the bot that holds it',
  description:
    'It can be pulled again at once, without costing a retry; or it is over as `expired`. What the bot hands in for it ' +
    'afterwards is refused.',
  params: idParams,
  body: z.strictObject({ to: z.enum(['pending', 'expired']).default('pending') }),
  isBodyOptional: true,
  answer: changedTask,
  problems: ['unknown-task', 'wrong-state'],
});
