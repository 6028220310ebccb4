/** From what a site parser returned to fields: prices, availabilities, ratings and addresses are read from its words. */
import type {
  FieldName,
  FieldProblem,
  FoundField,
  FoundFields,
  ProductFields,
  ProductImage,
  ProductVariant,
} from '../product-fields.ts';
import { cleanLine, cleanProse } from '../values/clean-value.ts';
import { readAvailability } from '../values/read-availability.ts';
import { readGtin } from '../values/read-gtin.ts';
import { readCount, readRating } from '../values/read-rating.ts';
import { currencyOf, type ReadSitePrice, readSitePrice } from './read-site-price.ts';
import { type CheckedProduct, siteProduct } from './site-product-schema.ts';

export interface SiteReading {
  readonly fields: FoundFields;
  /** What was given and cannot be read. */
  readonly problems: readonly FieldProblem[];
}

export interface ReadingContext {
  readonly language: string | undefined;
  readonly country: string | undefined;
  absolute(url: string): string | undefined;
}

const CONFIDENCE = 0.95;
const LONGEST_EVIDENCE = 200;
const LONGEST_LINE = 500;
const LONGEST_LEVEL = 120;
const LONGEST_CODE = 100;
const LONGEST_PROSE = 20_000;
const MOST_UNKNOWN = 10;

export function readSiteProduct(given: CheckedProduct, context: ReadingContext): SiteReading {
  const fields: { -readonly [Name in FieldName]?: FoundField<ProductFields[Name]> } = {};
  const problems: FieldProblem[] = [];

  function put<Name extends FieldName>(
    name: Name,
    value: ProductFields[Name] | undefined,
    evidence: unknown,
  ): void {
    if (value === undefined) {
      const shown = evidenceOf(evidence) ?? '';
      const message = `The site parser gave ${JSON.stringify(shown)} as ${name}, which cannot be read.`;
      problems.push({ field: name, code: 'bad-format', message });
      return;
    }
    const text = evidenceOf(evidence);
    const field = { value, source: 'site-parser' as const, confidence: confidenceOf(given, name) };
    Object.assign(fields, { [name]: text === undefined ? field : { ...field, evidence: text } });
  }

  const line = (name: 'name' | 'brand' | 'sku' | 'mpn', longest: number): void => {
    const text = given[name];
    if (text !== undefined) put(name, cleanLine(text, longest) || undefined, text);
  };
  line('name', LONGEST_LINE);
  line('brand', LONGEST_LINE);
  line('sku', LONGEST_CODE);
  line('mpn', LONGEST_CODE);
  const { description, gtin, category, availability, rating, reviewCount, images, variants } = given;
  if (description !== undefined) {
    put('description', cleanProse(description, LONGEST_PROSE) || undefined, undefined);
  }
  if (gtin !== undefined) put('gtin', readGtin(gtin), gtin);
  if (availability !== undefined) put('availability', readAvailability(availability), availability);
  if (rating !== undefined) put('rating', readScaled(rating), rating);
  if (reviewCount !== undefined) put('reviewCount', readCount(reviewCount), reviewCount);
  if (category !== undefined) {
    const names = category.flatMap((name) =>
      name === undefined ? [] : cleanLine(name, LONGEST_LEVEL) || [],
    );
    if (names.length > 0) put('category', names, names.join(' > '));
  }
  if (images !== undefined && images.length > 0) {
    const found = absoluteImages(images, context);
    put('images', found.length > 0 ? found : undefined, images[0]);
  }
  if (variants !== undefined && variants.length > 0) {
    put(
      'variants',
      variants.map((variant) => readVariant(variant, given, context)),
      undefined,
    );
  }
  putPrices();
  problems.push(...unknownFields(given));
  return { fields, problems };

  /** The currency may be said by any of them: by itself, by the price, by the list price. */
  function putPrices(): void {
    const { language, country } = context;
    const hints = { currency: given.currency, language, country };
    const read = (name: 'price' | 'priceHigh' | 'listPrice'): ReadSitePrice | undefined => {
      const value = given[name];
      if (value === undefined) return undefined;
      const reading = readSitePrice(value, hints);
      put(name, reading?.amount, value);
      return reading;
    };
    const price = read('price');
    const high = read('priceHigh');
    const list = read('listPrice');
    if (high === undefined && price?.high !== undefined) put('priceHigh', price.high, given.price);
    const said = given.currency === undefined ? undefined : currencyOf(given.currency, context);
    const currency = price?.currency ?? said ?? high?.currency ?? list?.currency;
    if (currency !== undefined) put('currency', currency, given.currency ?? given.price ?? given.listPrice);
    else if (given.currency !== undefined) put('currency', undefined, given.currency);
  }
}

