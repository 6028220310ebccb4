import { isIP } from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { z } from 'zod';
import { readProgramVersion } from './program-version.ts';
import { parseSecretKey } from './secret-key.ts';

/** One line of the table of settings. The sentence is what `doctor` and the documentation print. */
export interface Setting<T> {
  readonly type: z.ZodType<T>;
  readonly default: T;
  readonly env: string;
  readonly sentence: string;
}

function setting<T>(type: z.ZodType<T>, fallback: T, env: string, sentence: string): Setting<T> {
  return { type, default: fallback, env, sentence };
}

/** Environment variables are text; numbers and switches come in the ways people write them. */
function wholeNumber(lowest: number, highest: number) {
  const range = `a whole number from ${lowest} to ${highest}`;
  return z
    .union([z.number(), z.string().trim().regex(/^\d+$/, range).transform(Number)], { error: range })
    .pipe(z.number({ error: range }).int(range).min(lowest, range).max(highest, range));
}

const onWords = ['1', 'true', 'yes', 'on'];
const offWords = ['0', 'false', 'no', 'off'];
const onOrOff = z
  .union([z.boolean(), z.string().trim().toLowerCase()], { error: 'true or false' })
  .refine((value) => typeof value === 'boolean' || [...onWords, ...offWords].includes(value), 'true or false')
  .transform((value) => value === true || (typeof value === 'string' && onWords.includes(value)));

const absolutePath = z
  .string()
  .trim()
  .min(1, 'the path of a directory')
  .refine((value) => !value.includes('\0'), 'the path of a directory')
  .transform((value) => path.resolve(value.replace(/^~(?=$|[/\\])/, os.homedir())));

const postgresUrl = z
  .string()
  .trim()
  .refine(isPostgresUrl, 'a URL such as postgres://user:password@host:5432/database')
  .optional();

const redisUrlText = z
  .string()
  .trim()
  .refine(isRedisUrl, 'a URL such as redis://user:password@host:6379/0, or rediss:// for TLS')
  .optional();

const amqpUrlText = z
  .string()
  .trim()
  .refine(isAmqpUrl, 'a URL such as amqp://user:password@host:5672/vhost, or amqps:// for TLS')
  .optional();

const searchUrlText = z
  .string()
  .trim()
  .refine(isSearchUrl, 'a URL such as https://user:password@host:9200')
  .optional();

/** What the names of indexes may be made of. */
const indexPrefix = z
  .string()
  .trim()
  .regex(
    /^(?:[a-z0-9][a-z0-9_.-]{0,63})?$/,
    'at most 64 small letters, digits, dots, dashes and underscores',
  );

const queuePrefix = z
  .string()
  .trim()
  .regex(/^[\w.-]{0,64}$/, 'at most 64 letters, digits, dots, dashes and underscores');

const hostText = z
  .string()
  .trim()
  .regex(/^[\w.:-]{1,255}$/, 'an address to listen on, such as 127.0.0.1, ::1 or 0.0.0.0');

const publicUrlText = z
  .string()
  .trim()
  .refine(isOrigin, 'an address such as https://forager.example.com, without a path')
  .optional();

const httpUrlText = z
  .string()
  .trim()
  .refine(isHttpUrl, 'a URL such as https://api.ipify.org/, without user name and password');

/** Addresses and networks, several separated by commas. */
const addressList = z
  .union([z.string(), z.array(z.string())], { error: 'addresses or networks, separated by commas' })
  .transform((value) => (typeof value === 'string' ? value.split(',') : value).map((part) => part.trim()))
  .transform((parts) => parts.filter((part) => part !== ''))
  .refine(
    (parts) => parts.every(isNetwork),
    'addresses or networks such as 127.0.0.1, 10.0.0.0/8, separated by commas',
  );

/** Files, several separated by commas. */
const fileList = z
  .union([z.string(), z.array(z.string())], { error: 'paths of files, separated by commas' })
  .transform((value) => (typeof value === 'string' ? value.split(',') : value).map((part) => part.trim()))
  .transform((parts) => parts.filter((part) => part !== ''))
  .pipe(z.array(absolutePath).max(1000, 'at most 1,000 paths of files, separated by commas'));

