/** One offer of a product: what it costs, in which currency, and whether it is there. */
import type { Availability } from '../product-fields.ts';
import type { StructuredItem } from '../structured/structured-item.ts';
import { readCurrency } from '../values/find-currency.ts';
import { readAvailability } from '../values/read-availability.ts';
import { readAmount, readPrice } from '../values/read-price.ts';
import { comparePrices, isAbove } from './compare-prices.ts';
import { childItems, firstText, firstTextOrId, hasType, texts } from './item-values.ts';
import type { PageContext } from './page-context.ts';
import { compareToPage, type Sameness } from './page-urls.ts';

export interface OfferReading {
  readonly price: string | undefined;
  /** The upper end, where the offer itself tells a range. */
  readonly priceHigh: string | undefined;
  readonly listPrice: string | undefined;
  readonly currency: string | undefined;
  readonly availability: Availability | undefined;
  /** Used, refurbished, damaged. */
  readonly isUsed: boolean;
  readonly sameAsPage: Sameness;
  /** What the price was read from. */
  readonly priceText: string;
  readonly availabilityText: string;
  readonly item: StructuredItem;
}

interface Amount {
  readonly low: string;
  readonly high: string | undefined;
  readonly currency: string | undefined;
  readonly text: string;
}

/** Those of schema.org, then those of GoodRelations. */
const CURRENCY_NAMES = ['priceCurrency', 'currency', 'hasCurrency'];
const LOW_NAMES = ['price', 'lowPrice', 'minPrice', 'hasCurrencyValue', 'hasMinCurrencyValue'];
const HIGH_NAMES = ['highPrice', 'maxPrice', 'hasMaxCurrencyValue'];

const LIST_PRICE_TYPES =
  /(?:list|strikethrough|msrp|srp|regular|original|suggestedretail|manufacturer)(?:price)?$/i;
/** Neither what it costs nor what it did: the least it may be advertised for, what delivery costs, members' prices. */
const OTHER_PRICE_TYPES = /(?:minimumadvertised|invoice|map)(?:price)?$/i;
const DELIVERY: ReadonlySet<string> = new Set(['deliverychargespecification', 'paymentchargespecification']);
const MAX_SPECIFICATIONS = 20;

export function readOffer(offer: StructuredItem, context: PageContext, outerCurrency?: string): OfferReading {
  const given = firstText(offer, ...CURRENCY_NAMES);
  const currency = (given === undefined ? undefined : currencyOf(given, context)) ?? outerCurrency;
  const specified = readSpecifications(offer, context, currency);
  const own = readRange(offer, context, currency) ?? specified.price;
  const listPrice =
    specified.listPrice ?? firstAmount(offer, ['listPrice', 'msrp', 'originalPrice'], context, currency);
  const stock = firstTextOrId(offer, 'availability') ?? stockOf(offer);
  const url = firstText(offer, 'url', 'mainEntityOfPage') ?? offer.id;
  return {
    price: own?.low,
    priceHigh: own?.high,
    listPrice:
      listPrice !== undefined && own !== undefined && isAbove(listPrice.low, own.low)
        ? listPrice.low
        : undefined,
    currency: own?.currency ?? currency ?? specified.currency,
    availability: stock === undefined ? undefined : readAvailability(stock),
    isUsed: /used|refurb|damaged|renewed/i.test(firstTextOrId(offer, 'itemCondition') ?? ''),
    sameAsPage: url === undefined ? undefined : compareToPage(url, context.url, context.baseUrl),
    priceText: own?.text ?? '',
    availabilityText: stock ?? '',
    item: offer,
  };
}

/** price, or lowPrice to highPrice, or minPrice to maxPrice. */
function readRange(
  item: StructuredItem,
  context: PageContext,
  currency: string | undefined,
): Amount | undefined {
  const low = firstAmount(item, LOW_NAMES, context, currency);
  const high = firstAmount(item, HIGH_NAMES, context, currency);
  if (low === undefined) return high;
  if (high === undefined) return low;
  const order = comparePrices(low.low, high.low);
  if (order === 0) return low;
  const [bottom, top] = order < 0 ? [low, high] : [high, low];
  return { low: bottom.low, high: top.low, currency: low.currency, text: `${bottom.text} – ${top.text}` };
}

