/**
 * What bots say and hear: the shapes are those of an older interface that bots already speak, in snake_case and in an
 * envelope of `success` and `data`. What is refused is a problem as everywhere, which says `success: false` besides and
 * names the error as that interface does. What that interface let pass is let pass: numbers and flags that are sent as
 * text, and fields that nobody here knows.
 */
import { z } from 'zod';
import { endpoint } from './endpoint.ts';
import { time } from './values.ts';

export const MOST_JOBS = 100;
export const LOCK_SECONDS = 600;
/** How long a pull may wait for work. */
export const LONGEST_WAIT_SECONDS = 30;
export const LONGEST_EXTENSION_SECONDS = 3600;
export const MOST_HTML_CHARS = 8_000_000;
const BOT_ID = /^[A-Za-z0-9][A-Za-z0-9._-]{0,99}$/;
const UUID_OR_NUMBER = /^(?:[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}|[1-9]\d{0,15})$/i;

const work = { group: 'bots', allows: 'work', method: 'POST', tellsSuccess: true } as const;

const LENIENT =
  'Numbers and flags may be sent as text (`"1"`, `"true"`), and fields that are not named here are ignored.';

/** Also in digits. */
const orDigits = (number: z.ZodInt | z.ZodNumber) =>
  z.union([
    number,
    z
      .string()
      .regex(/^\d{1,15}(?:\.\d{1,6})?$/, 'must be a number')
      .transform(Number)
      .pipe(number),
  ]);
const flag = z.union([
  z.boolean(),
  z
    .string()
    .regex(/^(?:true|false)$/i, 'must be true or false')
    .transform((text) => text.toLowerCase() === 'true'),
]);

export const botId = z
  .string()
  .regex(BOT_ID, 'must be letters, digits, dots, dashes and underscores, at most 100')
  .describe('The name the bot is registered under; it must be the one of its key');
export const jobId = z
  .string()
  .regex(UUID_OR_NUMBER, 'must be the job_id of a pull')
  .describe('As a pull has told it');
export const lockToken = z
  .string()
  .regex(/^[1-9]\d{0,18}$/, 'must be the lock_token of a pull')
  .describe(
    'The number of the lock, as the pull has told it: what is handed in under an older one is refused',
  );

export const botJob = z
  .object({
    job_id: z.string(),
    task_id: z.int().describe('The same job, as the tasks of the API are numbered'),
    url: z.string(),
    domain: z.string(),
    priority: z.int().describe('1 is the most urgent'),
    max_retries: z.int(),
    retry_count: z.int(),
    timeout_seconds: z.int().describe('How long the lock lasts'),
    locked_until: time,
    lock_token: z.string(),
    wanted: z.enum(['price', 'page', 'data', 'any']).describe('What a success must bring'),
    user_agent: z
      .string()
      .nullable()
      .describe('What the site is to be told, where somebody has decided that'),
    crawl_delay_seconds: z.number().nullable().describe('Pause between two requests to this domain'),
  })
  .meta({ id: 'BotJob' });

export const pullJobs = endpoint({
  ...{ ...work, name: 'pullJobs', path: '/api/crawl/pull' },
  keepsOwnPlaces: true,
  headers: ['Retry-After'],
  summary: 'Take jobs',
  description:
    'Locks up to `max_jobs` jobs for the bot, the most urgent first. Each is its own until `locked_until`; whatever ' +
    'is not handed in by then goes to others, at the cost of a retry. `skipped` counts jobs that wait but cannot be ' +
    'had: their domains have as many requests under way as they may have, or have asked to be left alone for a while, or ' +
    'somebody else is taking them. Where there ' +
    'is nothing, `retry_after_seconds` says when to ask again; `wait_seconds` waits here until there is. Domains that ' +
    'are switched off, in their maintenance window, or have asked to be left alone for a while give no jobs; that they ' +
    `refuse our own crawler, or that it cannot reach them, says nothing of bots. ${LENIENT}`,
  body: z.object({
    bot_id: botId,
    max_jobs: orDigits(z.int().min(1).max(MOST_JOBS)).default(10),
    domain: z
      .string()
      .max(300)
      .nullish()
      .transform((name) => (name === '' ? null : name))
      .describe('Only jobs of this domain; empty: of all'),
    wait_seconds: orDigits(z.number().min(0).max(LONGEST_WAIT_SECONDS)).default(0),
  }),
  answer: z.object({
    success: z.literal(true),
    data: z.object({
      jobs: z.array(botJob),
      count: z.int(),
      skipped: z.int(),
      retry_after_seconds: z.int().nullable().describe('When to ask again; null: at once'),
    }),
  }),
  problems: ['wrong-bot', 'bot-revoked', 'bot-quota', 'bot-domain-refused'],
});

