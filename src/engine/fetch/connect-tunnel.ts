/** A tunnel through an HTTP proxy (RFC 9110 §9.3.6): CONNECT, and the connection is the target's. */
import { type FetchFailure, fail } from './fetch-failure.ts';
import { basicCredentials } from './proxy-credentials.ts';
import type { Answer, ProxyDialogue } from './proxy-dialogue.ts';
import type { ProxyEndpoint } from './proxy-endpoint.ts';
import { hostAndPort, proxyName } from './proxy-name.ts';

const MAX_ANSWER_BYTES = 16_384;
/** Interim answers (1xx) before the one that counts. */
const MOST_INTERIM_ANSWERS = 4;
const START = Buffer.from('HTTP/1.');
const STATUS_LINE = /^HTTP\/1\.[01] ([1-9]\d\d)(?: ([^\r\n]*))?\r\n/;

/** Undefined: the tunnel stands. */
export async function connectTunnel(
  dialogue: ProxyDialogue,
  proxy: ProxyEndpoint,
  host: string,
  port: number,
): Promise<FetchFailure | undefined> {
  const authority = hostAndPort(host, port);
  const credentials = basicCredentials(proxy);
  const lines = [
    `CONNECT ${authority} HTTP/1.1`,
    `Host: ${authority}`,
    ...(credentials === undefined ? [] : [`Proxy-Authorization: ${credentials}`]),
  ];
  let answer: Answer = await dialogue.ask(`${lines.join('\r\n')}\r\n\r\n`, measureHead, MAX_ANSWER_BYTES);
  for (let interim = 0; ; interim++) {
    if (answer.kind === 'failed') return answer.failure;
    const [, digits = '', phrase = ''] = STATUS_LINE.exec(answer.bytes.toString('latin1')) ?? [];
    const status = Number(digits);
    if (status >= 200 && status < 300) return undefined;
    if (status < 200 && status !== 101 && interim < MOST_INTERIM_ANSWERS) {
      answer = await dialogue.ask('', measureHead, MAX_ANSWER_BYTES);
      continue;
    }
    if (isAuthRefusal(status)) return describeAuthRefusal(proxy);
    const said = `${digits} ${printable(phrase)}`.trim();
    return fail('proxy-tunnel', `The proxy ${proxyName(proxy)} opens no way to ${authority} (${said}).`);
  }
}

/** Asked for what it wants, tinyproxy says 407; given what it does not want, 401. */
export function isAuthRefusal(status: number): boolean {
  return status === 407 || status === 401;
}

export function describeAuthRefusal(proxy: ProxyEndpoint): FetchFailure {
  const what = proxy.username
    ? 'does not accept the user name and password'
    : 'wants a user name and password';
  return fail('proxy-auth', `The proxy ${proxyName(proxy)} ${what}.`);
}

/** The end of the header block; a body that may follow a refusal is nobody's. */
function measureHead(received: Buffer): number | 'unfinished' | 'nonsense' {
  const seen = Math.min(received.length, START.length);
  if (received.compare(START, 0, seen, 0, seen) !== 0) return 'nonsense';
  const end = received.indexOf('\r\n\r\n');
  if (end < 0) return 'unfinished';
  const length = end + 4;
  if (length > MAX_ANSWER_BYTES || !STATUS_LINE.test(received.toString('latin1', 0, length)))
    return 'nonsense';
  return length;
}

function printable(text: string): string {
  return text.replace(/[^\x20-\x7e]/g, '').slice(0, 80);
}
