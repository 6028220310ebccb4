/** The door of fetch/: one function that turns a request into a FetchResult, whatever the web does. */
import { setMaxListeners } from 'node:events';
import { monotonicMs } from '../../platform/clock.ts';
import { Exchange } from './exchange.ts';
import type { FetchRequest, FetchResult } from './fetch-result.ts';
import { findCulprit } from './find-culprit.ts';
import { PoolDirectory } from './pool-directory.ts';
import { ProxyPulse } from './proxy-pulse.ts';
import { createResolver, type Resolver } from './resolver.ts';
import type { ReachException, Target } from './socket-opening.ts';
import { isWebPort } from './web-port.ts';

export interface FetcherOptions {
  /** Lets the fetcher speak to loopback, private and other addresses that are not public. */
  readonly allowPrivate: boolean;
  /** Lets proxies, and nothing else, be on loopback and private addresses. */
  readonly allowPrivateProxies?: boolean | undefined;
  /** Exceptions, where it may not: a demo web's own address, and nothing else on this machine. */
  readonly mayReach?: ReachException | undefined;
  readonly maxConnectionsPerOrigin: number;
  /** Origins whose connections are kept; beyond it the longest unused idle ones are closed. */
  readonly maxOrigins: number;
  readonly connectTimeoutMs: number;
  readonly resolver?: Resolver;
  /** Certificate authorities to trust instead of Node's own, PEM. */
  readonly ca?: string;
}

export interface Fetcher {
  /** Never rejects. Redirects are an ending, not followed: scope, robots and pacing come first. */
  fetch(request: FetchRequest): Promise<FetchResult>;
  /** Ends what is under way as `aborted` and closes every connection. */
  close(): Promise<void>;
}

export function createFetcher(options: FetcherOptions): Fetcher {
  const { allowPrivate, allowPrivateProxies, mayReach, connectTimeoutMs, ca } = options;
  const { maxConnectionsPerOrigin, maxOrigins } = options;
  const resolver = options.resolver ?? createResolver();
  const opener = { resolver, allowPrivate, allowPrivateProxies, mayReach, connectTimeoutMs, ca };
  const pools = new PoolDirectory({ opener, maxConnectionsPerOrigin, maxOrigins });
  const pulse = new ProxyPulse(opener);
  const underWay = new Set<Exchange>();
  let isClosed = false;

  function run(request: FetchRequest, url: URL): Promise<FetchResult> {
    return new Promise((resolve) => {
      const { signal, via } = request;
      const origin = url.origin;
      const exchange = new Exchange(
        request,
        url,
        () => pools.poolFor(origin, via, () => toTarget(url)),
        (result) => {
          underWay.delete(exchange);
          signal?.removeEventListener('abort', onAbort);
          resolve(via === undefined ? result : findCulprit(result, via, pulse));
        },
      );
      const onAbort = () => exchange.abort('The fetch was called off.');
      underWay.add(exchange);
      signal?.addEventListener('abort', onAbort, { once: true });
      exchange.start();
    });
  }

  return {
    async fetch(request) {
      const url = parseHttpUrl(request.url);
      if (!url) return endEarly('bad-url', `"${request.url.slice(0, 200)}" is not an http or https URL.`);
      if (!isWebPort(url.port)) {
        return endEarly('bad-port', `Port ${url.port} of ${url.hostname} is not for the web.`);
      }
      if (isClosed) return endEarly('aborted', 'The fetcher is closed.');
      if (request.signal?.aborted) return endEarly('aborted', 'The fetch was called off.');
      if (request.signal) allowManyListeners(request.signal);
      return await run(request, url);
    },
    async close() {
      isClosed = true;
      for (const exchange of [...underWay]) exchange.abort('The fetcher is closed.');
      pools.close();
      pulse.close();
      if (!options.resolver) resolver.close();
    },
  };
}

function parseHttpUrl(text: string): URL | undefined {
  try {
    const url = new URL(text);
    return url.protocol === 'http:' || url.protocol === 'https:' ? url : undefined;
  } catch {
    return undefined;
  }
}

function toTarget(url: URL): Target {
  const isSecure = url.protocol === 'https:';
  return {
    protocol: isSecure ? 'https:' : 'http:',
    hostname: url.hostname.replace(/^\[(.*)\]$/, '$1'),
    port: url.port === '' ? (isSecure ? 443 : 80) : Number(url.port),
  };
}

function endEarly(reason: 'bad-url' | 'bad-port' | 'aborted', message: string): FetchResult {
  const timing = { sentAtMs: monotonicMs(), headersAtMs: undefined, durationMs: 0 };
  return { kind: 'failure', reason, message, status: undefined, timing };
}

const roomySignals = new WeakSet<AbortSignal>();

/** One signal is shared by every fetch of a run; Node would report the eleventh listener as a leak. */
function allowManyListeners(signal: AbortSignal): void {
  if (roomySignals.has(signal)) return;
  roomySignals.add(signal);
  setMaxListeners(0, signal);
}
