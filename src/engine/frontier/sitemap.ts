/**
 * Reads a sitemap as it arrives: XML sitemap, sitemap index, plain list of URLs, RSS or Atom, gzipped or not.
 * Entries come in batches and nothing is held whole, so that a sitemap of any size, honest or not, costs a few
 * hundred kilobytes of memory.
 */
import { SitemapText } from './sitemap-bytes.ts';
import type { SitemapEntry, SitemapSummary } from './sitemap-entry.ts';
import { SitemapTextReader } from './sitemap-text.ts';
import { SitemapXmlReader } from './sitemap-xml.ts';

export type { SitemapEntry, SitemapReference, SitemapSummary, SitemapUrl } from './sitemap-entry.ts';

/** The limits of sitemaps 0.9 for one file. */
export const SITEMAP_MAX_BYTES = 50 * 1024 * 1024;
export const SITEMAP_MAX_URLS = 50_000;

export interface ReadSitemapOptions {
  /** Where it was found; relative locations, which the protocol forbids and sites use, resolve against it. */
  readonly url: string;
  /** Counted after decompression. */
  readonly maxBytes: number;
  readonly maxUrls: number;
}

/** Enough to make the caller's work per batch worthwhile, little enough to hold. */
const BATCH_ENTRIES = 500;

export function wellKnownSitemap(origin: string): string {
  return `${origin}/sitemap.xml`;
}

/**
 * Whatever the bytes are, the batches hold what could be read and the summary says how it ended; only an error
 * of the source itself (the connection broke) is passed on.
 */
export async function* readSitemap(
  chunks: AsyncIterable<Uint8Array>,
  options: ReadSitemapOptions,
): AsyncGenerator<SitemapEntry[], SitemapSummary> {
  const text = new SitemapText(chunks, options.maxBytes);
  let reader: SitemapReader | undefined;
  let urlCount = 0;
  for await (const piece of text) {
    reader ??= createReader(piece, options.url);
    reader.write(piece);
    if (reader.isHopeless) return { kind: 'not-a-sitemap', urlCount, byteCount: text.byteCount };
    if (urlCount + reader.entries.length > options.maxUrls) break;
    if (reader.entries.length < BATCH_ENTRIES) continue;
    urlCount += reader.entries.length;
    yield takeEntries(reader);
  }
  reader?.end(text.end === 'complete');
  const found = reader === undefined ? [] : takeEntries(reader);
  const last = found.slice(0, options.maxUrls - urlCount);
  urlCount += last.length;
  if (last.length > 0) yield last;
  const kind = last.length < found.length ? 'truncated-urls' : nameEnd(text, reader);
  return { kind, urlCount, byteCount: text.byteCount };
}

type SitemapReader = SitemapXmlReader | SitemapTextReader;

/** Markup anywhere near the top makes it XML: some servers print a warning before the document. */
function createReader(firstPiece: string, url: string): SitemapReader {
  const head = firstPiece.slice(0, 1024);
  const isXml =
    /^[\s\ufeff]*</.test(head) || /<(?:\?xml|(?:\w+:)?(?:urlset|sitemapindex|rss|feed)\b)/i.test(head);
  return isXml ? new SitemapXmlReader(url) : new SitemapTextReader(url);
}

function takeEntries(reader: SitemapReader): SitemapEntry[] {
  const entries = reader.entries;
  reader.entries = [];
  return entries;
}

function nameEnd(text: SitemapText, reader: SitemapReader | undefined): SitemapSummary['kind'] {
  if (text.end !== 'bad-gzip' && reader?.hasRoot !== true) return 'not-a-sitemap';
  return text.end;
}