/** Checked here, used where secrets are encrypted; no table, message or log shows it. */
const secretKeyText = z
  .string()
  .trim()
  .refine((value) => parseSecretKey(value) !== undefined, '32 bytes in base64 or hexadecimal')
  .optional();

const imagesModes = ['off', 'products', 'all'] as const;

const logLevels = ['trace', 'debug', 'info', 'warn', 'error', 'silent'] as const;

// A header value: a line break in it would end the header.
const userAgentText = z
  .string()
  .trim()
  .min(1, 'a name for the User-Agent header')
  .regex(/^[\x20-\x7e]+$/, 'a name for the User-Agent header in plain ASCII, on one line');

/** THE table: key, type, default, environment variable, sentence. Everything configurable is a line here. */
export const settings = {
  dataDir: setting(
    absolutePath,
    '~/.forager',
    'FORAGER_DATA_DIR',
    'Directory that holds everything Forager writes: the embedded database, page bodies, logs.',
  ),
  databaseUrl: setting<string | undefined>(
    postgresUrl,
    undefined,
    'DATABASE_URL',
    'PostgreSQL (15 or newer) to use instead of the embedded one.',
  ),
  databasePoolSize: setting(
    wholeNumber(2, 50),
    8,
    'FORAGER_DATABASE_POOL_SIZE',
    'Most connections to the database for crawling, and as many for the answers of a server.',
  ),
  redisUrl: setting<string | undefined>(
    redisUrlText,
    undefined,
    'REDIS_URL',
    'Redis through which servers share their rate limits, and that `forager seed --redis` takes sites from; needed for nothing else.',
  ),
  secretKey: setting<string | undefined>(
    secretKeyText,
    undefined,
    'FORAGER_SECRET_KEY',
    'Key that secrets in the database are encrypted with: 32 bytes in base64 or hexadecimal, the same for every process of a fleet. Not set, one is made and kept in the data directory.',
  ),
  amqpUrl: setting<string | undefined>(
    amqpUrlText,
    undefined,
    'AMQP_URL',
    'RabbitMQ (3.10 or newer) that tells workers and parsers of tasks that are ready; without it PostgreSQL does.',
  ),
  amqpPrefix: setting(
    queuePrefix,
    '',
    'FORAGER_AMQP_PREFIX',
    'What the names of the queues begin with, where several installations share a RabbitMQ, such as `staging.`.',
  ),
  searchUrl: setting<string | undefined>(
    searchUrlText,
    undefined,
    'SEARCH_URL',
    'Elasticsearch (8) or OpenSearch (2 or newer) that answers searches; without it PostgreSQL does.',
  ),
  searchPrefix: setting(
    indexPrefix,
    '',
    'FORAGER_SEARCH_PREFIX',
    'What the names of the indexes begin with, where several installations share a search server, such as `staging-`.',
  ),
  searchPages: setting(
    onOrOff,
    true,
    'FORAGER_SEARCH_PAGES',
    'Whether the text of pages is made searchable, beside the crawl, by the scheduler.',
  ),
  userAgent: setting(
    userAgentText,
    `Forager/${readProgramVersion()} (+https://forager.invalid/bot)`,
    'FORAGER_USER_AGENT',
    'How Forager introduces itself. Put a page or address of yours in it so that site owners can reach you.',
  ),
  delayMs: setting(
    wholeNumber(0, 86_400_000),
    1000,
    'FORAGER_DELAY_MS',
    'Pause between two requests to one domain, in milliseconds; robots.txt may ask for more.',
  ),
  maxCrawlDelayMs: setting(
    wholeNumber(0, 86_400_000),
    60_000,
    'FORAGER_MAX_CRAWL_DELAY_MS',
    'Longest crawl-delay of a robots.txt that is honoured in full, in milliseconds; longer ones are cut to it.',
  ),
  maxConcurrentRequests: setting(
    wholeNumber(1, 1000),
    5,
    'FORAGER_MAX_CONCURRENT_REQUESTS',
    'Most requests open to one domain at the same time.',
  ),
  maxInFlight: setting(
    wholeNumber(1, 100_000),
    256,
    'FORAGER_MAX_IN_FLIGHT',
    'Most requests this process has open over all domains.',
  ),
  requestTimeoutMs: setting(
    wholeNumber(1, 3_600_000),
    30_000,
    'FORAGER_REQUEST_TIMEOUT_MS',
    'Longest a whole exchange may take, from connecting to the last byte, in milliseconds.',
  ),
  maxBodyBytes: setting(
    wholeNumber(1, 1024 * 1024 * 1024),
    10 * 1024 * 1024,
    'FORAGER_MAX_BODY_BYTES',
    'Largest body that is read, in bytes, counted after decompression.',
  ),
  maxRedirects: setting(
    wholeNumber(0, 50),
    5,
    'FORAGER_MAX_REDIRECTS',
    'Most redirects followed for one page.',
  ),
  maxDepth: setting(wholeNumber(0, 10_000), 10, 'FORAGER_MAX_DEPTH', 'Most links away from a seed.'),
  maxLinksPerPage: setting(
    wholeNumber(0, 1_000_000),
    1000,
    'FORAGER_MAX_LINKS_PER_PAGE',
    'Most links taken from one page.',
  ),
  images: setting<(typeof imagesModes)[number]>(
    z.enum(imagesModes, { error: 'off, products or all' }),
    'off',
    'FORAGER_IMAGES',
    'Images of pages that are fetched and kept: off, products (those of products) or all; a domain may say otherwise.',
  ),
  imagesDir: setting<string | undefined>(
    absolutePath.optional(),
    undefined,
    'FORAGER_IMAGES_DIR',
    'Directory that images are kept in. Not set, `images` in the data directory: on the machine of the worker that has fetched them.',
  ),
  maxImageBytes: setting(
    wholeNumber(1, 256 * 1024 * 1024),
    15 * 1024 * 1024,
    'FORAGER_MAX_IMAGE_BYTES',
    'Largest image that is read, in bytes, counted after decompression.',
  ),
  maxImagesPerPage: setting(
    wholeNumber(0, 1000),
    50,
    'FORAGER_MAX_IMAGES_PER_PAGE',
    'Most images taken from one page.',
  ),
  maxRetries: setting(
    wholeNumber(0, 100),
    3,
    'FORAGER_MAX_RETRIES',
    'Most further attempts at a page that failed in a way that may pass.',
  ),
  leaseSeconds: setting(
    wholeNumber(1, 86_400),
    1800,
    'FORAGER_LEASE_SECONDS',
    'How long a domain stays with a worker that has gone silent, in seconds; longer than a request may take.',
  ),
  maxPagesPerRun: setting(
    wholeNumber(1, 1_000_000_000),
    1000,
    'FORAGER_MAX_PAGES_PER_RUN',
    'Most pages a worker takes from one domain before others get their turn; a domain may have its own number.',
  ),
  refreshDays: setting(
    wholeNumber(1, 3650),
    14,
    'FORAGER_REFRESH_DAYS',
    'When a page is first read again, in days; after that its own changes decide.',
  ),
  refreshFloorHours: setting(
    wholeNumber(1, 87_600),
    24,
    'FORAGER_REFRESH_FLOOR_HOURS',
    'Shortest time between two readings of a page that changes often, in hours.',
  ),
  refreshCeilingDays: setting(
    wholeNumber(1, 3650),
    90,
    'FORAGER_REFRESH_CEILING_DAYS',
    'Longest time between two readings of a page that never changes, in days.',
  ),
  goneAfterMisses: setting(
    wholeNumber(1, 100),
    3,
    'FORAGER_GONE_AFTER_MISSES',
    'How often a known page must be missing, on a domain that otherwise answers, before it counts as gone.',
  ),
  batchPages: setting(
    wholeNumber(1, 10_000),
    250,
    'FORAGER_BATCH_PAGES',
    'Most pages committed in one transaction.',
  ),
  batchMs: setting(
    wholeNumber(1, 60_000),
    300,
    'FORAGER_BATCH_MS',
    'Longest a finished page waits for its commit, in milliseconds.',
  ),
  keepBodies: setting(
    onOrOff,
    true,
    'FORAGER_KEEP_BODIES',
    'Whether pages are kept as received, in WARC files, for text, replay and re-extraction.',
  ),
  allowPrivate: setting(
    onOrOff,
    false,
    'FORAGER_ALLOW_PRIVATE',
    'Whether loopback, private and link-local addresses may be fetched.',
  ),
  privateProxies: setting(
    onOrOff,
    false,
    'FORAGER_PRIVATE_PROXIES',
    'Whether proxies may be on loopback and private addresses; sites still may not.',
  ),
  respectRobots: setting(
    onOrOff,
    true,
    'FORAGER_RESPECT_ROBOTS',
    'Whether robots.txt and robots directives are obeyed; switch off only for sites that are yours.',
  ),
  maxHoldMs: setting(
    wholeNumber(0, 86_400_000),
    600_000,
    'FORAGER_MAX_HOLD_MS',
    'Longest a crawl waits for a domain that asked it to slow down, in milliseconds; longer, and it is left for later.',
  ),
  maxDomains: setting(
    wholeNumber(1, 100_000),
    2000,
    'FORAGER_MAX_DOMAINS',
    'Most domains this process works on at the same time.',
  ),
  readSitemaps: setting(
    onOrOff,
    true,
    'FORAGER_READ_SITEMAPS',
    'Whether sitemaps named by robots.txt or found at /sitemap.xml are read.',
  ),
  enableDomainTracking: setting(
    onOrOff,
    true,
    'ENABLE_DOMAIN_TRACKING',
    'Whether yields, error rates and scores of domains are kept up to date.',
  ),
  enablePerDomainBudget: setting(
    onOrOff,
    true,
    'ENABLE_PER_DOMAIN_BUDGET',
    'Whether page budgets are divided fairly among domains; off, the fastest domain may take all of a limit.',
  ),
  enableSmartScheduling: setting(
    onOrOff,
    false,
    'ENABLE_SMART_SCHEDULING',
    'Whether domains are claimed by score; off, in the order in which they were named. `forager worker` has it on unless told otherwise.',
  ),
  enableClaimProtocol: setting(
    onOrOff,
    false,
    'ENABLE_CLAIM_PROTOCOL',
    'Whether this process registers, sends heartbeats and hands domains over to idle workers; leases and fencing are always on. `forager worker` has it on unless told otherwise.',
  ),
  enableRefreshMode: setting(
    onOrOff,
    true,
    'ENABLE_REFRESH_MODE',
    'Whether known pages are read again when their time has come.',
  ),
  unknownDomains: setting(
    z.enum(['create', 'refuse'], { error: 'create or refuse' }),
    'create',
    'FORAGER_UNKNOWN_DOMAINS',
    'What a task or policy for a domain that is not known does: create makes it known, for that only; refuse takes nothing for it.',
  ),
  host: setting(
    hostText,
    '127.0.0.1',
    'FORAGER_HOST',
    'Address the server listens on; the default can be reached from this machine only.',
  ),
  port: setting(
    wholeNumber(0, 65_535),
    3001,
    'FORAGER_PORT',
    'Port the server listens on; 0 takes a free one.',
  ),
  publicUrl: setting<string | undefined>(
    publicUrlText,
    undefined,
    'FORAGER_PUBLIC_URL',
    'Address under which people reach the server, when a proxy stands before it.',
  ),
  trustedProxies: setting<readonly string[]>(
    addressList,
    [],
    'FORAGER_TRUSTED_PROXIES',
    'Proxies whose X-Forwarded-For and X-Forwarded-Proto are believed: addresses or networks, separated by commas.',
  ),
  secureCookies: setting(
    onOrOff,
    false,
    'FORAGER_SECURE_COOKIES',
    'Whether cookies are for https only, always; off, they are when the request came by https.',
  ),
  logLevel: setting(
    z.enum(logLevels, { error: `one of ${logLevels.join(', ')}` }),
    'info',
    'FORAGER_LOG_LEVEL',
    'What the server writes into its log: trace, debug, info, warn, error or silent.',
  ),
  rateAnonymous: setting(
    wholeNumber(1, 1_000_000),
    10,
    'FORAGER_RATE_ANONYMOUS',
    'Most requests a minute from one address of those who have not logged in.',
  ),
  rateUser: setting(
    wholeNumber(1, 1_000_000),
    100,
    'FORAGER_RATE_USER',
    'Most requests a minute of one user.',
  ),
  rateAdmin: setting(
    wholeNumber(1, 1_000_000),
    500,
    'FORAGER_RATE_ADMIN',
    'Most requests a minute of one administrator.',
  ),
  rateBot: setting(wholeNumber(1, 1_000_000), 500, 'FORAGER_RATE_BOT', 'Most requests a minute of one bot.'),
  botLockSeconds: setting(
    wholeNumber(1, 86_400),
    600,
    'FORAGER_BOT_LOCK_SECONDS',
    'How long a job that a bot has pulled is its own, in seconds, unless the bot extends it or a policy says otherwise.',
  ),
  rateSeed: setting(
    wholeNumber(1, 1_000_000),
    10,
    'FORAGER_RATE_SEED',
    'Most requests a minute that add seeds, of one account.',
  ),
  errorLogDays: setting(
    wholeNumber(1, 3650),
    30,
    'FORAGER_ERROR_LOG_DAYS',
    'How long errors stay in the log of errors, in days; the scheduler removes them.',
  ),
  proxyCheckUrl: setting(
    httpUrlText,
    'https://api.ipify.org/',
    'FORAGER_PROXY_CHECK_URL',
    'What is asked for through a proxy to check it: it must answer with the address it was asked from, as text or as JSON with `ip`, `origin` or `query`.',
  ),
  webhookLogDays: setting(
    wholeNumber(1, 3650),
    30,
    'FORAGER_WEBHOOK_LOG_DAYS',
    'How long deliveries to webhooks stay in their log, in days; the scheduler removes them.',
  ),
  extractProducts: setting(
    onOrOff,
    true,
    'FORAGER_EXTRACT_PRODUCTS',
    'Whether pages are looked at for products; a single domain is left out by its parser `none`.',
  ),
  parsersDir: setting<string | undefined>(
    absolutePath.optional(),
    undefined,
    'FORAGER_PARSERS_DIR',
    'Folder whose .mjs and .js files are site parsers; not set, `parsers` in the data directory. They run as part of Forager: put there only what you trust.',
  ),
  parsers: setting<readonly string[]>(
    fileList,
    [],
    'FORAGER_PARSERS',
    'Files that are site parsers, wherever they lie, separated by commas.',
  ),
  productEventDays: setting(
    wholeNumber(1, 3650),
    90,
    'FORAGER_PRODUCT_EVENT_DAYS',
    'How long changes of products can be looked up, in days; the scheduler removes them. The history of prices stays.',
  ),
  noColor: setting<string | undefined>(
    z.string().optional(),
    undefined,
    'NO_COLOR',
    'Anything in it switches colours off (no-color.org).',
  ),
} satisfies Record<string, Setting<unknown>>;

