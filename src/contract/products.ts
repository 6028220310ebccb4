/** Products: what is sold at a URL, and how its price has changed. */
import { z } from 'zod';
import { endpoint } from './endpoint.ts';
import { pageOf, pageQuery, sortQuery } from './paging.ts';
import { crawledText, domainName, idParams, time } from './values.ts';

/** Text, because a number would lose digits on its way through JSON. */
export const exactDecimal = z
  .string()
  .regex(/^\d+(?:\.\d+)?$/)
  .describe('A decimal number as text, exact to the last digit');

const availability = z.enum([
  'in_stock',
  'limited',
  'preorder',
  'backorder',
  'in_store_only',
  'out_of_stock',
  'discontinued',
]);
const offer = {
  price: exactDecimal.nullable(),
  currency: z.string().nullable().describe('Three letters (ISO 4217)'),
  availability: availability.nullable().describe('Null: nobody has seen it'),
};

export const product = z
  .object({
    id: z.int(),
    url: crawledText,
    domain: z.string(),
    name: crawledText.nullable(),
    ...offer,
    source: z.string().describe('Who saw it last: bot, or the parser'),
    taskId: z.int().nullable().describe('The task by which it was seen last'),
    firstSeenAt: time,
    lastSeenAt: time,
    updatedAt: time.describe('When anything about it was last found to be another'),
  })
  .meta({ id: 'Product' });

export const MOST_POINTS = 1000;

export const productDetails = product
  .extend({
    data: z.record(z.string(), z.unknown()).describe('Whatever else was found'),
    history: z
      .array(
        z.object({
          at: time,
          ...offer,
          source: z.string(),
          taskId: z.int().nullable(),
        }),
      )
      .describe(
        `Every change of price, currency or availability, the latest first, at most ${MOST_POINTS}; the first one ever is what it was at first`,
      ),
  })
  .meta({ id: 'ProductDetails' });

const read = { group: 'products', allows: 'read', method: 'GET' } as const;

export const listProducts = endpoint({
  ...{ ...read, name: 'listProducts', path: '/api/products' },
  summary: 'Products, a page at a time',
  query: z.strictObject({
    ...pageQuery,
    domain: domainName.optional(),
    ...sortQuery(['id'], 'id', 'desc'),
  }),
  answer: pageOf(product),
  problems: ['bad-cursor', 'bad-domain', 'unknown-domain'],
});

export const getProduct = endpoint({
  ...{ ...read, name: 'getProduct', path: '/api/products/:id' },
  summary: 'One product, with the history of its price',
  params: idParams,
  answer: productDetails,
  problems: ['unknown-product'],
});

export const productEndpoints = [listProducts, getProduct];
