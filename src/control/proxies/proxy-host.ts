/**
 * The host of a proxy, as it is stored: a name in ASCII and lower case, or an address; IPv6 without its brackets. What
 * a name means is found out when the connection is made, and guarded there. No reason repeats what was given: it may
 * be a piece of a password that ended up in the wrong place.
 */
import { isIPv4, isIPv6 } from 'node:net';
import { isPublicAddress } from '../../engine/fetch/address-guard.ts';

export type HostReading =
  | { readonly kind: 'host'; readonly host: string }
  | { readonly kind: 'refused'; readonly reason: string };

const LONGEST_NAME = 253;
const LONGEST_LABEL = 63;
const OUTSIDE_OF_A_NAME = /[\s/?#@\\%:]/;

export function readProxyHost(text: string): HostReading {
  const given = text.trim();
  if (given === '') return refuse('it names no host');
  // The zone of an address says something on one machine only, and Node takes it for a part of the address.
  if (given.includes('%')) return refuse('its host contains a %, which neither a name nor an address has');
  const bare = /^\[(.*)\]$/.exec(given)?.[1] ?? given;
  if (isIPv6(bare)) return { kind: 'host', host: writeAddress(bare) };
  if (given.startsWith('[')) return refuse('what stands in the brackets is no IPv6 address');
  if (OUTSIDE_OF_A_NAME.test(given)) {
    return refuse(
      'its host is neither a name nor an address: user name, password, port and path are not part of it',
    );
  }
  const ascii = toAscii(given);
  if (ascii === undefined) return refuse('its host is neither a name nor an address');
  if (isIPv4(ascii)) {
    return ascii === given
      ? { kind: 'host', host: ascii }
      : refuse('its host is an address in an unusual form');
  }
  const problem = findNameProblem(ascii);
  return problem === undefined ? { kind: 'host', host: ascii } : refuse(problem);
}

/** Why nobody would connect to it where private addresses are not allowed, as far as that shows in the host itself. */
export function findPrivateProxy(host: string): string | undefined {
  const words =
    'proxies there are used only where FORAGER_PRIVATE_PROXIES or FORAGER_ALLOW_PRIVATE allows it';
  if (isIPv4(host) || isIPv6(host)) {
    return isPublicAddress(host)
      ? undefined
      : `its host is a loopback, private or reserved address: ${words}`;
  }
  if (host === 'localhost' || host.endsWith('.localhost')) return `its host is this machine: ${words}`;
  return host.includes('.') ? undefined : `its host is no public name, it has no dot: ${words}`;
}

/** Punycode and lower case, without the dot of the root. */
function toAscii(name: string): string | undefined {
  const url = URL.canParse(`http://${name}/`) ? new URL(`http://${name}/`) : undefined;
  return url?.hostname.replace(/\.$/, '');
}

function writeAddress(address: string): string {
  return new URL(`http://[${address}]/`).hostname.slice(1, -1);
}

function findNameProblem(name: string): string | undefined {
  if (name.length > LONGEST_NAME) return `its host name is longer than ${LONGEST_NAME} characters`;
  if (/[^a-z0-9._-]/.test(name)) return 'its host name contains a character that no name has';
  const labels = name.split('.');
  if (labels.includes('')) return 'its host name has an empty part between two dots';
  if (labels.some(({ length }) => length > LONGEST_LABEL)) {
    return `a part of its host name is longer than ${LONGEST_LABEL} characters`;
  }
  return undefined;
}

function refuse(reason: string): HostReading {
  return { kind: 'refused', reason };
}