function firstAmount(
  item: StructuredItem,
  names: readonly string[],
  context: PageContext,
  currency: string | undefined,
): Amount | undefined {
  for (const name of names) {
    for (const text of texts(item, name)) {
      const amount = readAmountText(text, context, currency);
      if (amount !== undefined) return amount;
    }
  }
  return undefined;
}

/** A bare number as numbers are written in data; anything else as prices are written on pages. */
export function readAmountText(
  text: string,
  context: PageContext,
  currency: string | undefined,
): Amount | undefined {
  const { language, country } = context;
  const hints = { currency, language, country };
  if (/^\s*[-−]\s*\p{Sc}?\s*\d/u.test(text)) return undefined;
  if (/^[\d.,\s'+eE-]+$/.test(text)) {
    const amount = readAmount(text, hints);
    return amount === undefined ? undefined : { low: amount, high: undefined, currency, text };
  }
  const reading = readPrice(text, hints);
  if (reading === undefined) return undefined;
  return { low: reading.amount, high: reading.high, currency: currency ?? reading.currency, text };
}

interface Specified {
  readonly price: Amount | undefined;
  readonly listPrice: Amount | undefined;
  /** Of any of them: a shop has one for all. */
  readonly currency: string | undefined;
}

function readSpecifications(
  offer: StructuredItem,
  context: PageContext,
  currency: string | undefined,
): Specified {
  let price: Amount | undefined;
  let listPrice: Amount | undefined;
  let anyCurrency: string | undefined;
  const specifications = [
    ...childItems(offer, 'priceSpecification'),
    ...childItems(offer, 'hasPriceSpecification'),
  ].slice(0, MAX_SPECIFICATIONS);
  for (const outer of specifications) {
    for (const each of [outer, ...childItems(outer, 'priceComponent').slice(0, MAX_SPECIFICATIONS)]) {
      const given = firstText(each, ...CURRENCY_NAMES);
      const told = given === undefined ? undefined : currencyOf(given, context);
      anyCurrency ??= told;
      if (isOtherPrice(each)) continue;
      const amount = readRange(each, context, told ?? currency);
      if (amount === undefined) continue;
      if (LIST_PRICE_TYPES.test(firstTextOrId(each, 'priceType') ?? '')) listPrice ??= amount;
      else price ??= amount;
    }
  }
  return { price, listPrice, currency: anyCurrency };
}

/** Prices for a litre or a month, for members, for delivery. */
function isOtherPrice(specification: StructuredItem): boolean {
  const has = (name: string): boolean => specification.properties.has(name);
  if (hasType(specification, DELIVERY) || has('validForMemberTier') || has('membershipPointsEarned'))
    return true;
  if (OTHER_PRICE_TYPES.test(firstTextOrId(specification, 'priceType') ?? '')) return true;
  return has('referenceQuantity') && !isSinglePiece(specification);
}

/** A price for one piece is what it costs; so is one for the thing's own content, told beside a measure for comparison. */
function isSinglePiece(specification: StructuredItem): boolean {
  const [quantity] = childItems(specification, 'referenceQuantity');
  if (quantity === undefined) return false;
  if (quantity.properties.has('valueReference')) return true;
  const unit = firstText(quantity, 'unitCode', 'unitText') ?? '';
  return /^(?:c62|ea|h87|piece|unit)?$/i.test(unit) && (firstText(quantity, 'value') ?? '1') === '1';
}

export function currencyOf(text: string, { language, country }: PageContext): string | undefined {
  return readCurrency(text, { language, country })?.code;
}

/** Said by how many there are, where it is not said in words. */
function stockOf(offer: StructuredItem): string | undefined {
  const level = childItems(offer, 'inventoryLevel')[0];
  const count = level === undefined ? firstText(offer, 'inventoryLevel') : firstText(level, 'value');
  if (count === undefined || !/^\d{1,9}(?:\.0+)?$/.test(count)) return undefined;
  return Number(count) === 0 ? 'OutOfStock' : 'InStock';
}
