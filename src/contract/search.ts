/** Search over products and over the text of pages. */
import { z } from 'zod';
import { endpoint } from './endpoint.ts';
import { sortQuery } from './paging.ts';
import { isPriceRange, PRICE_RANGE, product, productFilters } from './products.ts';
import { crawledText, domainName, flagInText, lineOfText, numberInText, time } from './values.ts';

const MOST_HITS = 100;
export const MOST_COUNTED = 10_000;

const words = lineOfText(200).describe(
  'Words, all of which are wanted; "in quotation marks" where they follow each other; -word for what must not be ' +
    'there. Where nothing fits, similar words are tried, then any of the words.',
);

const snippet = z
  .array(z.object({ text: crawledText, isHit: z.boolean() }))
  .meta({ id: 'Snippet' })
  .describe('The text in parts, one after the other: what was searched for, and what stands between');

const paging = {
  limit: numberInText(1, MOST_HITS).default(20).describe('Hits in one page'),
  cursor: z
    .string()
    .max(2000)
    .optional()
    .describe('`nextCursor` of the page before; the rest of the query must stay the same'),
};

const facet = z.array(z.object({ value: crawledText, count: z.int() }));

const common = {
  total: z.int().describe('Hits there are, counted up to 10,000'),
  isTotalExact: z.boolean().describe('False: there are more than `total`'),
  searchedFor: z
    .object({
      query: crawledText,
      isAnyWord: z.boolean().describe('Nothing has all of the words: these have at least one of them'),
      isCorrected: z.boolean().describe('Words that nothing has were replaced by similar ones'),
    })
    .describe('What was searched for in the end'),
  engine: z.enum(['postgresql', 'elasticsearch', 'opensearch']),
  isDegraded: z
    .boolean()
    .describe('The search server does not answer; PostgreSQL did, whose order of hits may be another'),
  waiting: z
    .object({ pages: z.int(), products: z.int() })
    .nullable()
    .describe(
      'Where nothing has exactly what was searched for: how many pages, and how many products, were read but cannot be ' +
        'found, or words be corrected by, yet (counted up to 10,000). Null: something has it, or nothing waits',
    ),
  nextCursor: z.string().nullable().describe('Null: this was the last page'),
};

export const searchProducts = endpoint({
  ...{
    name: 'searchProducts',
    method: 'GET',
    path: '/api/products/search',
    group: 'products',
    allows: 'read',
  },
  summary: 'Products by words',
  description:
    'Of words that very many products have, the first 5,000 are put in order of relevance, and can be paged through. ' +
    'Facets come with the first page.',
  query: z
    .strictObject({
      q: words,
      ...paging,
      ...sortQuery(['relevance', 'price', 'rating', 'updatedAt'], 'relevance', 'desc'),
      ...productFilters,
      facets: flagInText.default(true).describe('Whether hits are counted by brand, category and so on'),
    })
    .refine(isPriceRange, PRICE_RANGE),
  answer: z.object({
    hits: z.array(
      z.object({
        product,
        score: z.number().describe('Larger is better; says nothing across queries. 0 where not sorted by it'),
        snippets: z.object({ name: snippet.optional(), description: snippet.optional() }),
      }),
    ),
    facets: z
      .object({ brand: facet, category: facet, domain: facet, availability: facet, currency: facet })
      .nullable()
      .describe(
        'The most frequent 20 of each, over the hits that are counted. Null: not asked for, or a later page',
      ),
    ...common,
  }),
  problems: ['bad-cursor', 'bad-domain', 'unknown-domain', 'too-slow'],
});

export const suggestProducts = endpoint({
  ...{
    name: 'suggestProducts',
    method: 'GET',
    path: '/api/products/suggest',
    group: 'products',
    allows: 'read',
  },
  summary: 'Brands, categories and names that begin with what was typed so far',
  query: z.strictObject({
    q: lineOfText(100),
    limit: numberInText(1, 20).default(10).describe('Suggestions at most'),
  }),
  answer: z.object({
    suggestions: z.array(
      z.object({
        kind: z.enum(['brand', 'category', 'product']),
        text: crawledText,
        count: z.int().describe('Products that have it, about; 1 for the name of a product'),
      }),
    ),
  }),
  problems: ['too-slow'],
});

export const searchPages = endpoint({
  ...{ name: 'searchPages', method: 'GET', path: '/api/pages/search', group: 'pages', allows: 'read' },
  summary: 'Pages by the words of their text',
  description:
    'The text of a page can be found a while after it was read. Pages that ask not to be indexed, and those that are ' +
    'gone, are not found.',
  query: z.strictObject({
    q: words,
    ...paging,
    ...sortQuery(['relevance', 'crawledAt'], 'relevance', 'desc'),
    domain: domainName.optional(),
  }),
  answer: z.object({
    hits: z.array(
      z.object({
        ...{ pageId: z.int(), url: crawledText, domain: z.string(), title: crawledText.nullable() },
        ...{ snippet, score: z.number(), crawledAt: time },
      }),
    ),
    ...common,
  }),
  problems: ['bad-cursor', 'bad-domain', 'unknown-domain', 'too-slow'],
});

export const searchEndpoints = [searchProducts, suggestProducts, searchPages];
