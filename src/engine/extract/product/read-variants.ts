/** The kinds a product comes in: variants of a group, models, or offers that differ by more than who sells. */
import type { ProductVariant } from '../product-fields.ts';
import type { StructuredItem } from '../structured/structured-item.ts';
import { cleanLine } from '../values/clean-value.ts';
import { LONGEST_CODE, LONGEST_LINE } from './found-fields.ts';
import { childItems, firstText, texts } from './item-values.ts';
import type { PageContext } from './page-context.ts';
import { absoluteUrl } from './page-urls.ts';
import { codeOf, gtinOf, skuOf } from './read-identifiers.ts';
import type { OfferReading } from './read-offer.ts';
import { readOffers } from './read-offers.ts';

export const MAX_VARIANTS = 100;
const MAX_OPTIONS = 10;

/** By what things differ, unless a group says so itself. */
const OPTION_NAMES = ['color', 'size', 'material', 'pattern', 'flavor', 'scent'];

export function readVariants(
  items: readonly StructuredItem[],
  variesBy: readonly string[],
  context: PageContext,
): ProductVariant[] {
  const variants: ProductVariant[] = [];
  for (const item of items) {
    if (variants.length >= MAX_VARIANTS) break;
    const { single, aggregate } = readOffers(item, context);
    const variant = makeVariant(item, single[0] ?? aggregate[0], variesBy, context);
    if (variant !== undefined) variants.push(variant);
  }
  return variants;
}

/** Shops that have one offer for each kind: by sku, or by what is offered. Several sellers of one thing are no kinds. */
export function variantsOfOffers(offers: readonly OfferReading[], context: PageContext): ProductVariant[] {
  if (offers.length < 2) return [];
  const variants: ProductVariant[] = [];
  const skus = new Set<string>();
  for (const offer of offers) {
    const item = childItems(offer.item, 'itemOffered')[0] ?? offer.item;
    const sku = skuOf(item)?.value ?? skuOf(offer.item)?.value ?? gtinOf(offer.item)?.value;
    if (sku === undefined || skus.has(sku)) return [];
    skus.add(sku);
    if (variants.length >= MAX_VARIANTS) continue;
    const variant = makeVariant(item, offer, [], context);
    if (variant !== undefined) variants.push(variant);
  }
  return variants;
}

function makeVariant(
  item: StructuredItem,
  offer: OfferReading | undefined,
  variesBy: readonly string[],
  context: PageContext,
): ProductVariant | undefined {
  const name = firstText(item, 'name');
  const url = firstText(item, 'url') ?? (offer === undefined ? undefined : firstText(offer.item, 'url'));
  const options = readOptions(item, variesBy);
  const all = {
    name: name === undefined ? undefined : cleanLine(name, LONGEST_LINE),
    sku: skuOf(item)?.value ?? (offer === undefined ? undefined : skuOf(offer.item)?.value),
    gtin: gtinOf(item)?.value ?? (offer === undefined ? undefined : gtinOf(offer.item)?.value),
    mpn: codeOf(firstText(item, 'mpn'))?.value,
    url: url === undefined ? undefined : absoluteUrl(url, context.baseUrl),
    price: offer?.price,
    currency: offer?.price === undefined ? undefined : offer.currency,
    availability: offer?.availability,
    options: Object.keys(options).length === 0 ? undefined : options,
  };
  const told = Object.entries(all).filter(([, value]) => value !== undefined && value !== '');
  // An address alone only says that there is more elsewhere.
  if (told.every(([key]) => key === 'url')) return undefined;
  return Object.fromEntries(told) as ProductVariant;
}

function readOptions(item: StructuredItem, variesBy: readonly string[]): Record<string, string> {
  const options: Record<string, string> = {};
  const put = (name: string, value: string | undefined): void => {
    const key = cleanLine(name, LONGEST_CODE);
    const text = value === undefined ? '' : cleanLine(value, LONGEST_LINE);
    if (key === '' || key === '__proto__' || text === '' || Object.hasOwn(options, key)) return;
    if (Object.keys(options).length < MAX_OPTIONS) options[key] = text;
  };
  for (const name of [...variesBy, ...OPTION_NAMES]) put(name, firstText(item, name));
  for (const property of childItems(item, 'additionalProperty').slice(0, 50)) {
    const name = firstText(property, 'name') ?? firstText(property, 'propertyID');
    if (name !== undefined) put(name, firstText(property, 'value'));
  }
  return options;
}

/** `https://schema.org/color` and `color` alike. */
export function readVariesBy(group: StructuredItem): string[] {
  return texts(group, 'variesBy')
    .slice(0, MAX_OPTIONS)
    .map((text) => text.replace(/^.*[/#:]/, ''));
}
