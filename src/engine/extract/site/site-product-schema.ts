/** What a site parser may return: bounded in every direction, since what it returns may come straight from a page. */
import { z } from 'zod';

const LONGEST_TEXT = 50_000;
const LONGEST_LINE = 2000;
const LONGEST_URL = 8192;
const MOST_IMAGES = 200;
const MOST_VARIANTS = 1000;
const MOST_OPTIONS = 20;
const MOST_CATEGORIES = 30;

/** Null and what is empty were not found. */
function maybe<T extends z.ZodType>(type: T) {
  return z.preprocess(
    (value) => (value === null || (typeof value === 'string' && value.trim() === '') ? undefined : value),
    type.optional(),
  );
}

const line = z.string('must be text').max(LONGEST_LINE, `must have at most ${LONGEST_LINE} characters`);
const text = z.string('must be text').max(LONGEST_TEXT, `must have at most ${LONGEST_TEXT} characters`);
const url = z.string('must be text').max(LONGEST_URL, `must have at most ${LONGEST_URL} characters`);
const figure = z.union([line, z.number()], { error: 'must be text or a number' });
/** Numbers of articles are written as text, and as numbers by those who do not know better. */
const code = figure.transform(String);

const price = z.union([figure, z.looseObject({ amount: figure, currency: maybe(line) })], {
  error: 'must be text such as "£12.50", or { amount, currency }',
});
const rating = z.union(
  [figure, z.looseObject({ value: figure, best: maybe(figure), worst: maybe(figure) })],
  {
    error: 'must be text such as "4.5 out of 5", a number, or { value, best }',
  },
);
const image = z.union([url, z.looseObject({ url, alt: maybe(line) })], {
  error: 'must be an address, or { url, alt }',
});

const variant = z.looseObject({
  ...{ name: maybe(line), sku: maybe(code), gtin: maybe(code), mpn: maybe(code), url: maybe(url) },
  ...{ price: maybe(price), currency: maybe(line), availability: maybe(line) },
  options: maybe(z.record(line, line)).refine(
    (options) => options === undefined || Object.keys(options).length <= MOST_OPTIONS,
    `must be at most ${MOST_OPTIONS}`,
  ),
});

const share = z.number('must be a number from 0 to 1').min(0).max(1);

function listOf<T extends z.ZodType>(item: T, most: number, what: string) {
  return z.preprocess(
    (value) => (Array.isArray(value) ? value.filter((each) => each !== null && each !== undefined) : value),
    z.array(item, `must be a list of ${what}`).max(most, `must be at most ${most} ${what}`),
  );
}

export const siteProduct = z.looseObject({
  ...{ name: maybe(line), description: maybe(text), price: maybe(price), priceHigh: maybe(price) },
  ...{ listPrice: maybe(price), currency: maybe(line), availability: maybe(line), rating: maybe(rating) },
  ...{
    reviewCount: maybe(figure),
    brand: maybe(line),
    sku: maybe(code),
    gtin: maybe(code),
    mpn: maybe(code),
  },
  category: maybe(
    z.union([line.transform(splitCategory), listOf(maybe(line), MOST_CATEGORIES, 'names')], {
      error: 'must be names from the general to the special',
    }),
  ),
  images: maybe(
    z.union([image.transform((one) => [one]), listOf(image, MOST_IMAGES, 'images')], {
      error: `must be at most ${MOST_IMAGES} addresses, or { url, alt }`,
    }),
  ),
  variants: maybe(listOf(variant, MOST_VARIANTS, 'variants')),
  confidence: maybe(
    z.union([share, z.record(z.string(), share)], { error: 'must be from 0 to 1, of all or by field' }),
  ),
});

export type CheckedProduct = z.output<typeof siteProduct>;
export type CheckedPrice = z.output<typeof price>;

function splitCategory(path: string): string[] {
  return path
    .split(/\s*[>›»]\s*|\s+\/\s+/)
    .map((part) => part.trim())
    .filter((part) => part !== '');
}
