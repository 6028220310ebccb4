/**
 * Microdata of a page as items, by the HTML standard (5 Microdata), and by what pages do beyond it: `content` counts
 * on any element, a link that carries a name is its text, a picture that is loaded late is the one it will be, and an
 * item that is nobody's value stands by itself even if it is marked as one.
 */

import { elementId } from '../document/element-names.ts';
import type { DocumentElement, PageDocument } from '../document/page-document.ts';
import {
  MARK_ITEM,
  MARK_ITEMID,
  MARK_ITEMPROP,
  MARK_ITEMREF,
  MARK_ITEMSCOPE,
} from '../document/tag-bytes.ts';
import { cutCircles, type MarkupItem, MarkupItems, nameRatings } from './markup-items.ts';
import { isDataVocabulary, isTextual, localProperty, localType, oldProperty } from './markup-names.ts';
import { readBareValue, readMachineValue, readUrl, urlAttributes } from './markup-values.ts';
import type { StructuredData, StructuredItem, StructuredValue } from './structured-item.ts';

const MAX_NAMES = 10;
const MAX_REFERENCES = 50;
const MAX_TYPES = 10;
/** Elements looked at for all references of a page together: many items may refer to the same long list. */
const MAX_STEPS = 200_000;

const TEMPLATE = elementId('template');

/** Undefined: there is none. */
export function readMicrodata(document: PageDocument, baseUrl: string): StructuredData | undefined {
  if ((document.marks & MARK_ITEM) === 0) return undefined;
  const items = new MicrodataReader(document, baseUrl).read();
  return items.length === 0 ? undefined : { source: 'microdata', items };
}

interface Scope {
  readonly element: DocumentElement;
  readonly item: MarkupItem;
  readonly isOldVocabulary: boolean;
  /** Elements that are properties of it, in whatever order they were found. */
  members: DocumentElement[];
  readonly references: readonly string[];
}

class MicrodataReader {
  private readonly document: PageDocument;
  private readonly marked: readonly DocumentElement[];
  private readonly items: MarkupItems;
  private readonly scopes = new Map<DocumentElement, Scope>();
  private readonly names = new Map<DocumentElement, readonly string[]>();
  private stepsLeft = MAX_STEPS;
  private readonly used = new Set<StructuredItem>();

  constructor(document: PageDocument, baseUrl: string) {
    this.document = document;
    this.marked = findMarked(document);
    this.items = new MarkupItems(baseUrl);
  }

  read(): MarkupItem[] {
    this.findMembers();
    for (const scope of this.scopes.values()) this.findReferenced(scope);
    for (const scope of this.scopes.values()) this.readProperties(scope);
    const top: MarkupItem[] = [];
    for (const { item } of this.scopes.values()) if (!this.used.has(item)) top.push(item);
    // Items in a circle are values of each other, and nobody else's: the first one is where it begins.
    const circle = [...this.scopes.values()].find(({ item }) => item.types.length > 0);
    if (top.length === 0 && circle !== undefined) top.push(circle.item);
    cutCircles(top);
    return top;
  }

  /** One pass: each property belongs to the nearest item around it. */
  private findMembers(): void {
    const open: Scope[] = [];
    for (const element of this.marked) {
      while (open.length > 0 && (open.at(-1) as Scope).element.nextIndex <= element.index) open.pop();
      const names = tokens(marked(element, MARK_ITEMPROP, 'itemprop'), MAX_NAMES);
      if (names.length > 0) {
        this.names.set(element, names);
        open.at(-1)?.members.push(element);
      }
      if (marked(element, MARK_ITEMSCOPE, 'itemscope') === undefined) continue;
      const scope = this.openScope(element);
      if (scope === undefined) return;
      this.scopes.set(element, scope);
      open.push(scope);
    }
  }

