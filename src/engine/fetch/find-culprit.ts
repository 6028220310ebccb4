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
  'protocol-error',
]);

export function findCulprit(
  result: FetchResult,
  via: ProxyEndpoint,
  pulse: ProxyPulse,
): FetchResult | Promise<FetchResult> {
  if (result.kind !== 'failure' || result.proxyId === undefined || !DOUBTFUL.has(result.reason))
    return result;
  return pulse.feel(via).then((felt) => {
    if (felt === 'silent')
      return blame(result, 'proxy-unreachable', `${proxyName(via)} has stopped answering`);
    // One that hangs up on us whatever it is asked is not a proxy; one that dislikes the question may be.
    if (felt === 'talks-nonsense' || (felt === 'hangs-up' && result.reason === 'dropped')) {
      return blame(result, 'proxy-protocol', `${proxyName(via)} does not answer like a proxy of its kind`);
    }
    return result;
  });
}

function blame(
  result: Extract<FetchResult, { kind: 'failure' }>,
  reason: FetchFailureReason,
  what: string,
): FetchResult {
  return { ...result, reason, message: `The proxy ${what}: ${result.message}`, status: undefined };
}
