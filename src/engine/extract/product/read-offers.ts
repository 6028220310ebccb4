/**
 * What a product costs, by all of its offers together.
 *
 * An offer whose address is this very page is the page's own, and decides alone. Otherwise those count that somebody
 * would buy: new ones before used ones, those that are there before those that are not; of these the lowest price is
 * the price, and the highest its upper end. Offers in another currency than the first one's are left out.
 */
import { AVAILABILITIES, type Availability, type FieldSource } from '../product-fields.ts';
import type { StructuredItem } from '../structured/structured-item.ts';
import { comparePrices, isAbove } from './compare-prices.ts';
import { LONGEST_CODE, type MutableFields, note } from './found-fields.ts';
import { childItems, texts, values } from './item-values.ts';
import type { PageContext } from './page-context.ts';
import { type OfferReading, readAmountText, readOffer } from './read-offer.ts';

export const MAX_OFFERS = 20_000;
const MAX_DEPTH = 3;
/** The second is what it was called before schema.org. */
const OFFER_NAMES = ['offers', 'offerDetails'];
const MOST_LOOKED_AT = 10;
const A_NUMBER = /^[-+\u2212]?\p{Nd}[\p{Nd}.,]*(?:e[+-]?\d+)?$/iu;

/** What can be bought now, whenever it comes. */
const THERE: ReadonlySet<Availability | undefined> = new Set([
  'in_stock',
  'limited',
  'preorder',
  'backorder',
  undefined,
]);

export interface Offers {
  /** Offers of which each is one thing to buy. */
  readonly single: readonly OfferReading[];
  /** Sums of several, which tell a range. */
  readonly aggregate: readonly OfferReading[];
}

export function readOffers(product: StructuredItem, context: PageContext): Offers {
  const single: OfferReading[] = [];
  const aggregate: OfferReading[] = [];
  const seen = new Set<StructuredItem>();
  const visit = (holder: StructuredItem, currency: string | undefined, depth: number): void => {
    for (const offer of OFFER_NAMES.flatMap((name) => childItems(holder, name))) {
      if (seen.size >= MAX_OFFERS || seen.has(offer)) continue;
      seen.add(offer);
      const reading = readOffer(offer, context, currency);
      const isAggregate =
        offer.properties.has('offers') ||
        offer.properties.has('lowPrice') ||
        offer.properties.has('offerCount');
      (isAggregate ? aggregate : single).push(reading);
      if (depth < MAX_DEPTH) visit(offer, reading.currency, depth + 1);
    }
  };
  visit(product, undefined, 0);
  return { single, aggregate };
}

/** Notes price, upper end, list price, currency and availability. */
export function noteOffers(
  fields: MutableFields,
  product: StructuredItem,
  offers: Offers,
  source: FieldSource,
  context: PageContext,
): void {
  const chosen = choosePrice(offers) ?? readBare(product, context);
  if (chosen !== undefined) {
    note(fields, 'price', chosen.price, source, chosen.text);
    note(fields, 'priceHigh', chosen.high, source, chosen.text);
    note(fields, 'listPrice', chosen.listPrice, source, chosen.text);
    note(fields, 'currency', chosen.currency, source, chosen.text);
  } else {
    note(fields, 'price', findWrongPrice(offers), source);
    const told = [...offers.single, ...offers.aggregate].find((offer) => offer.currency !== undefined);
    note(fields, 'currency', told?.currency, source);
  }
  const stock =
    chosen?.availability ??
    bestAvailability([...offers.aggregate, ...offers.single]) ??
    // Where it does not belong, and is meant all the same.
    bestAvailability([readOffer(product, context)]);
  if (stock !== undefined) note(fields, 'availability', stock.value, source, stock.text);
}

/** A number that is no price, such as 1e308 or -5: passed on as it stands, so that it is told what is wrong. */
function findWrongPrice({ single, aggregate }: Offers): string | undefined {
  for (const { item } of [...single, ...aggregate].slice(0, MOST_LOOKED_AT)) {
    const wrong = [...texts(item, 'price'), ...texts(item, 'lowPrice')].find((text) => A_NUMBER.test(text));
    if (wrong !== undefined) return wrong.slice(0, LONGEST_CODE);
  }
  return undefined;
}

interface ChosenPrice {
  readonly price: string;
  readonly high: string | undefined;
  readonly listPrice: string | undefined;
  readonly currency: string | undefined;
  readonly text: string;
  readonly availability: { value: Availability; text: string } | undefined;
}

function choosePrice({ single, aggregate }: Offers): ChosenPrice | undefined {
  const priced = single.filter((offer) => offer.price !== undefined);
  const own = priced.filter((offer) => offer.sameAsPage === 'exact');
  if (own.length === 1 && priced.length > 1) return rangeOf(own);
  const sum = aggregate.find((offer) => offer.price !== undefined && offer.price !== '0');
  if (sum !== undefined) return withStock(rangeOf([sum]), single);
  return rangeOf(preferred(priced)) ?? rangeOf(aggregate.filter((offer) => offer.price !== undefined));
}

function withStock(
  chosen: ChosenPrice | undefined,
  offers: readonly OfferReading[],
): ChosenPrice | undefined {
  if (chosen === undefined || chosen.availability !== undefined) return chosen;
  return { ...chosen, availability: bestAvailability(offers) };
}

function preferred(offers: readonly OfferReading[]): readonly OfferReading[] {
  const fresh = offers.filter((offer) => !offer.isUsed);
  const kept = fresh.length > 0 ? fresh : offers;
  const there = kept.filter((offer) => THERE.has(offer.availability));
  return there.length > 0 ? there : kept;
}

function rangeOf(offers: readonly OfferReading[]): ChosenPrice | undefined {
  const currency = offers.find((offer) => offer.currency !== undefined)?.currency;
  let low: OfferReading | undefined;
  let high: string | undefined;
  for (const offer of offers) {
    if (offer.price === undefined || (offer.currency ?? currency) !== currency) continue;
    if (low?.price === undefined || comparePrices(offer.price, low.price) < 0) low = offer;
    const top = offer.priceHigh ?? offer.price;
    if (high === undefined || isAbove(top, high)) high = top;
  }
  if (low?.price === undefined) return undefined;
  return {
    price: low.price,
    high: high !== undefined && isAbove(high, low.price) ? high : undefined,
    listPrice: low.listPrice,
    currency,
    text: low.priceText,
    availability: bestAvailability(offers),
  };
}

/** If one of them can be had, it can be had. */
function bestAvailability(
  offers: readonly OfferReading[],
): { value: Availability; text: string } | undefined {
  let best: OfferReading | undefined;
  const rank = (offer: OfferReading): number =>
    offer.availability === undefined ? AVAILABILITIES.length : AVAILABILITIES.indexOf(offer.availability);
  for (const offer of offers) if (best === undefined || rank(offer) < rank(best)) best = offer;
  return best?.availability === undefined
    ? undefined
    : { value: best.availability, text: best.availabilityText };
}

/** A price that stands in the product itself, or an offer that is nothing but a text. */
function readBare(product: StructuredItem, context: PageContext): ChosenPrice | undefined {
  const own = readOffer(product, context);
  if (own.price !== undefined) return rangeOf([own]);
  const text = texts(product, 'offers').find((each) => /\d/.test(each) && each.length <= 60);
  if (text === undefined || values(product, 'offers').some((value) => typeof value !== 'string'))
    return undefined;
  const amount = readAmountText(text, context, undefined);
  if (amount === undefined) return undefined;
  const { low, high, currency } = amount;
  return { price: low, high, listPrice: undefined, currency, text, availability: undefined };
}
