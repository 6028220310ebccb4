/** Domains: the sites, their state and their settings. */
import { z } from 'zod';
import { domainSettings, domainSettingsPatch } from './domain-settings.ts';
import { domainEvent, domainReport, domainRow, domainSummary, robotsView } from './domain-shapes.ts';
import { endpoint } from './endpoint.ts';
import { job } from './jobs.ts';
import { pageOf, pageQuery, sortQuery } from './paging.ts';
import {
  domainName,
  domainParams,
  domainStatus,
  flagInText,
  lineOfText,
  numberInText,
  time,
} from './values.ts';

export const DOMAIN_SORTS = [
  'domain',
  'priority',
  'pagesCrawled',
  'pagesDiscovered',
  'errors',
  'lastCrawled',
  'nextCrawl',
] as const;

export const listDomains = endpoint({
  ...{ name: 'listDomains', method: 'GET', path: '/api/domains', group: 'domains', allows: 'read' },
  summary: 'Domains, a page at a time',
  description:
    'By name, a far page costs what the first one costs. By a figure, every domain is looked at for each page; figures change while the crawl goes on, so that a domain may be met twice or not at all. What has no value comes last in either order.',
  query: z.strictObject({
    ...pageQuery,
    status: domainStatus.optional(),
    search: lineOfText(253).min(1).optional().describe('Part of its name'),
    isActive: flagInText.optional(),
    isClaimed: flagInText.optional().describe('Whether a worker holds it now'),
    parentDomain: domainName.optional().describe('The registrable domain it belongs to'),
    minErrors: numberInText(1, 1_000_000_000).optional(),
    minPages: numberInText(1, 1_000_000_000).optional().describe('Pages read'),
    ...sortQuery(DOMAIN_SORTS, 'domain', 'asc'),
  }),
  answer: pageOf(domainSummary),
  problems: ['bad-cursor', 'bad-domain'],
});

export const getDomain = endpoint({
  ...{ name: 'getDomain', method: 'GET', path: '/api/domains/:domain', group: 'domains', allows: 'read' },
  summary: 'Everything known about one domain',
  params: domainParams,
  answer: domainReport,
  problems: ['bad-domain', 'unknown-domain'],
});

export const getDomainRobots = endpoint({
  ...{ name: 'getDomainRobots', method: 'GET', group: 'domains', allows: 'read' },
  path: '/api/domains/:domain/robots',
  summary: 'robots.txt of a domain as last read, and what it says about a URL',
  description: 'Goes by what is stored; nothing is fetched.',
  params: domainParams,
  query: z.strictObject({
    url: lineOfText(8192).min(1).optional().describe('May this URL of the domain be fetched?'),
    agent: lineOfText(300)
      .min(1)
      .optional()
      .describe('By whom: a product token or User-Agent header; otherwise by us'),
  }),
  answer: robotsView,
  problems: ['bad-domain', 'unknown-domain', 'bad-url'],
});

export const listDomainEvents = endpoint({
  ...{ name: 'listDomainEvents', method: 'GET', group: 'domains', allows: 'read' },
  path: '/api/domains/:domain/events',
  summary: 'Changes of state of a domain, the newest first',
  params: domainParams,
  query: z.strictObject(pageQuery),
  answer: pageOf(domainEvent),
  problems: ['bad-domain', 'unknown-domain', 'bad-cursor'],
});

const EFFECT =
  'Settings are read when a worker claims the domain: one that holds it (isClaimed) goes on under the old ones until it gives it back, but for those about proxies, which it looks at again every few seconds (the rotation stays what it was). Deactivating and activating the domain takes it away from that worker.';

export const createDomain = endpoint({
  ...{ name: 'createDomain', method: 'POST', path: '/api/admin/domains', group: 'domains', allows: 'manage' },
  summary: 'Makes a domain known, with settings of its own, and its first page due',
  body: z.strictObject({
    domain: lineOfText(8192).min(1).describe('A name, or the URL to begin with'),
    isActive: z.boolean().default(true).describe('False: it is not crawled until somebody activates it'),
    ...z.strictObject(domainSettings).partial().shape,
  }),
  status: 201,
  answer: domainRow,
  problems: ['bad-domain', 'bad-pattern', 'bad-parser', 'bad-timezone', 'domain-exists', 'domain-going'],
  isIdempotent: true,
});

export const updateDomain = endpoint({
  ...{ name: 'updateDomain', method: 'PATCH', group: 'domains', allows: 'manage' },
  path: '/api/admin/domains/:domain',
  summary: 'Changes the settings of a domain',
  description: EFFECT,
  params: domainParams,
  body: domainSettingsPatch,
  answer: domainRow,
  problems: ['bad-domain', 'unknown-domain', 'domain-going', 'bad-pattern', 'bad-parser', 'bad-timezone'],
});

