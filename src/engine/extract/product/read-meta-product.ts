/**
 * A product as told in metas. `product:` and `og:` prices are a strong sign; a title, a description and a picture every
 * page has, so that these only fill in what a product that is known otherwise does not say.
 */
import type { FoundFields } from '../product-fields.ts';
import { firstMeta, type PageMetas } from '../structured/open-graph.ts';
import { cleanLine, cleanProse } from '../values/clean-value.ts';
import { readAvailability } from '../values/read-availability.ts';
import { readGtin } from '../values/read-gtin.ts';
import { readCount, readRating } from '../values/read-rating.ts';
import { isAbove } from './compare-prices.ts';
import { LONGEST_CODE, LONGEST_LINE, LONGEST_PROSE, type MutableFields, note } from './found-fields.ts';
import type { PageContext } from './page-context.ts';
import { splitPath, trimPath } from './read-category.ts';
import { MAX_IMAGES, makeImage } from './read-images.ts';
import { currencyOf, readAmountText } from './read-offer.ts';

const SEPARATOR = /^\s*(?:[|–—·:»•]|-\s)/;
const SEPARATOR_AT_END = /\s*(?:[|–—·:»•]|\s-)\s*$/;
const SEPARATOR_ANYWHERE = /[|–—·:»•-]/;
const PRICE = [
  'product:price:amount',
  'og:price:amount',
  'product:price',
  'og:price',
  'og:price:standard_amount',
];
const SALE = ['product:sale_price:amount', 'product:sale_price'];
const BEFORE = [
  'product:original_price:amount',
  'product:original_price',
  'og:price:standard_amount',
  'product:retail_price:amount',
];
const CURRENCY = [
  'product:sale_price:currency',
  'product:price:currency',
  'og:price:currency',
  'product:original_price:currency',
  'og:currency',
];

/** The page says that it is about a product: by its type, or by naming a price of one. */
export function isMetaProduct(metas: PageMetas): boolean {
  const type = firstMeta(metas, 'og:type')?.value.toLowerCase() ?? '';
  return /(?:^|[:.])product(?:\.item)?$/.test(type) || firstMeta(metas, ...PRICE, ...SALE) !== undefined;
}

export function readMetaProduct(metas: PageMetas, context: PageContext): FoundFields {
  const fields: MutableFields = {};
  const line = (name: 'brand' | 'sku' | 'mpn', longest: number, ...from: string[]): void => {
    const said = firstMeta(metas, ...from);
    if (said !== undefined) note(fields, name, cleanLine(said.value, longest), 'open-graph', said.value);
  };
  const title = firstMeta(metas, 'og:title', 'twitter:title')?.value;
  if (title !== undefined) {
    note(fields, 'name', cleanLine(withoutSite(title, context), LONGEST_LINE), 'open-graph', title);
  }
  line('brand', LONGEST_LINE, 'product:brand', 'og:brand', 'product:brand:name');
  line('sku', LONGEST_CODE, 'product:retailer_item_id', 'product:sku', 'product:retailer_part_no');
  line('mpn', LONGEST_CODE, 'product:mfr_part_no', 'product:mpn');
  const description = firstMeta(metas, 'og:description', 'twitter:description');
  const plain = firstMeta(metas, 'description');
  const said = description ?? plain;
  if (said !== undefined) {
    note(
      fields,
      'description',
      cleanProse(said.value, LONGEST_PROSE),
      description === undefined ? 'meta' : 'open-graph',
    );
  }
  notePrice(fields, metas, context);
  const stock = firstMeta(metas, 'product:availability', 'og:availability', 'availability');
  if (stock !== undefined)
    note(fields, 'availability', readAvailability(stock.value), 'open-graph', stock.value);
  const code = firstMeta(
    metas,
    'product:ean',
    'product:gtin',
    'product:upc',
    'product:isbn',
    'og:upc',
    'og:ean',
    'book:isbn',
  );
  if (code !== undefined) note(fields, 'gtin', readGtin(code.value), 'open-graph', code.value);
  noteRating(fields, metas);
  const category = firstMeta(metas, 'product:category', 'og:category');
  if (category !== undefined && !/^\d+$/.test(category.value)) {
    const path = trimPath(
      splitPath(category.value).map((name) => ({ name, url: undefined })),
      context,
      undefined,
    );
    if (path.length > 0) note(fields, 'category', path, 'open-graph', category.value);
  }
  noteImages(fields, metas, context);
  return fields;
}

