/** From what a parser says of a page to what was seen of a product. */
import type { Extraction, FoundFields } from '../extract/product-fields.ts';
import type { Visit } from '../visit.ts';
import { NO_CONTENT, type ProductContent } from './product-content.ts';
import { CATEGORY_SEPARATOR, type ParserNotes, type SeenProduct } from './upsert-products.ts';

/** Undefined: there is none, or what there is cannot be right. */
export function seenProduct({ lease, due, page }: Visit, seenAt: Date): SeenProduct | undefined {
  const extraction = page?.extraction;
  if (extraction === undefined) return undefined;
  const { verdict, parser } = extraction;
  if (verdict !== 'valid' && verdict !== 'partial') return undefined;
  const found = foundContent(extraction.fields);
  return {
    ...{ domainId: lease.domainId, url: due.url, urlHash: due.hash, source: parser, seenAt },
    taskId: due.task?.id ?? null,
    // A page that says everything says what there is not, too; of one that lacks something, that was not seen.
    content:
      verdict === 'valid'
        ? {
            ...(found.price === undefined ? SAID_WITHOUT_PRICE : SAID),
            ...found,
            language: page?.language ?? null,
          }
        : { ...withWholePrice(found), ...(page?.language !== undefined && { language: page.language }) },
    notes: notesOf(extraction, verdict),
  };
}

/** The rest of the data is what bots have told: no parser says anything about it. */
const { data: _told, ...SAID } = NO_CONTENT;
/** What is sold out often has no price on its page: it is what it was when it was last seen. */
const { price: _p, priceHigh: _h, listPrice: _l, currency: _c, ...SAID_WITHOUT_PRICE } = SAID;

/** A price is one with its currency, and comes with all that belongs to it; a number alone might be in any. */
function withWholePrice({ price, currency, priceHigh, listPrice, ...rest }: Partial<ProductContent>) {
  if (price === undefined || currency === undefined) return rest;
  return { ...rest, price, currency, priceHigh: priceHigh ?? null, listPrice: listPrice ?? null };
}

type Mutable<T> = { -readonly [Name in keyof T]: T[Name] };

function foundContent(fields: FoundFields): Partial<ProductContent> {
  const content: Mutable<Partial<ProductContent>> = {};
  if (fields.name) content.name = fields.name.value;
  if (fields.description) content.description = fields.description.value;
  if (fields.price) content.price = fields.price.value;
  if (fields.priceHigh) content.priceHigh = fields.priceHigh.value;
  if (fields.listPrice) content.listPrice = fields.listPrice.value;
  if (fields.currency) content.currency = fields.currency.value;
  if (fields.availability) content.availability = fields.availability.value;
  if (fields.rating) content.rating = fields.rating.value;
  if (fields.reviewCount) content.reviewCount = fields.reviewCount.value;
  if (fields.brand) content.brand = cut(fields.brand.value, LONGEST_BRAND);
  if (fields.category) content.categoryPath = cutPath(fields.category.value);
  if (fields.sku) content.sku = fields.sku.value;
  if (fields.gtin) content.gtin = fields.gtin.value;
  if (fields.mpn) content.mpn = fields.mpn.value;
  if (fields.images) content.imageUrls = fields.images.value.map(({ url }) => url);
  if (fields.variants) content.variants = fields.variants.value;
  return content;
}

/** What is looked up by must fit into its index, whichever parser has found it: 2,704 bytes at most. */
const LONGEST_BRAND = 255;
const LONGEST_PATH = 500;

function cut(text: string, most: number): string {
  // By way of bytes: half a pair of characters becomes one that can be stored.
  return text.length <= most ? text : Buffer.from(text.slice(0, most)).toString();
}

/** As many levels as there is room for. */
function cutPath(path: readonly string[]): readonly string[] {
  let left = LONGEST_PATH;
  return path.filter((level) => {
    left -= level.length + CATEGORY_SEPARATOR.length;
    return left >= 0;
  });
}

function notesOf({ parser, version, problems, fields }: Extraction, verdict: ParserNotes['verdict']) {
  const sources = Object.entries(fields).map(([name, { value, ...rest }]) => [name, rest] as const);
  return {
    ...{ parserName: parser, parserVersion: version, verdict, problems },
    fields: Object.fromEntries(sources),
  };
}
