/** Structured data in the plain shape that site parsers are given. */
import type { StructuredThing } from '../../../parser/site-parser.ts';
import type { StructuredItem, StructuredValue } from '../structured/structured-item.ts';

export interface StructuredReader {
  readonly items: readonly StructuredItem[];
}

const MOST_VISITED = 20_000;

export function wrapItem({ types, id, properties }: StructuredItem): StructuredThing {
  const values = (name: string): readonly StructuredValue[] => properties.get(name) ?? [];
  const texts = (name: string): string[] =>
    values(name).flatMap((value) => (typeof value === 'string' ? [value] : []));
  const things = (name: string): StructuredThing[] =>
    values(name).flatMap((value) => (typeof value === 'string' ? [] : [wrapItem(value)]));
  return {
    ...{ types, id, texts, things },
    text: (name) => texts(name)[0],
    thing: (name) => things(name)[0],
  };
}

/** Those of a type, wherever they stand. Items may name each other in circles: each is looked at once. */
export function findThings(items: readonly StructuredItem[], type: string): StructuredThing[] {
  const wanted = type.toLowerCase();
  const seen = new Set<StructuredItem>();
  const waiting = [...items];
  const found: StructuredThing[] = [];
  for (let at = 0; at < waiting.length && at < MOST_VISITED; at += 1) {
    const item = waiting[at] as StructuredItem;
    if (seen.has(item)) continue;
    seen.add(item);
    if (item.types.some((each) => each.toLowerCase() === wanted)) found.push(wrapItem(item));
    for (const values of item.properties.values()) {
      for (const value of values) if (typeof value !== 'string') waiting.push(value);
    }
  }
  return found;
}
