/** Prices that are not the page's own: one of several alike, each of which leads somewhere. */
import type { DocumentElement } from '../../document/page-document.ts';
import type { PageParts } from './page-parts.ts';

/** How far up is looked, and at how many prices: a page may have any number of both. */
const MAX_LEVELS = 40;
const MAX_PRICES = 60;
const MAX_ELEMENTS = 100;

/** All that is priced here is one of several: a list of plans, of wishes, of things to compare. */
export function isPriceList({ heading, prices }: PageParts): boolean {
  if (heading === undefined || prices.length < 2) return false;
  return prices.slice(0, MAX_PRICES).every((price) => isInList(price, heading, prices));
}

export function isInList(
  price: DocumentElement,
  heading: DocumentElement,
  prices: readonly DocumentElement[],
): boolean {
  let at = price;
  for (let level = 0; level < MAX_LEVELS; level++) {
    const { parent } = at;
    if (parent === null || parent.index < 0 || parent.contains(heading)) break;
    const alike = holdersOf(prices, parent, at.name);
    if (alike.length > 1 && (at.name === 'td' || alike.some(hasLink))) return true;
    at = parent;
  }
  // The same one step higher, where the list hangs directly beside the heading.
  if (at.parent === null || at === price) return false;
  const alike = holdersOf(prices, at.parent, at.name);
  return alike.length > 2 && alike.every(hasLink);
}

/** Children of that name that are a price, or have one in them. */
function holdersOf(
  prices: readonly DocumentElement[],
  parent: DocumentElement,
  name: string,
): DocumentElement[] {
  const holders = new Set<DocumentElement>();
  for (const price of prices.slice(0, MAX_PRICES)) {
    const child = parent.contains(price) ? childHolding(parent, price) : undefined;
    if (child?.name === name) holders.add(child);
  }
  return [...holders];
}

function childHolding(parent: DocumentElement, price: DocumentElement): DocumentElement | undefined {
  let at: DocumentElement | null = price;
  for (let level = 0; level < MAX_LEVELS && at !== null; level++) {
    if (at.parent === parent) return at;
    at = at.parent;
  }
  return undefined;
}

export function hasLink(element: DocumentElement): boolean {
  const { elements } = element.source;
  const end = Math.min(element.nextIndex, element.index + MAX_ELEMENTS);
  for (let at = element.index + 1; at < end; at++) if (elements[at]?.name === 'a') return true;
  return false;
}
