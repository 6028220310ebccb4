/**
 * One who takes hints from RabbitMQ. A message is acknowledged when it was handed over: if the process dies before,
 * the broker gives it to somebody else. On a new connection it begins anew with nothing in its hands.
 */
import type { Channel, ConsumeMessage } from 'amqplib';
import { now } from '../platform/clock.ts';
import { backoffMs } from './backoff.ts';
import type { RecordDeadLetter } from './dead-letter.ts';
import type { HandOver, TakeHint, WorkKind } from './distribution.ts';
import { HintDesk } from './hand-over.ts';
import { MOST_MESSAGE_BYTES, type ReadHint, readHint } from './hint-message.ts';
import { openChannel } from './rabbit-link.ts';
import type { OutgoingMessage } from './rabbit-publisher.ts';
import type { RabbitSession } from './rabbit-session.ts';
import {
  HINT_LIFE_MS,
  MOST_DELIVERIES,
  type QueueName,
  queuesFor,
  type Topology,
} from './rabbit-topology.ts';
import type { Warn } from './trouble-book.ts';
import { settledWithin } from './wait-until.ts';

export interface SubscriptionOptions {
  readonly kind: WorkKind;
  readonly take: TakeHint;
  readonly topology: Topology;
  /** Whether it is in a queue now; false when the broker is away, too. */
  readonly send: (message: OutgoingMessage) => Promise<boolean>;
  readonly onDeadLetter: RecordDeadLetter;
  readonly warn: Warn;
}

/** Of each queue; what a consumer has in its hands nobody else gets. */
const PREFETCH = 16;
const LATER = { firstMs: 200, mostMs: 10_000 };
const LATER_HEADER = 'x-forager-later';
const CANCEL_PATIENCE_MS = 1000;

/** What it has on one connection. */
interface Hands {
  readonly session: RabbitSession;
  readonly channel: Channel;
  readonly timers: Set<NodeJS.Timeout>;
}

export class RabbitSubscription {
  readonly #options: SubscriptionOptions;
  readonly #desk: HintDesk;
  #hands: Hands | undefined;
  #startedOn: RabbitSession | undefined;
  #isClosed = false;

  constructor(options: SubscriptionOptions) {
    this.#options = options;
    this.#desk = new HintDesk(options.take, { mostWaiting: Number.POSITIVE_INFINITY, warn: options.warn });
  }

