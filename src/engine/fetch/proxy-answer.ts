/**
 * Whether an answer to a request in absolute form is the proxy's own. Only the proxy can say so, and the target could
 * imitate it: what a target gains by that is to be asked through another proxy.
 */
import { describeAuthRefusal, isAuthRefusal } from './connect-tunnel.ts';
import { type FetchFailure, fail } from './fetch-failure.ts';
import { headerValue, type RawHeaders } from './fetch-result.ts';
import type { ProxyEndpoint } from './proxy-endpoint.ts';
import { proxyName } from './proxy-name.ts';

export function findProxyFailure(
  proxy: ProxyEndpoint,
  host: string,
  status: number,
  headers: RawHeaders,
): FetchFailure | undefined {
  if (status < 400) return undefined;
  if (status === 407) return describeAuthRefusal(proxy);
  // An answer that passed another intermediary before this proxy was not made by it.
  if ((headerValue(headers, 'via') ?? '').includes(',')) return undefined;
  const sign = findSign(headers);
  if (sign === undefined) return undefined;
  if (isAuthRefusal(status)) return describeAuthRefusal(proxy);
  const said = `${status}, ${sign.replace(/[^\x20-\x7e]/g, '').slice(0, 80)}`;
  return fail('proxy-tunnel', `The proxy ${proxyName(proxy)} does not get ${host} (${said}).`);
}

/** squid's header for its own errors, the standard one (RFC 9209), and tinyproxy's name on a page it made. */
function findSign(headers: RawHeaders): string | undefined {
  const squidError = headerValue(headers, 'x-squid-error');
  if (squidError !== undefined) return squidError;
  const nearest = headerValue(headers, 'proxy-status')?.split(',').at(-1);
  const standard = /;\s*error\s*=\s*"?([a-z_]+)/i.exec(nearest ?? '')?.[1];
  if (standard !== undefined) return standard;
  const server = headerValue(headers, 'server');
  return server !== undefined && /^tinyproxy\b/i.test(server) ? server : undefined;
}