  private openScope(element: DocumentElement): Scope | undefined {
    const item = this.items.create(marked(element, MARK_ITEMID, 'itemid')?.trim());
    if (item === undefined) return undefined;
    const types = tokens(element.attribute('itemtype'), MAX_TYPES);
    item.types.push(...types.map(localType));
    return {
      element,
      item,
      isOldVocabulary: types.some(isDataVocabulary),
      members: [],
      references: tokens(marked(element, MARK_ITEMREF, 'itemref'), MAX_REFERENCES),
    };
  }

  /** itemref: properties that stand elsewhere on the page. */
  private findReferenced(scope: Scope): void {
    if (scope.references.length === 0) return;
    const members = new Set(scope.members);
    for (const id of new Set(scope.references)) {
      const target = this.document.byId(id);
      if (target === undefined || target === scope.element) continue;
      if (this.names.has(target)) members.add(target);
      if (!this.scopes.has(target)) this.addInside(target, members);
    }
    const inOrder = [...members].sort((a, b) => a.index - b.index);
    scope.members = inOrder;
  }

  private addInside(target: DocumentElement, members: Set<DocumentElement>): void {
    let at = this.firstMarkedBehind(target.index);
    while (at < this.marked.length && this.stepsLeft-- > 0) {
      const element = this.marked[at] as DocumentElement;
      if (element.index >= target.nextIndex) return;
      if (this.names.has(element)) members.add(element);
      at = this.scopes.has(element) ? this.firstMarkedBehind(element.nextIndex - 1) : at + 1;
    }
  }

  private firstMarkedBehind(index: number): number {
    let low = 0;
    let high = this.marked.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((this.marked[middle] as DocumentElement).index <= index) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  private readProperties(scope: Scope): void {
    for (const element of scope.members) {
      if (this.items.isFull) return;
      for (const written of this.names.get(element) ?? []) {
        const name = scope.isOldVocabulary ? oldProperty(localProperty(written)) : localProperty(written);
        const value = this.readValue(element, name);
        if (typeof value === 'string') {
          this.items.add(scope.item, name, value);
          continue;
        }
        if (value === scope.item) continue;
        this.used.add(value);
        this.items.add(scope.item, name, value);
      }
    }
    nameRatings(scope.item.properties);
  }

  private readValue(element: DocumentElement, name: string): StructuredValue {
    const scope = this.scopes.get(element);
    if (scope !== undefined) return scope.item;
    if (element.name === 'meta') return this.items.literal(element.attribute('content') ?? '');
    const attribute = urlAttributes.get(element.name);
    if (attribute !== undefined) {
      const text = element.name === 'a' && isTextual(name) ? this.readText(element) : '';
      if (text !== '') return text;
      const url = readUrl(element, attribute, this.items);
      if (url !== undefined) return url;
      return this.items.text(element);
    }
    return this.readText(element) || readBareValue(element, this.items);
  }

  private readText(element: DocumentElement): string {
    const value = readMachineValue(element);
    return value === undefined ? this.items.text(element) : this.items.literal(value.trim());
  }
}

/** In the order of the page, without what is in templates. */
function findMarked({ elements }: PageDocument): DocumentElement[] {
  const marked: DocumentElement[] = [];
  for (let index = 0; index < elements.length; ) {
    const element = elements[index] as DocumentElement;
    if ((element.marks & MARK_ITEM) !== 0) marked.push(element);
    index = element.tag === TEMPLATE ? element.nextIndex : index + 1;
  }
  return marked;
}

/** An attribute that was seen when the tag was: most elements have one or two of them. */
function marked(element: DocumentElement, mark: number, name: string): string | undefined {
  return (element.marks & mark) === 0 ? undefined : element.attribute(name);
}

function tokens(value: string | undefined, max: number): string[] {
  if (value === undefined) return [];
  if (/^[^\t\n\f\r ]{1,500}$/.test(value)) return [value];
  return value
    .slice(0, 4096)
    .split(/[\t\n\f\r ]+/)
    .filter((token) => token !== '')
    .slice(0, max);
}
