/** What is told about a domain. */
import { z } from 'zod';
import { PROXY_MODES, PROXY_ROTATIONS } from './domain-settings.ts';
import { crawledText, domainStatus, time } from './values.ts';

const rate = z.number().nullable();
const statusCode = z
  .string()
  .describe(
    'Why it is in its status, in one word; not an HTTP status. `claimed` is the work that made it active: it stays active, with nobody at it (`claimedBy` null), until that work is finished',
  );

const reasonCode = z
  .string()
  .nullable()
  .describe(
    'Why it rests or is left alone, in one word, such as `rate_limited`, `maintenance`, or `no_proxy`: it waits for a proxy, and looks again at `notBefore`',
  );

/** One line of the list. */
export const domainSummary = z
  .object({
    id: z.int(),
    domain: z.string(),
    parentDomain: z.string(),
    status: domainStatus,
    statusCode,
    reasonCode,
    reason: crawledText.nullable(),
    isActive: z.boolean().describe('False: switched off by a person, never claimed'),
    isRefreshing: z.boolean(),
    priorityScore: z.int().describe('What the claim goes by'),
    seedRank: z.int().nullable(),
    pagesDiscovered: z.int(),
    pagesCrawled: z.int(),
    pagesRemaining: z.int(),
    depthReached: z.int(),
    errors: z.int(),
    consecutiveErrors: z.int(),
    errorRate: rate.describe('Of all requests; null before the first'),
    imageYield: rate.describe('Images stored for a page read'),
    productYield: rate.describe('Products found for a page read'),
    claimedBy: z.string().nullable().describe('The worker whose lease holds'),
    claimExpiresAt: time.nullable(),
    notBefore: time.nullable().describe('Nothing is fetched from it before this'),
    nextCrawlAt: time.nullable().describe('The same, also when it has passed'),
    queueRun: z.int().describe('The run in whose queue it is; 0 is the standing order'),
    source: z.string().nullable(),
    firstSeenAt: time,
    lastCrawledAt: time.nullable(),
  })
  .meta({ id: 'DomainSummary' });

export const domainRow = z
  .object({
    id: z.int(),
    domain: z.string(),
    parentDomain: z.string(),
    baseUrl: z.string(),
    status: domainStatus,
    statusCode,
    reasonCode,
    reason: crawledText.nullable(),
    blockedSince: time.nullable(),
    automaticRetries: z.int(),
    notBefore: time.nullable(),
    nextCrawlAfter: time.nullable(),
    isActive: z.boolean(),
    claimedBy: z.string().nullable().describe('Also when the lease has run out'),
    claimExpiresAt: time.nullable(),
    isClaimed: z.boolean(),
    version: z.int().describe('Rises with every lease'),
    queueRun: z.int(),
    yieldedAt: time.nullable(),
    isRefreshing: z.boolean(),
    parserName: z.string(),
    images: z
      .enum(['off', 'products', 'all'])
      .nullable()
      .describe('Images of its pages that are fetched. Null: as the program is set'),
    language: z.string().nullable().describe('That it is searched in. Null: what its pages declare'),
    crawlDelayMs: z.int().nullable(),
    maxConcurrentRequests: z.int().nullable(),
    maxPagesPerRun: z.int().nullable(),
    crawlFrequencyHours: z.number(),
    userAgent: z.string().nullable(),
    scope: z.enum(['host', 'domain', 'any']).nullable(),
    include: z.array(z.string()).nullable(),
    exclude: z.array(z.string()).nullable(),
    maxDepth: z.int().nullable(),
    isExplored: z.boolean().describe('False: it is there for its tasks only'),
    maintenance: z
      .object({ start: z.string(), end: z.string(), timezone: z.string() })
      .nullable()
      .describe('Every day between these times it is left alone'),
    proxyMode: z
      .enum(PROXY_MODES)
      .describe(
        'auto: through its own pool, else through the shared proxies, else directly; direct: never through a proxy; required: never without one',
      ),
    proxyCountry: z.string().nullable().describe('Only through proxies of this country'),
    proxyRotation: z.enum(PROXY_ROTATIONS),
    proxyRequestsPerHour: z
      .int()
      .nullable()
      .describe('Through any one proxy; null: as many as the proxy allows'),
    pagesCrawled: z.int(),
    pagesDiscovered: z.int(),
    imagesFound: z.int(),
    imagesStored: z.int(),
    productsFound: z.int(),
    depthReached: z.int(),
    errors: z.int(),
    consecutiveErrors: z.int(),
    priorityScore: z.int(),
    source: z.string().nullable(),
    firstSeenAt: time,
    lastCrawledAt: time.nullable(),
  })
  .meta({ id: 'Domain' });

