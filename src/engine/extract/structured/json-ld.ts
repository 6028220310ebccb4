/**
 * JSON-LD of a page as items. All blocks of a page are one document: an @id in one may be spoken of in another, and
 * what is said of the same @id in several places is one item. Items may refer to each other in circles.
 */
import { decodeHTML } from 'entities';
import { findJsonLd } from './find-json-ld.ts';
import { isJsonObject, JsonLdNames } from './json-ld-names.ts';
import type { StructuredData, StructuredItem, StructuredValue } from './structured-item.ts';
import { type Json, readTolerantJson } from './tolerant-json.ts';

/** Of all blocks of a page together. A page with 10,000 offers has two or three million bytes of it. */
const MAX_BYTES = 8 * 1024 * 1024;
const MAX_VALUES = 250_000;
const MAX_DEPTH = 32;

export interface JsonLd extends StructuredData {
  /** Some of it was not read, because there was too much. */
  readonly isCut: boolean;
}

type MutableItem = { types: string[]; id: string | undefined; properties: Map<string, StructuredValue[]> };
type JsonObject = { readonly [key: string]: Json };

export function readJsonLd(html: Buffer, language?: string): JsonLd {
  const reader = new JsonLdReader(language);
  let bytes = 0;
  for (const { start, end } of findJsonLd(html)) {
    bytes += end - start;
    if (bytes > MAX_BYTES) {
      reader.isCut = true;
      break;
    }
    for (const value of readTolerantJson(unwrap(html.toString('utf8', start, end)))) reader.addTop(value, 0);
  }
  return { source: 'json-ld', items: reader.finish(), isCut: reader.isCut };
}

/** Markup that was escaped for HTML as a whole has no quote of its own. */
function unwrap(text: string): string {
  return text.includes('&quot;') && !text.includes('"') ? decodeHTML(text) : text;
}

class JsonLdReader {
  isCut = false;
  private readonly top: MutableItem[] = [];
  private readonly byId = new Map<string, MutableItem>();
  private readonly names = new JsonLdNames();
  private readonly primaryLanguage: string | undefined;
  private valuesLeft = MAX_VALUES;

  constructor(language: string | undefined) {
    this.primaryLanguage = language?.split('-')[0]?.toLowerCase();
  }

  addTop(value: Json, depth: number): void {
    if (Array.isArray(value)) {
      if (depth < MAX_DEPTH) for (const part of value) this.addTop(part, depth + 1);
      return;
    }
    if (!isJsonObject(value)) return;
    const item = this.readItem(value, depth);
    if (item !== undefined && (item.types.length > 0 || item.properties.size > 0)) this.top.push(item);
  }

  /** Items that are only spoken of, and nowhere described, say nothing. */
  finish(): StructuredItem[] {
    return [...new Set(this.top)].filter((item) => item.properties.size > 0);
  }

  private readItem(node: JsonObject, depth: number): MutableItem | undefined {
    if (depth > MAX_DEPTH || --this.valuesLeft < 0) {
      this.isCut = true;
      return undefined;
    }
    this.names.addContext(node['@context']);
    const item = this.itemOf(node);
    for (const key of Object.keys(node)) {
      const name = this.names.localName(key);
      const value = node[key];
      if (value === undefined || value === null) continue;
      if (name === '@type') this.addTypes(item, value);
      else if (name === '@graph') this.addTop(value, depth + 1);
      else if (!name.startsWith('@')) this.addValues(item, name, value, depth);
    }
    return item;
  }

  private itemOf(node: JsonObject): MutableItem {
    const key = Object.keys(node).find((candidate) => this.names.localName(candidate) === '@id');
    const given = key === undefined ? undefined : node[key];
    const id = typeof given === 'string' && given.trim() !== '' ? given.trim() : undefined;
    const known = id === undefined ? undefined : this.byId.get(id);
    if (known !== undefined) return known;
    const item: MutableItem = { types: [], id, properties: new Map() };
    if (id !== undefined) this.byId.set(id, item);
    return item;
  }

  private addTypes(item: MutableItem, value: Json): void {
    for (const type of Array.isArray(value) ? value.slice(0, 20) : [value]) {
      if (typeof type !== 'string') continue;
      const name = this.names.localName(type);
      if (!item.types.includes(name)) item.types.push(name);
    }
  }

  private addValues(item: MutableItem, name: string, value: Json, depth: number): void {
    const found: StructuredValue[] = [];
    this.readValues(value, depth + 1, found);
    if (found.length === 0) return;
    const before = item.properties.get(name);
    if (before === undefined) item.properties.set(name, found);
    // The same item, described twice: what is new is added.
    else for (const each of found) if (!before.includes(each)) before.push(each);
  }

  private readValues(value: Json | undefined, depth: number, into: StructuredValue[]): void {
    if (value === null || value === undefined) return;
    if (typeof value !== 'object') {
      if (--this.valuesLeft < 0) this.isCut = true;
      else into.push(String(value));
      return;
    }
    if (depth > MAX_DEPTH) {
      this.isCut = true;
      return;
    }
    if (Array.isArray(value)) {
      for (const part of this.inLanguage(value)) this.readValues(part, depth + 1, into);
      return;
    }
    if (!isJsonObject(value)) return;
    const plain = this.plainValue(value);
    if (plain !== undefined) {
      this.readValues(plain, depth + 1, into);
      return;
    }
    const item = this.readItem(value, depth);
    if (item !== undefined && (item.types.length > 0 || item.properties.size > 0 || item.id !== undefined)) {
      into.push(item);
    }
  }

  /** What stands inside @value, @list, @set or a map of languages; undefined where the object is an item. */
  private plainValue(node: JsonObject): Json | undefined {
    const wrapped = node['@value'] ?? node['@list'] ?? node['@set'];
    if (wrapped !== undefined) return wrapped;
    const keys = Object.keys(node);
    const isLanguages = keys.length > 0 && keys.every((key) => /^[a-z]{2}(?:[-_][A-Za-z]{2,4})?$/.test(key));
    if (!isLanguages || !keys.every((key) => typeof node[key] === 'string')) return undefined;
    const own = keys.find((key) => key.slice(0, 2) === this.primaryLanguage);
    if (own !== undefined) return node[own];
    return keys.length > 1 ? node[keys[0] ?? ''] : undefined;
  }

  /** Of texts in several languages only those in the page's, if there are any. */
  private inLanguage(values: readonly Json[]): readonly Json[] {
    if (values.length < 2 || this.primaryLanguage === undefined) return values;
    const isOwn = (value: Json): boolean => {
      const language = isJsonObject(value) ? value['@language'] : undefined;
      return typeof language === 'string' && language.slice(0, 2).toLowerCase() === this.primaryLanguage;
    };
    return values.some(isOwn) ? values.filter(isOwn) : values;
  }
}
