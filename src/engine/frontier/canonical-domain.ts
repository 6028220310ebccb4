import { getDomain } from 'tldts';

/**
 * A domain's identity: the host in lower case and punycode without `www.`, trailing dot and default port. It is
 * the unit of ownership, politeness and budget, so every spelling of a site must lead to the same name, and
 * canonicalising a canonical name must change nothing.
 *
 * Accepts a URL, its text, or a bare name as people type it (`Example.COM`, `münchen.de`, `localhost:8001`).
 * Undefined for what names no web host.
 */
export function canonicalDomain(input: URL | string): string | undefined {
  if (typeof input !== 'string')
    return isWebUrl(input) ? canonicalizeHost(input.hostname, input.port) : undefined;

  // Links of one page name few hosts: the authority alone decides, so it is the cache's key.
  const authority = sliceAuthority(input);
  if (authority === undefined) return parseDomain(input);
  const cached = canonicalByAuthority.get(authority);
  if (cached !== undefined) return cached;
  const domain = parseDomain(`http://${authority}`);
  if (domain !== undefined) canonicalByAuthority.set(authority, domain);
  return domain;
}

/**
 * The registrable domain (public suffix and one label) that a canonical domain belongs to; ports are ignored.
 * Suffixes run by companies (github.io, blogspot.com) count as public: their subdomains have different owners.
 * What has none (addresses, localhost, a bare suffix) stands for itself, port included, since different ports
 * of one address are different sites.
 */
export function registrableDomain(domain: string): string {
  const cached = registrableByDomain.get(domain);
  if (cached !== undefined) return cached;
  const registrable = findRegistrable(stripPort(domain)) ?? domain;
  registrableByDomain.set(domain, registrable);
  return registrable;
}

const CACHE_SIZE = 10_000;

/**
 * Forgets the older half when full: hosts come in bursts, so order of arrival is good enough. (Taking the oldest
 * entry out of one map time and again costs more than what is cached: its first key must be searched for.)
 */
class BoundedCache {
  #recent = new Map<string, string>();
  #older = new Map<string, string>();

  get(key: string): string | undefined {
    return this.#recent.get(key) ?? this.#older.get(key);
  }

  set(key: string, value: string): void {
    if (this.#recent.size >= CACHE_SIZE / 2) {
      this.#older = this.#recent;
      this.#recent = new Map();
    }
    // A slice would keep the page it was cut from alive as long as the entry: store a copy.
    this.#recent.set(Buffer.from(key, 'utf8').toString('utf8'), value);
  }
}

const canonicalByAuthority = new BoundedCache();
const registrableByDomain = new BoundedCache();

/** DNS names end at 253 characters; the rest is room for credentials, escapes and port. */
const MAX_CACHED_AUTHORITY_LENGTH = 300;

function sliceAuthority(url: string): string | undefined {
  const start = url.startsWith('https://') ? 8 : url.startsWith('http://') ? 7 : 0;
  if (start === 0) return undefined;
  let end = start;
  for (; end < url.length; end++) {
    const code = url.charCodeAt(end);
    if (code === 0x2f || code === 0x3f || code === 0x23 || code === 0x5c) break; // / ? # \
  }
  if (end === start || end - start > MAX_CACHED_AUTHORITY_LENGTH) return undefined;
  return url.slice(start, end);
}

/** RFC 1035 §2.3.4: 255 octets on the wire, which leaves this many characters. */
const MAX_HOST_LENGTH = 253;

/** `http:8080` is a host called http and its port, as `localhost:8080` is: no URL looks like that. */
const WEB_SCHEME = /^[\0-\x20]*https?:(?!\d+(?:[/\\?#]|[\0-\x20]*$))/i;
const OTHER_SCHEME = /^[\0-\x20]*[a-z][a-z0-9+.-]*:\/\//i;

function parseDomain(text: string): string | undefined {
  let absolute = text;
  if (!WEB_SCHEME.test(text)) {
    if (OTHER_SCHEME.test(text)) return undefined;
    const name = text.trim().replace(/^\/\//, '');
    // `mailto:a@b` and `user@host` would otherwise pass as credentials and a host.
    if (name === '' || /^[/\\?#]/.test(name) || /^[^/\\?#]*@/.test(name)) return undefined;
    absolute = `http://${name}`;
  }
  try {
    const url = new URL(absolute);
    return canonicalizeHost(url.hostname, url.port);
  } catch {
    return undefined;
  }
}

function isWebUrl(url: URL): boolean {
  return url.protocol === 'http:' || url.protocol === 'https:';
}

function canonicalizeHost(hostname: string, port: string): string | undefined {
  let host = hostname.endsWith('.') ? hostname.slice(0, -1) : hostname;
  // The URL standard lets empty labels pass; no such name exists in the DNS.
  if (host === '' || host.startsWith('.') || host.endsWith('.') || host.includes('..')) return undefined;
  // Nor does it mind names no DNS can hold; a page that links to one must not stop the crawl that stores it.
  if (host.length > MAX_HOST_LENGTH) return undefined;
  while (host.startsWith('www.')) {
    const rest = host.slice(4);
    // `www.com` and `www.co.uk` are somebody's own names, not the www of a suffix.
    if (findRegistrable(rest) === undefined) break;
    host = rest;
  }
  // The name carries no scheme, so both schemes' defaults mean "the web server of this host".
  return port === '' || port === '80' || port === '443' ? host : `${host}:${port}`;
}

function findRegistrable(host: string): string | undefined {
  return getDomain(host, SUFFIX_OPTIONS) ?? undefined;
}

const SUFFIX_OPTIONS = {
  allowPrivateDomains: true,
  extractHostname: false,
  validateHostname: false,
} as const;

function stripPort(domain: string): string {
  const colonAt = domain.lastIndexOf(':');
  if (colonAt === -1 || domain.endsWith(']')) return domain;
  return domain.slice(0, colonAt);
}
