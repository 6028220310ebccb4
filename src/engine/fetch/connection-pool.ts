import { TLSSocket } from 'node:tls';
import { Connection, type Forwarding } from './connection.ts';
import { type FetchFailure, fail } from './fetch-failure.ts';
import { openSocket } from './open-socket.ts';
import { isForwarded, openThroughProxy } from './open-through-proxy.ts';
import { basicCredentials } from './proxy-credentials.ts';
import type { ProxyEndpoint } from './proxy-endpoint.ts';
import type { OpenAttempt, OpenedSocket, SocketOpener, Target } from './socket-opening.ts';

/** Who asks a pool for a connection; exactly one of the callbacks follows unless it is cancelled first. */
export interface ConnectionUser {
  readonly attempt: OpenAttempt;
  onConnection(connection: Connection): void;
  onConnectFailure(failure: FetchFailure): void;
}

export interface PoolOptions {
  readonly origin: string;
  readonly target: Target;
  /** Undefined: directly. */
  readonly via: ProxyEndpoint | undefined;
  readonly opener: SocketOpener;
  readonly maxConnections: number;
  readonly onEmpty: () => void;
}

/** The connections to one origin, by one way: kept alive, reused newest first, never more than the maximum. */
export class ConnectionPool {
  readonly #options: PoolOptions;
  readonly #idle: Connection[] = [];
  readonly #open = new Set<Connection>();
  readonly #waiting: ConnectionUser[] = [];
  #openingCount = 0;
  readonly #forwarding: Forwarding | undefined;
  #tlsSession: Buffer | undefined;

  constructor(options: PoolOptions) {
    this.#options = options;
    const { via, target } = options;
    if (via !== undefined && isForwarded(target, via)) this.#forwarding = { headers: proxyHeaders(via) };
  }

  /** Nothing under way: all that would be lost by closing is warm connections. */
  get isIdle(): boolean {
    return this.#openingCount === 0 && this.#waiting.length === 0 && this.#idle.length === this.#open.size;
  }

  acquire(user: ConnectionUser): void {
    for (let connection = this.#idle.pop(); connection; connection = this.#idle.pop()) {
      if (connection.isUsable) {
        user.onConnection(connection);
        return;
      }
      this.#forget(connection);
    }
    this.acquireFresh(user);
  }

  /** For a second try after a kept connection turned out to be dead: its siblings probably are too. */
  acquireFresh(user: ConnectionUser): void {
    if (this.#open.size + this.#openingCount < this.#options.maxConnections) void this.#connect(user);
    else this.#waiting.push(user);
  }

  cancel(user: ConnectionUser): void {
    const index = this.#waiting.indexOf(user);
    if (index >= 0) this.#waiting.splice(index, 1);
    user.attempt.isCancelled = true;
    user.attempt.onCancel();
  }

  release(connection: Connection): void {
    if (!connection.isUsable) {
      this.#forget(connection);
      return;
    }
    const next = this.#waiting.shift();
    if (next) next.onConnection(connection);
    else this.#idle.push(connection);
  }

  /** Gives a connection up in mid-exchange: what is left on it belongs to nobody. */
  discard(connection: Connection): void {
    connection.destroy();
    this.#forget(connection);
  }

  close(): void {
    for (const connection of [...this.#open]) this.discard(connection);
  }

  async #connect(user: ConnectionUser): Promise<void> {
    const { target, via, opener, origin } = this.#options;
    this.#openingCount++;
    const opening =
      via === undefined
        ? openSocket(target, opener, user.attempt, this.#tlsSession)
        : openThroughProxy(target, via, opener, user.attempt, this.#tlsSession);
    const opened = await opening.catch(toFailure);
    this.#openingCount--;
    if (opened.kind === 'failed') {
      if (!user.attempt.isCancelled) user.onConnectFailure(opened.failure);
      this.#serveNext();
      return;
    }
    const connection = new Connection({
      ...{ origin, socket: opened.socket },
      address: via === undefined ? opened.address : undefined,
      forwarding: this.#forwarding,
      onClosed: (closed) => this.#forget(closed),
    });
    this.#open.add(connection);
    if (target.protocol === 'https:' && opened.socket instanceof TLSSocket) {
      opened.socket.on('session', (session) => {
        this.#tlsSession = session;
      });
    }
    if (user.attempt.isCancelled) this.discard(connection);
    else user.onConnection(connection);
  }

  #forget(connection: Connection): void {
    if (!this.#open.delete(connection)) return;
    const index = this.#idle.indexOf(connection);
    if (index >= 0) this.#idle.splice(index, 1);
    this.#serveNext();
  }

  #serveNext(): void {
    const next = this.#waiting.shift();
    if (next) this.acquireFresh(next);
    else if (this.#open.size === 0 && this.#openingCount === 0) this.#options.onEmpty();
  }
}

function proxyHeaders(proxy: ProxyEndpoint): string[] {
  const credentials = basicCredentials(proxy);
  return credentials === undefined ? [] : ['proxy-authorization', credentials];
}

/** Node throws for a few targets it will not even try; to a crawl they are one more unreachable server. */
function toFailure(error: unknown): OpenedSocket {
  const detail = error instanceof Error ? error.message : String(error);
  return { kind: 'failed', failure: fail('connect-failed', `No connection can be made: ${detail}.`) };
}
