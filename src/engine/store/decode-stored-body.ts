import { decodeSmallBody, parseContentEncoding } from '../fetch/content-encoding.ts';
import { headerValue } from '../fetch/fetch-result.ts';
import type { StoredExchange } from './body-store.ts';
import { StoreError } from './store-error.ts';

/** Undoes the content encoding of an archived body; throws a StoreError if it cannot, or beyond `maxBytes`. */
export function decodeStoredBody(exchange: StoredExchange, maxBytes: number): Buffer {
  const listed = parseContentEncoding(headerValue(exchange.headers, 'content-encoding'));
  if (listed.kind === 'unknown') throw new StoreError('BAD_ENCODING', exchange.url, listed.message);
  const decoded = decodeSmallBody(exchange.rawBody, listed.encodings, maxBytes);
  if (decoded.kind === 'bad-encoding') throw new StoreError('BAD_ENCODING', exchange.url, decoded.message);
  if (decoded.kind === 'too-large' || decoded.body.length > maxBytes) {
    const message = `The archived body of ${exchange.url} unfolds to more than ${maxBytes} bytes.`;
    throw new StoreError('TOO_LARGE', exchange.url, message);
  }
  return decoded.body;
}
