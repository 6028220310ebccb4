/**
 * Items while they are read from markup. What a page can make of them is bounded: how many there are, how much they
 * say, how deep they go; and none is inside itself.
 */
import type { DocumentElement } from '../document/page-document.ts';
import type { StructuredItem, StructuredValue } from './structured-item.ts';

const MAX_ITEMS = 10_000;
const MAX_VALUES = 50_000;
const MAX_TEXT_CHARS = 20_000;
/** Of all values together. */
const MAX_CHARS = 4_000_000;
/** Looked at for texts of properties, which may be nested: each byte counts for each property around it. */
const MAX_TEXT_BYTES = 64 * 1024 * 1024;
const MAX_DEPTH = 32;
const MAX_URL_CHARS = 4096;

export interface MarkupItem extends StructuredItem {
  readonly types: string[];
  id: string | undefined;
  readonly properties: Map<string, StructuredValue[]>;
}

export class MarkupItems {
  private readonly baseUrl: string;
  private itemsLeft = MAX_ITEMS;
  private valuesLeft = MAX_VALUES;
  private charsLeft = MAX_CHARS;
  private bytesLeft = MAX_TEXT_BYTES;

  constructor(baseUrl: string) {
    this.baseUrl = baseUrl;
  }

  /** Undefined: there are too many. */
  create(id: string | undefined): MarkupItem | undefined {
    if (this.itemsLeft-- <= 0) return undefined;
    return { types: [], id: id?.slice(0, MAX_URL_CHARS), properties: new Map() };
  }

  add(item: MarkupItem, name: string, value: StructuredValue): void {
    if (this.valuesLeft-- <= 0) return;
    const values = item.properties.get(name);
    if (values === undefined) item.properties.set(name, [value]);
    else values.push(value);
  }

  get isFull(): boolean {
    return this.valuesLeft <= 0;
  }

  get hasEnoughItems(): boolean {
    return this.itemsLeft <= 0;
  }

  text(element: DocumentElement): string {
    if (this.bytesLeft <= 0) return '';
    this.bytesLeft -= element.contentEnd - element.contentStart;
    return this.keep(element.text(Math.min(MAX_TEXT_CHARS, this.charsLeft)));
  }

  /** The value of an attribute, with a bound. */
  literal(value: string): string {
    return this.keep(value.length > MAX_TEXT_CHARS ? copied(value, MAX_TEXT_CHARS) : value);
  }

  /** Absolute, where it can be; as written, where it cannot. */
  url(value: string): string {
    const trimmed = value.trim();
    if (trimmed === '' || trimmed.length > MAX_URL_CHARS) return this.keep(copied(trimmed, MAX_URL_CHARS));
    try {
      return this.keep(new URL(trimmed, this.baseUrl).href);
    } catch {
      return this.keep(trimmed);
    }
  }

  private keep(text: string): string {
    if (text.length > this.charsLeft) return '';
    this.charsLeft -= text.length;
    return text;
  }
}

/** A string of its own: a slice would hold on to the whole. */
function copied(text: string, length: number): string {
  return Buffer.from(text.slice(0, length), 'utf8').toString('utf8');
}

/** A summary of reviews among the reviews is the rating: so it was written before schema.org. */
export function nameRatings(properties: Map<string, StructuredValue[]>): void {
  const reviews = properties.get('review');
  if (reviews === undefined) return;
  const isSummary = (value: StructuredValue) =>
    typeof value !== 'string' && value.types.includes('AggregateRating');
  const summaries = reviews.filter(isSummary);
  if (summaries.length === 0) return;
  properties.set('aggregateRating', [...(properties.get('aggregateRating') ?? []), ...summaries]);
  const others = reviews.filter((value) => !isSummary(value));
  if (others.length > 0) properties.set('review', others);
  else properties.delete('review');
}

interface Visit {
  readonly item: MarkupItem;
  readonly lists: StructuredValue[][];
  list: number;
  at: number;
}

/** Takes out what would make an item part of itself, and what is nested deeper than anybody means it. */
export function cutCircles(top: readonly MarkupItem[]): void {
  const isOpen = new Set<StructuredItem>();
  const isDone = new Set<StructuredItem>();
  for (const item of top) {
    if (isDone.has(item)) continue;
    const path: Visit[] = [visitOf(item)];
    isOpen.add(item);
    for (let visit = path.at(-1); visit !== undefined; visit = path.at(-1)) {
      const next = nextItem(visit);
      if (next === undefined) {
        isOpen.delete(visit.item);
        isDone.add(visit.item);
        for (const [name, values] of visit.item.properties) {
          if (values.length === 0) visit.item.properties.delete(name);
        }
        path.pop();
      } else if (isOpen.has(next) || path.length >= MAX_DEPTH) {
        visit.lists[visit.list]?.splice(--visit.at, 1);
      } else if (!isDone.has(next)) {
        isOpen.add(next);
        path.push(visitOf(next as MarkupItem));
      }
    }
  }
}

function visitOf(item: MarkupItem): Visit {
  return { item, lists: [...item.properties.values()], list: 0, at: 0 };
}

function nextItem(visit: Visit): StructuredItem | undefined {
  for (; visit.list < visit.lists.length; visit.list++, visit.at = 0) {
    const list = visit.lists[visit.list] as StructuredValue[];
    while (visit.at < list.length) {
      const value = list[visit.at++] as StructuredValue;
      if (typeof value !== 'string') return value;
    }
  }
  return undefined;
}
