/**
 * Requests that a page of another site makes a browser send. Names: a page may give its own name the address of this
 * machine, so a server on loopback answers to loopback's names only. Origins: what changes something must come from
 * our own pages or from no page at all. (The cookie is SameSite=Strict besides.)
 */
import type { FastifyRequest } from 'fastify';
import type { Config } from '../platform/config.ts';
import { Refusal } from './refusal.ts';

const LOOPBACK_NAMES = new Set(['localhost', '127.0.0.1', '[::1]']);
const SAFE_METHODS = new Set(['GET', 'HEAD', 'OPTIONS']);

type GuardConfig = Pick<Config, 'host' | 'publicUrl' | 'trustedProxies'>;

export function guardHost(request: FastifyRequest, config: GuardConfig): void {
  const names = namesOfServer(config);
  if (names === undefined || names.has(hostnameOf(request.headers.host ?? ''))) return;
  throw new Refusal(
    'unknown-host',
    `This server is not known as "${request.headers.host?.slice(0, 100) ?? ''}".`,
    {
      hint: 'set FORAGER_PUBLIC_URL to the address under which people reach it',
    },
  );
}

export function guardOrigin(request: FastifyRequest, config: GuardConfig): void {
  if (SAFE_METHODS.has(request.method)) return;
  const site = request.headers['sec-fetch-site'];
  const { origin } = request.headers;
  const isForeignSite = site !== undefined && site !== 'same-origin' && site !== 'none';
  if (!isForeignSite && (origin === undefined || isOwnOrigin(origin, request, config))) return;
  throw new Refusal('cross-site', 'A page of another site has sent this request.', {
    hint: 'programs send no Origin header; behind a proxy, set FORAGER_PUBLIC_URL to the address people use',
  });
}

/** Undefined: it may be reached under any name. */
function namesOfServer({ host, publicUrl, trustedProxies }: GuardConfig): Set<string> | undefined {
  const isLoopback = host === 'localhost' || host === '::1' || /^127\./.test(host);
  // Behind a proxy that is trusted it is the proxy's matter which names come through.
  if (!isLoopback || (trustedProxies.length > 0 && publicUrl === undefined)) return undefined;
  const names = new Set(LOOPBACK_NAMES).add(host.includes(':') ? `[${host}]` : host);
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