export const domainEvent = z
  .object({
    at: time,
    from: domainStatus,
    to: domainStatus,
    code: z.string(),
    meaning: z.string().nullable().describe('What the code means for this move'),
    reason: crawledText.nullable(),
    actor: z.string().nullable().describe('A worker, or whoever acted'),
    run: z.int().nullable(),
    restsUntil: time.nullable(),
  })
  .meta({ id: 'DomainEvent' });

const score = z.object({
  rankPoints: z.int(),
  imagePoints: z.int(),
  productPoints: z.int(),
  remainingPoints: z.int(),
  errorPoints: z.int(),
  stalenessPoints: z.int(),
  score: z.int().describe('The sum, as it is now'),
  seedRank: z.int().nullable(),
  imageYield: rate,
  productYield: rate,
  imagesPerPage: rate,
  errorRate: rate,
  pagesRemaining: z.int(),
  idleDays: z.number(),
  wasVisited: z.boolean(),
  storedScore: z.int().describe('What the claim goes by until it is computed again'),
  storedAt: time.nullable(),
  storedAgeSeconds: z.number().nullable(),
});

const robotsSummary = z.object({
  origin: z.string(),
  access: z.string(),
  httpStatus: z.int().nullable(),
  note: crawledText.nullable(),
  crawlDelaySeconds: z.number().nullable(),
  bytes: z.int().nullable(),
  fetchedAt: time,
  expiresAt: time,
  isFresh: z.boolean(),
});

/** Everything about one domain. */
export const domainReport = domainRow
  .extend({
    nextRefreshAt: time.nullable().describe('When it is looked at again as a whole, if it is exhausted'),
    firstPageDueAt: time.nullable().describe('When the first known page is to be read again'),
    pagesDue: z.int().describe('Known pages to be read again now, counted up to ten thousand'),
    score,
    events: z.array(domainEvent).describe('The newest first, at most a hundred'),
    urls: z.record(z.string(), z.int()).describe('By state'),
    waitingForRetry: z.int(),
    robots: z.array(robotsSummary),
    sitemaps: z.array(
      z.object({
        url: crawledText,
        state: z.string(),
        urls: z.int(),
        note: crawledText.nullable(),
        readAt: time.nullable(),
      }),
    ),
    fullTemplates: z
      .array(z.object({ template: z.string(), admitted: z.int(), budget: z.int() }))
      .describe('Shapes of URLs that have used up their budget'),
    runs: z.array(
      z.object({
        run: z.int(),
        status: z.string(),
        endReason: z.string().nullable(),
        pages: z.int(),
        fetches: z.int(),
        errors: z.int(),
        bytes: z.int(),
        startedAt: time,
        finishedAt: time.nullable(),
      }),
    ),
    log: z.array(
      z.object({
        fetchedAt: time,
        url: crawledText,
        outcome: z.string(),
        httpStatus: z.int().nullable(),
        attempt: z.int(),
        durationMs: z.int(),
        proxyId: z.int().nullable().describe('The proxy it went through; null: none'),
        message: crawledText.nullable(),
      }),
    ),
  })
  .meta({ id: 'DomainReport' });

export const robotsView = z
  .object({
    domain: z.string(),
    origins: z
      .array(
        z.object({
          origin: z.string(),
          access: z.enum(['parse', 'allow-all', 'disallow-all', 'defer']),
          httpStatus: z.int().nullable(),
          note: crawledText.nullable(),
          fetchedAt: time,
          expiresAt: time,
          isFresh: z.boolean(),
          crawlDelaySeconds: z.number().nullable(),
          sitemaps: z.array(crawledText).describe('At most a hundred'),
          bytes: z.int().nullable(),
          body: crawledText.nullable().describe('Its first 64 KiB'),
          isBodyCut: z.boolean(),
        }),
      )
      .describe('robots.txt of each origin as last read, the latest first, at most sixteen'),
    verdict: z
      .object({
        url: z.string(),
        origin: z.string(),
        agent: z.string(),
        verdict: z.enum(['allowed', 'disallowed', 'undecided']),
        rule: crawledText.nullable().describe('The line that decided, as written'),
        line: z.int().nullable(),
        group: z.enum(['specific', 'global', 'none']).nullable(),
        fetchedAt: time.nullable(),
        isStale: z.boolean(),
        sentence: z.string(),
      })
      .nullable()
      .describe('On the URL that was asked about'),
  })
  .meta({ id: 'RobotsView' });
