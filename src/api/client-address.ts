/**
 * Where a request comes from. Each proxy adds the address it was called from to the right end of X-Forwarded-For, so
 * the header is read from there, for as long as the address before is one of our own proxies. What was written further
 * left is whatever the client liked to claim, and so is anything that is no address: the last one that can be believed
 * stands for it.
 */
import type { IncomingMessage } from 'node:http';
import { BlockList, isIP } from 'node:net';

/** More proxies than this stand in no row. */
const MOST_HOPS = 20;

export interface ProxyTrust {
  isTrusted(address: string): boolean;
  readAddress(request: IncomingMessage): string;
}

export function makeProxyTrust(trustedProxies: readonly string[]): ProxyTrust {
  const trusted = new BlockList();
  for (const network of trustedProxies) addNetwork(trusted, network);
  const isTrusted = (text: string): boolean => {
    // Asked several times for each request, and most servers stand behind no proxy.
    if (trustedProxies.length === 0) return false;
    const address = plainAddress(text);
    return address !== undefined && trusted.check(address, familyOf(address));
  };
  return {
    isTrusted,
    readAddress: (request) => {
      let believed = plainAddress(request.socket.remoteAddress ?? '') ?? '';
      const claims = String(request.headers['x-forwarded-for'] ?? '').split(',');
      for (const claim of claims.reverse().slice(0, MOST_HOPS)) {
        if (!isTrusted(believed)) break;
        const address = plainAddress(claim.trim());
        if (address === undefined) break;
        believed = address;
      }
      return believed;
    },
  };
}

function addNetwork(list: BlockList, network: string): void {
  const [written = '', bits] = network.split('/');
  const address = plainAddress(written) ?? written;
  const family = familyOf(address);
  const all = family === 'ipv6' ? 128 : 32;
  const writtenAll = isIP(written) === 6 ? 128 : 32;
  // Of ::ffff:10.0.0.0/104 the last 8 bits of the network are IPv4's.
  list.addSubnet(address, bits === undefined ? all : Math.max(0, Number(bits) - (writtenAll - all)), family);
}

function familyOf(address: string): 'ipv4' | 'ipv6' {
  return isIP(address) === 6 ? 'ipv6' : 'ipv4';
}

/** An address as everybody writes it; some proxies add the port. IPv4 in the clothes of IPv6 is IPv4. */
export function plainAddress(text: string): string | undefined {
  const bare = /^\[([^\]]+)\](?::\d+)?$/.exec(text)?.[1] ?? /^([\d.]+):\d+$/.exec(text)?.[1] ?? text;
  const version = isIP(bare);
  if (version === 4) return bare;
  if (version !== 6) return undefined;
  const groups = groupsOf(bare);
  if (groups.slice(0, 5).every((group) => group === 0) && groups[5] === 0xffff) {
    const [high = 0, low = 0] = groups.slice(6);
    return [high >> 8, high & 255, low >> 8, low & 255].join('.');
  }
  return new URL(`http://[${bare.split('%', 1)[0]}]`).hostname.slice(1, -1);
}

/** Whose requests are counted together: an IPv6 network of the size that one customer gets is one sender. */
export function networkOf(address: string): string {
  if (isIP(address) !== 6) return address;
  const network = groupsOf(address)
    .slice(0, 4)
    .map((group) => group.toString(16));
  return `${network.join(':')}::/64`;
}

function groupsOf(address: string): number[] {
  const written = new URL(`http://[${address.split('%', 1)[0]}]`).hostname.slice(1, -1);
  const [left = '', right] = written.split('::');
  const parse = (half: string): number[] =>
    half === '' ? [] : half.split(':').map((group) => Number.parseInt(group, 16));
  const before = parse(left);
  const after = right === undefined ? [] : parse(right);
  return [...before, ...Array.from({ length: 8 - before.length - after.length }, () => 0), ...after];
}
