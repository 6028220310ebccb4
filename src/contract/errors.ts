/** What went wrong: single errors, and how many of which kind, where and when. */
import { z } from 'zod';
import { endpoint } from './endpoint.ts';
import { pageOf, pageQuery } from './paging.ts';
import {
  crawledText,
  domainName,
  lineOfText,
  numberInText,
  rowIdInText,
  time,
  timeInText,
} from './values.ts';

export const ERROR_CATEGORIES = ['network', 'http', 'robots', 'parse', 'validation', 'proxy'] as const;
export const errorCategory = z.enum(ERROR_CATEGORIES).meta({ id: 'ErrorCategory' });
export type ErrorCategoryName = (typeof ERROR_CATEGORIES)[number];

export const MOST_STAT_DAYS = 90;
const count = z.int().nonnegative();

export const loggedError = z
  .object({
    id: z.int(),
    occurredAt: time,
    category: errorCategory,
    code: z.string().describe('How the fetch ended, or the name of the error'),
    message: crawledText,
    stack: z.string().nullable().describe('Only of errors of the program itself'),
    domain: z.string().nullable().describe('Null: it was removed meanwhile'),
    url: z.string(),
    taskId: z.int().nullable().describe('Null: the URL was found, nobody ordered it'),
    httpStatus: z.int().nullable(),
    attempt: count.describe('The first is 1'),
    workerId: z.string().nullable(),
  })
  .meta({ id: 'LoggedError' });

export const listErrors = endpoint({
  ...{ name: 'listErrors', method: 'GET', path: '/api/errors', group: 'errors', allows: 'read' },
  summary: 'What went wrong, the latest first',
  description:
    'Errors of tasks and of URLs that were found, each attempt one. They are kept for FORAGER_ERROR_LOG_DAYS.',
  query: z.strictObject({
    ...pageQuery,
    category: errorCategory.optional(),
    domain: domainName.optional(),
    taskId: rowIdInText.optional(),
    code: lineOfText(100).min(1).optional().describe('Exactly this one'),
    since: timeInText.optional().describe('At this time or later'),
    until: timeInText.optional().describe('Before this time'),
  }),
  answer: pageOf(loggedError),
  problems: ['bad-cursor', 'bad-domain', 'unknown-domain'],
});

export const errorStats = z
  .object({
    from: time,
    to: time,
    total: count,
    isPartial: z.boolean().describe('There are more than can be counted: the figures are of the latest'),
    countedFrom: time.nullable().describe('The earliest that was counted; null: there was none'),
    categories: z.record(errorCategory, count).describe('How many of each, 0 for none'),
    codes: z
      .array(z.object({ code: z.string(), category: errorCategory, count }))
      .describe('The most frequent'),
    domains: z.array(z.object({ domain: z.string(), count })).describe('Those with the most'),
    days: z
      .array(z.object({ day: z.iso.date(), count }))
      .describe('Every day of the range in UTC, also those without any'),
  })
  .meta({ id: 'ErrorStats' });

export const getErrorStats = endpoint({
  ...{ name: 'getErrorStats', method: 'GET', path: '/api/errors/stats', group: 'errors', allows: 'read' },
  summary: 'How many errors of which kind, where and when',
  description: `Over at most ${MOST_STAT_DAYS} days. Of more than 500,000 errors the latest are counted, and \`isPartial\` says so.`,
  query: z.strictObject({
    from: timeInText.optional().describe('Left out: seven days before `to`'),
    to: timeInText.optional().describe('Left out: now'),
    top: numberInText(1, 100).default(10).describe('How many domains, and how many codes'),
    domain: domainName.optional().describe('Only of this one'),
  }),
  answer: errorStats,
  problems: ['bad-domain', 'unknown-domain'],
});

export const errorEndpoints = [listErrors, getErrorStats];