function isPostgresUrl(value: string): boolean {
  if (!URL.canParse(value)) return false;
  return ['postgres:', 'postgresql:'].includes(new URL(value).protocol);
}

function isHttpUrl(text: string): boolean {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  return url !== undefined && /^https?:$/.test(url.protocol) && url.username + url.password === '';
}

function isOrigin(value: string): boolean {
  if (!URL.canParse(value)) return false;
  const { protocol, pathname, search, hash, username } = new URL(value);
  return ['http:', 'https:'].includes(protocol) && pathname === '/' && `${search}${hash}${username}` === '';
}

function isNetwork(value: string): boolean {
  const [address = '', bits, ...rest] = value.split('/');
  const version = isIP(address);
  if (version === 0 || rest.length > 0) return false;
  return bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= (version === 4 ? 32 : 128));
}

function isAmqpUrl(value: string): boolean {
  if (!URL.canParse(value)) return false;
  const { protocol, hostname, pathname, hash } = new URL(value);
  // A name of a virtual host with a slash in it writes it as %2F.
  return (
    ['amqp:', 'amqps:'].includes(protocol) &&
    hostname !== '' &&
    /^(?:\/[^/]*)?$/.test(pathname) &&
    hash === ''
  );
}

function isSearchUrl(value: string): boolean {
  if (!URL.canParse(value)) return false;
  const { protocol, hostname, search, hash } = new URL(value);
  return ['http:', 'https:'].includes(protocol) && hostname !== '' && `${search}${hash}` === '';
}

function isRedisUrl(value: string): boolean {
  if (!URL.canParse(value)) return false;
  const { protocol, hostname, pathname } = new URL(value);
  return ['redis:', 'rediss:'].includes(protocol) && hostname !== '' && /^(?:\/\d*)?$/.test(pathname);
}
