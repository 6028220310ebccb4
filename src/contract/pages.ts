/** Pages: what was read. */
import { z } from 'zod';
import { endpoint } from './endpoint.ts';
import { job } from './jobs.ts';
import { pageOf, pageQuery, sortQuery } from './paging.ts';
import { crawledText, domainName, flagInText, idParams, numberInText, time, timeInText } from './values.ts';

const httpStatus = z.int().describe('HTTP status');
const httpStatusInText = numberInText(100, 599).describe('HTTP status, such as 200');

const pageFields = {
  id: z.int(),
  url: crawledText,
  domain: z.string(),
  status: httpStatus,
  title: crawledText.nullable(),
  description: crawledText.nullable(),
  canonicalUrl: crawledText.nullable(),
  language: crawledText.nullable(),
  contentType: crawledText.nullable(),
  charset: crawledText.nullable(),
  contentLength: z.int().describe('Bytes of the body, unpacked'),
  transferLength: z.int().describe('Bytes as they came over the network'),
  contentHash: z.string().nullable().describe('SHA-256 of the visible text, in hex'),
  simhash: z.string().nullable().describe('64 bits in hex: pages with similar text differ in few of them'),
  textLength: z.int().describe('Characters of visible text'),
  links: z.int(),
  images: z.int(),
  depth: z.int().describe('Links from where the crawl began'),
  crawledAt: time,
  firstCrawledAt: time,
  durationMs: z.int(),
  noindex: z.boolean(),
  nofollow: z.boolean(),
  run: z.int().nullable().describe('The crawl that read it last; 0: the standing order'),
  changedAt: time.nullable().describe('When it was last found with another text than before'),
  missingSince: time.nullable().describe('It was not where it was, at the last readings'),
  goneAt: time.nullable().describe('Missing often enough to count as gone'),
};

export const pageSummary = z.object(pageFields).meta({ id: 'PageSummary' });

export const pageDetails = z
  .object({
    ...pageFields,
    hasBody: z.boolean().describe('Its body was kept: `/text` gives what a visitor sees of it'),
    schedule: z
      .object({
        urlState: z.enum(['never_crawled', 'fetched', 'failed', 'blocked']),
        nextCrawlAt: time.nullable(),
        lastVisitAt: time.nullable(),
        lastOutcome: z.string().nullable(),
        refreshSeconds: z.int().nullable().describe('Time between two readings, as it was found to change'),
        visits: z.int(),
        changes: z.int().describe('Visits that found another text than before'),
        misses: z.int().describe('Visits in a row that did not find it'),
        etag: crawledText.nullable(),
        lastModified: crawledText.nullable(),
      })
      .nullable()
      .describe('When its URL is read again. Null: the URL is not known any more'),
    log: z
      .array(
        z.object({
          fetchedAt: time,
          outcome: z.string(),
          httpStatus: z.int().nullable(),
          attempt: z.int(),
          durationMs: z.int(),
          bytes: z.int(),
          discoveryType: z.enum(['discovery', 'refresh']),
          run: z.int().nullable(),
          proxyId: z.int().nullable().describe('The proxy it went through; null: none'),
          message: crawledText.nullable(),
        }),
      )
      .describe('The last 20 fetches of its URL, the latest first'),
  })
  .meta({ id: 'Page' });

export const pageText = z
  .object({
    id: z.int(),
    url: crawledText,
    text: crawledText,
    isTruncated: z.boolean().describe('There is more: only the first million characters are given'),
  })
  .meta({ id: 'PageText' });

export const listPages = endpoint({
  ...{ name: 'listPages', method: 'GET', path: '/api/pages', group: 'pages', allows: 'read' },
  summary: 'Pages, the newest first',
  description:
    'The order is that in which pages were first read. Together with `domain` any filter is quick; without it, one ' +
    'that fits few pages may take too long and be refused (`too-slow`).',
  query: z.strictObject({
    ...pageQuery,
    ...sortQuery(['id'], 'id', 'desc'),
    domain: domainName.optional(),
    status: httpStatusInText.optional(),
    statusClass: numberInText(1, 5).optional().describe('4 for every status from 400 to 499'),
    title: z.string().min(1).max(200).optional().describe('Found anywhere in the title, whatever the case'),
    language: z
      .string()
      .regex(/^[A-Za-z0-9-]{1,35}$/)
      .optional()
      .describe('As the page declares it; `en` also finds `en-GB`'),
    contentType: z.string().min(1).max(200).optional().describe('What it begins with, such as text/html'),
    isGone: flagInText.optional().describe('Only pages that are gone from their site, or only others'),
    changedSince: timeInText.optional(),
    crawledSince: timeInText.optional(),
    crawledUntil: timeInText.optional().describe('Last read before this moment'),
    run: numberInText(0, Number.MAX_SAFE_INTEGER).optional().describe('Last read by this crawl'),
  }),
  answer: pageOf(pageSummary),
  problems: ['bad-cursor', 'bad-domain', 'unknown-domain', 'too-slow'],
});

export const readPage = endpoint({
  ...{ name: 'readPage', method: 'GET', path: '/api/pages/:id', group: 'pages', allows: 'read' },
  summary: 'One page: all that is known of it, its schedule and its last fetches',
  params: idParams,
  answer: pageDetails,
  problems: ['unknown-page'],
});

export const readPageText = endpoint({
  ...{ name: 'readPageText', method: 'GET', path: '/api/pages/:id/text', group: 'pages', allows: 'read' },
  summary: 'The visible text of a page, from its kept body',
  description:
    'Made when it is asked for, from bodies up to 2 MB. Bodies lie in the data directory of the machine that ' +
    'crawled: a server on another machine cannot read them.',
  params: idParams,
  answer: pageText,
  problems: ['unknown-page', 'body-not-kept', 'body-unreadable', 'page-too-large'],
});

const purgeFilters = {
  domain: domainName.optional(),
  status: httpStatusInText.optional(),
  isGone: flagInText.optional().describe('Only pages that are gone from their site, or only others'),
  crawledUntil: timeInText.optional().describe('Last read before this moment'),
};

export const purgePages = endpoint({
  ...{ name: 'purgePages', method: 'DELETE', path: '/api/admin/pages', group: 'pages', allows: 'manage' },
  summary: 'Deletes pages',
  description:
    'Those of the given kind that there are when it is asked for; a job deletes them in portions. Their URLs stay ' +
    'known and are read again in their time, or at once with `recrawl`. Bodies stay in the archive until its ' +
    'files are dropped. The log of fetches stays as it is.',
  query: z.strictObject({
    ...purgeFilters,
    recrawl: flagInText.default(false).describe('Their URLs are due at once'),
    confirm: z.literal('all').optional().describe('Needed without any filter: every page there is'),
  }),
  status: 202,
  answer: job,
  problems: ['bad-domain', 'unknown-domain', 'not-confirmed'],
  isIdempotent: true,
});

export const pageEndpoints = [listPages, readPage, readPageText, purgePages];
