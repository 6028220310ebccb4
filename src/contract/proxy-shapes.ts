/** What is told about proxies, and about a proxy and a domain together. Never a password. */
import { z } from 'zod';
import { time } from './values.ts';

export const PROXY_PROTOCOLS = ['http', 'https', 'socks5'] as const;
export type ProxyProtocol = (typeof PROXY_PROTOCOLS)[number];

const count = z.int().nonnegative();
export const proxyProtocol = z
  .enum(PROXY_PROTOCOLS)
  .describe('How the proxy itself is spoken to; https is HTTP inside TLS');
const lastError = z.string().nullable().describe('What went wrong last');
const rate = z
  .number()
  .nullable()
  .describe('Of all requests through it, how many succeeded: 0 to 1; null before the first');

/** Of a proxy, and of a proxy for one domain: the same words mean the same. */
const health = {
  isActive: z.boolean(),
  disabledBy: z
    .string()
    .nullable()
    .describe('Why it is out: `failures`, which pass by themselves, or who switched it off'),
  disabledAt: time.nullable(),
  retryAt: time
    .nullable()
    .describe('One that is out for its failures is tried again then, one request at a time'),
  outagesCount: count.describe('How often in a row it was out'),
  failureCount: count.describe('Failures in a row'),
  successCount: count,
  failuresTotal: count,
  successRate: rate,
  lastUsedAt: time.nullable(),
  lastSuccessAt: time.nullable(),
  lastFailureAt: time.nullable(),
  lastError,
  avgResponseTimeMs: z.int().nullable(),
  requestsLastHour: count,
};

export const proxy = z
  .object({
    id: z.int(),
    protocol: proxyProtocol,
    host: z.string().describe('A name or an address; IPv6 without brackets'),
    port: z.int(),
    username: z.string().nullable(),
    hasPassword: z.boolean(),
    isShared: z.boolean().describe('False: only domains to which it is assigned use it'),
    ...health,
    exitAddress: z.string().nullable().describe('As it was last seen from outside, by a check'),
    checkedAt: time.nullable(),
    countryCode: z.string().nullable(),
    city: z.string().nullable(),
    provider: z.string().nullable(),
    monthlyCost: z.number().nullable(),
    maxRequestsPerHour: z.int(),
    domainsCount: count.describe('Domains to which it is assigned'),
    createdBy: z.string(),
    createdAt: time,
    updatedAt: time,
  })
  .meta({ id: 'Proxy' });

export const proxyCheck = z
  .object({
    proxyId: z.int(),
    ok: z.boolean().describe('An answer 2xx came through it'),
    url: z.string().describe('What was asked for'),
    address: z.string().nullable().describe('Where the request came from, as the other side says'),
    latencyMs: count,
    httpStatus: z.int().nullable(),
    error: z.object({ code: z.string(), message: z.string() }).nullable(),
    checkedAt: time,
    note: z.string().describe('What the check means for the use of the proxy'),
  })
  .meta({ id: 'ProxyCheck' });

export const IMPORT_RESULTS = ['added', 'updated', 'duplicate', 'refused'] as const;

export const proxyImport = z
  .object({
    lines: count.describe('Lines that are neither empty nor comments'),
    added: count,
    updated: count,
    duplicates: count,
    refused: count,
    assigned: count.describe('To the domain that is named, and were not before'),
    results: z.array(
      z.object({
        line: z.int().describe('Counted from 1'),
        result: z.enum(IMPORT_RESULTS),
        proxy: z.string().describe('The line without its password; what was not understood is hidden'),
        id: z.int().nullable(),
        reason: z.string().nullable(),
      }),
    ),
  })
  .meta({ id: 'ProxyImport' });

export const pairedProxy = z
  .object({
    proxyId: z.int(),
    proxy: z.string().describe('Such as http://user@host:8080'),
    isAssigned: z.boolean().describe('False: a shared proxy that the domain has met'),
    priority: z.int().describe('1 goes first'),
    maxRequestsPerHour: z.int().nullable().describe('Null: what the domain says, else what the proxy allows'),
    effectiveMaxRequestsPerHour: z.int().describe('To this domain through this proxy, by all that is set'),
    ...health,
    grantedLastHour: count.describe('Requests that workers were allowed; limits are counted by these'),
    state: z
      .enum(['active', 'out', 'disabled'])
      .describe('out: comes back by itself, or is of another country; disabled: by a person'),
    whyOut: z.string().nullable().describe('A sentence; null: it can be used'),
    countryCode: z.string().nullable(),
    provider: z.string().nullable(),
    createdAt: time,
    updatedAt: time,
  })
  .meta({ id: 'PairedProxy' });

export const SIZING_SOURCES = {
  urlsPerHour: ['given', 'last-hour', 'last-day', 'delay'],
  maxRequests: ['given', 'settings', 'proxies', 'assumed'],
} as const;

export const poolSizing = z
  .object({
    domain: z.string(),
    urlsPerHour: z.number(),
    urlsPerHourFrom: z
      .enum(SIZING_SOURCES.urlsPerHour)
      .describe(
        '`delay`: nothing was crawled in the last day; as many as the pause between requests permits',
      ),
    maxRequestsPerProxyPerHour: z.int(),
    maxRequestsFrom: z
      .enum(SIZING_SOURCES.maxRequests)
      .describe('`settings`: of the pairs or the domain; `assumed`: nobody says anything, 20 is careful'),
    required: count.describe('Requests divided by what one proxy may do, rounded up'),
    recommended: count.describe('20 % more'),
    have: count,
    active: count.describe('Of those, how many can be used now'),
    missing: count.describe('Of the recommended'),
    advice: z.string(),
  })
  .meta({ id: 'PoolSizing' });

export const poolHealth = z
  .object({
    domain: z.string(),
    hasOwnPool: z.boolean().describe('False: the figures are of the shared proxies'),
    proxyMode: z.enum(['auto', 'direct', 'required']),
    totalProxies: count.describe('That it may use: of its pool, else shared ones; of its country'),
    activeProxies: count,
    failingProxies: count.describe('Out for their failures, for this domain or at all'),
    avgResponseTimeMs: z.int().nullable(),
    successCount: count,
    failuresTotal: count,
    successRate: rate,
    requestsLastHour: count,
    failuresLastHour: count,
    isWaiting: z.boolean().describe('It waits for a proxy'),
    waitingBecause: z.string().nullable(),
  })
  .meta({ id: 'PoolHealth' });
