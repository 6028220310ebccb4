import type { PageElement, PageTree } from './page-tree.ts';

export type JsonObject = Readonly<Record<string, unknown>>;

/** More objects than this on one page are lists of things the page merely mentions. */
const MAX_OBJECTS = 2000;

/** All objects of a page's JSON-LD, nested ones and those of `@graph` included; invalid JSON is passed over. */
export function readJsonLd(tree: PageTree): JsonObject[] {
  const objects: JsonObject[] = [];
  for (const element of tree.elements) {
    if (element.name !== 'script') continue;
    if (!/^application\/(?:ld\+)?json(?:;|$)/i.test((element.attributes.type ?? '').trim())) continue;
    if (!/ld\+json/i.test(element.attributes.type ?? '')) continue;
    collectObjects(parseJson(sourceOf(element)), objects);
  }
  return objects;
}

function sourceOf(element: PageElement): string {
  return element.children.map((child) => (child.type === 'text' ? child.data : '')).join('');
}

/** Pages wrap it in CDATA or HTML comments, and put raw line breaks into strings. */
function parseJson(source: string): unknown {
  const bare = source.replace(
    /^\s*(?:<!--|\/\*\s*<!\[CDATA\[\s*\*\/|<!\[CDATA\[)|(?:-->|\/\*\s*\]\]>\s*\*\/|\]\]>)\s*;?\s*$/g,
    '',
  );
  for (const candidate of [bare, bare.replace(/[\u0000-\u001f]+/g, ' ')]) {
    try {
      return JSON.parse(candidate) as unknown;
    } catch {}
  }
  return undefined;
}

function collectObjects(value: unknown, objects: JsonObject[]): void {
  const queue: unknown[] = [value];
  for (let next = 0; next < queue.length && objects.length < MAX_OBJECTS; next += 1) {
    const current = queue[next];
    if (Array.isArray(current)) queue.push(...current.slice(0, MAX_OBJECTS));
    else if (isObject(current)) {
      objects.push(current);
      for (const key of NESTED_KEYS) if (current[key] !== undefined) queue.push(current[key]);
    }
  }
}

/** Where the thing a page is about may hide; `itemListElement` and `isRelatedTo` name other things. */
const NESTED_KEYS = ['@graph', 'mainEntity', 'mainEntityOfPage', 'hasPart', 'about', 'subjectOf'];

export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export function typesOf(object: JsonObject): string[] {
  const type = object['@type'];
  const types = Array.isArray(type) ? type : [type];
  return types
    .filter((name): name is string => typeof name === 'string')
    .map((name) => name.replace(/^(?:https?:\/\/schema\.org\/|schema:)/i, ''));
}

/** A string, the name of an object, or the first of several; trimmed, never empty. */
export function stringOf(value: unknown): string | undefined {
  if (typeof value === 'string') return value.replace(/\s+/g, ' ').trim() || undefined;
  if (Array.isArray(value)) return stringOf(value[0]);
  if (isObject(value)) return typeof value.name === 'string' ? stringOf(value.name) : undefined;
  return undefined;
}
