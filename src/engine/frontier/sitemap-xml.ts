/**
 * Picks the entries out of a sitemap, sitemap index, RSS or Atom document. Only direct children of an entry that
 * share the root's namespace prefix count: `image:loc` is not the page's address, and forty thousand hreflang
 * alternates cost no memory. Broken nesting loses the entry it is in, not the document.
 */
import { readWebDate } from './sitemap-date.ts';
import type { SitemapEntry } from './sitemap-entry.ts';
import { CHANGE_FREQUENCIES, type ChangeFrequency, MAX_LOC_CHARS, resolveLocation } from './sitemap-entry.ts';
import { readAttribute } from './sitemap-xml-entities.ts';
import { type XmlHandler, XmlScanner } from './sitemap-xml-scanner.ts';

/** Which elements hold an entry in each kind of document, and which of their children say what. */
const FORMATS: Readonly<Record<string, Format>> = {
  urlset: sitemapFormat(),
  sitemapindex: sitemapFormat(),
  // Some servers leave the root out.
  url: sitemapFormat(),
  sitemap: sitemapFormat(),
  rss: rssFormat(),
  rdf: rssFormat(),
  feed: {
    entries: { entry: 'url' },
    fields: { updated: 'lastmod', published: 'fallbackLastmod' },
    linkElement: 'link',
  },
};

interface Format {
  readonly entries: Readonly<Record<string, SitemapEntry['kind']>>;
  readonly fields: Readonly<Record<string, FieldName>>;
  /** Element whose href attribute is the location (Atom). */
  readonly linkElement?: string;
}

type FieldName = 'loc' | 'fallbackLoc' | 'lastmod' | 'fallbackLastmod' | 'changefreq' | 'priority';

function sitemapFormat(): Format {
  return {
    entries: { url: 'url', sitemap: 'sitemap' },
    fields: { loc: 'loc', lastmod: 'lastmod', changefreq: 'changefreq', priority: 'priority' },
  };
}

function rssFormat(): Format {
  return {
    entries: { item: 'url' },
    fields: { link: 'loc', guid: 'fallbackLoc', pubdate: 'lastmod', 'dc:date': 'fallbackLastmod' },
  };
}

/** A document that has opened this many elements without one of the roots above will not become a sitemap. */
const MAX_ELEMENTS_BEFORE_ROOT = 50;
/** Deeper nesting inside an entry is counted as that deep; a stray closing tag can then end it early, no more. */
const MAX_NESTING = 64;

export class SitemapXmlReader implements XmlHandler {
  isCapturing = false;
  /** Entries found since the caller last took them. */
  entries: SitemapEntry[] = [];
  readonly #scanner = new XmlScanner(this);
  readonly #baseUrl: string;
  #format: Format | undefined;
  #rootPrefix = '';
  #elementsBeforeRoot = 0;
  #entryName: string | undefined;
  #fields: Partial<Record<FieldName, string>> = {};
  /** Names of the elements open inside the entry, outermost first. */
  #nesting: string[] = [];
  #capturedField: FieldName | undefined;
  #captured = '';

  constructor(baseUrl: string) {
    this.#baseUrl = baseUrl;
  }

  get hasRoot(): boolean {
    return this.#format !== undefined;
  }

  get isHopeless(): boolean {
    return this.#format === undefined && this.#elementsBeforeRoot > MAX_ELEMENTS_BEFORE_ROOT;
  }

  write(text: string): void {
    this.#scanner.write(text);
  }

  /** An entry left open counts if its fields are whole; a field cut short does not. */
  end(): void {
    this.#scanner.end();
    this.#capturedField = undefined;
    this.#finishEntry();
  }

