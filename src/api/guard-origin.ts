/**
 * Requests that a page of another site makes a browser send. Names: a page may give its own name the address of this
 * machine, so a server on loopback answers to loopback's names only, and to addresses, which no page can give another
 * meaning. Origins: what a browser says comes from a page of another site is refused, but for links that people follow;
 * what changes something must come from our own pages or from no page at all. (The cookie is SameSite=Strict besides.)
 */
import { isIP } from 'node:net';
import type { FastifyRequest } from 'fastify';
import type { Config } from '../platform/config.ts';
import { Refusal } from './refusal.ts';

const SAFE_METHODS = new Set(['GET', 'HEAD', 'OPTIONS']);
const OWN_SITES = new Set<unknown>([undefined, 'same-origin', 'none']);

type GuardConfig = Pick<Config, 'host' | 'publicUrl' | 'trustedProxies'>;

export function guardHost(request: FastifyRequest, config: GuardConfig): void {
  const { host } = request.headers;
  // Browsers name it always.
  if (host === undefined) return;
  const names = namesOfServer(config);
  if (names === undefined || isKnown(withoutPort(host), names) || isKnown(hostnameOf(host), names)) return;
  throw new Refusal('unknown-host', `This server is not known as "${host.slice(0, 100)}".`, {
    hint: 'set FORAGER_PUBLIC_URL to the address under which people reach it',
  });
}

/** Whatever the method: also what only reads uses up what the visitor's own network may ask for. */
export function guardSite({ method, headers }: FastifyRequest): void {
  if (OWN_SITES.has(headers['sec-fetch-site'])) return;
  const isPage = (headers['sec-fetch-dest'] ?? 'document') === 'document';
  if (method === 'GET' && headers['sec-fetch-mode'] === 'navigate' && isPage) return;
  throw crossSite();
}

export function guardOrigin(request: FastifyRequest, config: GuardConfig): void {
  if (SAFE_METHODS.has(request.method)) return;
  const { origin } = request.headers;
  const isOwnSite = OWN_SITES.has(request.headers['sec-fetch-site']);
  if (isOwnSite && (origin === undefined || isOwnOrigin(origin, request, config))) return;
  throw crossSite();
}

function crossSite(): Refusal {
  return new Refusal('cross-site', 'A page of another site has sent this request.', {
    hint: 'programs send no Origin header; behind a proxy, set FORAGER_PUBLIC_URL to the address people use',
  });
}

function isKnown(hostname: string, names: ReadonlySet<string>): boolean {
  return names.has(hostname) || isIP(hostname.replace(/^\[|\]$/g, '')) !== 0;
}

/** As nearly everybody writes it; other spellings take the long way. */
function withoutPort(host: string): string {
  return host.replace(/:\d{1,5}$/, '');
}

const namesByConfig = new WeakMap<GuardConfig, ReadonlySet<string> | undefined>();

/** Undefined: it may be reached under any name. */
function namesOfServer(config: GuardConfig): ReadonlySet<string> | undefined {
  if (!namesByConfig.has(config)) namesByConfig.set(config, findNames(config));
  return namesByConfig.get(config);
}

function findNames({ host, publicUrl, trustedProxies }: GuardConfig): ReadonlySet<string> | undefined {
  const isLoopback = host === 'localhost' || host === '::1' || /^127\./.test(host);
  // Behind a proxy that is trusted it is the proxy's matter which names come through.
  if (!isLoopback || (trustedProxies.length > 0 && publicUrl === undefined)) return undefined;
  const names = new Set(['localhost']);
  return publicUrl === undefined ? names : names.add(new URL(publicUrl).hostname);
}

function isOwnOrigin(origin: string, request: FastifyRequest, { publicUrl }: GuardConfig): boolean {
  if (publicUrl !== undefined && origin === new URL(publicUrl).origin) return true;
  if (!URL.canParse(origin)) return false;
  const { host, protocol } = new URL(origin);
  // Whoever sits in between can write pages that come by http: those have no say over https.
  if (request.protocol === 'https' && protocol !== 'https:') return false;
  // What the browser says it speaks to; behind a proxy, what the proxy was asked for.
  return host === request.host.toLowerCase();
}

function hostnameOf(host: string): string {
  return URL.canParse(`http://${host}`) ? new URL(`http://${host}`).hostname : '';
}
