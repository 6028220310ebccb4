import { hash } from 'node:crypto';
import { normalizeQuery } from './normalize-query.ts';
import { normalizePercentEncoding } from './percent-encoding.ts';
import { stripSessionFromPath } from './session-ids.ts';

/**
 * Every URL exists twice: `url` is what is requested, as found (WHATWG-serialised, without fragment and
 * credentials); `key` is what it is deduplicated by. The two are kept apart because a server may insist on the
 * very spelling it linked to, while one page must not be fetched once per spelling.
 *
 * What the key merges: letter case of scheme and host, the scheme's own default port, dot segments,
 * percent-encoding (RFC 3986 §6.2.2), order of differently named parameters, tracking parameters, session ids,
 * Unicode and punycode hosts, a host's trailing dot, an empty query; on request a trailing slash. What it keeps
 * apart: everything a server may tell apart, such as http and https, `//` in a path, `a` and `a=`.
 *
 * Normalising a key gives the same key. Stored hashes depend on these rules: changing one orphans them.
 */
export type NormalizedUrl =
  | { readonly kind: 'ok'; readonly url: string; readonly key: string }
  | { readonly kind: 'bad'; readonly reason: string };

export interface NormalizeOptions {
  /** Treat `/a/` and `/a` as one page. Off by default: servers are free to serve two. */
  readonly stripTrailingSlash?: boolean;
}

/**
 * RFC 9110 §4.1 asks for at least 8000 octets, and the common servers refuse request lines beyond 8 KiB, so a
 * longer URL cannot be fetched anyway. (Browsers' old 2083 would lose real pages.) Counted without fragment.
 */
export const MAX_URL_LENGTH = 8192;

export function normalizeUrl(input: string, options?: NormalizeOptions): NormalizedUrl {
  let text = input;
  if (text.length > MAX_URL_LENGTH) {
    const hashAt = text.indexOf('#');
    if (hashAt !== -1) text = text.slice(0, hashAt);
    if (text.length > MAX_URL_LENGTH) return TOO_LONG;
  }
  let href: string;
  try {
    href = new URL(text).href;
  } catch {
    return { kind: 'bad', reason: explainUnparsable(text) };
  }
  return normalizeSerializedUrl(href, options);
}

/**
 * The same for text that is already a WHATWG serialisation (`URL.href`, or what `resolveLink` returns): saves
 * the second parse of every link of a page. Other text gives undefined results.
 */
export function normalizeSerializedUrl(href: string, options?: NormalizeOptions): NormalizedUrl {
  const authorityAt = href.startsWith('https://') ? 8 : href.startsWith('http://') ? 7 : 0;
  if (authorityAt === 0) {
    const scheme = href.slice(0, href.indexOf(':') + 1);
    return { kind: 'bad', reason: `the scheme ${scheme} is not http: or https:` };
  }
  const hashAt = href.indexOf('#');
  let url = hashAt === -1 ? href : href.slice(0, hashAt);
  if (url.length > MAX_URL_LENGTH) return TOO_LONG;

  let pathAt = url.indexOf('/', authorityAt);
  const atSignAt = url.indexOf('@', authorityAt);
  if (atSignAt !== -1 && atSignAt < pathAt) {
    // Credentials are never sent, so they have no business in the store, the exports or the log either.
    url = url.slice(0, authorityAt) + url.slice(atSignAt + 1);
    pathAt = url.indexOf('/', authorityAt);
  }

  const origin = stripTrailingDot(url.slice(0, pathAt), authorityAt);
  const pathAndQuery = url.slice(pathAt);
  if (origin.length === pathAt && options?.stripTrailingSlash !== true && !NEEDS_WORK.test(pathAndQuery)) {
    return { kind: 'ok', url, key: url };
  }
  return { kind: 'ok', url, key: origin + normalizePathAndQuery(pathAndQuery, options) };
}

/** SHA-256 of a key: what `urls.url_hash` holds. */
export function hashUrlKey(key: string): Buffer {
  return hash('sha256', key, 'buffer');
}

const TOO_LONG: NormalizedUrl = {
  kind: 'bad',
  reason: `the URL is longer than ${MAX_URL_LENGTH} characters`,
};

/** Whatever any rule for paths and queries could act upon; most links hold none of it. */
const NEEDS_WORK = /[%?;("[\\\]^`{|}]/;

function normalizePathAndQuery(pathAndQuery: string, options: NormalizeOptions | undefined): string {
  const questionAt = pathAndQuery.indexOf('?');
  const rawPath = questionAt === -1 ? pathAndQuery : pathAndQuery.slice(0, questionAt);
  const query = questionAt === -1 ? '' : normalizeQuery(pathAndQuery.slice(questionAt + 1));

  const encodedPath = normalizePercentEncoding(rawPath);
  let path = stripSessionFromPath(encodedPath);
  // `/a/..;jsessionid=1` has become `/a/..`, which would mean something else the next time it is parsed.
  if (path !== encodedPath && path.includes('/.')) path = new URL(`http://host${path}`).pathname;
  if (options?.stripTrailingSlash === true) path = stripTrailingSlashes(path);
  return query === '' ? path : `${path}?${query}`;
}

/** All of them, or `/a//` would lose one more each time it is normalised. The root stays. */
function stripTrailingSlashes(path: string): string {
  let end = path.length;
  while (end > 1 && path.charCodeAt(end - 1) === SLASH) end--;
  return path.slice(0, end);
}

/** `https://example.com.:8443` → `https://example.com:8443`; hosts of dots alone or ending in two stay. */
function stripTrailingDot(origin: string, authorityAt: number): string {
  let hostEnd = origin.length;
  let index = hostEnd - 1;
  while (index > authorityAt && isDigit(origin.charCodeAt(index))) index--;
  if (origin.charCodeAt(index) === COLON) hostEnd = index;

  if (origin.charCodeAt(hostEnd - 1) !== DOT || hostEnd - 1 === authorityAt) return origin;
  if (origin.charCodeAt(hostEnd - 2) === DOT) return origin;
  return origin.slice(0, hostEnd - 1) + origin.slice(hostEnd);
}

const SLASH = 0x2f;
const COLON = 0x3a;
const DOT = 0x2e;

function isDigit(code: number): boolean {
  return code >= 0x30 && code <= 0x39;
}

const SCHEME = /^[\0-\x20]*([a-z][a-z0-9+.-]*):/i;

function explainUnparsable(text: string): string {
  if (text.trim() === '') return 'the URL is empty';
  const scheme = SCHEME.exec(text)?.[1]?.toLowerCase();
  if (scheme === undefined) return 'not an absolute URL (it should start with http:// or https://)';
  if (scheme !== 'http' && scheme !== 'https') return `the scheme ${scheme}: is not http: or https:`;
  return 'the host or port is not valid';
}
