/**
 * RDFa of a page as items: RDFa Lite, and of RDFa 1.1 Core what shops use (content, about, rel and rev, with what they
 * point to inside them). Followed in the order of its processing rules (RDFa Core 1.1, 7.5), with one thing left out:
 * a link that says nothing in RDFa does not change what is being talked about, since nobody means it to.
 */

import { elementId } from '../document/element-names.ts';
import type { DocumentElement, PageDocument } from '../document/page-document.ts';
import { MARK_RDFA, MARK_TYPEOF } from '../document/tag-bytes.ts';
import { cutCircles, type MarkupItem, MarkupItems, nameRatings } from './markup-items.ts';
import { isTextual } from './markup-names.ts';
import { readBareValue, readMachineValue, readUrl } from './markup-values.ts';
import { RdfaNames, readPrefixes } from './rdfa-names.ts';
import type { StructuredData, StructuredItem, StructuredValue } from './structured-item.ts';

const MAX_TYPES = 10;
/** Elements that say something in RDFa, beyond which a page is not read. */
const MAX_STEPS = 50_000;
/** Elements that declare names. */
const MAX_DECLARATIONS = 500;

const TEMPLATE = elementId('template');

/** Undefined: there is none. */
export function readRdfa(document: PageDocument, baseUrl: string): StructuredData | undefined {
  if ((document.marks & MARK_TYPEOF) === 0) return undefined;
  const items = new RdfaReader(document, baseUrl).read();
  return items.length === 0 ? undefined : { source: 'rdfa', items };
}

/** A relation whose other end is looked for inside the element. */
interface Hanging {
  readonly item: MarkupItem;
  readonly names: readonly string[];
  readonly reverse: readonly string[];
  /** What stands for the other end until something with a name or a type does. */
  readonly blank: MarkupItem;
  isBlankUsed: boolean;
}

interface Frame {
  readonly element: DocumentElement;
  readonly names: RdfaNames;
  /** What properties inside are about. */
  readonly subject: MarkupItem;
  readonly hanging: Hanging | undefined;
}

class RdfaReader {
  private readonly document: PageDocument;
  private readonly baseUrl: string;
  private readonly items: MarkupItems;
  private readonly byAddress = new Map<string, MarkupItem>();
  private readonly all: MarkupItem[] = [];
  private stepsLeft = MAX_STEPS;
  private declarationsLeft = MAX_DECLARATIONS;
  private readonly used = new Set<StructuredItem>();
  private readonly nobody: MarkupItem = { types: [], id: undefined, properties: new Map() };

  constructor(document: PageDocument, baseUrl: string) {
    this.document = document;
    this.baseUrl = baseUrl;
    this.items = new MarkupItems(baseUrl);
  }

  read(): MarkupItem[] {
    this.walk();
    this.joinAddresses();
    const typed = this.all.filter(({ types }) => types.length > 0);
    const top = typed.filter((item) => !this.used.has(item));
    // Items in a circle are values of each other: the first one is where it begins.
    const first = typed[0];
    if (top.length === 0 && first !== undefined) top.push(first);
    cutCircles(top);
    return top;
  }

  private walk(): void {
    const { elements, root } = this.document;
    const page = this.itemAt(this.baseUrl) ?? this.nobody;
    const frames: Frame[] = [{ element: root, names: new RdfaNames(), subject: page, hanging: undefined }];
    for (let index = 0; index < elements.length && !this.isEnough(); ) {
      const element = elements[index] as DocumentElement;
      while ((frames.at(-1) as Frame).element.nextIndex <= index) frames.pop();
      const frame = frames.at(-1) as Frame;
      if ((element.marks & MARK_RDFA) !== 0 || frame.hanging !== undefined) {
        this.stepsLeft--;
        const inner = this.enter(element, frame);
        if (inner !== undefined) frames.push(inner);
      }
      index = element.tag === TEMPLATE ? element.nextIndex : index + 1;
    }
  }

  private isEnough(): boolean {
    return this.items.isFull || this.items.hasEnoughItems || this.stepsLeft <= 0;
  }

  /** Returns what holds inside the element, where that is something else than around it. */
  private enter(element: DocumentElement, around: Frame): Frame | undefined {
    const names = this.declare(element, around.names);
    const properties = names.properties(element.attribute('property'));
    const relations = names.relations(element.attribute('rel'));
    const reverse = names.relations(element.attribute('rev'));
    const typeNames = element.attribute('typeof');
    const about = this.addressOf(element.attribute('about'), names);
    const isRelated = relations.length > 0 || reverse.length > 0;
    const target = this.targetOf(element, names, isRelated || around.hanging !== undefined);

    let subject = about === undefined ? around.subject : this.itemOr(about);
    let object: MarkupItem | undefined;
    const isTyped = typeNames !== undefined;
    if (isRelated) {
      if (target !== undefined) object = this.itemOr(target);
      else if (isTyped && about === undefined) object = this.create();
    } else if (properties.length > 0 && !hasLiteral(element)) {
      if (isTyped && about === undefined) object = target === undefined ? this.create() : this.itemOr(target);
    } else if (about === undefined) {
      if (target !== undefined) subject = this.itemOr(target);
      else if (isTyped && !isWholePage(element)) subject = this.create();
    }
    if (isTyped) addTypes(about === undefined ? (object ?? subject) : subject, names.types(typeNames));

    let { hanging } = around;
    if (hanging !== undefined) {
      const isOther = subject !== around.subject || object !== undefined;
      if (isOther)
        this.complete(hanging, subject === around.subject && object !== undefined ? object : subject);
      else if (properties.length > 0) this.complete(hanging, hanging.blank);
      if (isOther) hanging = undefined;
    }
    if (isRelated) {
      const relation: Hanging = {
        item: subject,
        names: relations,
        reverse,
        blank: object ?? this.create(),
        isBlankUsed: false,
      };
      if (object === undefined) hanging = relation;
      else this.complete(relation, object);
    }
    for (const name of properties) {
      if (object !== undefined && !isRelated) this.addItem(subject, name, object);
      else this.items.add(subject, name, this.readValue(element, name, isRelated ? undefined : target));
    }

    const inner = isRelated && hanging !== undefined ? hanging.blank : (object ?? subject);
    const isSame = inner === around.subject && hanging === around.hanging && names === around.names;
    return isSame ? undefined : { element, names, subject: inner, hanging };
  }