const switchAnswer = z.object({
  domain: z.string(),
  isActive: z.boolean(),
  wasActive: z.boolean(),
  fencedWorker: z.string().nullable().describe('Had it, and can write nothing more about it'),
  restsUntil: time
    .nullable()
    .describe('Nobody claims it before this, such as while requests may still be under way'),
});

export const activateDomain = endpoint({
  ...{ name: 'activateDomain', method: 'POST', group: 'domains', allows: 'manage' },
  path: '/api/admin/domains/:domain/activate',
  summary: 'Lets a domain be crawled again',
  description:
    'Its state is what it was: one that is blocked stays so, and one that was being crawled is still active, though nobody is at it until it is claimed again. Doing it twice is harmless.',
  params: domainParams,
  answer: switchAnswer,
  problems: ['bad-domain', 'unknown-domain', 'domain-going'],
});

export const deactivateDomain = endpoint({
  ...{ name: 'deactivateDomain', method: 'POST', group: 'domains', allows: 'manage' },
  path: '/api/admin/domains/:domain/deactivate',
  summary: 'Switches a domain off: nobody claims it any more',
  description: 'A worker that is at it is fenced out, and stops within seconds. Doing it twice is harmless.',
  params: domainParams,
  answer: switchAnswer,
  problems: ['bad-domain', 'unknown-domain'],
});

export const pauseDomain = endpoint({
  ...{ name: 'pauseDomain', method: 'POST', group: 'domains', allows: 'manage' },
  path: '/api/admin/domains/:domain/pause',
  summary: 'Pauses a domain with all its tasks: the same as deactivating it',
  description:
    'Its tasks stay as they are, and wait; a worker that is at it is fenced out, and stops within seconds. Doing it twice is harmless.',
  params: domainParams,
  answer: switchAnswer,
  problems: ['bad-domain', 'unknown-domain'],
});

export const resumeDomain = endpoint({
  ...{ name: 'resumeDomain', method: 'POST', group: 'domains', allows: 'manage' },
  path: '/api/admin/domains/:domain/resume',
  summary: 'Lets a paused domain and its tasks go on: the same as activating it',
  description: 'Tasks that were paused one by one stay so. Doing it twice is harmless.',
  params: domainParams,
  answer: switchAnswer,
  problems: ['bad-domain', 'unknown-domain', 'domain-going'],
});

export const resetDomain = endpoint({
  ...{ name: 'resetDomain', method: 'POST', group: 'domains', allows: 'manage' },
  path: '/api/admin/domains/:domain/reset',
  summary: 'Gives a domain a fresh start, whatever kept it from being crawled',
  params: domainParams,
  body: z.strictObject({
    recrawl: z.boolean().default(false).describe('Also fetch again what was fetched'),
    reason: lineOfText(500).optional().describe('Why, for its history'),
  }),
  isBodyOptional: true,
  answer: z.object({
    domain: z.string(),
    from: domainStatus,
    to: z.literal('pending'),
    clearedReason: z.string().nullable(),
    fencedWorker: z.string().nullable(),
    restsUntil: time.nullable(),
    restMs: z.int().nullable(),
    actor: z.string(),
    version: z.int(),
    urlsDueAgain: z.int(),
    urlsByState: z.record(z.string(), z.int()),
    robotsDropped: z.int(),
    sitemapsDueAgain: z.int(),
  }),
  problems: ['bad-domain', 'unknown-domain', 'domain-going'],
});

export const deleteDomain = endpoint({
  ...{ name: 'deleteDomain', method: 'DELETE', group: 'domains', allows: 'manage' },
  path: '/api/admin/domains/:domain',
  summary: 'Removes a domain and everything known about it',
  description:
    'The domain is switched off at once; its URLs, pages and log go by and by, in a job. Page bodies stay in the archive. A link or a seed may make it known again: to keep it out, deactivate it instead. Until the job is over nothing else can be asked of the domain; one that is cancelled leaves it switched off, with what is left.',
  params: domainParams,
  status: 202,
  answer: job,
  problems: ['bad-domain', 'unknown-domain', 'domain-going'],
  isIdempotent: true,
});

export const domainEndpoints = [
  listDomains,
  getDomain,
  getDomainRobots,
  listDomainEvents,
  createDomain,
  updateDomain,
  activateDomain,
  deactivateDomain,
  pauseDomain,
  resumeDomain,
  resetDomain,
  deleteDomain,
];