/** As text it is exact to the last digit; a number is taken for the digits it is written with. */
const price = z.union([
  z.number().min(0).max(9_999_999_999),
  z.string().regex(/^\d{1,13}(?:\.\d{1,6})?$/, 'must be a number such as 99.99'),
]);

const EARLIEST = Date.parse('2000-01-01T00:00:00Z');

const succeeded = {
  price: price.nullish(),
  currency: z
    .string()
    .trim()
    .regex(/^[A-Za-z]{3}$/, 'must be three letters, such as USD')
    .nullish(),
  title: z.string().max(2000).nullish(),
  in_stock: flag.nullish(),
  parsed_data: z
    .record(z.string(), z.unknown())
    .nullish()
    .describe('Whatever else was found: at most 256 KB, 32 levels deep, itself the first'),
  raw_html: z
    .string()
    .max(MOST_HTML_CHARS)
    .nullish()
    .describe(
      'The page: it is kept, and can be parsed again. Where the server keeps no pages it is accepted and not kept: the result of the task says `hasHtml: false`',
    ),
  http_status: orDigits(z.int().min(100).max(599)).nullish(),
  final_url: z.string().max(2048).nullish(),
  crawled_at: z.iso
    .datetime({ offset: true })
    .refine((text) => Date.parse(text) >= EARLIEST, 'must not be before the year 2000')
    .nullish(),
  response_time_ms: orDigits(z.int().min(0).max(86_400_000)).nullish(),
};

export const submitResult = endpoint({
  ...{ ...work, name: 'submitResult', path: '/api/crawl/submit' },
  summary: 'Hand in what became of a job',
  description:
    'A success needs `price` and `currency`, unless the job wants something else (`wanted`). A failure is tried again ' +
    'while there are retries left. Handing in the same again under the same lock gets the same answer and changes ' +
    'nothing; something else is refused. Of texts and data, NUL is left out and half a character replaced. ' +
    LENIENT,
  cleansItself: ['raw_html', 'title', 'error_msg', 'final_url', 'parsed_data'],
  bodyLimitBytes: 16 * 1024 * 1024,
  body: z.object({
    bot_id: botId,
    job_id: jobId,
    lock_token: lockToken.nullish(),
    success: flag,
    error_msg: z.string().max(4000).nullish(),
    ...succeeded,
  }),
  answer: z.object({
    success: z.literal(true),
    data: z.object({
      job_id: z.string(),
      status: z.enum(['done', 'pending', 'failed']),
      result_id: z.string().optional().describe('Of a success'),
      price: z.number().nullable().optional(),
      currency: z.string().nullable().optional(),
      retry_count: z.int().optional().describe('Of a failure'),
      max_retries: z.int().optional(),
      message: z.string().optional(),
      policy_next_run: time.nullable().optional().describe('When its policy runs again, if it has one'),
    }),
  }),
  problems: [
    ...(['wrong-bot', 'bot-revoked', 'not-assigned', 'lock-expired'] as const),
    ...(['already-submitted', 'archive-unavailable'] as const),
  ],
});

export const extendLock = endpoint({
  ...{ ...work, name: 'extendLock', path: '/api/crawl/extend' },
  summary: 'Keep a job for longer',
  description:
    'The lock then ends so many seconds from now, at most a day after it began; it never ends earlier than it would ' +
    `have. A lock that has run out cannot be extended. ${LENIENT}`,
  body: z.object({
    bot_id: botId,
    job_id: jobId,
    lock_token: lockToken.nullish(),
    extend_seconds: orDigits(z.int().min(1).max(LONGEST_EXTENSION_SECONDS)).default(LOCK_SECONDS),
  }),
  answer: z.object({
    success: z.literal(true),
    data: z.object({ job_id: z.string(), lock_token: z.string(), locked_until: time }),
  }),
  problems: ['wrong-bot', 'bot-revoked', 'not-assigned', 'lock-expired'],
});