  private declare(element: DocumentElement, around: RdfaNames): RdfaNames {
    if (this.declarationsLeft <= 0) return around;
    const names = around.declare(element.attribute('vocab'), readDeclared(element));
    if (names !== around) this.declarationsLeft--;
    return names;
  }

  private readValue(element: DocumentElement, name: string, target: string | undefined): StructuredValue {
    const machine = readMachineValue(element) ?? element.attribute('datetime');
    if (machine !== undefined) return this.items.literal(machine.trim());
    const hasTextInLink = target !== undefined && isTextual(name) && !element.hasAttribute('resource');
    if (target !== undefined && !hasTextInLink) return this.items.literal(target);
    return this.items.text(element) || (target ?? readBareValue(element, this.items));
  }

  private complete(hanging: Hanging, other: MarkupItem): void {
    const { item, names, reverse, blank } = hanging;
    if (other === blank && hanging.isBlankUsed) return;
    if (other === blank) hanging.isBlankUsed = true;
    for (const name of names) this.addItem(item, name, other);
    for (const name of reverse) this.addItem(other, name, item);
  }

  /** What has an address and no type of its own is that address; whether it has one is known at the end. */
  private addItem(subject: MarkupItem, name: string, object: MarkupItem): void {
    if (subject !== object) this.items.add(subject, name, object);
  }

  /** Addresses that turned out to be items become them, and items that turned out to be mere addresses those. */
  private joinAddresses(): void {
    for (const item of this.all) {
      for (const [name, values] of item.properties) {
        const joined: StructuredValue[] = [];
        for (const value of values) {
          const meant = typeof value === 'string' ? (this.typedAt(value) ?? value) : asAddress(value);
          if (meant === undefined || meant === item) continue;
          if (typeof meant !== 'string' && item.types.length > 0) this.used.add(meant);
          joined.push(meant);
        }
        item.properties.set(name, joined);
      }
      nameRatings(item.properties);
    }
  }

  private typedAt(address: string): MarkupItem | undefined {
    const item = this.byAddress.get(address);
    return item !== undefined && item.types.length > 0 && address !== this.baseUrl ? item : undefined;
  }

  private targetOf(element: DocumentElement, names: RdfaNames, isWanted: boolean): string | undefined {
    const resource = this.addressOf(element.attribute('resource'), names);
    if (resource !== undefined) return resource;
    const isRdfa =
      isWanted ||
      element.hasAttribute('property') ||
      element.hasAttribute('typeof') ||
      element.hasAttribute('about');
    if (!isRdfa) return undefined;
    const href = element.attribute('href');
    if (href !== undefined) return this.items.url(href);
    return element.name === 'img' || element.hasAttribute('src')
      ? readUrl(element, 'src', this.items)
      : undefined;
  }

  private addressOf(value: string | undefined, names: RdfaNames): string | undefined {
    if (value === undefined) return undefined;
    const written = names.resource(value);
    return written.startsWith('_:') ? written : written === '' ? this.baseUrl : this.items.url(written);
  }

  private itemOr(address: string): MarkupItem {
    return this.itemAt(address) ?? this.nobody;
  }

  private itemAt(address: string): MarkupItem | undefined {
    const known = this.byAddress.get(address);
    if (known !== undefined) return known;
    const item = this.items.create(address);
    if (item === undefined) return undefined;
    this.byAddress.set(address, item);
    this.all.push(item);
    return item;
  }

  private create(): MarkupItem {
    const item = this.items.create(undefined);
    if (item === undefined) return this.nobody;
    this.all.push(item);
    return item;
  }
}

function asAddress(value: StructuredItem): StructuredValue | undefined {
  return value.types.length > 0 || value.properties.size > 0 ? value : value.id;
}

/** Of html, head and body without an address: what they say is about the page. */
function isWholePage({ name }: DocumentElement): boolean {
  return name === 'html' || name === 'head' || name === 'body';
}

function hasLiteral(element: DocumentElement): boolean {
  return element.hasAttribute('content') || element.hasAttribute('datatype');
}

function addTypes(item: MarkupItem, types: readonly string[]): void {
  for (const type of types) {
    if (item.types.length < MAX_TYPES && !item.types.includes(type)) item.types.push(type);
  }
}

function readDeclared(element: DocumentElement): Array<readonly [string, string]> {
  const declared = readPrefixes(element.attribute('prefix'));
  if (element.name !== 'html' && element.name !== 'body' && element.name !== 'div') return declared;
  for (const [name, iri] of element.attributes()) {
    if (name.startsWith('xmlns:') && declared.length < 50) declared.push([name.slice(6), iri]);
  }
  return declared;
}
