/**
 * How one HTTP exchange ended, as a value. Nothing in fetch/ throws for what a server or the network does:
 * every ending is one of these kinds, and `engine/outcome.ts` says what each of them means for the URL,
 * the domain and the run.
 */

import type { ProxyEndpoint } from './proxy-endpoint.ts';

/** Header names and values exactly as received, flat: name, value, name, value, … */
export type RawHeaders = readonly string[];

export interface FetchRequest {
  /** Absolute http(s) URL, requested as found. */
  readonly url: string;
  readonly userAgent: string;
  readonly etag?: string | undefined;
  readonly lastModified?: string | undefined;
  /** The proxy to go through; undefined: directly. */
  readonly via?: ProxyEndpoint | undefined;
  /** Value of the Cookie header. */
  readonly cookie?: string | undefined;
  /** Value of the Accept header; also decides which content types are worth downloading. */
  readonly accept: 'page' | 'image' | 'any';
  /** Cap on the body, counted after decompression. */
  readonly maxBodyBytes: number;
  /** Over the whole exchange: name look-up, connection, headers, body. */
  readonly timeoutMs: number;
  /**
   * What to do at the cap: `fail` ends the exchange as `too-large`, `truncate` keeps what arrived up to
   * the cap (robots.txt is parsed up to its limit, not refused).
   */
  readonly onOversize: 'fail' | 'truncate';
  /**
   * A request on a kept connection that the server closed unanswered is sent once more; not before this
   * long, because the server may have seen it. The timeout begins anew with it.
   */
  readonly repeatDelayMs?: number | undefined;
  /** Ends the exchange early as `aborted`. */
  readonly signal?: AbortSignal | undefined;
}

/** When things happened, in milliseconds of the monotonic clock; pacing anchors on these. */
export interface FetchTiming {
  /** When the request's bytes were handed to a connected socket (or, if never, when the exchange began). */
  readonly sentAtMs: number;
  /** When response headers arrived; undefined if they never did. */
  readonly headersAtMs: number | undefined;
  readonly durationMs: number;
}

export interface ResponseHead {
  readonly status: number;
  readonly headers: RawHeaders;
  /** The address connected to. */
  readonly remoteAddress: string | undefined;
}

export type FetchFailureReason =
  | 'bad-url'
  /** A port that is not for the web. */
  | 'bad-port'
  | 'private-address'
  | 'dns-not-found'
  | 'dns-failed'
  | 'connect-refused'
  | 'connect-failed'
  | 'connect-timeout'
  | 'tls-failed'
  | 'headers-timeout'
  | 'body-timeout'
  | 'dropped'
  | 'protocol-error'
  | 'bad-length'
  | 'bad-encoding'
  | 'too-large'
  /** No connection to the proxy: refused, not resolved, timed out, no TLS, a private address that is not allowed. */
  | 'proxy-unreachable'
  /** The proxy does not accept our user name and password (407). */
  | 'proxy-auth'
  /** The proxy answered that it cannot or will not reach the target. */
  | 'proxy-tunnel'
  /** What answers there is no proxy of the kind it is said to be. */
  | 'proxy-protocol'
  /** There is no proxy to go through just now: nobody was asked. */
  | 'no-exit'
  /** This machine had none to give: it says nothing about the site. */
  | 'no-socket'
  | 'aborted';

/** The proxy that the answer came through, or that failed; undefined: none was asked. */
interface Exit {
  readonly proxyId?: number | undefined;
}

export type FetchResult = Exit & FetchEnding;

type FetchEnding =
  | ({
      readonly kind: 'response';
      /** Body as received on the wire after de-chunking, still content-encoded: what the archive keeps. */
      readonly rawBody: Buffer;
      /** Body after decompression (the same buffer when there was no content encoding). */
      readonly body: Buffer;
      readonly isTruncated: boolean;
      readonly timing: FetchTiming;
    } & ResponseHead)
  | ({ readonly kind: 'redirect'; readonly location: string; readonly timing: FetchTiming } & ResponseHead)
  | ({ readonly kind: 'not-modified'; readonly timing: FetchTiming } & ResponseHead)
  /** The answer is of a type nobody asked for (an image behind a link, a video): the body was not read. */
  | ({
      readonly kind: 'unwanted-type';
      readonly contentType: string;
      readonly timing: FetchTiming;
    } & ResponseHead)
  | {
      readonly kind: 'failure';
      readonly reason: FetchFailureReason;
      /** One sentence for a person. */
      readonly message: string;
      readonly status: number | undefined;
      readonly timing: FetchTiming;
    };

export type FetchPage = (request: FetchRequest) => Promise<FetchResult>;

/** Case-insensitive look-up; repeated headers are joined with ", " as RFC 9110 §5.3 says. */
export function headerValue(headers: RawHeaders, name: string): string | undefined {
  const wanted = name.toLowerCase();
  let found: string | undefined;
  for (let i = 0; i + 1 < headers.length; i += 2) {
    if (headers[i]?.toLowerCase() !== wanted) continue;
    const value = headers[i + 1] ?? '';
    found = found === undefined ? value : `${found}, ${value}`;
  }
  return found;
}

/** Every value of a header that may be repeated with its own meaning each time (X-Robots-Tag). */
export function headerValues(headers: RawHeaders, name: string): string[] {
  const wanted = name.toLowerCase();
  const found: string[] = [];
  for (let i = 0; i + 1 < headers.length; i += 2) {
    if (headers[i]?.toLowerCase() === wanted) found.push(headers[i + 1] ?? '');
  }
  return found;
}
