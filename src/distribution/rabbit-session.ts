/**
 * One connection to RabbitMQ, from the handshake to its end. The client's own ways of ending wait for the broker;
 * here a broker that does not answer is left within a second, and its socket with it.
 */
import { type ChannelModel, connect } from 'amqplib';
import { settledWithin } from './wait-until.ts';

export interface RabbitSession {
  readonly model: ChannelModel;
  /** Resolves when it is over, with the reason. */
  readonly ended: Promise<Error>;
  /** Why the broker takes nothing at the moment; undefined: it does. */
  readonly blockedBecause: string | undefined;
  /** Ends it at once: the connection is of no use any more. */
  breakOff(reason: Error): void;
  /** Says farewell first, for a second at most. */
  leave(): Promise<void>;
}

export interface SessionOptions {
  readonly url: string;
  /** For the broker's list of connections. */
  readonly name: string;
  readonly onBlocked: (reason: string | undefined) => void;
  readonly onDefect: (error: Error) => void;
  /** Gives up an attempt that is under way. */
  readonly signal: AbortSignal;
}

const CONNECT_TIMEOUT_MS = 5000;
const FAREWELL_MS = 1000;
/** A silent broker is noticed after two to three times that. */
const HEARTBEAT_SECONDS = 10;

export async function openSession(options: SessionOptions): Promise<RabbitSession> {
  const cable = new AbortController();
  const cut = (): void => cable.abort();
  options.signal.addEventListener('abort', cut, { once: true });
  // The time of the client's own starts again with every byte; a handshake has to be over some time.
  const timer = setTimeout(cut, CONNECT_TIMEOUT_MS);
  try {
    const socketOptions = {
      // The socket is given this signal: whatever state the client is in, it is gone when that says so.
      signal: cable.signal,
      ...{ timeout: CONNECT_TIMEOUT_MS, keepAlive: true, noDelay: true },
      clientProperties: { connection_name: options.name, product: 'Forager' },
    };
    return watch(await connect(withHeartbeat(options.url), socketOptions), cable, options);
  } catch (error) {
    cable.abort();
    throw isAbort(error) ? new Error('it did not answer in time') : error;
  } finally {
    clearTimeout(timer);
    options.signal.removeEventListener('abort', cut);
  }
}

function watch(model: ChannelModel, cable: AbortController, options: SessionOptions): RabbitSession {
  let blockedBecause: string | undefined;
  let end: (reason: Error) => void = () => undefined;
  const ended = new Promise<Error>((resolve) => {
    end = resolve;
  });
  model.on('error', (error: Error) => end(error));
  model.on('close', (error?: Error) => end(error ?? new Error('the connection was closed')));
  model.on('handler-error', (error: Error) => options.onDefect(error));
  model.on('blocked', (reason: string) => {
    blockedBecause = reason;
    options.onBlocked(reason);
  });
  model.on('unblocked', () => {
    blockedBecause = undefined;
    options.onBlocked(undefined);
  });
  const breakOff = (reason: Error): void => {
    end(reason);
    cable.abort();
  };
  return {
    model,
    ended,
    get blockedBecause() {
      return blockedBecause;
    },
    breakOff,
    leave: async () => {
      await settledWithin(FAREWELL_MS, leavePolitely(model));
      breakOff(new Error('left'));
    },
  };
}

async function leavePolitely(model: ChannelModel): Promise<void> {
  // Refused where the connection is closed already.
  await model.close();
}

function withHeartbeat(url: string): string {
  const full = new URL(url);
  if (!full.searchParams.has('heartbeat')) full.searchParams.set('heartbeat', String(HEARTBEAT_SECONDS));
  return full.toString();
}

function isAbort(error: unknown): boolean {
  return error instanceof Error && error.name === 'AbortError';
}
