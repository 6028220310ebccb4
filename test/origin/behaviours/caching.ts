import type { Handler } from '../site.ts';

export interface Validators {
  readonly etag?: string;
  readonly lastModified?: string;
}

/** Serves the page once and answers 304 to whoever shows that they have it. */
export function cacheable(body: string, validators: Validators): Handler {
  return ({ request, response }) => {
    const { etag, lastModified } = validators;
    const headers = {
      ...(etag === undefined ? {} : { etag }),
      ...(lastModified === undefined ? {} : { 'last-modified': lastModified }),
    };
    const asked = request.headers['if-none-match'];
    // RFC 9110 §13.2.2: If-None-Match decides, If-Modified-Since only in its absence.
    const isCurrent =
      asked === undefined
        ? lastModified !== undefined && request.headers['if-modified-since'] === lastModified
        : asked === etag;
    if (isCurrent) {
      response.writeHead(304, headers);
      response.end();
      return;
    }
    response.writeHead(200, { 'content-type': 'text/html; charset=utf-8', ...headers });
    response.end(body);
  };
}
