/** What a sitemap says of one page, or a sitemap index of one sitemap. */
export type SitemapEntry = SitemapUrl | SitemapReference;

export interface SitemapUrl {
  readonly kind: 'url';
  /** Absolute http(s) URL, otherwise as written; whether it is in scope is the caller's question. */
  readonly loc: string;
  readonly lastmod?: Date;
  readonly changefreq?: ChangeFrequency;
  /** 0 to 1, among the site's own pages. */
  readonly priority?: number;
}

export interface SitemapReference {
  readonly kind: 'sitemap';
  readonly loc: string;
  readonly lastmod?: Date;
}

export type ChangeFrequency = (typeof CHANGE_FREQUENCIES)[number];

export const CHANGE_FREQUENCIES = [
  'always',
  'hourly',
  'daily',
  'weekly',
  'monthly',
  'yearly',
  'never',
] as const;

/** How reading ended, and how much was read. */
export interface SitemapSummary {
  readonly kind: 'complete' | 'truncated-bytes' | 'truncated-urls' | 'not-a-sitemap' | 'bad-gzip';
  readonly urlCount: number;
  /** After decompression. */
  readonly byteCount: number;
}

/** Sitemaps 0.9 allows 2,048; the rest is leniency. A longer one is no URL anyone fetches, and is left out. */
export const MAX_LOC_CHARS = 4096;

/**
 * The location as an absolute http(s) URL, or undefined. What is absolute already stays as written: the frontier
 * normalises every URL anyway, and doing it twice would double the cost of a sitemap.
 */
export function resolveLocation(written: string, baseUrl: string): string | undefined {
  const trimmed = written.trim();
  if (trimmed === '' || trimmed.length > MAX_LOC_CHARS) return undefined;
  // The copy frees the chunk of text that the slice would keep in memory as long as the entry lives.
  if (/^https?:\/\/[^/]/i.test(trimmed)) return Buffer.from(trimmed, 'utf8').toString('utf8');
  try {
    const url = new URL(trimmed, baseUrl);
    return url.protocol === 'http:' || url.protocol === 'https:' ? url.href : undefined;
  } catch {
    return undefined;
  }
}