/** Titles for others often end in the name of the shop. */
function withoutSite(title: string, context: PageContext): string {
  if (!SEPARATOR_ANYWHERE.test(title)) return title;
  const { titles, siteName } = context;
  const heads = titles.filter(
    (head) => head.length > 2 && head.length < title.length && title.startsWith(head),
  );
  const head = heads.find((each) => SEPARATOR.test(title.slice(each.length)));
  if (head !== undefined) return head;
  if (siteName === undefined || !title.endsWith(siteName)) return title;
  const rest = title.slice(0, -siteName.length);
  return SEPARATOR_AT_END.test(rest) ? rest.replace(SEPARATOR_AT_END, '') : title;
}

function notePrice(fields: MutableFields, metas: PageMetas, context: PageContext): void {
  const said = firstMeta(metas, ...CURRENCY)?.value;
  const currency = said === undefined ? undefined : currencyOf(said, context);
  const read = (names: readonly string[]) => {
    const meta = firstMeta(metas, ...names);
    return meta === undefined ? undefined : readAmountText(meta.value, context, currency);
  };
  const regular = read(PRICE);
  const sale = read(SALE);
  const price = sale ?? regular ?? readTwitterPrice(metas, context);
  if (price === undefined) return;
  note(fields, 'price', price.low, 'open-graph', price.text);
  note(fields, 'priceHigh', price.high, 'open-graph', price.text);
  note(fields, 'currency', price.currency, 'open-graph', said ?? price.text);
  const before = read(BEFORE) ?? (sale === undefined ? undefined : regular);
  if (before !== undefined && isAbove(before.low, price.low)) {
    note(fields, 'listPrice', before.low, 'open-graph', before.text);
  }
}

/** A card may have two lines of label and data; the label that says price is the price. */
function readTwitterPrice(metas: PageMetas, context: PageContext): ReturnType<typeof readAmountText> {
  for (const line of ['1', '2']) {
    const label = firstMeta(metas, `twitter:label${line}`)?.value ?? '';
    const data = firstMeta(metas, `twitter:data${line}`)?.value;
    if (data === undefined || !/price|preis|prix|precio|prezzo|preço|prijs|cena|pris|цена|価格/i.test(label))
      continue;
    return readAmountText(data, context, undefined);
  }
  return undefined;
}

function noteRating(fields: MutableFields, metas: PageMetas): void {
  const rating = firstMeta(metas, 'product:rating:value', 'og:rating', 'product:rating', 'rating');
  const best = firstMeta(metas, 'product:rating:scale', 'og:rating_scale')?.value;
  if (rating !== undefined && /^\d/.test(rating.value)) {
    note(
      fields,
      'rating',
      readRating(rating.value, best === undefined ? {} : { best }),
      'open-graph',
      rating.value,
    );
  }
  const count = firstMeta(
    metas,
    'product:rating:count',
    'og:rating_count',
    'og:review_count',
    'product:review_count',
  );
  if (count !== undefined) note(fields, 'reviewCount', readCount(count.value), 'open-graph', count.value);
}

function noteImages(fields: MutableFields, metas: PageMetas, context: PageContext): void {
  const plain = [...(metas.get('og:image') ?? []), ...(metas.get('og:image:url') ?? [])];
  const secure = metas.get('og:image:secure_url') ?? [];
  const said = plain.length > 0 ? plain : secure.length > 0 ? secure : (metas.get('twitter:image') ?? []);
  const alt = metas.get('og:image:alt')?.[0];
  const found = new Map<string, ReturnType<typeof makeImage>>();
  for (const [index, address] of said.entries()) {
    const image = makeImage(address, index === 0 ? alt : undefined, context.baseUrl);
    if (image !== undefined && found.size < MAX_IMAGES && !found.has(image.url)) found.set(image.url, image);
  }
  const images = [...found.values()].filter((image) => image !== undefined);
  if (images.length > 0) note(fields, 'images', images, 'open-graph');
}
