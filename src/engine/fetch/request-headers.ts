import { ACCEPT_ENCODING } from './content-encoding.ts';
import type { FetchRequest } from './fetch-result.ts';

const ACCEPT = {
  page: 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8',
  image: 'image/avif,image/webp,image/png,image/jpeg,image/gif;q=0.9,*/*;q=0.5',
  any: '*/*',
};
const ACCEPT_LANGUAGE = 'en-US,en;q=0.9,*;q=0.5';

/** Flat name, value, …; the Host header is the connection's business. */
export function buildRequestHeaders(request: FetchRequest): string[] {
  const headers = [
    'user-agent',
    toHeaderValue(request.userAgent),
    'accept',
    ACCEPT[request.accept],
    'accept-language',
    ACCEPT_LANGUAGE,
    'accept-encoding',
    ACCEPT_ENCODING,
  ];
  if (isHeaderValue(request.etag)) headers.push('if-none-match', request.etag);
  if (isHeaderValue(request.lastModified)) headers.push('if-modified-since', request.lastModified);
  if (isHeaderValue(request.cookie)) headers.push('cookie', request.cookie);
  return headers;
}

/** What cannot be sent back is left out: without its validator a page is simply fetched again. */
function isHeaderValue(value: string | undefined): value is string {
  return value !== undefined && value !== '' && /^[\t\x20-\x7e\x80-\xff]*$/.test(value);
}

function toHeaderValue(text: string): string {
  return text.replace(/[^\t\x20-\x7e\x80-\xff]/g, '');
}
