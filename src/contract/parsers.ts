/** Parsers: what reads products off pages, and how well each of them does. */
import { z } from 'zod';
import { endpoint } from './endpoint.ts';
import { domainName, numberInText, time } from './values.ts';

const count = z.int().nonnegative();
const rate = z
  .number()
  .min(0)
  .max(1)
  .nullable()
  .describe('Valid ones out of valid, partial, invalid, lost and failed ones; null: there were none');

const figures = {
  pages: count.describe('All pages that were read'),
  valid: count.describe('With a product that has what it needs, and is plausible'),
  partial: count.describe('With a product that lacks something it needs'),
  invalid: count.describe('With what cannot be right, and was not stored'),
  lost: count.describe('Had a product before, and have none'),
  failed: count.describe('The parser itself has failed on them'),
  rate,
};

export const parser = z
  .object({
    name: z.string(),
    version: z.string().nullable().describe('Null: there is none of that name on the machine of this server'),
    description: z.string().nullable(),
    origin: z
      .enum(['built-in', 'bundled', 'folder', 'setting'])
      .nullable()
      .describe('bundled: comes along with the program; folder and setting: the operator’s own'),
    problem: z.string().nullable().describe('Why it cannot be used; null: it can'),
    domains: count.describe('How many have chosen it'),
    lastDay: z.object(figures).describe('The last 24 hours, over all domains'),
    versions: z
      .array(z.object({ version: z.string(), pages: count, firstAt: time, lastAt: time }))
      .describe('That have read pages within 90 days, the latest first; times to the hour'),
  })
  .meta({ id: 'Parser' });

export const parserDetails = parser
  .extend({
    days: z
      .array(z.object({ day: z.iso.date(), version: z.string(), ...figures }))
      .describe('By day (UTC) and version, the latest first'),
    worstDomains: z
      .array(
        z.object({
          domain: z.string(),
          version: z.string().nullable().describe('That was used last'),
          lastAt: time,
          ...figures,
          rateBefore: rate.describe('Of the seven days before'),
        }),
      )
      .describe('The last 24 hours by domain: at most 100, those with the lowest rate first'),
  })
  .meta({ id: 'ParserDetails' });

const read = { group: 'parsers', allows: 'read', method: 'GET' } as const;

export const listParsers = endpoint({
  ...{ ...read, name: 'listParsers', path: '/api/parsers' },
  summary: 'The parsers there are, and how well they do',
  description:
    'Those on the machine of this server, those that domains have chosen, and those that have read pages lately. ' +
    'Workers on other machines have their own files.',
  answer: z.object({ items: z.array(parser) }),
});

export const getParser = endpoint({
  ...{ ...read, name: 'getParser', path: '/api/parsers/:name' },
  summary: 'One parser: by day and version, and the domains it does worst on',
  params: z.strictObject({ name: z.string().min(1).max(64) }),
  query: z.strictObject({
    days: numberInText(1, 90).default(14).describe('How far back'),
    domain: domainName.optional().describe('Only on this domain'),
  }),
  answer: parserDetails,
  problems: ['unknown-parser', 'unknown-domain', 'bad-domain'],
});

export const parserEndpoints = [listParsers, getParser];
