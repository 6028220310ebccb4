import type { Socket } from 'node:net';
import { Client, type Dispatcher } from 'undici';

/** Idle connections are given up after this, or earlier if the server announces that it will. */
const IDLE_MS = 60_000;
const MAX_HEADER_BYTES = 65_536;

/** The socket ends at a proxy that reads the requests itself. */
export interface Forwarding {
  /** For the proxy, with every request: flat name, value, … */
  readonly headers: readonly string[];
}

export interface ConnectionParts {
  readonly origin: string;
  readonly socket: Socket;
  readonly address: string | undefined;
  readonly forwarding?: Forwarding | undefined;
  readonly onClosed: (connection: Connection) => void;
}

/**
 * One vetted, connected socket with undici's HTTP/1.1 parser on it. A client may open a second socket by
 * itself when the first one ends; this one refuses to, so that every address passes through the guard and
 * an exchange always knows which address it spoke to.
 */
export class Connection {
  /** The server's; undefined: a proxy is between, and which one it connected to is not known. */
  readonly address: string | undefined;
  /** How many exchanges were started on it; more than one means that the server may have hung up since. */
  exchangeCount = 0;
  readonly #socket: Socket;
  readonly #client: Client;
  readonly #origin: string;
  readonly #forwarding: Forwarding | undefined;

  constructor({ origin, socket, address, forwarding, onClosed }: ConnectionParts) {
    this.address = address;
    this.#socket = socket;
    this.#origin = origin;
    this.#forwarding = forwarding;
    socket.on('error', () => {}); // undici reports it to the exchange; idle sockets just close
    socket.once('close', () => onClosed(this));
    let unused: Socket | undefined = socket;
    this.#client = new Client(origin, {
      pipelining: 1,
      maxHeaderSize: MAX_HEADER_BYTES,
      keepAliveTimeout: IDLE_MS,
      keepAliveMaxTimeout: IDLE_MS,
      keepAliveTimeoutThreshold: 1_000,
      // One deadline over the whole exchange replaces undici's timers, which start anew with every chunk.
      headersTimeout: 0,
      bodyTimeout: 0,
      connect: (_options, callback) => {
        const given = unused;
        unused = undefined;
        queueMicrotask(() => {
          if (given) callback(null, given);
          else callback(new ConnectionEndedError(), null);
        });
      },
    });
  }

  /** Answers may be the proxy's own. */
  get isForwarded(): boolean {
    return this.#forwarding !== undefined;
  }

  get isUsable(): boolean {
    return !this.#socket.destroyed && this.#socket.writable;
  }

  dispatch(path: string, headers: string[], handler: Dispatcher.DispatchHandler): void {
    this.exchangeCount++;
    if (this.#forwarding === undefined) {
      this.#client.dispatch({ method: 'GET', path, headers }, handler);
      return;
    }
    // RFC 9112 §3.2.2: a proxy is told the whole URL.
    headers.push(...this.#forwarding.headers);
    this.#client.dispatch({ method: 'GET', path: this.#origin + path, headers }, handler);
  }

  destroy(): void {
    // The client first: it ends the socket with an error, without which undici would take the closing for
    // the end of a body that has no length.
    this.#client.destroy().catch(() => {});
    this.#socket.destroy();
  }
}

class ConnectionEndedError extends Error {
  readonly code = 'ECONNRESET';
  constructor() {
    super('the connection ended before the request was sent');
  }
}
