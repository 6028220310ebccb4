/** Where a proxy is and how one enters it: what makes it this one and no other, and its password. */
import { isIPv6 } from 'node:net';
import { PROXY_PROTOCOLS, type ProxyProtocol } from '../../contract/proxies.ts';
import { readProxyHost } from './proxy-host.ts';

export interface ProxyPlace {
  readonly protocol: ProxyProtocol;
  /** IPv6 without brackets. */
  readonly host: string;
  readonly port: number;
  readonly username: string | null;
}

export interface ProxyAccess extends ProxyPlace {
  readonly password: string | null;
}

export type AccessReading =
  | { readonly kind: 'proxy'; readonly proxy: ProxyAccess }
  | { readonly kind: 'refused'; readonly reason: string };

export interface GivenAccess {
  readonly protocol: string;
  readonly host: string;
  readonly port: number | string;
  readonly username?: string | null | undefined;
  readonly password?: string | null | undefined;
}

export const LONGEST_USERNAME = 255;
export const LONGEST_PASSWORD = 512;
/** RFC 1929: the length of either is one byte. */
const MOST_SOCKS_BYTES = 255;
const CONTROL = /[\u0000-\u001f\u007f-\u009f]/;

/** Reasons name the part that is wrong and never what stands there. */
export function readAccess(given: GivenAccess): AccessReading {
  const protocol = PROXY_PROTOCOLS.find((one) => one === given.protocol.toLowerCase());
  if (protocol === undefined) return refuse(`its protocol is none of ${PROXY_PROTOCOLS.join(', ')}`);
  const host = readProxyHost(given.host);
  if (host.kind === 'refused') return host;
  const port = /^\d{1,5}$/.test(String(given.port)) ? Number(given.port) : 0;
  if (port < 1 || port > 65_535) return refuse('its port is not a number from 1 to 65535');
  const username = given.username || null;
  const password = given.password || null;
  const problem = findCredentialProblem(protocol, username, password);
  if (problem !== undefined) return refuse(problem);
  return { kind: 'proxy', proxy: { protocol, host: host.host, port, username, password } };
}

export function findCredentialProblem(
  protocol: ProxyProtocol,
  username: string | null,
  password: string | null,
): string | undefined {
  if (username === null) return password === null ? undefined : 'it has a password and no user name';
  if (CONTROL.test(username)) return 'its user name contains control characters';
  if (username.length > LONGEST_USERNAME)
    return `its user name is longer than ${LONGEST_USERNAME} characters`;
  if (protocol !== 'socks5' && username.includes(':')) {
    return 'its user name contains a colon, which cannot be sent to an HTTP proxy';
  }
  if (password !== null && CONTROL.test(password)) return 'its password contains control characters';
  if ((password?.length ?? 0) > LONGEST_PASSWORD) {
    return `its password is longer than ${LONGEST_PASSWORD} characters`;
  }
  const longest = Math.max(Buffer.byteLength(username), Buffer.byteLength(password ?? ''));
  if (protocol === 'socks5' && longest > MOST_SOCKS_BYTES) {
    return `its user name or password is longer than the ${MOST_SOCKS_BYTES} bytes that SOCKS has room for`;
  }
  return undefined;
}

/** `http://user@host:8080`: what is told of a proxy. Never a password. */
export function writePlace({ protocol, host, port, username }: ProxyPlace): string {
  const user = username === null ? '' : `${encodeURIComponent(username)}@`;
  return `${protocol}://${user}${isIPv6(host) ? `[${host}]` : host}:${port}`;
}

function refuse(reason: string): AccessReading {
  return { kind: 'refused', reason };
}
