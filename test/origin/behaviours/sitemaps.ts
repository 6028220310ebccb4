import { gzipSync } from 'node:zlib';
import type { Handler } from '../site.ts';
import { typed } from './types.ts';

const NAMESPACE = 'http://www.sitemaps.org/schemas/sitemap/0.9';

export function sitemapXml(urls: readonly string[], lastmod?: string): string {
  const date = lastmod === undefined ? '' : `<lastmod>${lastmod}</lastmod>`;
  const entries = urls.map((url) => `<url><loc>${escapeXml(url)}</loc>${date}</url>`).join('\n');
  return `<?xml version="1.0" encoding="UTF-8"?>\n<urlset xmlns="${NAMESPACE}">\n${entries}\n</urlset>\n`;
}

export function sitemapIndexXml(sitemaps: readonly string[]): string {
  const entries = sitemaps.map((url) => `<sitemap><loc>${escapeXml(url)}</loc></sitemap>`).join('\n');
  return `<?xml version="1.0" encoding="UTF-8"?>\n<sitemapindex xmlns="${NAMESPACE}">\n${entries}\n</sitemapindex>\n`;
}

export const sitemap = (urls: readonly string[]): Handler => typed('application/xml', sitemapXml(urls));
export const sitemapIndex = (sitemaps: readonly string[]): Handler =>
  typed('application/xml', sitemapIndexXml(sitemaps));
/** A gzip file, not a content encoding: the body itself is to be unpacked. */
export const gzippedSitemap = (urls: readonly string[]): Handler =>
  typed('application/gzip', gzipSync(sitemapXml(urls)));

function escapeXml(text: string): string {
  return text.replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/'/g, '&apos;');
}
