/**
 * One pass over a page's tree for the parts that heuristics go by: headings, what is pressed to buy, what is called a
 * price or a stock. Parts that are about other products are passed over as a whole: whatever is called related or
 * similar, headers, footers and navigation, and every card of a list of such.
 */
import { decodeAttribute } from '../../../parse/char-refs.ts';
import { hashName } from '../../../parse/html-names.ts';
import type { DocumentElement, PageDocument } from '../../document/page-document.ts';
import { attributeAt, readAttribute } from '../../document/tag-bytes.ts';
import type { PageContext } from '../../product/page-context.ts';
import { ASIDE, BUY, CRUMBS, kindsOf, PRICE, STOCK } from './code-kinds.ts';
import { BUY_CODE, BUY_TEXT, CRUMB_CODE } from './shop-words.ts';

export interface PageParts {
  readonly heading: DocumentElement | undefined;
  readonly buys: readonly DocumentElement[];
  /** The outermost of those that are called a price. */
  readonly prices: readonly DocumentElement[];
  readonly stocks: readonly DocumentElement[];
  readonly crumbs: DocumentElement | undefined;
  readonly images: readonly DocumentElement[];
}

const MAX_PARTS = 200;
const OUTSIDE: ReadonlySet<string> = new Set(['footer', 'nav', 'header']);
const PRESSED: ReadonlySet<string> = new Set(['button', 'a', 'input', 'form']);
/** A tag that is longer is not looked through for what its attributes say. */
const MAX_TAG_BYTES = 2000;
/** As in ` id=x>`. */
const MIN_CODE_BYTES = 6;

const CLASS = hashName('class');
const ID = hashName('id');

/** What an element is called: class and id. Nothing else is asked so often, hence in one walk over its tag. */
export function codeOf(element: DocumentElement): string {
  const { nameEnd, tagEnd } = element;
  const { bytes } = element.source;
  if (tagEnd - nameEnd < MIN_CODE_BYTES) return '';
  if (tagEnd - nameEnd > MAX_TAG_BYTES) return joined(element.attribute('class'), element.attribute('id'));
  let classes: string | undefined;
  let id: string | undefined;
  for (let at = readAttribute(bytes, nameEnd, tagEnd); at !== -1; at = readAttribute(bytes, at, tagEnd)) {
    const { hash, valueStart, valueEnd } = attributeAt;
    if (hash === CLASS) classes ??= decodeAttribute(bytes, valueStart, valueEnd);
    else if (hash === ID) id ??= decodeAttribute(bytes, valueStart, valueEnd);
  }
  return joined(classes, id);
}

function joined(classes: string | undefined, id: string | undefined): string {
  if (classes === undefined) return id ?? '';
  return id === undefined ? classes : `${classes} ${id}`;
}

export function findParts(document: PageDocument, context: PageContext): PageParts {
  const heading = findHeading(document, context);
  const buys: DocumentElement[] = [];
  const prices: DocumentElement[] = [];
  const stocks: DocumentElement[] = [];
  const images: DocumentElement[] = [];
  let crumbs: DocumentElement | undefined;
  const { elements } = document;
  let priceEnd = -1;
  for (let at = 0; at < elements.length; ) {
    const element = elements[at] as DocumentElement;
    const { name } = element;
    const code = codeOf(element);
    const kinds = code === '' ? 0 : kindsOf(code);
    if (crumbs === undefined && isCrumbs(element, name, kinds)) crumbs = element;
    if (heading !== undefined && isAside(element, name, kinds, heading)) {
      at = element.nextIndex;
      continue;
    }
    at++;
    if (name === 'img' && images.length < MAX_PARTS) images.push(element);
    if (PRESSED.has(name) && buys.length < MAX_PARTS && isBuy(element, name, kinds)) buys.push(element);
    if (kinds === 0) continue;
    if (
      element.index >= priceEnd &&
      (kinds & PRICE) !== 0 &&
      isShort(element) &&
      !(heading !== undefined && element.contains(heading))
    ) {
      if (prices.length < MAX_PARTS) prices.push(element);
      priceEnd = element.nextIndex;
    } else if ((kinds & STOCK) !== 0 && stocks.length < MAX_PARTS) stocks.push(element);
  }
  return { heading, buys, prices, stocks, crumbs, images };
}

function findHeading(document: PageDocument, context: PageContext): DocumentElement | undefined {
  const headings = document.named('h1').filter((element) => element.text(300) !== '');
  const inside = headings.filter((element) => !hasAncestor(element, OUTSIDE));
  // A heading in the page's head is often the shop's: what is called a product's name is believed before it.
  const called = inside.length > 0 ? undefined : findNamedHeading(document);
  if (called !== undefined) return called;
  const usable = inside.length > 0 ? inside : headings;
  if (usable.length < 2) return usable[0];
  const named = usable.find((element) => /product|title|name/i.test(codeOf(element)));
  const { titles } = context;
  const titled = usable.find((element) => titles.some((title) => title.startsWith(element.text(300))));
  return titled ?? named ?? usable[0];
}

/** Pages without a first heading give the name a class of its own. */
function findNamedHeading(document: PageDocument): DocumentElement | undefined {
  return document.elements.find((element) => /product[-_]*(?:title|name|heading)\b/i.test(codeOf(element)));
}

function hasAncestor(element: DocumentElement, names: ReadonlySet<string>): boolean {
  for (let at = element.parent; at !== null; at = at.parent) if (names.has(at.name)) return true;
  return false;
}

function isAside(element: DocumentElement, name: string, kinds: number, heading: DocumentElement): boolean {
  if ((kinds & ASIDE) === 0 && !OUTSIDE.has(name)) return false;
  if (element === heading || element.contains(heading) || heading.contains(element)) return false;
  return name !== 'body';
}

function isCrumbs(element: DocumentElement, name: string, kinds: number): boolean {
  if (name !== 'nav' && name !== 'ol' && name !== 'ul' && name !== 'div' && name !== 'p') return false;
  if ((kinds & CRUMBS) !== 0) return true;
  return name === 'nav' && CRUMB_CODE.test(element.attribute('aria-label') ?? '');
}

function isBuy(element: DocumentElement, name: string, kinds: number): boolean {
  if ((kinds & BUY) !== 0) return true;
  const { source, nameEnd, contentStart } = element;
  const length = contentStart - nameEnd;
  // All attributes at once, as they are written: asking for each of them would read the tag as often.
  if (
    length > 1 &&
    length < MAX_TAG_BYTES &&
    BUY_CODE.test(source.bytes.toString('latin1', nameEnd, contentStart))
  ) {
    return true;
  }
  if (name === 'form') return false;
  return BUY_TEXT.test(name === 'input' ? (element.attribute('value') ?? '').trim() : element.text(60));
}

/** A price is a few words; what has more holds a price among other things. */
function isShort(element: DocumentElement): boolean {
  const text = element.text(201);
  return text.length <= 200 && text.length > 0;
}
