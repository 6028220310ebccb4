/**
 * Whose fault it was that an answer through a proxy stayed away or broke off. A proxy that does not answer any more
 * never asked the site, or never passed on what it said: that must not count against the site.
 */
import type { FetchFailureReason, FetchResult } from './fetch-result.ts';
import type { ProxyEndpoint } from './proxy-endpoint.ts';
import { proxyName } from './proxy-name.ts';
import type { ProxyPulse } from './proxy-pulse.ts';

/** Endings of which a proxy that died may be the cause as well as the site. */
const DOUBTFUL: ReadonlySet<FetchFailureReason> = new Set([
  'connect-timeout',
  'tls-failed',
  'headers-timeout',
  'body-timeout',
  'dropped',
  'bad-length',
]);

export function findCulprit(
  result: FetchResult,
  via: ProxyEndpoint,
  pulse: ProxyPulse,
): FetchResult | Promise<FetchResult> {
  if (result.kind !== 'failure' || result.proxyId === undefined || !DOUBTFUL.has(result.reason))
    return result;
  return pulse.isAlive(via).then((isAlive) => {
    if (isAlive) return result;
    const message = `The proxy ${proxyName(via)} has stopped answering: ${result.message}`;
    return { ...result, reason: 'proxy-unreachable', message, status: undefined };
  });
}
