/**
 * A connection to RabbitMQ that comes back for as long as it is not closed, with its queues declared anew each time.
 * Anything that goes wrong on it ends the connection: what is opened after that is whole.
 */
import type { Channel } from 'amqplib';
import { monotonicMs } from '../platform/clock.ts';
import { backoffMs } from './backoff.ts';
import { openSession, type RabbitSession } from './rabbit-session.ts';
import type { Topology } from './rabbit-topology.ts';
import { describeBlocked, describeTrouble } from './rabbit-trouble.ts';
import type { TroubleBook, Warn } from './trouble-book.ts';
import { pauseUnless, within } from './wait-until.ts';

export interface RabbitLinkOptions {
  readonly url: string;
  /** What it is for, as the broker's list of connections shows it. */
  readonly name: string;
  readonly topology: Topology;
  /** Sets up what lives on the connection; whatever it throws ends the connection. */
  readonly onUp: (session: RabbitSession) => Promise<void>;
  readonly onDown: () => void;
  readonly troubles: TroubleBook;
  readonly warn: Warn;
}

const RETRY = { firstMs: 250, mostMs: 15_000 };
/** A connection that lasts less is counted as a failed attempt: nobody connects and fails ten times a second. */
const STABLE_MS = 10_000;
const SET_UP_PATIENCE_MS = 10_000;

export class RabbitLink {
  readonly #options: RabbitLinkOptions;
  readonly #closing = new AbortController();
  readonly #work: Promise<void>;
  readonly #firstAttempt: Promise<void>;
  #tellFirstAttempt = (): void => undefined;
  /** From the moment it is connected, with its queues or not yet. */
  #connected: RabbitSession | undefined;
  #session: RabbitSession | undefined;

  constructor(options: RabbitLinkOptions) {
    this.#options = options;
    this.#firstAttempt = new Promise((resolve) => {
      this.#tellFirstAttempt = resolve;
    });
    this.#work = this.#run();
  }

  /** The connection, while there is one with its queues. */
  get session(): RabbitSession | undefined {
    return this.#session;
  }

  /** Resolves when it is up, or when the first attempt failed. */
  ready(): Promise<void> {
    return this.#firstAttempt;
  }

  async close(): Promise<void> {
    this.#closing.abort();
    // Whatever it waits for on the connection is over with that.
    await Promise.all([this.#connected?.leave(), this.#work]);
  }

  async #run(): Promise<void> {
    const { signal } = this.#closing;
    const { url, name, troubles } = this.#options;
    for (let attempt = 0; !signal.aborted; attempt += 1) {
      const startedMs = monotonicMs();
      const reason = await this.#live().catch((error: unknown) => error);
      if (!signal.aborted) troubles.note(name, describeTrouble(url, reason), reason);
      this.#tellFirstAttempt();
      if (monotonicMs() - startedMs > STABLE_MS) attempt = 0;
      await pauseUnless(signal, backoffMs(attempt, RETRY));
    }
  }

  /** From connecting to the end of the connection; gives the reason of the end. */
  async #live(): Promise<unknown> {
    const { url, name, onDown, troubles, warn } = this.#options;
    const session = await openSession({
      ...{ url, name, signal: this.#closing.signal },
      onBlocked: (reason) => {
        if (reason === undefined) troubles.clear(name);
        else troubles.note(name, describeBlocked(url, reason));
      },
      onDefect: (error) => warn('Something went wrong while a message of RabbitMQ was dealt with.', error),
    });
    this.#connected = session;
    try {
      if (this.#closing.signal.aborted) return undefined;
      await within(SET_UP_PATIENCE_MS, this.#setUp(session), 'it did not answer in time');
      troubles.clear(name);
      this.#tellFirstAttempt();
      return await session.ended;
    } finally {
      this.#session = undefined;
      this.#connected = undefined;
      onDown();
      await session.leave();
    }
  }

  async #setUp(session: RabbitSession): Promise<void> {
    const channel = await openChannel(session, () => session.model.createChannel());
    await this.#options.topology.declare(channel);
    await channel.close();
    this.#session = session;
    await this.#options.onUp(session);
  }
}

/** A channel whose failure is the failure of its connection. */
export async function openChannel<C extends Channel>(
  session: RabbitSession,
  open: () => Promise<C>,
): Promise<C> {
  const channel = await open();
  channel.on('error', (error: Error) => session.breakOff(error));
  channel.on('handler-error', (error: Error) => session.breakOff(error));
  return channel;
}