/** A name that is mistyped would go unnoticed otherwise. */
function unknownFields(given: CheckedProduct): FieldProblem[] {
  return Object.entries(given)
    .filter(([name, value]) => !(name in siteProduct.shape) && value !== undefined && value !== null)
    .slice(0, MOST_UNKNOWN)
    .map(([name]) => {
      const field = cleanLine(name, LONGEST_CODE);
      const message = `The site parser gave ${JSON.stringify(field)}, which is no field of a product.`;
      return { field, code: 'unknown-field', message };
    });
}

function readScaled(rating: NonNullable<CheckedProduct['rating']>): string | undefined {
  if (typeof rating !== 'object') return readRating(rating);
  const { value, best, worst } = rating;
  return readRating(value, { ...(best !== undefined && { best }), ...(worst !== undefined && { worst }) });
}

type GivenImages = NonNullable<CheckedProduct['images']>;

function absoluteImages(given: GivenImages, { absolute }: ReadingContext): ProductImage[] {
  const images = new Map<string, ProductImage>();
  for (const image of given) {
    const { url: address, alt } = typeof image === 'string' ? { url: image, alt: undefined } : image;
    const url = absolute(address);
    if (url === undefined || images.has(url)) continue;
    images.set(url, alt === undefined ? { url } : { url, alt: cleanLine(alt, LONGEST_LINE) });
  }
  return [...images.values()];
}

type GivenVariant = NonNullable<CheckedProduct['variants']>[number];

/** What of it cannot be read is left out: a variant is one of many. */
function readVariant(given: GivenVariant, whole: CheckedProduct, context: ReadingContext): ProductVariant {
  const currency = given.currency ?? whole.currency;
  const price =
    given.price === undefined
      ? undefined
      : readSitePrice(given.price, { currency, language: context.language, country: context.country });
  const parts = {
    name: given.name === undefined ? undefined : cleanLine(given.name, LONGEST_LINE) || undefined,
    sku: given.sku === undefined ? undefined : cleanLine(given.sku, LONGEST_CODE) || undefined,
    gtin: given.gtin === undefined ? undefined : readGtin(given.gtin),
    mpn: given.mpn === undefined ? undefined : cleanLine(given.mpn, LONGEST_CODE) || undefined,
    url: given.url === undefined ? undefined : context.absolute(given.url),
    price: price?.amount,
    currency:
      price?.currency ??
      (price === undefined || currency === undefined ? undefined : currencyOf(currency, context)),
    availability: given.availability === undefined ? undefined : readAvailability(given.availability),
    options: given.options === undefined ? undefined : cleanOptions(given.options),
  };
  return Object.fromEntries(Object.entries(parts).filter(([, value]) => value !== undefined));
}

function cleanOptions(given: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(given).map(([name, value]) => [
      cleanLine(name, LONGEST_CODE),
      cleanLine(value, LONGEST_LINE),
    ]),
  );
}

function confidenceOf({ confidence }: CheckedProduct, name: FieldName): number {
  if (typeof confidence === 'number') return confidence;
  return confidence?.[name] ?? CONFIDENCE;
}

function evidenceOf(value: unknown): string | undefined {
  if (value === undefined) return undefined;
  const text = typeof value === 'object' ? JSON.stringify(value) : String(value);
  return cleanLine(text, LONGEST_EVIDENCE);
}
