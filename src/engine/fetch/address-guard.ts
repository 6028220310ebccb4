/**
 * Which addresses a crawler may speak to. A page can link or redirect anywhere, so without this guard anyone
 * who owns a page could make Forager read the machine's own services, its network and the cloud's metadata.
 *
 * The ranges are those the IANA special-purpose registries (RFC 6890 and updates) do not call globally
 * reachable, plus multicast, reserved space and one cloud address that hides in public space.
 */
import { parseIpv4, parseIpv6 } from './ip-address.ts';

type Ipv4Range = readonly [base: string, prefixBits: number];

const REFUSED_IPV4: readonly Ipv4Range[] = [
  ['0.0.0.0', 8], // "this network"; Linux connects it to loopback
  ['10.0.0.0', 8], // private
  ['100.64.0.0', 10], // carrier-grade NAT, and Alibaba's metadata
  ['127.0.0.0', 8], // loopback
  ['168.63.129.16', 32], // Azure's platform channel, reachable from every Azure machine
  ['169.254.0.0', 16], // link-local, and most clouds' metadata
  ['172.16.0.0', 12], // private
  ['192.0.0.0', 24], // protocol assignments, and Oracle's metadata
  ['192.0.2.0', 24], // documentation
  ['192.88.99.0', 24], // retired 6to4 relays
  ['192.168.0.0', 16], // private
  ['198.18.0.0', 15], // benchmarks
  ['198.51.100.0', 24], // documentation
  ['203.0.113.0', 24], // documentation
  ['224.0.0.0', 4], // multicast
  ['240.0.0.0', 4], // reserved, and broadcast
];

const refusedIpv4 = REFUSED_IPV4.map(toBounds);

/** False for whatever is not a public unicast address, and for whatever is not an address. */
export function isPublicAddress(ip: string): boolean {
  const ipv4 = parseIpv4(ip);
  if (ipv4 !== undefined) return isPublicIpv4(ipv4);
  const ipv6 = parseIpv6(ip);
  return ipv6 !== undefined && isPublicIpv6(ipv6);
}

const PRIVATE_NETWORKS: readonly Ipv4Range[] = [
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['172.16.0.0', 12],
  ['192.168.0.0', 16],
];
/** What clouds tell their machines about themselves, keys included, in the midst of private networks. */
const METADATA_IPV4: readonly Ipv4Range[] = [['100.100.100.200', 32]];
const METADATA_IPV6: readonly string[] = ['fd00:ec2::', 'fd20:ce::'];

const privateNetworks = PRIVATE_NETWORKS.map(toBounds);
const metadataIpv4 = METADATA_IPV4.map(toBounds);
const metadataIpv6 = METADATA_IPV6.map((prefix) => parseIpv6(prefix) ?? []);

/**
 * Whether a proxy may be there. Where private ones are allowed that means this machine and its networks, and not the
 * other special addresses: link-local ones, a cloud's metadata, multicast.
 */
export function mayBeProxy(ip: string, allowPrivate: boolean): boolean {
  if (isPublicAddress(ip)) return true;
  if (!allowPrivate) return false;
  const groups = parseIpv6(ip);
  const ipv4 = groups === undefined ? parseIpv4(ip) : embeddedIpv4(groups);
  if (ipv4 !== undefined) return isWithin(ipv4, privateNetworks) && !isWithin(ipv4, metadataIpv4);
  if (groups === undefined) return false;
  const [a = 0, b = 0] = groups;
  if (groups.slice(0, 7).every((group) => group === 0)) return groups[7] === 1; // loopback
  // Unique-local, but for the networks in which clouds have their metadata.
  return a >>> 9 === 0x7e && !metadataIpv6.some((prefix) => prefix[0] === a && prefix[1] === b);
}

/** Of a name's addresses those that may be connected to; one public address does not vouch for the others. */
export function selectAddresses(
  addresses: readonly string[],
  allowPrivate: boolean,
  isException: (address: string) => boolean = () => false,
): readonly string[] {
  if (allowPrivate) return addresses;
  return addresses.filter((address) => isPublicAddress(address) || isException(address));
}

function isPublicIpv4(bits: number): boolean {
  return !isWithin(bits, refusedIpv4);
}

interface Bounds {
  readonly first: number;
  readonly last: number;
}

function toBounds([base, prefixBits]: Ipv4Range): Bounds {
  const first = parseIpv4(base) ?? 0;
  return { first, last: first + 2 ** (32 - prefixBits) - 1 };
}

function isWithin(bits: number, ranges: readonly Bounds[]): boolean {
  return ranges.some(({ first, last }) => bits >= first && bits <= last);
}

/** IPv4-mapped (::ffff:0:0/96): the kernel connects to the address inside. */
function embeddedIpv4([a = 0, b = 0, c = 0, d = 0, e = 0, f = 0, g = 0, h = 0]: readonly number[]):
  | number
  | undefined {
  return a + b + c + d + e === 0 && f === 0xffff ? g * 0x10000 + h : undefined;
}

function isPublicIpv6(groups: readonly number[]): boolean {
  const [a = 0, b = 0, c = 0, d = 0, e = 0, f = 0, g = 0, h = 0] = groups;
  const lowIpv4 = g * 0x10000 + h;

  const embedded = embeddedIpv4(groups);
  if (embedded !== undefined) return isPublicIpv4(embedded);
  // NAT64 (64:ff9b::/96): the gateway connects to the address inside.
  if (a === 0x64 && b === 0xff9b && c + d + e + f === 0) return isPublicIpv4(lowIpv4);

  // Everything else public lies in 2000::/3; loopback, unique-local, link-local, multicast, the local-use
  // NAT64 prefix and the old IPv4-compatible form all lie outside it.
  if (a >>> 13 !== 1) return false;
  // 6to4 (2002::/16): relays connect to the address inside.
  if (a === 0x2002) return isPublicIpv4(b * 0x10000 + c);
  if (a === 0x2001 && b < 0x200) return false; // 2001::/23: Teredo, benchmarks, ORCHID: no web servers there
  if (a === 0x2001 && b === 0xdb8) return false; // documentation
  if (a === 0x3fff && b < 0x1000) return false; // documentation
  return true;
}
