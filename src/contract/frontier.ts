/** The frontier: URLs that are known, and what is to become of them. */
import { z } from 'zod';
import { endpoint } from './endpoint.ts';
import { job } from './jobs.ts';
import { pageOf, pageQuery } from './paging.ts';
import { crawledText, domainName, domainStatus, numberInText, time } from './values.ts';

const URL_STATES = ['due', 'waiting', 'fetched', 'failed', 'blocked'] as const;
const urlState = z
  .enum(URL_STATES)
  .describe(
    'due: never read; waiting: failed in a way that may pass, to be tried again at retryAt; fetched: read; failed, blocked: given up',
  )
  .meta({ id: 'UrlState' });

const PRIORITIES = '3 is the highest: 3 high, 2 normal, 1 low';
const priority = z.int().min(1).max(3).describe(PRIORITIES);

export const frontierUrl = z
  .object({
    url: crawledText,
    domain: z.string().nullable().describe('Null: it is being removed'),
    state: urlState,
    priority: z.int().describe(PRIORITIES),
    depth: z.int().describe('Links from a seed'),
    isSeed: z.boolean(),
    isImage: z.boolean().describe('It is asked for as an image: no page is made of it'),
    discoveredAt: time,
    lastCrawledAt: time.nullable(),
    nextCrawlAt: time.nullable().describe('When it is to be read again'),
    retryAt: time.nullable(),
    httpStatus: z.int().nullable(),
    errorCount: z.int(),
    lastOutcome: z.string().nullable(),
  })
  .meta({ id: 'FrontierUrl' });

export const listFrontierUrls = endpoint({
  ...{ name: 'listFrontierUrls', method: 'GET', group: 'frontier', allows: 'read' },
  path: '/api/frontier/urls',
  summary: 'Known URLs, a page at a time',
  description:
    'Domain after domain. Due ones come in the order in which they are taken, those that wait in the order of their times, all others in an order without meaning.',
  query: z.strictObject({
    ...pageQuery,
    domain: domainName.optional(),
    state: z.enum([...URL_STATES, 'all']).default('due'),
    priority: numberInText(1, 3).optional().describe(PRIORITIES),
    depth: numberInText(0, 32_767).optional(),
  }),
  answer: pageOf(frontierUrl),
  problems: ['bad-cursor', 'bad-domain', 'unknown-domain'],
});

const count = z.int();

export const frontierStats = endpoint({
  ...{ name: 'getFrontierStats', method: 'GET', group: 'frontier', allows: 'read' },
  path: '/api/frontier/stats',
  summary: 'How large the frontier is',
  description:
    'Counted now and then: the more URLs there are, the older the figures may be. `countedAt` says when.',
  answer: z
    .object({
      urls: z.object({
        total: count,
        due: count,
        waiting: count,
        fetched: count,
        failed: count,
        blocked: count,
      }),
      dueByPriority: z.object({ high: count, normal: count, low: count }),
      oldestDueAt: time.nullable().describe('When the due URL that has waited longest was found'),
      domains: z.array(
        z.object({
          status: domainStatus,
          total: count,
          claimed: count,
          ready: count.describe('Can be claimed now'),
          resting: count.describe('Left alone until a time of its own'),
          switchedOff: count,
        }),
      ),
      topDomains: z
        .array(z.object({ domain: z.string(), due: count }))
        .describe('Those with the most due URLs, at most twenty'),
      countedAt: time,
      countedInMs: count,
    })
    .meta({ id: 'FrontierStats' }),
});

export const MOST_URLS = 10_000;
/** URLs end at 8,192 characters; a longer text is refused by itself, not with all the others. */
const urlText = z.string().max(20_000);
const SUBMIT_BYTES = 8 * 1024 * 1024;

const heldBack = z.object({
  domain: z.string(),
  why: z
    .enum(['inactive', 'blocked', 'unreachable', 'resting', 'other-run'])
    .describe('other-run: it is in the queue of a crawl of its own'),
  until: time.nullable(),
  reason: crawledText.nullable(),
});

