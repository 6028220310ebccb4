import { createHash } from 'node:crypto';

/** One request as a site sees it: the server has already found out whose it is. */
export interface DemoRequest {
  /** Decoded by nobody: the path as it was sent, without the query. */
  readonly path: string;
  readonly query: URLSearchParams;
}

export interface DemoReply {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | Buffer;
  /** How long the server dawdles before it answers. */
  readonly dawdleMs?: number;
}

export interface DemoSite {
  readonly name: string;
  readonly domain: string;
  /** Origin with the trailing slash, for instance http://tinker-and-sons.localhost:4000/ */
  readonly url: string;
  readonly description: string;
  answer(request: DemoRequest): DemoReply;
}

/** A handler per exact path; sites with endless paths look at the rest themselves. */
export type Routes = Map<string, (request: DemoRequest) => DemoReply>;

/** Content that never changes needs a date that never changes. */
const CONTENT_DATE = new Date('2025-03-14T09:26:00Z');

export function replyWithHtml(html: string, extra: Readonly<Record<string, string>> = {}): DemoReply {
  return replyWithDocument('text/html; charset=utf-8', html, extra);
}

/** Answers 200 with validators, so that a second visit may be a 304. */
export function replyWithDocument(
  contentType: string,
  body: string | Buffer,
  extra: Readonly<Record<string, string>> = {},
): DemoReply {
  return {
    status: 200,
    headers: {
      'content-type': contentType,
      // Weak, because the same document also goes out gzipped.
      etag: `W/"${createHash('sha1').update(body).digest('base64url').slice(0, 16)}"`,
      'last-modified': CONTENT_DATE.toUTCString(),
      ...extra,
    },
    body,
  };
}

export function redirectTo(location: string, status: 301 | 302 | 307 | 308): DemoReply {
  return {
    status,
    headers: { location, 'content-type': 'text/plain; charset=utf-8' },
    body: `Please go to ${location}\n`,
  };
}

/** An unhappy ending, told in a page of the site's own look. */
export function replyWithTrouble(
  status: 404 | 410 | 503,
  html: string,
  extra: Readonly<Record<string, string>> = {},
): DemoReply {
  return { status, headers: { 'content-type': 'text/html; charset=utf-8', ...extra }, body: html };
}
