/** Products: what is sold at a URL, where that was read, and how it has changed. */
import { z } from 'zod';
import { endpoint } from './endpoint.ts';
import { pageOf, pageQuery, sortQuery } from './paging.ts';
import { crawledText, domainName, flagInText, idParams, lineOfText, time, timeInText } from './values.ts';

/** Text, because a number would lose digits on its way through JSON. */
export const exactDecimal = z
  .string()
  .regex(/^\d+(?:\.\d+)?$/)
  .describe('A decimal number as text, exact to the last digit');

/** As many digits as a stored price can have. */
const priceInText = z
  .string()
  .regex(/^\d{1,13}(?:\.\d{1,6})?$/, 'must be a price in digits, such as 19.99')
  .describe('In digits, such as 19.99');

export const AVAILABILITIES = [
  ...(['in_stock', 'limited', 'preorder', 'backorder', 'in_store_only'] as const),
  ...(['out_of_stock', 'discontinued'] as const),
] as const;

/** A request looks at so many products on its way, and not at more. */
export const MOST_LOOKED_AT = 20_000;
export const MOST_POINTS = 1000;
export const MOST_CHANGES = 50;

const availability = z.enum(AVAILABILITIES).meta({ id: 'Availability' });
const currency = z.string().describe('Three letters (ISO 4217)');
const offer = {
  price: exactDecimal.nullable(),
  currency: currency.nullable(),
  availability: availability.nullable().describe('Null: nobody has seen it'),
};

export const product = z
  .object({
    id: z.int(),
    url: crawledText,
    domain: z.string(),
    name: crawledText.nullable(),
    ...offer,
    priceHigh: exactDecimal
      .nullable()
      .describe('The upper end, where it is a range that begins with `price`'),
    listPrice: exactDecimal.nullable().describe('What it cost before, or is said to be worth'),
    before: z.object(offer).nullable().describe('Before its price, currency or availability last changed'),
    rating: z.number().min(0).max(5).nullable().describe('Out of five, however the site counts'),
    reviewCount: z.int().nullable(),
    brand: crawledText.nullable(),
    category: crawledText.nullable().describe('From the general to the special: `Garden > Tools`'),
    sku: crawledText.nullable(),
    gtin: crawledText.nullable(),
    mpn: crawledText.nullable(),
    imageUrl: crawledText.nullable().describe('The main one'),
    imageCount: z.int(),
    variantCount: z.int(),
    language: crawledText.nullable(),
    verdict: z
      .enum(['valid', 'partial'])
      .nullable()
      .describe('Partial: something that a product needs was not found. Null: no parser has read it'),
    parser: z.string().nullable(),
    parserVersion: z.string().nullable(),
    missingSince: time.nullable().describe('Its page was read, and there was no product on it any more'),
    source: z.string().describe('Who saw it last: bot, or the parser'),
    taskId: z.int().nullable().describe('The task by which it was seen last'),
    firstSeenAt: time,
    lastSeenAt: time,
    updatedAt: time.describe('When anything about it was last found to be another'),
  })
  .meta({ id: 'Product' });

const productVariant = z
  .object({
    name: crawledText.optional(),
    sku: crawledText.optional(),
    gtin: crawledText.optional(),
    mpn: crawledText.optional(),
    url: crawledText.optional(),
    price: exactDecimal.optional(),
    currency: currency.optional(),
    availability: availability.optional(),
    options: z.record(z.string(), crawledText).optional().describe('By what it differs'),
  })
  .meta({ id: 'ProductVariant' });

const productImage = z
  .object({
    url: crawledText,
    alt: crawledText.nullable(),
    imageId: z.int().nullable().describe('Null: it is not stored'),
    contentType: z.string().nullable(),
    bytes: z.int().nullable(),
    width: z.int().nullable(),
    height: z.int().nullable(),
    thumbnail: z.string().nullable().describe('Its address on this server'),
    refusedCode: z.string().nullable().describe('Why it was not kept'),
    refusedReason: crawledText.nullable(),
    fetchedAt: time.nullable(),
  })
  .meta({ id: 'ProductImageOfList' });

const pricePoint = z
  .object({ at: time, ...offer, source: z.string(), taskId: z.int().nullable() })
  .meta({ id: 'PricePoint' });

export const changedFields = z
  .record(z.string(), z.tuple([z.unknown(), z.unknown()]).nullable())
  .describe('By field: what it was, and what it is. Null: that is long, and told by the product itself');

const changeOfProduct = {
  id: z.int(),
  at: time,
  changes: changedFields,
  source: z.string().describe('Who has seen it: bot, or the parser'),
  taskId: z.int().nullable(),
};

export const productDetails = product
  .extend({
    description: crawledText.nullable(),
    categoryPath: z.array(crawledText),
    variants: z.array(productVariant),
    images: z.array(productImage).describe('The main one first'),
    fields: z
      .record(
        z.string(),
        z.object({
          source: z.string().describe('json-ld, microdata, …, or site-parser'),
          confidence: z.number().min(0).max(1),
          evidence: crawledText.optional().describe('The text it was read from'),
        }),
      )
      .describe('Of each field that a parser found: where'),
    problems: z.array(z.object({ field: z.string(), code: z.string(), message: crawledText })),
    data: z.record(z.string(), z.unknown()).describe('Whatever else was found'),
    pageId: z
      .int()
      .nullable()
      .describe('The page it was read from, at `/api/pages/:id`; null: it is not kept'),
    pageMissingSince: time
      .nullable()
      .describe('Since when its page was not found; it is looked for some more before it counts as gone'),
    history: z
      .array(pricePoint)
      .describe(
        `Every change of price, currency or availability, the latest first, at most ${MOST_POINTS} (\`/history\` has all); the first one ever is what it was at first`,
      ),
    changes: z
      .array(z.object(changeOfProduct))
      .describe(`The last ${MOST_CHANGES} changes of anything, the latest first`),
  })
  .meta({ id: 'ProductDetails' });

