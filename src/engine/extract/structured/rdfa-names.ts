/** What the names in RDFa stand for at a place of the page: by the vocabulary and the prefixes declared around it. */
import { localProperty, localType } from './markup-names.ts';

/** Of those that every page may use undeclared, the ones that are found on pages of shops. */
const initialPrefixes: ReadonlyMap<string, string> = new Map([
  ['schema', 'http://schema.org/'],
  ['s', 'http://schema.org/'],
  ['gr', 'http://purl.org/goodrelations/v1#'],
  ['v', 'http://rdf.data-vocabulary.org/#'],
  ['og', 'http://ogp.me/ns#'],
  ['product', 'http://ogp.me/ns/product#'],
  ['foaf', 'http://xmlns.com/foaf/0.1/'],
  ['dc', 'http://purl.org/dc/terms/'],
  ['dcterms', 'http://purl.org/dc/terms/'],
  ['rdfs', 'http://www.w3.org/2000/01/rdf-schema#'],
  ['rdf', 'http://www.w3.org/1999/02/22-rdf-syntax-ns#'],
  ['owl', 'http://www.w3.org/2002/07/owl#'],
  ['xsd', 'http://www.w3.org/2001/XMLSchema#'],
  ['skos', 'http://www.w3.org/2004/02/skos/core#'],
]);

/** Relations of links that are about the link, not about a thing: even in a vocabulary they name no property of it. */
const linkTypes = new Set(
  `alternate amphtml apple-touch-icon author bookmark canonical dns-prefetch external help home icon image_src license
   lightbox manifest mask-icon modulepreload next nofollow noopener noreferrer opener ping pingback preconnect prefetch
   preload prerender prev search shortcut shortlink sponsored start stylesheet tag tooltip top ugc up`.split(
    /\s+/,
  ),
);

/** A page that declares more than this in all is not read for its names. */
const MAX_DECLARED = 100;
const MAX_NAMES = 10;

export class RdfaNames {
  private readonly vocabulary: string;
  private readonly prefixes: ReadonlyMap<string, string>;

  constructor(vocabulary = '', prefixes = initialPrefixes) {
    this.vocabulary = vocabulary;
    this.prefixes = prefixes;
  }

  /** The same, with what an element declares. */
  declare(vocabulary: string | undefined, declared: ReadonlyArray<readonly [string, string]>): RdfaNames {
    if (vocabulary === undefined && declared.length === 0) return this;
    let { prefixes } = this;
    if (declared.length > 0 && prefixes.size < MAX_DECLARED) {
      prefixes = new Map([...prefixes, ...declared.map(([name, iri]) => [name.toLowerCase(), iri] as const)]);
    }
    return new RdfaNames(vocabulary?.trim() ?? this.vocabulary, prefixes);
  }

  types(value: string | undefined): string[] {
    return readNames(value).map((name) => localType(this.expand(name)));
  }

  properties(value: string | undefined): string[] {
    return readNames(value).map((name) => localProperty(this.expand(name)));
  }

  /** rel and rev: without the relations of mere links. */
  relations(value: string | undefined): string[] {
    const names = readNames(value).filter(
      (name) => name.includes(':') || (this.vocabulary !== '' && !linkTypes.has(name.toLowerCase())),
    );
    return names.map((name) => localProperty(this.expand(name)));
  }

  /** A resource may be written as [prefix:name]; an address it is otherwise. */
  resource(value: string): string {
    const trimmed = value.trim();
    return trimmed.startsWith('[') && trimmed.endsWith(']') ? this.expand(trimmed.slice(1, -1)) : trimmed;
  }

  private expand(name: string): string {
    const colon = name.indexOf(':');
    if (colon === -1) return this.vocabulary === '' ? name : `${withSeparator(this.vocabulary)}${name}`;
    const base = this.prefixes.get(name.slice(0, colon).toLowerCase());
    return base === undefined || name.startsWith('//', colon + 1) ? name : base + name.slice(colon + 1);
  }
}

/** `prefix` of an element: pairs such as `gr: http://…`. */
export function readPrefixes(value: string | undefined): Array<readonly [string, string]> {
  if (value === undefined) return [];
  const found: Array<readonly [string, string]> = [];
  for (const [, name, iri] of value.slice(0, 4096).matchAll(/([^\s:]+):\s+(\S+)/g)) {
    if (name !== undefined && iri !== undefined) found.push([name, withSeparator(iri)]);
  }
  return found;
}

/** A vocabulary written without its last slash is meant with it. */
function withSeparator(iri: string): string {
  return /schema\.org$/i.test(iri) ? `${iri}/` : iri;
}

function readNames(value: string | undefined): string[] {
  if (value === undefined) return [];
  const names = value.slice(0, 4096).split(/[\t\n\f\r ]+/);
  return names.filter((name) => name !== '').slice(0, MAX_NAMES);
}
