/**
 * The addresses of a target that may be connected to. The guard sits on the very addresses that are used, because
 * anything earlier (a check of the URL or of another look-up) can be outwitted by a name that changes its answer.
 */
import { isIP } from 'node:net';
import { selectAddresses } from './address-guard.ts';
import { describeShortage } from './fetch-failure.ts';
import {
  failed,
  type OpenAttempt,
  type OpenFailed,
  type SocketOpener,
  type Target,
} from './socket-opening.ts';

export type VettedAddresses = { readonly kind: 'vetted'; readonly addresses: readonly string[] } | OpenFailed;

/** Of one name; some have more than anybody wants to try. */
export const MAX_ADDRESSES = 6;

export async function vetTarget(
  target: Target,
  opener: SocketOpener,
  attempt: OpenAttempt,
): Promise<VettedAddresses> {
  const { hostname } = target;
  const found = await findAddresses(hostname, opener, attempt);
  if (found.kind === 'failed') return found;
  const { addresses } = found;
  const usable = selectAddresses(
    addresses,
    opener.allowPrivate,
    (address) => opener.mayReach?.(target, address) === true,
  );
  if (usable.length > 0) return { kind: 'vetted', addresses: usable.slice(0, MAX_ADDRESSES) };
  const where = addresses[0] === hostname ? hostname : `${hostname} (${addresses.join(', ')})`;
  return failed(
    'private-address',
    `${where} is not a public address; --allow-private lets Forager crawl private networks.`,
  );
}

/** All addresses of a name, vetted by nobody yet. */
export async function findAddresses(
  hostname: string,
  opener: SocketOpener,
  attempt: OpenAttempt,
): Promise<{ readonly kind: 'found'; readonly addresses: readonly string[] } | OpenFailed> {
  if (isIP(hostname) !== 0) return { kind: 'found', addresses: [hostname] };
  attempt.isResolving = true;
  const answer = await opener.resolver.resolve(hostname);
  attempt.isResolving = false;
  if (answer.kind === 'not-found') return failed('dns-not-found', answer.message);
  if (answer.kind === 'no-socket') return { kind: 'failed', failure: describeShortage(answer.code) };
  if (answer.kind === 'failed') return failed('dns-failed', answer.message);
  return { kind: 'found', addresses: answer.addresses };
}
