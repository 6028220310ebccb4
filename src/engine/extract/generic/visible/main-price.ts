/** The price a page shows beside its heading, and the one that is struck through. */
import type { DocumentElement, PageDocument } from '../../document/page-document.ts';
import { isAbove } from '../../product/compare-prices.ts';
import type { PageContext } from '../../product/page-context.ts';
import { isFormerPrice, wordsOf } from '../../values/price-words.ts';
import { type PriceHints, type PriceReading, readPrice } from '../../values/read-price.ts';
import { codeOf, type PageParts } from './page-parts.ts';
import { hasLink, isInList } from './price-lists.ts';
import { priceText } from './price-text.ts';
import { NEW_CODE, OLD_CODE, OTHER_AMOUNT_CODE } from './shop-words.ts';

export interface VisiblePrice {
  readonly reading: PriceReading;
  readonly text: string;
  readonly listPrice: string | undefined;
  readonly element: DocumentElement;
}

const STRUCK: ReadonlySet<string> = new Set(['del', 's', 'strike']);
const MAX_STEPS = 400;
const MAX_STEPS_BEFORE = 20;

export function findMainPrice(
  document: PageDocument,
  parts: PageParts,
  context: PageContext,
): VisiblePrice | undefined {
  const { heading } = parts;
  if (heading === undefined) return undefined;
  const own = parts.prices.filter((price) => !isInList(price, heading, parts.prices));
  const behind = own.filter((price) => price.index > heading.index);
  const ordered = [...behind, ...own.filter((price) => price.index < heading.index).reverse()];
  let listPrice: string | undefined;
  for (const element of ordered.slice(0, 10)) {
    const found = readPriceElement(element, context);
    if (found === undefined) continue;
    // An old price that stands by itself: the one that counts is near it.
    if (found.isOld) listPrice ??= found.reading.amount;
    else return withList(found, listPrice ?? followingOld(ordered, element, context));
  }
  return findUnnamedPrice(document, parts, heading, context);
}

interface ReadElement extends VisiblePrice {
  readonly isOld: boolean;
}

function withList(found: ReadElement, besides: string | undefined): VisiblePrice {
  const { reading, text, element } = found;
  const list = found.listPrice ?? besides;
  return {
    reading,
    text,
    element,
    listPrice: list !== undefined && isAbove(list, reading.amount) ? list : undefined,
  };
}

function followingOld(
  ordered: readonly DocumentElement[],
  price: DocumentElement,
  context: PageContext,
): string | undefined {
  const next = ordered[ordered.indexOf(price) + 1];
  if (next === undefined || next.index < price.index || next.parent !== price.parent) return undefined;
  const found = readPriceElement(next, context);
  return found?.isOld === true ? found.reading.amount : undefined;
}

/** An element called a price may hold the old one, the new one, and others: told apart by what they are called. */
function readPriceElement(element: DocumentElement, context: PageContext): ReadElement | undefined {
  const { language, country } = context;
  const hints = { language, country };
  const inner = innerElements(element);
  const isOldElement = (each: DocumentElement): boolean =>
    STRUCK.has(each.name) || (OLD_CODE.test(codeOf(each)) && !NEW_CODE.test(codeOf(each)));
  const old = inner.filter((each) => isOldElement(each) || saysOld(each));
  const listPrice = old
    .map((each) => readShown(priceText(each), hints)?.amount)
    .find((each) => each !== undefined);
  const left = [...old, ...inner.filter(isOtherAmount)];
  const current = inner.find(
    (each) => NEW_CODE.test(codeOf(each)) && !isWithin(each, old) && /\p{Nd}/u.test(priceText(each, left)),
  );
  const text = priceText(current ?? element, left);
  const reading = readShown(text, hints);
  if (reading !== undefined) {
    const isOld = old.length === 0 && isOldElement(element);
    return { reading, text, listPrice, element, isOld };
  }
  if (listPrice === undefined) return undefined;
  // Nothing but an old one: a shop's "regular" price is the price where there is no other.
  const all = priceText(current ?? element);
  const whole = readShown(all, hints);
  return whole === undefined
    ? undefined
    : { reading: whole, text: all, listPrice: undefined, element, isOld: false };
}

/** No shop shows a price with more than three decimals: it is put together of two numbers. */
function readShown(text: string, hints: PriceHints): PriceReading | undefined {
  const reading = readPrice(text, hints);
  return reading === undefined || /\.\d{4}/.test(reading.amount) ? undefined : reading;
}

/** "List price: $29.99": an element that says so by itself. */
function saysOld(element: DocumentElement): boolean {
  const label = element.ownText(40);
  return label.length > 2 && label.length < 30 && isFormerPrice(wordsOf(label)) && hasAmount(element);
}

function innerElements(element: DocumentElement): DocumentElement[] {
  const { elements } = element.source;
  return elements.slice(element.index + 1, Math.min(element.nextIndex, element.index + 60));
}

function isOtherAmount(element: DocumentElement): boolean {
  return OTHER_AMOUNT_CODE.test(codeOf(element));
}

function isWithin(element: DocumentElement, others: readonly DocumentElement[]): boolean {
  return others.some((other) => other === element || other.contains(element));
}

function hasAmount(element: DocumentElement): boolean {
  return /\p{Nd}/u.test(element.text(100));
}

/** Pages without classes: the first short text between heading and button that is an amount in a currency. */
function findUnnamedPrice(
  document: PageDocument,
  parts: PageParts,
  heading: DocumentElement,
  context: PageContext,
): VisiblePrice | undefined {
  const buy = parts.buys.find((each) => each.index > heading.index);
  if (buy === undefined) return undefined;
  const { language, country } = context;
  const end = Math.min(buy.index, heading.index + MAX_STEPS);
  for (let at = heading.nextIndex; at < end; at++) {
    const element = document.elements[at];
    if (element === undefined || element.name === 'option') continue;
    const text = element.ownText(80);
    if (text.length > 60 || !/\p{Nd}/u.test(text) || OTHER_AMOUNT_CODE.test(codeOf(element))) continue;
    if (STRUCK.has(element.name) || OLD_CODE.test(codeOf(element))) continue;
    const reading = readShown(text, { language, country });
    if (reading?.currency === undefined || isInList(element, heading, parts.prices)) continue;
    return { reading, text, listPrice: undefined, element };
  }
  return findPriceBefore(document, heading, context);
}

/** Some put the price above the name: little else may stand in its element then. */
function findPriceBefore(
  document: PageDocument,
  heading: DocumentElement,
  context: PageContext,
): VisiblePrice | undefined {
  const { language, country } = context;
  for (let at = heading.index - 1; at > Math.max(0, heading.index - MAX_STEPS_BEFORE); at--) {
    const element = document.elements[at];
    if (element === undefined || hasLink(element)) continue;
    const text = element.ownText(40);
    if (text.length > 24 || !/\p{Nd}/u.test(text) || (text.match(/\p{L}/gu)?.length ?? 0) > 8) continue;
    const reading = readShown(text, { language, country });
    if (reading?.currency !== undefined) return { reading, text, listPrice: undefined, element };
  }
  return undefined;
}