  /** Once on each connection, however often it is called. */
  async start(session: RabbitSession): Promise<void> {
    if (this.#startedOn === session || this.#isClosed) return;
    this.#startedOn = session;
    const channel = await openChannel(session, () => session.model.createChannel());
    const hands: Hands = { session, channel, timers: new Set() };
    this.#hands = hands;
    try {
      await channel.prefetch(PREFETCH);
      for (const queue of queuesFor(this.#options.kind)) {
        const name = this.#options.topology.nameOf(queue);
        await channel.consume(name, (message) => this.#receive(hands, queue, message));
      }
    } catch (error) {
      // Closed in the meantime, channel and all.
      if (!this.#isClosed) throw error;
    }
  }

  /** The connection is gone, and with it the right to acknowledge: the broker gives what was in hand to others. */
  drop(): void {
    for (const timer of this.#hands?.timers ?? []) clearTimeout(timer);
    this.#hands = undefined;
    this.#desk.clear();
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    const hands = this.#hands;
    await this.#desk.close();
    this.drop();
    // Closing the channel puts back what was not handed over.
    if (hands !== undefined) await settledWithin(CANCEL_PATIENCE_MS, closeQuietly(hands.channel));
  }

  #receive(hands: Hands, queue: QueueName, message: ConsumeMessage | null): void {
    if (message === null) {
      // Somebody deleted the queue: a new connection makes it anew.
      hands.session.breakOff(new Error(`its queue "${this.#options.topology.nameOf(queue)}" is gone`));
      return;
    }
    if (this.#hands !== hands) return;
    const read = readMessage(message, this.#options.kind);
    if (read.kind === 'malformed') {
      this.#setAside(hands, queue, message, read.reason);
    } else if (numberOf(message.properties.headers?.['x-delivery-count']) >= MOST_DELIVERIES) {
      this.#setAside(hands, queue, message, `it was delivered ${MOST_DELIVERIES} times and never taken`);
    } else if (ageOf(message) > HINT_LIFE_MS) {
      acknowledge(hands, message);
    } else {
      this.#desk.offer({
        hint: read.hint,
        settle: (outcome) => this.#settle(hands, message, outcome),
      });
    }
  }

  #settle(hands: Hands, message: ConsumeMessage, outcome: HandOver): void {
    if (this.#hands !== hands) return;
    if (outcome === 'taken') acknowledge(hands, message);
    else this.#hold(hands, message);
  }

  /**
   * Goes to the end of the queue after a while, as a new message: put back, it would come again at once, and the
   * broker would count it as one that nobody survives. It stays in hand until the new one is safe.
   */
  #hold(hands: Hands, message: ConsumeMessage): void {
    const times = numberOf(message.properties.headers?.[LATER_HEADER]);
    const next = { queue: message.fields.routingKey, headers: { [LATER_HEADER]: times + 1 } };
    this.#after(hands, times, () => this.#replace(hands, message, next));
  }

  #after(hands: Hands, times: number, act: () => Promise<void>): void {
    const timer = setTimeout(
      () => {
        hands.timers.delete(timer);
        void act();
      },
      backoffMs(times, LATER),
    );
    hands.timers.add(timer);
  }

  #setAside(hands: Hands, queue: QueueName, message: ConsumeMessage, reason: string): void {
    const { topology, onDeadLetter, warn } = this.#options;
    const text = beginningOf(message).toString();
    const record = async (): Promise<void> => {
      // Recorded or not, the broker keeps it with its reason.
      await Promise.resolve(onDeadLetter({ queue, reason, text })).catch((error: unknown) =>
        warn(
          'A message that cannot be used could not be recorded; it is in the dead letters of RabbitMQ.',
          error,
        ),
      );
      await this.#replace(hands, message, {
        queue: topology.nameOf('dead_letter_queue'),
        headers: { 'x-reason': reason, 'x-queue': queue },
      });
    };
    void record();
  }

  /** Acknowledged when what comes in its place is safe; tried until then, or until the connection is gone. */
  async #replace(
    hands: Hands,
    message: ConsumeMessage,
    next: Pick<OutgoingMessage, 'queue' | 'headers'>,
    attempt = 0,
  ): Promise<void> {
    const bornMs = now().getTime() - ageOf(message);
    const isSafe = await this.#options.send({ ...next, body: beginningOf(message), bornMs });
    if (this.#hands !== hands) return;
    if (isSafe) acknowledge(hands, message);
    else this.#after(hands, attempt, () => this.#replace(hands, message, next, attempt + 1));
  }
}

function readMessage(message: ConsumeMessage, kind: WorkKind): ReadHint {
  const bytes = message.content.length;
  if (bytes > MOST_MESSAGE_BYTES) return { kind: 'malformed', reason: `it has ${bytes} bytes` };
  return readHint(message.content.toString(), kind);
}

/** All of it, of every hint; what somebody else sent may have any size. */
function beginningOf(message: ConsumeMessage): Buffer {
  return message.content.subarray(0, MOST_MESSAGE_BYTES);
}

function acknowledge({ channel }: Hands, message: ConsumeMessage): void {
  try {
    channel.ack(message);
  } catch {
    // The connection ended a moment ago: the message comes again, and does no harm.
  }
}

async function closeQuietly(channel: Channel): Promise<void> {
  await channel.close();
}

/** By the clocks of two machines; never less than nothing. */
function ageOf({ properties }: ConsumeMessage): number {
  const bornSeconds = numberOf(properties.timestamp);
  return bornSeconds === 0 ? 0 : Math.max(0, now().getTime() - bornSeconds * 1000);
}

function numberOf(value: unknown): number {
  return typeof value === 'number' && Number.isFinite(value) ? value : 0;
}
