/**
 * What the names in a JSON-LD document stand for, by its contexts. Contexts are never fetched: schema.org's is known,
 * and of the others what is written on the page counts.
 */
import type { Json } from './tolerant-json.ts';

type JsonObject = { readonly [key: string]: Json };

export type Keyword = '@id' | '@type' | '@value' | '@list' | '@set' | '@graph' | '@language' | '@context';

const MAX_TERMS = 500;

export class JsonLdNames {
  private readonly terms = new Map<string, string>();
  private readonly resolved = new Map<string, string>();

  /** Takes in a context: an address, an object of terms, or a list of those. */
  addContext(context: Json | undefined): void {
    if (Array.isArray(context)) {
      for (const part of context.slice(0, 20)) this.addContext(part);
      return;
    }
    if (!isJsonObject(context)) return;
    for (const [term, meaning] of Object.entries(context)) {
      if (this.terms.size >= MAX_TERMS) return;
      const iri = isJsonObject(meaning) ? meaning['@id'] : meaning;
      if (typeof iri === 'string' && !term.startsWith('@')) this.terms.set(term, iri);
    }
    this.resolved.clear();
  }

  /** `Product` of `schema:Product`, `https://schema.org/Product` and of whatever a context calls it; keywords stay. */
  localName(name: string): string {
    const known = this.resolved.get(name);
    if (known !== undefined) return known;
    const local = toLocalName(this.terms.get(name) ?? name);
    if (this.resolved.size < MAX_TERMS) this.resolved.set(name, local);
    return local;
  }
}

function toLocalName(name: string): string {
  const trimmed = name.trim();
  if (trimmed.startsWith('@')) return trimmed;
  const cut = Math.max(trimmed.lastIndexOf('/'), trimmed.lastIndexOf('#'), trimmed.lastIndexOf(':'));
  return cut === -1 || cut === trimmed.length - 1 ? trimmed : trimmed.slice(cut + 1);
}

export function isJsonObject(value: Json | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
