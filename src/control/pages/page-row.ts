/** A page as people and machines get to see it: the names used by `page list`, `page show` and every export. */
export interface PageRow {
  readonly id: number;
  readonly url: string;
  readonly domain: string;
  readonly status: number;
  readonly title: string | null;
  readonly description: string | null;
  readonly canonicalUrl: string | null;
  readonly language: string | null;
  readonly contentType: string | null;
  readonly charset: string | null;
  readonly contentLength: number;
  readonly transferLength: number;
  /** SHA-256 of the visible text, hex. */
  readonly contentHash: string | null;
  /** 64 bits, hex. */
  readonly simhash: string | null;
  readonly textLength: number;
  readonly links: number;
  readonly images: number;
  readonly depth: number;
  readonly crawledAt: Date;
  readonly firstCrawledAt: Date;
  readonly durationMs: number;
  readonly noindex: boolean;
  readonly nofollow: boolean;
  readonly run: number | null;
  /** When it was last found with another text than before. */
  readonly changedAt: Date | null;
  /** It was not where it was, at the last readings. */
  readonly missingSince: Date | null;
  /** Missing often enough, on a site that is well, to be looked for only now and then. */
  readonly goneAt: Date | null;
}

/** Where the page's body lies, if it was kept. */
export interface PageBodyColumns {
  readonly segment: string | null;
  readonly segmentOffset: number | null;
  readonly segmentLength: number | null;
}

export type StoredPage = PageRow & PageBodyColumns;

/** The order of columns and fields. */
export const PAGE_FIELDS = [
  'url',
  'domain',
  'status',
  'title',
  'description',
  'canonicalUrl',
  'language',
  'contentType',
  'charset',
  'contentLength',
  'transferLength',
  'contentHash',
  'simhash',
  'textLength',
  'links',
  'images',
  'depth',
  'crawledAt',
  'firstCrawledAt',
  'durationMs',
  'noindex',
  'nofollow',
  'run',
  'id',
  'changedAt',
  'missingSince',
  'goneAt',
] as const satisfies readonly (keyof PageRow)[];

/** Without what only the store understands. */
export function toPageRow(page: StoredPage): PageRow {
  const { segment: _segment, segmentOffset: _offset, segmentLength: _length, ...row } = page;
  return row;
}
