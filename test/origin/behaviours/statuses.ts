import { type Handler, htmlPage } from '../site.ts';

/** Always this status. */
export function status(code: number, headers: Record<string, string> = {}, body?: string): Handler {
  return ({ response }) => {
    response.writeHead(code, { 'content-type': 'text/html; charset=utf-8', ...headers });
    response.end(body ?? htmlPage(`Status ${code}`));
  };
}

export interface ThrottleOptions {
  /** Value of Retry-After: seconds, a date, or what the server thinks is one; none when left out. */
  readonly retryAfter?: string | (() => string);
  /** Visits that are refused before the page is served. */
  readonly clearsAfter: number;
  readonly page?: Handler;
}

/** 429 for the first visits, then the page. */
export function tooManyRequests(options: ThrottleOptions): Handler {
  return refuseFirst(429, options);
}

/** 503 for the first visits, then the page. */
export function unavailable(options: ThrottleOptions): Handler {
  return refuseFirst(503, options);
}

/** For `retryAfter`: the HTTP-date this many seconds from now. */
export function httpDateIn(seconds: number): () => string {
  return () => new Date(Date.now() + seconds * 1000).toUTCString();
}

function refuseFirst(code: number, options: ThrottleOptions): Handler {
  const page = options.page ?? status(200, {}, htmlPage('Served at last'));
  return (exchange) => {
    if (exchange.visit > options.clearsAfter) return page(exchange);
    const { retryAfter } = options;
    const value = typeof retryAfter === 'function' ? retryAfter() : retryAfter;
    return status(code, value === undefined ? {} : { 'retry-after': value })(exchange);
  };
}

/** Status 500 with a body that is far too long and of no page's type. */
export const hugeError: Handler = ({ response }) => {
  response.writeHead(500, { 'content-type': 'application/octet-stream' });
  response.end(Buffer.alloc(5_000_000, 'e'));
};
