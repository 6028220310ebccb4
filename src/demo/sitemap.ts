import { escapeHtml } from './html.ts';

export interface SitemapEntry {
  readonly url: string;
  readonly modifiedOn: string;
}

const NAMESPACE = 'http://www.sitemaps.org/schemas/sitemap/0.9';

export function renderSitemap(entries: readonly SitemapEntry[]): string {
  const rows = entries.map(
    (entry) => `<url><loc>${escapeHtml(entry.url)}</loc><lastmod>${entry.modifiedOn}</lastmod></url>`,
  );
  return `<?xml version="1.0" encoding="UTF-8"?>\n<urlset xmlns="${NAMESPACE}">\n${rows.join('\n')}\n</urlset>\n`;
}

export function renderSitemapIndex(entries: readonly SitemapEntry[]): string {
  const rows = entries.map(
    (entry) => `<sitemap><loc>${escapeHtml(entry.url)}</loc><lastmod>${entry.modifiedOn}</lastmod></sitemap>`,
  );
  return `<?xml version="1.0" encoding="UTF-8"?>\n<sitemapindex xmlns="${NAMESPACE}">\n${rows.join('\n')}\n</sitemapindex>\n`;
}
