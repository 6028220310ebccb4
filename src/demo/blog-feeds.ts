import type { Article } from './blog-articles.ts';
import { escapeHtml } from './html.ts';

const ENTRIES_IN_FEED = 12;

export interface FeedHead {
  readonly title: string;
  readonly description: string;
  readonly origin: string;
}

export function renderRss(head: FeedHead, articles: readonly Article[]): string {
  const items = articles.slice(0, ENTRIES_IN_FEED).map(
    (article) => `<item><title>${escapeHtml(article.title)}</title>
<link>${escapeHtml(absolute(head, article))}</link><guid isPermaLink="true">${escapeHtml(absolute(head, article))}</guid>
<pubDate>${article.publishedAt.toUTCString()}</pubDate><description>${escapeHtml(article.summary)}</description></item>`,
  );
  return `<?xml version="1.0" encoding="UTF-8"?>
<rss version="2.0"><channel>
<title>${escapeHtml(head.title)}</title><link>${head.origin}</link>
<description>${escapeHtml(head.description)}</description>
${items.join('\n')}
</channel></rss>
`;
}

export function renderAtom(head: FeedHead, articles: readonly Article[]): string {
  const entries = articles.slice(0, ENTRIES_IN_FEED).map(
    (article) => `<entry><title>${escapeHtml(article.title)}</title>
<id>${escapeHtml(absolute(head, article))}</id><link href="${escapeHtml(absolute(head, article))}"/>
<updated>${article.publishedAt.toISOString()}</updated><author><name>${escapeHtml(article.author.name)}</name></author>
<summary>${escapeHtml(article.summary)}</summary></entry>`,
  );
  return `<?xml version="1.0" encoding="UTF-8"?>
<feed xmlns="http://www.w3.org/2005/Atom">
<title>${escapeHtml(head.title)}</title><id>${head.origin}</id>
<link rel="self" href="${head.origin}atom.xml"/><link href="${head.origin}"/>
<updated>${(articles[0]?.publishedAt ?? new Date(0)).toISOString()}</updated>
${entries.join('\n')}
</feed>
`;
}

function absolute(head: FeedHead, article: Article): string {
  return `${head.origin.slice(0, -1)}${article.path}`;
}
