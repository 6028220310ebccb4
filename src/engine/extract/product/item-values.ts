/** What an item has under a name, as text or as items: pages put either where the vocabulary asks for one. */
import type { StructuredItem, StructuredValue } from '../structured/structured-item.ts';
import { isNoValue } from '../values/no-value.ts';

const NONE: readonly never[] = [];

export function values(item: StructuredItem, name: string): readonly StructuredValue[] {
  return item.properties.get(name) ?? NONE;
}

export function childItems(item: StructuredItem, name: string): readonly StructuredItem[] {
  return item.properties.get(name)?.filter((value) => typeof value !== 'string') ?? NONE;
}

/** Texts under a name; of an item there, its name. */
export function texts(item: StructuredItem, name: string): readonly string[] {
  const all = item.properties.get(name);
  if (all === undefined) return NONE;
  const found: string[] = [];
  for (const value of all) {
    const text = textOf(value);
    if (text !== undefined) found.push(text);
  }
  return found;
}

/** The first text under the first of the names that has any. */
export function firstText(item: StructuredItem, ...names: readonly string[]): string | undefined {
  for (const name of names) {
    for (const value of values(item, name)) {
      const text = textOf(value);
      if (text !== undefined) return text;
    }
  }
  return undefined;
}

function textOf(value: StructuredValue): string | undefined {
  const text = (typeof value === 'string' ? value : nameOf(value))?.trim();
  return text === undefined || text === '' || isNoValue(text) ? undefined : text;
}

/** The same for values of an enumeration, which are things: of one that has no name, its id. */
export function firstTextOrId(item: StructuredItem, name: string): string | undefined {
  const text = firstText(item, name);
  return text ?? childItems(item, name).find((value) => value.id !== undefined)?.id;
}

function nameOf(item: StructuredItem): string | undefined {
  for (const name of ['name', 'value', 'alternateName']) {
    for (const value of values(item, name))
      if (typeof value === 'string' && value.trim() !== '') return value;
  }
  return undefined;
}

/** `types` in lower case: pages are careless about it. */
export function hasType(item: StructuredItem, types: ReadonlySet<string>): boolean {
  return item.types.some((type) => types.has(type.toLowerCase()));
}