const submitAnswer = z
  .object({
    accepted: count.describe('URLs that can be crawled'),
    added: count.describe('Of these, new ones'),
    known: count.describe('Of these, known ones: what was read already is not read again for it'),
    raised: count.describe('Of the known ones, those that come sooner now'),
    newDomains: count,
    refusedCount: count,
    refused: z
      .array(z.object({ index: count, url: z.string(), reason: z.string() }))
      .describe('The first hundred'),
    heldBackCount: count,
    heldBack: z.array(heldBack).describe('Domains that are not crawled at once, the first hundred'),
  })
  .meta({ id: 'SubmittedUrls' });

export const addUrls = endpoint({
  ...{ name: 'addUrls', method: 'POST', group: 'frontier', allows: 'crawl' },
  path: '/api/frontier/add',
  summary: 'Adds URLs to the frontier',
  description:
    'A URL changes nothing about the state of its domain: one that is blocked stays so. Counted like any other request.',
  body: z.strictObject({
    urls: z
      .array(
        z.union([
          urlText,
          z.strictObject({
            url: urlText,
            priority: priority.optional(),
            depth: z.int().min(0).max(1000).optional(),
          }),
        ]),
      )
      .min(1)
      .max(MOST_URLS),
    priority: priority.default(2).describe(`Of those that name none. ${PRIORITIES}`),
  }),
  bodyLimitBytes: SUBMIT_BYTES,
  isIdempotent: true,
  answer: submitAnswer,
  problems: ['nothing-accepted'],
});

export const seedUrls = endpoint({
  ...{ name: 'seedUrls', method: 'POST', group: 'frontier', allows: 'crawl', tier: 'seed' },
  path: '/api/frontier/seed',
  summary: 'Adds seeds: URLs with high priority, where crawling begins',
  description:
    'A seed changes nothing about the state of its domain: one that is blocked stays so. At most 10 such requests a minute, unless the server is set up otherwise; `/api/frontier/add` has no such limit of its own.',
  body: z.strictObject({
    urls: z.array(urlText).min(1).max(MOST_URLS),
    maxPagesPerRun: z.int().min(1).max(2_147_483_647).optional().describe('Of domains that are new'),
    rank: z.int().min(1).max(2_147_483_647).optional().describe('1 is the most important'),
  }),
  bodyLimitBytes: SUBMIT_BYTES,
  isIdempotent: true,
  answer: submitAnswer,
  problems: ['nothing-accepted'],
});

export const recoverFrontier = endpoint({
  ...{ name: 'recoverFrontier', method: 'POST', group: 'frontier', allows: 'crawl' },
  path: '/api/frontier/recover',
  summary: 'Frees what dead workers hold, and wakes domains whose time has come',
  description:
    'Workers do this by themselves; it is for when none runs, or when waiting is too long. A worker that has been heard of keeps what it has.',
  body: z.strictObject({
    staleSeconds: z
      .int()
      .min(120)
      .max(86_400)
      .default(300)
      .describe('A worker that has been silent for this long is taken for dead'),
  }),
  isBodyOptional: true,
  answer: z.object({
    expiredLeases: count.describe('Had run out'),
    silentLeases: count.describe('Of workers that fell silent or have stopped'),
    goneLeases: count.describe('Of processes of this machine that are gone'),
    wokenDomains: count.describe('Whose rest or cooldown was over'),
    refreshedDomains: count.describe('Whose pages are to be read again'),
  }),
});

export const clearFrontier = endpoint({
  ...{ name: 'clearFrontier', method: 'DELETE', group: 'frontier', allows: 'manage' },
  path: '/api/frontier',
  summary: 'Forgets URLs that were never read',
  description:
    'What was known when it was asked for, of one domain or, with confirm=all, of all. Pages stay; a URL that had been read and was due again counts as read. What links or seeds name later is found again. A worker at such a domain is fenced out.',
  query: z.strictObject({
    domain: domainName.optional(),
    state: z.enum(['due', 'waiting', 'all']).default('all'),
    confirm: z.literal('all').optional().describe('Needed where no domain is named'),
  }),
  status: 202,
  answer: job,
  problems: ['bad-domain', 'unknown-domain', 'not-confirmed'],
  isIdempotent: true,
});

export const frontierEndpoints = [
  frontierStats,
  listFrontierUrls,
  addUrls,
  seedUrls,
  recoverFrontier,
  clearFrontier,
];