  onOpenTag(writtenName: string, attributes: string, isSelfClosing: boolean): void {
    const name = writtenName.toLowerCase();
    if (this.#format === undefined) {
      this.#openRoot(name);
      if (this.#format === undefined) return;
    }
    // Fields hold no elements: the closing tag of the one before was forgotten.
    if (this.isCapturing) this.#closeNested(this.#nesting.length - 1);
    const localName = this.#stripRootPrefix(name);
    if (localName !== undefined && this.#format.entries[localName] !== undefined) {
      this.#finishEntry();
      if (!isSelfClosing) this.#entryName = localName;
      return;
    }
    if (this.#entryName === undefined) return;
    if (this.#nesting.length === 0) this.#openField(localName ?? name, attributes, isSelfClosing);
    if (!isSelfClosing && this.#nesting.length < MAX_NESTING) this.#nesting.push(name);
  }

  onCloseTag(writtenName: string): void {
    if (this.#entryName === undefined) return;
    const name = writtenName.toLowerCase();
    if (this.#stripRootPrefix(name) === this.#entryName) this.#finishEntry();
    else this.#closeNested(this.#nesting.lastIndexOf(name));
  }

  onText(text: string): void {
    // One past the limit marks the field as too long without holding all of it.
    const room = MAX_LOC_CHARS + 1 - this.#captured.length;
    if (room > 0) this.#captured += text.length > room ? text.slice(0, room) : text;
  }

  #openRoot(name: string): void {
    const colon = name.indexOf(':');
    this.#format = Object.hasOwn(FORMATS, name.slice(colon + 1)) ? FORMATS[name.slice(colon + 1)] : undefined;
    if (this.#format !== undefined) {
      // RSS 1.0 wraps its items, which have no prefix, in rdf:RDF.
      this.#rootPrefix = name === 'rdf:rdf' ? '' : name.slice(0, colon + 1);
      return;
    }
    this.#elementsBeforeRoot += name === 'html' ? MAX_ELEMENTS_BEFORE_ROOT + 1 : 1;
  }

  #openField(name: string, attributes: string, isSelfClosing: boolean): void {
    if (this.#format === undefined) return;
    if (name === this.#format.linkElement) {
      const rel = readAttribute(attributes, 'rel') ?? 'alternate';
      const href = readAttribute(attributes, 'href');
      if (href !== undefined && rel.toLowerCase() === 'alternate') this.#fields.loc ??= href;
      return;
    }
    if (isSelfClosing || !Object.hasOwn(this.#format.fields, name)) return;
    const field = this.#format.fields[name];
    if (field === 'fallbackLoc' && readAttribute(attributes, 'ispermalink')?.toLowerCase() === 'false')
      return;
    this.#capturedField = field;
    this.#captured = '';
    this.isCapturing = true;
  }

  #closeNested(index: number): void {
    if (index === -1) return;
    this.#nesting.length = index;
    if (index > 0 || !this.isCapturing) return;
    this.isCapturing = false;
    if (this.#capturedField === undefined) return;
    // The first of two wins, as with every reader that looks a child up by name.
    this.#fields[this.#capturedField] ??= this.#captured;
    this.#capturedField = undefined;
  }

  #finishEntry(): void {
    if (this.#entryName !== undefined) {
      this.#closeNested(this.#nesting.length === 0 ? -1 : 0);
      const entry = this.#buildEntry(this.#entryName);
      if (entry !== undefined) this.entries.push(entry);
    }
    this.#entryName = undefined;
    this.#fields = {};
    this.#nesting = [];
    this.isCapturing = false;
  }

  #buildEntry(entryName: string): SitemapEntry | undefined {
    const fields = this.#fields;
    const written = fields.loc ?? fields.fallbackLoc;
    const loc = written === undefined ? undefined : resolveLocation(written, this.#baseUrl);
    if (loc === undefined) return undefined;
    const lastmod = readWebDate(fields.lastmod ?? '') ?? readWebDate(fields.fallbackLastmod ?? '');
    const dated = lastmod === undefined ? {} : { lastmod };
    if (this.#format?.entries[entryName] === 'sitemap') return { kind: 'sitemap', loc, ...dated };
    const changefreq = readChangeFrequency(fields.changefreq);
    const priority = readPriority(fields.priority);
    return {
      kind: 'url',
      loc,
      ...dated,
      ...(changefreq === undefined ? {} : { changefreq }),
      ...(priority === undefined ? {} : { priority }),
    };
  }

  #stripRootPrefix(name: string): string | undefined {
    if (this.#rootPrefix === '') return name.includes(':') ? undefined : name;
    return name.startsWith(this.#rootPrefix) ? name.slice(this.#rootPrefix.length) : undefined;
  }
}

function readChangeFrequency(text: string | undefined): ChangeFrequency | undefined {
  const word = text?.trim().toLowerCase();
  return CHANGE_FREQUENCIES.find((frequency) => frequency === word);
}

function readPriority(text: string | undefined): number | undefined {
  if (text === undefined || !/^\s*\d(\.\d*)?\s*$/.test(text)) return undefined;
  const priority = Number(text);
  return priority <= 1 ? priority : undefined;
}
