/** Domains: the sites, their state and their settings. */
import { z } from 'zod';
import { endpoint } from './endpoint.ts';
import { pageOf, pageQuery, sortQuery } from './paging.ts';
import { domainStatus, time } from './values.ts';

export const domainSummary = z
  .object({
    domain: z.string(),
    status: domainStatus,
    pagesCrawled: z.int(),
    pagesDiscovered: z.int(),
    errors: z.int(),
    lastCrawledAt: time.nullable(),
  })
  .meta({ id: 'DomainSummary' });

export const listDomains = endpoint({
  ...{ name: 'listDomains', method: 'GET', path: '/api/domains', group: 'domains', allows: 'read' },
  summary: 'Domains, a page at a time',
  query: z.strictObject({
    ...pageQuery,
    status: domainStatus.optional(),
    ...sortQuery(['domain', 'pages', 'lastCrawled'], 'domain', 'asc'),
  }),
  answer: pageOf(domainSummary),
  problems: ['bad-cursor'],
});

export const domainEndpoints = [listDomains];
