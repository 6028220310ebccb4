/**
 * A product as a reader sees it, on pages that do not say in data what they sell. Careful: a page counts as one
 * product's only where something can be bought beside its heading, or where it says beside it whether it is there.
 */
import type { DocumentElement, PageDocument } from '../../document/page-document.ts';
import { LONGEST_LINE, type MutableFields, note } from '../../product/found-fields.ts';
import type { PageContext } from '../../product/page-context.ts';
import type { FoundFields } from '../../product-fields.ts';
import { cleanLine, cleanProse } from '../../values/clean-value.ts';
import { readAvailability } from '../../values/read-availability.ts';
import { findMainPrice } from './main-price.ts';
import { codeOf, findParts, type PageParts } from './page-parts.ts';
import { isPriceList } from './price-lists.ts';
import { NO_PRODUCT_HEADING, PRODUCT_CODE } from './shop-words.ts';
import { noteCodes, noteCrumbs, noteImages, noteStars } from './visible-details.ts';

export interface VisibleProduct {
  readonly fields: FoundFields;
  /** By itself enough for a product: nothing else needs to say so. */
  readonly isProductPage: boolean;
}

const NOTHING: VisibleProduct = { fields: {}, isProductPage: false };
/** Of what is only guessed to be a description, its beginning will do. */
const LONGEST_DESCRIPTION = 5000;
const MAX_STOCK_LENGTH = 160;
const MAX_PHRASES = 60;
/** As much as is read at a time. */
const MAX_PHRASES_LENGTH = 340;

/** `isKnown`: data says already that there is a product, and what is seen fills in the rest of it. */
export function readVisibleProduct(
  document: PageDocument,
  context: PageContext,
  isKnown: boolean,
): VisibleProduct {
  const parts = findParts(document, context);
  const { heading } = parts;
  if (heading === undefined) return NOTHING;
  const name = cleanLine(heading.text(LONGEST_LINE * 2), LONGEST_LINE);
  if (name === '' || NO_PRODUCT_HEADING.test(name)) return NOTHING;
  const price = findMainPrice(document, parts, context);
  const area = productArea(heading, price?.element ?? parts.buys.find((buy) => buy.index > heading.index));
  const isBuyable = parts.buys.some((buy) => area.contains(buy) || isNear(buy, heading));
  // Most pages end here: there is nothing to buy beside the heading.
  if (!isKnown && !isBuyable && !isInProduct(heading)) return NOTHING;
  const fields: MutableFields = {};
  noteStock(fields, parts, heading, area);
  if (!isKnown && price === undefined && fields.availability === undefined) return NOTHING;
  note(fields, 'name', name, 'heuristic', name);
  if (price !== undefined) {
    const { reading, text } = price;
    note(fields, 'price', reading.amount, 'heuristic', text);
    note(fields, 'priceHigh', reading.high, 'heuristic', text);
    note(fields, 'listPrice', price.listPrice, 'heuristic', text);
    note(fields, 'currency', reading.currency, 'heuristic', text);
  }
  const isStockTold = fields.availability !== undefined && isInProduct(heading);
  const isProductPage =
    (isBuyable || isStockTold) &&
    (price !== undefined || fields.availability !== undefined) &&
    !(price === undefined && isPriceList(parts));
  if (!isKnown && !isProductPage) return NOTHING;
  noteCrumbs(fields, parts, context, name);
  noteImages(fields, parts, area, name, context);
  noteCodes(fields, area);
  noteStars(fields, area);
  noteDescription(fields, document, heading);
  return { fields, isProductPage };
}

/** The smallest part of the page that holds both the heading and the price, or what is pressed to buy. */
function productArea(heading: DocumentElement, other: DocumentElement | undefined): DocumentElement {
  let area = heading.parent ?? heading;
  if (other === undefined) return area;
  while (area.parent !== null && !area.contains(other)) area = area.parent;
  return area;
}

const NEAR_ELEMENTS = 150;

function isNear(buy: DocumentElement, heading: DocumentElement): boolean {
  return buy.index > heading.index && buy.index - heading.index < NEAR_ELEMENTS;
}

function isInProduct(heading: DocumentElement): boolean {
  for (let at: DocumentElement | null = heading; at !== null; at = at.parent) {
    if (PRODUCT_CODE.test(codeOf(at))) return true;
  }
  return false;
}

function noteStock(
  fields: MutableFields,
  parts: PageParts,
  heading: DocumentElement,
  area: DocumentElement,
): void {
  const near = parts.stocks.filter((stock) => stock.index > heading.index || area.contains(stock));
  for (const stock of near.slice(0, 10)) {
    const text = stock.text(MAX_STOCK_LENGTH + 1);
    const value = text.length > MAX_STOCK_LENGTH ? undefined : readAvailability(text);
    if (value !== undefined) {
      note(fields, 'availability', value, 'heuristic', text);
      return;
    }
  }
  notePhrase(fields, heading, area);
}

/** No part is called so: a short text that says it, beside the heading. */
function notePhrase(fields: MutableFields, heading: DocumentElement, area: DocumentElement): void {
  const texts = phrasesBehind(heading, area);
  // All of them together first: most pages have none, and reading words is dear.
  if (texts.length === 0 || readAvailability(texts.join(' · ')) === undefined) return;
  for (const text of texts) {
    const value = readAvailability(text);
    if (value === undefined) continue;
    note(fields, 'availability', value, 'heuristic', text, 0.8);
    return;
  }
}

function phrasesBehind(heading: DocumentElement, area: DocumentElement): string[] {
  const { elements } = heading.source;
  const texts: string[] = [];
  let length = 0;
  const end = Math.min(area.nextIndex, heading.nextIndex + MAX_PHRASES);
  for (let at = heading.nextIndex; at < end && length < MAX_PHRASES_LENGTH; at++) {
    const element = elements[at];
    if (element === undefined || element.name === 'option' || element.name === 'a') continue;
    const text = element.ownText(61);
    if (text.length > 60 || text.length < 3 || !/\p{L}/u.test(text)) continue;
    texts.push(text);
    length += text.length + 3;
  }
  return texts;
}

function noteDescription(fields: MutableFields, document: PageDocument, heading: DocumentElement): void {
  for (const element of document.elements) {
    if (element.contains(heading)) continue;
    const code = codeOf(element);
    if (code === '' || !/description|beschreibung|descripci|descrizione|omschrijving|\bopis\b/i.test(code))
      continue;
    const text = cleanProse(element.text(LONGEST_DESCRIPTION), LONGEST_DESCRIPTION);
    if (text.length < 30) continue;
    note(fields, 'description', text, 'heuristic');
    return;
  }
}
