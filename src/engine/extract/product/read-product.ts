/** From an item of structured data, in whichever syntax, to the fields of a product. */
import type { FieldSource, FoundFields, ProductImage } from '../product-fields.ts';
import type { StructuredItem } from '../structured/structured-item.ts';
import { cleanLine, cleanProse } from '../values/clean-value.ts';
import type { ChosenProduct } from './choose-product.ts';
import { LONGEST_LINE, LONGEST_PROSE, type MutableFields, note } from './found-fields.ts';
import { childItems, firstText, hasType, texts } from './item-values.ts';
import type { PageContext } from './page-context.ts';
import { type Crumb, noteCategory, readBreadcrumbs } from './read-category.ts';
import { noteIdentifiers } from './read-identifiers.ts';
import { MAX_IMAGES, readImages } from './read-images.ts';
import { MAX_OFFERS, noteOffers, type Offers, readOffers } from './read-offers.ts';
import { noteReviews } from './read-reviews.ts';
import { readVariants, readVariesBy, variantsOfOffers } from './read-variants.ts';

const MONEY: ReadonlySet<string> = new Set(['price', 'priceHigh', 'listPrice', 'currency']);
const MAX_TWINS = 3;
const BREADCRUMBS: ReadonlySet<string> = new Set(['breadcrumblist', 'breadcrumb']);

export function readProduct(
  chosen: ChosenProduct,
  items: readonly StructuredItem[],
  source: FieldSource,
  context: PageContext,
): FoundFields {
  const fields: MutableFields = {};
  const { item, group } = chosen;
  noteTexts(fields, item, source);
  const variants = variantItems(chosen);
  const offers = offersOf(item, variants, items, context);
  noteOffers(fields, item, offers, source, context);
  noteReviews(fields, item, source);
  const onlyOffer = offers.single.length === 1 ? offers.single[0]?.item : undefined;
  noteIdentifiers(fields, item, onlyOffer === undefined ? [] : [onlyOffer], source);
  noteCategory(fields, item, findBreadcrumbs(items), source, context, fields.name?.value);
  note(fields, 'images', readImages(item, context.baseUrl) ?? imagesOf(variants, context), source);
  const kinds = readVariants(
    variants,
    group === undefined ? readVariesBy(item) : readVariesBy(group),
    context,
  );
  const told = kinds.length > 0 ? kinds : variantsOfOffers(offers.single, context);
  if (told.length > 0) note(fields, 'variants', told, source);
  if (group !== undefined) fillFromGroup(fields, group, source, context);
  for (const twin of chosen.twins.slice(0, MAX_TWINS)) {
    fill(fields, readProduct({ ...chosen, item: twin, twins: [] }, [], source, context));
  }
  return fields;
}

function noteTexts(fields: MutableFields, item: StructuredItem, source: FieldSource): void {
  const name = firstText(item, 'name', 'title');
  if (name !== undefined) note(fields, 'name', cleanLine(name, LONGEST_LINE), source, name);
  // No evidence: it would be the beginning of the value itself.
  const description = firstText(item, 'description', 'disambiguatingDescription');
  if (description !== undefined) note(fields, 'description', cleanProse(description, LONGEST_PROSE), source);
  for (const said of ['brand', 'manufacturer']) {
    const text = texts(item, said).find((each) => !/^https?:/i.test(each));
    const brand = text === undefined ? '' : cleanLine(text, LONGEST_LINE);
    if (brand === '' || /^(?:null|undefined|n\/a|none|-)$/i.test(brand)) continue;
    note(fields, 'brand', brand, source, text, said === 'brand' ? 1 : 0.8);
    return;
  }
}

function variantItems({ item, group, siblings }: ChosenProduct): StructuredItem[] {
  const holder = group ?? item;
  const found = [...childItems(holder, 'hasVariant'), ...childItems(item, 'model'), ...siblings];
  return [...new Set(found)].filter((each) => each.properties.size > 0);
}

/** Its own; else those that name it as what they offer; else those of all its variants. */
function offersOf(
  item: StructuredItem,
  variants: readonly StructuredItem[],
  items: readonly StructuredItem[],
  context: PageContext,
): Offers {
  const own = readOffers(item, context);
  if (own.single.length + own.aggregate.length > 0) return own;
  const naming = items.filter((each) => childItems(each, 'itemOffered').includes(item));
  if (naming.length > 0) {
    const holder = { types: [], id: undefined, properties: new Map([['offers', naming]]) };
    return readOffers(holder, context);
  }
  const single: Offers['single'][number][] = [];
  const aggregate: Offers['aggregate'][number][] = [];
  for (const variant of variants) {
    if (single.length >= MAX_OFFERS) break;
    const offers = readOffers(variant, context);
    single.push(...offers.single);
    aggregate.push(...offers.aggregate);
  }
  return { single, aggregate: single.length > 0 ? [] : aggregate };
}

function imagesOf(
  variants: readonly StructuredItem[],
  context: PageContext,
): readonly ProductImage[] | undefined {
  const found = new Map<string, ProductImage>();
  for (const variant of variants) {
    for (const image of readImages(variant, context.baseUrl) ?? []) {
      if (found.size < MAX_IMAGES) found.set(image.url, image);
    }
  }
  return found.size === 0 ? undefined : [...found.values()];
}

/** What a variant does not say of itself, its group says of all of them. */
function fillFromGroup(
  fields: MutableFields,
  group: StructuredItem,
  source: FieldSource,
  context: PageContext,
): void {
  const common: MutableFields = {};
  noteTexts(common, group, source);
  noteReviews(common, group, source);
  noteCategory(common, group, [], source, context, undefined);
  note(common, 'images', readImages(group, context.baseUrl), source);
  fill(fields, common);
}

/** A price is never put together from two places. */
function fill(fields: MutableFields, more: FoundFields): void {
  const hasPrice = fields.price !== undefined;
  for (const [name, field] of Object.entries(more)) {
    if (name in fields || (hasPrice && MONEY.has(name))) continue;
    Object.assign(fields, { [name]: field });
  }
}

/** The longest way, where there are several. */
function findBreadcrumbs(items: readonly StructuredItem[]): readonly Crumb[] {
  const lists = items.flatMap((item) =>
    hasType(item, BREADCRUMBS)
      ? [item]
      : childItems(item, 'breadcrumb').filter((each) => hasType(each, BREADCRUMBS)),
  );
  let longest: readonly Crumb[] = [];
  for (const list of lists.slice(0, 10)) {
    const crumbs = readBreadcrumbs(list);
    if (crumbs.length > longest.length) longest = crumbs;
  }
  return longest;
}
