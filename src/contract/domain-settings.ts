/** What a person may decide about a domain. Null is the program's own default. */
import { z } from 'zod';

/** Header fields are made of it: printable ASCII, one line. */
const userAgent = z
  .string()
  .trim()
  .min(1)
  .max(300)
  .regex(/^[\x20-\x7e]+$/, 'must be plain ASCII on one line');

const patterns = z
  .array(z.string().min(1).max(1000))
  .max(20)
  .describe(
    'JavaScript regular expressions, found anywhere in a URL; such as could take long are refused; URLs of more than 2,048 characters are ruled out by any',
  );

/** Hours and minutes of a day. */
const timeOfDay = z
  .string()
  .regex(/^(?:[01]\d|2[0-3]):[0-5]\d$/, 'must be a time of day such as 02:00')
  .describe('Hours and minutes, such as 02:00');

const maintenance = z
  .strictObject({
    start: timeOfDay,
    end: timeOfDay.describe('Where it is before the start, of the next day'),
    timezone: z
      .string()
      .min(1)
      .max(64)
      .regex(/^[A-Za-z][\w+/-]*$/, 'must be a zone such as Europe/Berlin')
      .default('UTC')
      .describe('A name of the IANA time zone database, such as Europe/Berlin'),
  })
  .refine(({ start, end }) => start !== end, {
    error: 'must not be the start: that window would have no length; deactivate the domain to leave it alone',
    path: ['end'],
  });

const MOST_INTEGER = 2_147_483_647;

export const IMAGES_MODES = ['off', 'products', 'all'] as const;
export const PROXY_MODES = ['auto', 'direct', 'required'] as const;
export const PROXY_ROTATIONS = ['request', 'sticky'] as const;

/** Two letters of ISO 3166, large. */
const countryCode = z
  .string()
  .trim()
  .toUpperCase()
  .regex(/^[A-Z]{2}$/, 'must be two letters such as DE');

export const domainSettings = {
  crawlDelayMs: z.int().min(0).max(86_400_000).nullable().describe('Pause between two requests'),
  maxConcurrentRequests: z.int().min(1).max(100).nullable(),
  maxPagesPerRun: z
    .int()
    .min(1)
    .max(MOST_INTEGER)
    .nullable()
    .describe('Pages of one turn of the standing order, or of one crawl'),
  userAgent: userAgent.nullable().describe('The User-Agent header for this site'),
  scope: z
    .enum(['host', 'domain', 'any'])
    .nullable()
    .describe(
      'How far links lead: the host itself, its whole domain, anywhere. Crawls have a scope of their own',
    ),
  include: patterns.nullable().describe('Only links that match one of these are followed'),
  exclude: patterns.nullable().describe('Links that match one of these are never followed'),
  maxDepth: z.int().min(0).max(1000).nullable().describe('Links from a seed'),
  parserName: z
    .string()
    .regex(/^[a-z0-9][a-z0-9_-]{0,63}$/, 'must be a name such as "generic"')
    .nullable()
    .describe(
      'What reads products off its pages: `generic`, a site parser (`GET /api/parsers` lists them), or `none`: pages are not looked at for products. Null: generic',
    ),
  images: z
    .enum(IMAGES_MODES)
    .nullable()
    .describe(
      'Which images of its pages are fetched and kept: `off`, `products` (those of products) or `all`, wherever they lie. Null: as the program is set (`FORAGER_IMAGES`)',
    ),
  language: z
    .string()
    .trim()
    .toLowerCase()
    .regex(/^[a-z]{2,3}$/, 'must be a language such as de')
    .nullable()
    .describe(
      'The language its products and pages are searched in, such as `de`, whatever they declare. Null: what they declare',
    ),
  crawlFrequencyHours: z
    .int()
    .min(1)
    .max(87_600)
    .nullable()
    .describe('How often a recurring task is done that does not say it itself'),
  isExplored: z
    .boolean()
    .nullable()
    .describe(
      'False: it is there for its tasks only; its links and sitemaps are not followed, its pages not read again. A domain that a task has made known begins so; seeding it makes it explored',
    ),
  maintenance: maintenance
    .nullable()
    .describe('Every day between these times the domain is left alone; its tasks wait. Null: never'),
  proxyMode: z
    .enum(PROXY_MODES)
    .nullable()
    .describe(
      'auto: through its own pool if proxies are assigned to it, else through the shared proxies if there are any, else directly; direct: never through a proxy; required: never directly, it waits where no proxy can be used. Null: auto',
    ),
  proxyCountry: countryCode
    .nullable()
    .describe('Only through proxies of this country, such as DE. Null: of any'),
  proxyRotation: z
    .enum(PROXY_ROTATIONS)
    .nullable()
    .describe(
      'request: every request through the proxy that was not used for longest; sticky: as long as possible through one, with the cookies it was given there. Null: request',
    ),
  proxyRequestsPerHour: z
    .int()
    .min(1)
    .max(MOST_INTEGER)
    .nullable()
    .describe(
      'Most requests to this domain through any one proxy in an hour. Null: as many as the proxy allows',
    ),
};

export const domainSettingsPatch = z
  .strictObject(domainSettings)
  .partial()
  .meta({ id: 'DomainSettings', description: 'What is left out stays as it is; null is the default.' });
export type DomainSettings = z.output<typeof domainSettingsPatch>;
