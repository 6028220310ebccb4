/** A way through a SOCKS5 proxy: RFC 1928, with user name and password as in RFC 1929. */
import { isIP } from 'node:net';
import { describeAuthRefusal } from './connect-tunnel.ts';
import { type FetchFailure, fail } from './fetch-failure.ts';
import { parseIpv4, parseIpv6 } from './ip-address.ts';
import type { ProxyDialogue } from './proxy-dialogue.ts';
import type { ProxyEndpoint } from './proxy-endpoint.ts';
import { hostAndPort, proxyName } from './proxy-name.ts';

const VERSION = 5;
const NO_AUTH = 0;
const USER_AND_PASSWORD = 2;
const NONE_ACCEPTABLE = 0xff;
const CONNECT = 1;
const IPV4 = 1;
const NAME = 3;
const IPV6 = 4;
/** One byte says how long a name, a user name or a password is. */
const LONGEST = 255;
const MAX_ANSWER_BYTES = 4 + 1 + LONGEST + 2;

const REPLIES: Readonly<Record<number, string>> = {
  1: 'general failure',
  2: 'not allowed by its rules',
  3: 'network unreachable',
  4: 'host unreachable',
  5: 'connection refused',
  6: 'time to live expired',
  7: 'command not supported',
  8: 'address type not supported',
};

/** Undefined: what is sent from now on arrives at the target. */
export async function shakeHandsSocks5(
  dialogue: ProxyDialogue,
  proxy: ProxyEndpoint,
  host: string,
  port: number,
): Promise<FetchFailure | undefined> {
  const credentials = encodeCredentials(proxy);
  if (credentials === 'too-long') {
    return fail(
      'proxy-auth',
      `The user name or password for ${proxyName(proxy)} is longer than ${LONGEST} bytes.`,
    );
  }
  const methods = credentials === undefined ? [NO_AUTH] : [NO_AUTH, USER_AND_PASSWORD];
  const greeting = Buffer.from([VERSION, methods.length, ...methods]);
  const chosen = await dialogue.ask(greeting, measureChoice, 2);
  if (chosen.kind === 'failed') return chosen.failure;
  const method = chosen.bytes[1] ?? NONE_ACCEPTABLE;
  if (method === NONE_ACCEPTABLE) return describeAuthRefusal(proxy);
  if (!methods.includes(method)) {
    return fail(
      'proxy-protocol',
      `The proxy ${proxyName(proxy)} chose a way to log in that was not offered.`,
    );
  }
  if (method === USER_AND_PASSWORD && credentials !== undefined) {
    // Its first byte, the version, is not looked at: proxies differ in what they put there.
    const verdict = await dialogue.ask(credentials, () => 2, 2);
    if (verdict.kind === 'failed') return verdict.failure;
    if (verdict.bytes[1] !== 0) return describeAuthRefusal(proxy);
  }
  const order = Buffer.from([VERSION, CONNECT, 0, ...encodeHost(host), port >> 8, port & 0xff]);
  const reply = await dialogue.ask(order, measureReply, MAX_ANSWER_BYTES);
  if (reply.kind === 'failed') return reply.failure;
  const code = reply.bytes[1] ?? 1;
  if (code === 0) return undefined;
  const said = REPLIES[code] ?? `reply ${code}`;
  return fail(
    'proxy-tunnel',
    `The proxy ${proxyName(proxy)} opens no way to ${hostAndPort(host, port)} (${said}).`,
  );
}

function measureChoice([version]: Buffer): number | 'nonsense' {
  return version === VERSION ? 2 : 'nonsense';
}

/** Of a refusal the rest does not matter, and some proxies leave it out. */
function measureReply([version, code, , kind, nameLength]: Buffer): number | 'unfinished' | 'nonsense' {
  if (version !== VERSION) return 'nonsense';
  if (code === undefined) return 'unfinished';
  if (code !== 0) return 2;
  if (kind === undefined) return 'unfinished';
  if (kind === IPV4) return 4 + 4 + 2;
  if (kind === IPV6) return 4 + 16 + 2;
  if (kind !== NAME) return 'nonsense';
  return nameLength === undefined ? 'unfinished' : 4 + 1 + nameLength + 2;
}

function encodeHost(host: string): number[] {
  const ipv4 = parseIpv4(host);
  if (ipv4 !== undefined) return [IPV4, ...bytesOf(Math.floor(ipv4 / 0x10000)), ...bytesOf(ipv4 % 0x10000)];
  if (isIP(host) === 6) return [IPV6, ...(parseIpv6(host) ?? []).flatMap(bytesOf)];
  // A host of a URL is ASCII, and a name that was resolved is shorter than this.
  const name = Buffer.from(host, 'latin1').subarray(0, LONGEST);
  return [NAME, name.length, ...name];
}

function bytesOf(group: number): number[] {
  return [group >> 8, group & 0xff];
}

function encodeCredentials({ username, password }: ProxyEndpoint): Buffer | 'too-long' | undefined {
  if (username === undefined || username === '') return undefined;
  const user = Buffer.from(username, 'utf8');
  const secret = Buffer.from(password ?? '', 'utf8');
  if (user.length > LONGEST || secret.length > LONGEST) return 'too-long';
  return Buffer.concat([Buffer.from([1, user.length]), user, Buffer.from([secret.length]), secret]);
}
