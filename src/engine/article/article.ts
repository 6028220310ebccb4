/** What a page is about to its reader; decides which parts of it count as content. */
export type ArticleKind = 'article' | 'product' | 'forum' | 'documentation' | 'listing' | 'other';

/** The readable part of one page. Strings are copies: none pins the page in memory. */
export interface Article {
  readonly title: string;
  readonly byline?: string;
  /** ISO 8601, as exact as the page states it (a date, or a date with time and zone). */
  readonly publishedAt?: string;
  readonly siteName?: string;
  /** Lower case BCP 47. */
  readonly language?: string;
  readonly excerpt?: string;
  /** Paragraphs separated by blank lines, list items and table rows on lines of their own. */
  readonly text: string;
  /** CommonMark with GFM tables; safe to render: no raw HTML, no script or data links. */
  readonly markdown: string;
  readonly kind: ArticleKind;
  readonly wordCount: number;
}
