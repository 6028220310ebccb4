/** The kept body of a page, and what is derived from it when someone asks. */

import type { Article } from '../../engine/article/article.ts';
import { extractArticle } from '../../engine/article/extract-article.ts';
import { headerValue } from '../../engine/fetch/fetch-result.ts';
import { decodeHtml } from '../../engine/parse/decode-body.ts';
import { visibleText } from '../../engine/parse/scan-html.ts';
import { decodeStoredBody } from '../../engine/store/decode-stored-body.ts';
import { readExchange } from '../../engine/store/read-exchange.ts';
import { StoreError } from '../../engine/store/store-error.ts';
import type { PageBodyColumns } from './page-row.ts';

export type PageBody =
  | { readonly kind: 'kept'; readonly bytes: Buffer; readonly contentType: string | undefined }
  | { readonly kind: 'not-kept' }
  /** The row names a place that holds something else, or nothing. */
  | { readonly kind: 'unreadable'; readonly message: string };

/** The fetcher's own cap can be raised; nothing larger than this was ever archived. */
const MAX_BODY_BYTES = 1024 * 1024 * 1024;

export async function readPageBody(
  warcDirectory: string,
  page: PageBodyColumns & { readonly url: string },
  maxBytes = MAX_BODY_BYTES,
): Promise<PageBody> {
  const { segment, segmentOffset: offset, segmentLength: length } = page;
  if (segment === null || offset === null || length === null) return { kind: 'not-kept' };
  try {
    const exchange = await readExchange(warcDirectory, { segment, offset, length }, page.url);
    const bytes = decodeStoredBody(exchange, maxBytes);
    return { kind: 'kept', bytes, contentType: headerValue(exchange.headers, 'content-type') };
  } catch (error) {
    if (error instanceof StoreError) return { kind: 'unreadable', message: error.message };
    throw error;
  }
}

type KeptBody = Extract<PageBody, { kind: 'kept' }>;

export function htmlOf(body: KeptBody): string {
  return decodeHtml(body.bytes, body.contentType).text;
}

/** What a visitor sees of the page, all of it. */
export function visibleTextOf(body: KeptBody): string {
  return visibleText(htmlOf(body));
}

export function articleOf(body: KeptBody, url: string): Article {
  return extractArticle(htmlOf(body), url);
}