export const productChange = z
  .object({
    ...changeOfProduct,
    productId: z.int(),
    url: crawledText,
    domain: z.string(),
    name: crawledText.nullable(),
    currency: currency.nullable().describe('Of its price, as it is now'),
  })
  .meta({ id: 'ProductChange' });

const read = { group: 'products', allows: 'read', method: 'GET' } as const;

const availabilityList = z
  .string()
  .max(200)
  .transform((text) => text.split(','))
  .pipe(z.array(availability).min(1))
  .describe(`Of ${AVAILABILITIES.join(', ')}, several separated by commas`);

/** What lists of changes can be narrowed to. */
export const CHANGE_FIELDS = ['price', 'availability', 'name', 'rating'] as const;

/** What lists and searches of products can be narrowed to. */
export const productFilters = {
  domain: domainName.optional(),
  minPrice: priceInText.optional(),
  maxPrice: priceInText.optional(),
  currency: z
    .string()
    .regex(/^[A-Za-z]{3}$/, 'must be three letters, such as EUR')
    .transform((text) => text.toUpperCase())
    .optional(),
  availability: availabilityList.optional(),
  minRating: z
    .string()
    .regex(/^(?:[0-4](?:\.\d{1,2})?|5(?:\.0{1,2})?)$/, 'must be a number from 0 to 5')
    .optional()
    .describe('Out of five'),
  brand: lineOfText(300).trim().min(1).optional().describe('Whatever the case'),
  category: lineOfText(1000)
    .trim()
    .min(1)
    .optional()
    .describe('`Garden > Tools` is also what lies below it; whatever the case'),
  isMissing: flagInText.optional().describe('Only those that are no longer on their page, or only others'),
};

/** A price from more to less is a mistake, not a search that finds nothing. */
export function isPriceRange(range: {
  readonly minPrice?: string | undefined;
  readonly maxPrice?: string | undefined;
}): boolean {
  const { minPrice, maxPrice } = range;
  return minPrice === undefined || maxPrice === undefined || Number(minPrice) <= Number(maxPrice);
}

export const PRICE_RANGE = { path: ['maxPrice'], message: 'must be no less than minPrice' };

export const PRODUCT_SORTS = ['id', 'updatedAt', 'price', 'rating'] as const;

export const listProducts = endpoint({
  ...{ ...read, name: 'listProducts', path: '/api/products' },
  summary: 'Products, a page at a time',
  description:
    'In the order of `price` or `rating` are those that have one. Prices of different currencies are compared as ' +
    'numbers: give `currency` as well. A request looks at ' +
    `${MOST_LOOKED_AT.toLocaleString('en')} products at most: where filters leave few of many more, a page may have ` +
    'fewer rows than `limit`, or none, and a `nextCursor` nevertheless: the next request goes on from there.',
  query: z
    .strictObject({
      ...pageQuery,
      ...productFilters,
      hasImage: flagInText.optional(),
      changedSince: timeInText.optional().describe('Found to be another at this time or later'),
      ...sortQuery(PRODUCT_SORTS, 'id', 'desc'),
    })
    .refine(isPriceRange, PRICE_RANGE),
  answer: pageOf(product),
  problems: ['bad-cursor', 'bad-domain', 'unknown-domain'],
});

export const listProductChanges = endpoint({
  ...{ ...read, name: 'listProductChanges', path: '/api/products/changes' },
  summary: 'What has changed of products, the latest first',
  description:
    'Kept for FORAGER_PRODUCT_EVENT_DAYS; the history of prices stays. With `field` a request looks at ' +
    `${MOST_LOOKED_AT.toLocaleString('en')} changes at most: a page may have fewer rows than \`limit\`, and a ` +
    '`nextCursor` nevertheless. `/api/events` tells changes as they are found.',
  query: z.strictObject({
    ...pageQuery,
    domain: domainName.optional(),
    field: z.enum(CHANGE_FIELDS).optional().describe('Only changes of this'),
    since: timeInText.optional().describe('At this time or later'),
  }),
  answer: pageOf(productChange),
  problems: ['bad-cursor', 'bad-domain', 'unknown-domain'],
});

export const getProduct = endpoint({
  ...{ ...read, name: 'getProduct', path: '/api/products/:id' },
  summary: 'One product: all that is known of it, where each field was found, and what it was before',
  params: idParams,
  answer: productDetails,
  problems: ['unknown-product'],
});

export const listProductHistory = endpoint({
  ...{ ...read, name: 'listProductHistory', path: '/api/products/:id/history' },
  summary: 'How price and availability of a product have changed, the latest first',
  params: idParams,
  query: z.strictObject(pageQuery),
  answer: pageOf(pricePoint),
  problems: ['bad-cursor', 'unknown-product'],
});

export const productEndpoints = [listProducts, listProductChanges, getProduct, listProductHistory];
