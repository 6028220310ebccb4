/**
 * Whether a proxy still answers. When an answer stays away or breaks off behind a proxy, either the site or the proxy
 * may be the cause; a proxy that says nothing to a question that concerns no site is.
 */
import { setTimeout as wait } from 'node:timers/promises';
import { reachProxy } from './open-through-proxy.ts';
import { basicCredentials } from './proxy-credentials.ts';
import { type Measure, ProxyDialogue } from './proxy-dialogue.ts';
import type { ProxyEndpoint } from './proxy-endpoint.ts';
import { hostAndPort, proxyName } from './proxy-name.ts';
import type { OpenAttempt, SocketOpener } from './socket-opening.ts';

/** Silent also is who cannot be reached. */
export type Pulse = 'alive' | 'silent' | 'hangs-up' | 'talks-nonsense';

/** For connection, TLS and answer together. */
const PATIENCE_MS = 2_000;
const DYING_MS = 100;

export class ProxyPulse {
  readonly #opener: SocketOpener;
  readonly #underWay = new Map<string, Promise<Pulse>>();
  readonly #attempts = new Set<OpenAttempt>();

  constructor(opener: SocketOpener) {
    this.#opener = { ...opener, connectTimeoutMs: PATIENCE_MS };
  }

  /** Many requests may break off at once: they wait for one and the same question. */
  feel(proxy: ProxyEndpoint): Promise<Pulse> {
    let asked = this.#underWay.get(proxy.key);
    if (asked === undefined) {
      asked = this.#ask(proxy).finally(() => this.#underWay.delete(proxy.key));
      this.#underWay.set(proxy.key, asked);
    }
    return asked;
  }

  close(): void {
    for (const attempt of this.#attempts) cancel(attempt);
  }

  async #ask(proxy: ProxyEndpoint): Promise<Pulse> {
    const attempt: OpenAttempt = { isCancelled: false, isResolving: false, onCancel: () => {} };
    this.#attempts.add(attempt);
    let isLate = false;
    const timer = setTimeout(() => {
      isLate = true;
      cancel(attempt);
    }, PATIENCE_MS);
    try {
      let pulse = await this.#askWithin(proxy, attempt);
      if (pulse === 'hangs-up' && !attempt.isCancelled) {
        // A process that is being killed closes its connections one after the other: a moment later it is gone.
        await wait(DYING_MS);
        pulse = await this.#askWithin(proxy, attempt);
      }
      return isLate ? 'silent' : pulse;
    } catch {
      return 'alive';
    } finally {
      clearTimeout(timer);
      this.#attempts.delete(attempt);
    }
  }

  async #askWithin(proxy: ProxyEndpoint, attempt: OpenAttempt): Promise<Pulse> {
    const reached = await reachProxy(proxy, this.#opener, attempt);
    // A shortage of this machine says nothing about the proxy.
    if (reached.kind === 'failed') return reached.failure.reason === 'proxy-unreachable' ? 'silent' : 'alive';
    const dialogue = new ProxyDialogue({
      ...{ socket: reached.socket, name: proxyName(proxy), attempt },
      timeoutMs: PATIENCE_MS,
    });
    let isNonsense = false;
    const measure: Measure = (received) => {
      const isRight = isStart(received, proxy.protocol === 'socks5' ? SOCKS_START : HTTP_START);
      isNonsense = !isRight;
      return isRight ? 1 : 'nonsense';
    };
    const answer = await dialogue.ask(harmlessQuestion(proxy), measure, 1);
    dialogue.end(false);
    if (answer.kind === 'answer') return 'alive';
    if (isNonsense) return 'talks-nonsense';
    if (answer.failure.reason === 'proxy-protocol') return 'hangs-up';
    return answer.failure.reason === 'proxy-unreachable' ? 'silent' : 'alive';
  }
}

const SOCKS_START = Buffer.from([5]);
const HTTP_START = Buffer.from('HTTP/1.');

function isStart(received: Buffer, start: Buffer): boolean {
  const seen = Math.min(received.length, start.length);
  return received.compare(start, 0, seen, 0, seen) === 0;
}

function cancel(attempt: OpenAttempt): void {
  attempt.isCancelled = true;
  attempt.onCancel();
}

/** One that no site hears of; a refusal is an answer too. */
function harmlessQuestion(proxy: ProxyEndpoint): Buffer {
  if (proxy.protocol === 'socks5') return Buffer.from([5, 2, 0, 2]);
  const credentials = basicCredentials(proxy);
  const lines = [
    'OPTIONS * HTTP/1.1',
    `Host: ${hostAndPort(proxy.host, proxy.port)}`,
    ...(credentials === undefined ? [] : [`Proxy-Authorization: ${credentials}`]),
    'Connection: close',
  ];
  return Buffer.from(`${lines.join('\r\n')}\r\n\r\n`, 'latin1');
}
