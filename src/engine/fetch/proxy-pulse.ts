/**
 * Whether a proxy still answers. When an answer stays away or breaks off behind a proxy, either the site or the proxy
 * may be the cause; a proxy that says nothing to a question that concerns no site is.
 */
import { reachProxy } from './open-through-proxy.ts';
import { ProxyDialogue } from './proxy-dialogue.ts';
import type { ProxyEndpoint } from './proxy-endpoint.ts';
import { hostAndPort, proxyName } from './proxy-name.ts';
import type { OpenAttempt, SocketOpener } from './socket-opening.ts';

/** For connection, TLS and answer together. */
const PATIENCE_MS = 2_000;

export class ProxyPulse {
  readonly #opener: SocketOpener;
  readonly #underWay = new Map<string, Promise<boolean>>();
  readonly #attempts = new Set<OpenAttempt>();

  constructor(opener: SocketOpener) {
    this.#opener = { ...opener, connectTimeoutMs: PATIENCE_MS };
  }

  /** Many requests may break off at once: they wait for one and the same question. */
  isAlive(proxy: ProxyEndpoint): Promise<boolean> {
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

  async #ask(proxy: ProxyEndpoint): Promise<boolean> {
    const attempt: OpenAttempt = { isCancelled: false, isResolving: false, onCancel: () => {} };
    this.#attempts.add(attempt);
    let isLate = false;
    const timer = setTimeout(() => {
      isLate = true;
      cancel(attempt);
    }, PATIENCE_MS);
    try {
      const reached = await reachProxy(proxy, this.#opener, attempt);
      if (reached.kind === 'failed') return !isLate && reached.failure.reason !== 'proxy-unreachable';
      const dialogue = new ProxyDialogue({
        ...{ socket: reached.socket, name: proxyName(proxy), attempt },
        timeoutMs: this.#opener.connectTimeoutMs,
      });
      const answer = await dialogue.ask(harmlessQuestion(proxy), () => 1, 1);
      dialogue.end(false);
      // Also one that hangs up is awake.
      return !isLate && (answer.kind === 'answer' || answer.failure.reason !== 'proxy-unreachable');
    } catch {
      return true;
    } finally {
      clearTimeout(timer);
      this.#attempts.delete(attempt);
    }
  }
}

function cancel(attempt: OpenAttempt): void {
  attempt.isCancelled = true;
  attempt.onCancel();
}

/** Without credentials: a refusal is an answer. */
function harmlessQuestion({ protocol, host, port }: ProxyEndpoint): Buffer {
  if (protocol === 'socks5') return Buffer.from([5, 1, 0]);
  return Buffer.from(`OPTIONS * HTTP/1.1\r\nHost: ${hostAndPort(host, port)}\r\nConnection: close\r\n\r\n`);
}
