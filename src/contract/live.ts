/** What a subscriber of the server's events is told: one closed set of events, each one line of JSON. */
import { z } from 'zod';
import { endpoint } from './endpoint.ts';
import { job } from './jobs.ts';
import { changedFields } from './products.ts';
import { crawledText, domainName, domainStatus, time } from './values.ts';

/** What somebody may subscribe to. */
export const LIVE_TYPES = ['rates', 'domain', 'act', 'alert', 'job', 'worker', 'product'] as const;
export type LiveType = (typeof LIVE_TYPES)[number];

/** Most events that a subscriber who was away is sent afterwards. */
export const MOST_MISSED = 1000;

const perSecond = z.number().nonnegative();

const helloEvent = z.object({
  type: z.literal('hello'),
  at: time.describe('The clock of the server'),
});

const ratesEvent = z.object({
  type: z.literal('rates'),
  at: time,
  seconds: z.number().describe('How long the rates were measured'),
  pagesPerSecond: perSecond,
  fetchesPerSecond: perSecond,
  errorsPerSecond: perSecond,
  bytesPerSecond: perSecond,
  urlsPerSecond: perSecond.describe('URLs found that were not known before'),
  pages: z.int().describe('All that were ever read'),
  fetches: z.int(),
  errors: z.int(),
  bytes: z.int(),
  urls: z.int().describe('All that were ever found'),
  frontier: z.int().nullable().describe('URLs known and not read yet; null: not counted yet'),
  workers: z.int().describe('Those at work'),
  inFlight: z.int().describe('Requests under way, as the workers said last'),
});

const domainEvent = z.object({
  type: z.literal('domain'),
  id: z.int().describe('Of the change: one that comes twice is the same'),
  domain: z.string(),
  at: time,
  from: domainStatus,
  to: domainStatus,
  code: z.string().describe('What caused it, as in the history of the domain'),
  reason: crawledText.nullable().describe('Its beginning, at most 300 characters'),
  actor: z.string().nullable(),
  run: z.int().nullable(),
  nextCrawlAfter: time.nullable(),
});

const actEvent = z.object({
  type: z.literal('act'),
  id: z.int().describe('Of its record'),
  at: time,
  action: z.string().describe('What somebody did to domains, frontier, pages or jobs: `domain.activate`'),
  target: z.string().nullable().describe('What it was done to'),
  actor: z.string(),
});

const alertEvent = z.object({
  type: z.literal('alert'),
  change: z.enum(['raised', 'acknowledged', 'resolved']),
  id: z.int(),
  code: z.string(),
  subject: z.string(),
  severity: z.enum(['warning', 'critical']),
  message: z.string(),
  at: time.describe('Of the change'),
});

const jobEvent = z.object({
  type: z.literal('job'),
  ...job.pick({ id: true, kind: true, state: true, isCancelRequested: true, done: true, total: true }).shape,
});

const workerEvent = z.object({
  type: z.literal('worker'),
  change: z.enum(['appeared', 'changed', 'dead', 'stopped', 'gone']),
  id: z.string(),
  kind: z.enum(['worker', 'crawl']),
  host: z.string(),
  state: z
    .enum(['running', 'draining', 'stopped', 'dead'])
    .describe('Before it left the register, if it is gone'),
  at: time,
});

const productEvent = z.object({
  type: z.literal('product'),
  id: z.int().describe('Of the change, as `/api/products/changes` tells it'),
  productId: z.int(),
  url: crawledText,
  domain: z.string(),
  name: crawledText.nullable(),
  currency: z.string().nullable().describe('Of its price, as it is now'),
  changes: changedFields,
  at: time,
});

const gapEvent = z.object({
  type: z.literal('gap'),
  at: time,
  reason: z.enum(['too-many', 'unknown-place']),
  message: z.string(),
});

const databaseEvent = z.object({
  type: z.literal('database'),
  status: z.enum(['lost', 'back']),
  at: time,
});

const endEvent = z.object({
  type: z.literal('end'),
  reason: z.enum(['shutdown', 'not-permitted']),
  at: time,
});

export const liveEvent = z
  .discriminatedUnion('type', [
    helloEvent,
    ratesEvent,
    domainEvent,
    actEvent,
    alertEvent,
    jobEvent,
    workerEvent,
    productEvent,
    gapEvent,
    databaseEvent,
    endEvent,
  ])
  .meta({ id: 'LiveEvent', description: 'The data of one server-sent event; `type` is also its name' });
export type LiveEvent = z.infer<typeof liveEvent>;

/** Where a subscriber was: the last change it saw, and those before it that it had not seen by then. */
export const PLACE = /^\d{1,15}(?:~\d{1,15}(?:\.\d{1,15}){0,29})?$/;

const typeList = z
  .string()
  .max(100)
  .transform((text) => text.split(','))
  .pipe(z.array(z.enum(LIVE_TYPES)).min(1))
  .describe(`Of ${LIVE_TYPES.join(', ')}, several separated by commas; all when left out`);

export const streamEvents = endpoint({
  ...{ name: 'streamEvents', method: 'GET', path: '/api/events', group: 'monitoring', allows: 'read' },
  summary: 'What happens, as it happens (server-sent events)',
  description:
    'The first event is `hello`. Then `rates` come every second, and `domain` (a change of state), `act` (what ' +
    'somebody did: settings, switching on and off, seeds), `alert`, `job`, `worker` and `product` (one was found to be another than it was) as soon as the database knows of them, whichever process made the change. `database` ' +
    'tells that the server has lost its database, or has it back; nothing is lost by it. Whoever reconnects with ' +
    '`Last-Event-ID`, as browsers do by themselves, gets the `domain` events in between; if there were more than ' +
    `${MOST_MISSED}, one \`gap\` tells to read everything again. \`end\` is the last event of a stream that the ` +
    'server closes. A subscriber that does not keep up is dropped, and may reconnect. The data of each event is ' +
    'a `LiveEvent`.',
  query: z.strictObject({
    types: typeList.optional(),
    domain: domainName.optional().describe('Of `domain` and `product` events only those of this domain'),
    after: z
      .string()
      .regex(PLACE, 'must be the id of an event of this stream')
      .optional()
      .describe('As `Last-Event-ID`, for those who cannot send headers'),
  }),
  answer: liveEvent,
  contentType: 'text/event-stream',
  problems: ['unknown-domain', 'bad-domain', 'overloaded'],
});
