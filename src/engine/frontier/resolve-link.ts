/**
 * The absolute http(s) URL a raw href means on a page, WHATWG-serialised and without fragment; undefined for
 * what leads to no other page (`#top`, an empty href) or is no web link (`mailto:`, `javascript:`, `tel:` …).
 *
 * `href` comes with its HTML entities decoded. Links outnumber pages forty to one and parsing costs over a
 * microsecond, so the two everyday shapes (`/path?query` and an absolute link into the same origin), written in
 * characters that serialise to themselves, are joined by hand. Everything else goes through the URL parser.
 */
export function resolveLink(href: string, base: string): string | undefined {
  if (href === '') return undefined;
  const first = href.charCodeAt(0);
  if (first === HASH) return undefined;

  const { origin } = rememberBase(base);
  if (origin !== undefined) {
    if (first === SLASH) {
      const second = href.charCodeAt(1);
      if (second !== SLASH && second !== BACKSLASH) {
        const end = findPlainEnd(href, 0);
        if (end !== -1) return origin + (end === href.length ? href : href.slice(0, end));
      }
    } else if (href.startsWith(origin) && href.charCodeAt(origin.length) === SLASH) {
      const end = findPlainEnd(href, origin.length);
      if (end !== -1) return end === href.length ? href : href.slice(0, end);
    }
  }
  if (isForeignScheme(href)) return undefined;
  return parseLink(href, base);
}

function parseLink(href: string, base: string): string | undefined {
  // The parser drops what HTML calls space around a URL, so ` #top ` is a fragment too.
  if (BLANK_OR_FRAGMENT.test(href)) return undefined;
  let resolved: string;
  try {
    resolved = new URL(href, base).href;
  } catch {
    return undefined;
  }
  if (!resolved.startsWith('http://') && !resolved.startsWith('https://')) return undefined;
  const hashAt = resolved.indexOf('#');
  return hashAt === -1 ? resolved : resolved.slice(0, hashAt);
}

const SLASH = 0x2f;
const BACKSLASH = 0x5c;
const HASH = 0x23;
const BLANK_OR_FRAGMENT = /^[\0-\x20]*(?:#|$)/;

/** A scheme that is spelled without embedded tabs or newlines, and is neither http nor https. */
function isForeignScheme(href: string): boolean {
  const scheme = SCHEME.exec(href)?.[1]?.toLowerCase();
  return scheme !== undefined && scheme !== 'http' && scheme !== 'https';
}
const SCHEME = /^[\0-\x20]*([a-z][a-z0-9+.-]*):/i;

/**
 * Where the link ends, or its fragment starts, if from `pathAt` on it is a path and query that the URL parser
 * would hand back unchanged; -1 otherwise. A segment that starts with `.` or `%` might be a dot segment.
 */
function findPlainEnd(href: string, pathAt: number): number {
  let isInPath = true;
  let previous = 0;
  for (let index = pathAt; index < href.length; index++) {
    const code = href.charCodeAt(index);
    if (code === HASH) return index;
    if (code > 0x7e || PLAIN[code] !== 1) return -1;
    if (isInPath) {
      if (previous === SLASH && (code === 0x2e || code === 0x25)) return -1;
      if (code === 0x3f) isInPath = false;
      previous = code;
    }
  }
  return href.length;
}

/** Characters that serialise to themselves in both path and query. */
const PLAIN: Uint8Array = (() => {
  const table = new Uint8Array(128);
  const chars = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~/?%&=+,;:@!$()*|';
  for (const char of chars) table[char.charCodeAt(0)] = 1;
  return table;
})();

interface RememberedBase {
  readonly base: string;
  /** Undefined when links cannot simply be joined to it: not http(s), invalid, or with credentials. */
  readonly origin: string | undefined;
}

/** All links of a page share its base: remembering the last one is enough. */
let remembered: RememberedBase = { base: '', origin: undefined };

function rememberBase(base: string): RememberedBase {
  if (remembered.base !== base) remembered = { base, origin: readPlainOrigin(base) };
  return remembered;
}

function readPlainOrigin(base: string): string | undefined {
  try {
    const url = new URL(base);
    if (url.protocol !== 'http:' && url.protocol !== 'https:') return undefined;
    return url.username === '' && url.password === '' ? url.origin : undefined;
  } catch {
    return undefined;
  }
}
