/**
 * From an origin to a socket that leads to it through a proxy. The target is vetted here, before the proxy hears of
 * it: a proxy in our own network could otherwise be made to read what we must not read ourselves.
 */
import { isPublicAddress, mayBeProxy } from './address-guard.ts';
import { connectFirst } from './connect-first.ts';
import { connectTunnel } from './connect-tunnel.ts';
import { fail } from './fetch-failure.ts';
import { ProxyDialogue } from './proxy-dialogue.ts';
import type { ProxyEndpoint } from './proxy-endpoint.ts';
import { proxyName } from './proxy-name.ts';
import {
  type ConnectedSocket,
  calledOff,
  failed,
  type OpenAttempt,
  type OpenedSocket,
  type OpenFailed,
  type SocketOpener,
  type Target,
} from './socket-opening.ts';
import { shakeHandsSocks5 } from './socks5-handshake.ts';
import { startTls } from './start-tls.ts';
import { findAddresses, MAX_ADDRESSES, vetTarget } from './vetted-addresses.ts';

/** Requests for plain HTTP are handed to an HTTP proxy one by one, in absolute form; everything else is tunnelled. */
export function isForwarded(target: Target, proxy: ProxyEndpoint): boolean {
  return target.protocol === 'http:' && proxy.protocol !== 'socks5';
}

export async function openThroughProxy(
  target: Target,
  proxy: ProxyEndpoint,
  opener: SocketOpener,
  attempt: OpenAttempt,
  session?: Buffer,
): Promise<OpenedSocket> {
  const vetted = await vetTarget(target, opener, attempt);
  if (vetted.kind === 'failed') return vetted;
  if (attempt.isCancelled) return calledOff();
  attempt.isAtProxy = true;
  attempt.hasMetProxy = true;
  const reached = await reachProxy(proxy, opener, attempt);
  if (reached.kind === 'failed') return reached;
  if (isForwarded(target, proxy)) {
    attempt.isAtProxy = false;
    return reached;
  }
  const tunnelled = await openTunnel(reached, target, vetted.addresses, proxy, opener, attempt);
  attempt.isAtProxy = false;
  if (tunnelled.kind === 'failed' || target.protocol === 'http:') return tunnelled;
  return await startTls(tunnelled, target, opener, attempt, session);
}

/** A connection to the proxy itself. Whatever keeps it from being made is the proxy's failure, not the target's. */
export async function reachProxy(
  proxy: ProxyEndpoint,
  opener: SocketOpener,
  attempt: OpenAttempt,
): Promise<OpenedSocket> {
  const itself: Target = {
    protocol: proxy.protocol === 'https' ? 'https:' : 'http:',
    hostname: proxy.host,
    port: proxy.port,
  };
  const found = await findAddresses(proxy.host, opener, attempt);
  if (found.kind === 'failed') return blameProxy(found, proxy);
  const usable = found.addresses.filter(
    (address) => opener.allowPrivate || mayBeProxy(address, opener.allowPrivateProxies === true),
  );
  if (usable.length === 0) return refusePrivate(proxy, found.addresses);
  if (attempt.isCancelled) return calledOff();
  const connected = await connectFirst(
    usable.slice(0, MAX_ADDRESSES),
    itself,
    opener.connectTimeoutMs,
    attempt,
  );
  if (connected.kind === 'failed') return blameProxy(connected, proxy);
  if (proxy.protocol !== 'https') return connected;
  const secured = await startTls(connected, itself, opener, attempt, undefined);
  return secured.kind === 'failed' ? blameProxy(secured, proxy) : secured;
}

/**
 * A proxy that shares our network is told the address that was vetted: asked for the name it would look it up again,
 * and the answer could be another one. One elsewhere does no harm to us, and knows the server nearest to it.
 */
export function hostToTell(proxyAddress: string, target: Target, vetted: readonly string[]): string {
  return isPublicAddress(proxyAddress) ? target.hostname : (vetted[0] ?? target.hostname);
}

async function openTunnel(
  reached: ConnectedSocket,
  target: Target,
  addresses: readonly string[],
  proxy: ProxyEndpoint,
  opener: SocketOpener,
  attempt: OpenAttempt,
): Promise<OpenedSocket> {
  const host = hostToTell(reached.address, target, addresses);
  const dialogue = new ProxyDialogue({
    ...{ socket: reached.socket, name: proxyName(proxy), attempt },
    timeoutMs: opener.connectTimeoutMs,
  });
  const agree = proxy.protocol === 'socks5' ? shakeHandsSocks5 : connectTunnel;
  const refusal = await agree(dialogue, proxy, host, target.port);
  const ending = dialogue.end(refusal === undefined);
  const failure = refusal ?? ending;
  return failure === undefined ? reached : { kind: 'failed', failure };
}

/** A shortage is this machine's and a call-off the caller's; both say nothing about the proxy. */
function blameProxy({ failure }: OpenFailed, proxy: ProxyEndpoint): OpenFailed {
  if (failure.reason === 'no-socket' || failure.reason === 'aborted') return { kind: 'failed', failure };
  const message = `There is no connection to the proxy ${proxyName(proxy)}: ${failure.message}`;
  return { kind: 'failed', failure: fail('proxy-unreachable', message) };
}

function refusePrivate(proxy: ProxyEndpoint, addresses: readonly string[]): OpenFailed {
  const where = addresses[0] === proxy.host ? '' : ` (${addresses.join(', ')})`;
  return failed(
    'proxy-unreachable',
    `The proxy ${proxyName(proxy)}${where} is not on a public address; the setting privateProxies (FORAGER_PRIVATE_PROXIES) lets proxies be on private ones.`,
  );
}
