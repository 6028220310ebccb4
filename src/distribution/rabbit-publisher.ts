/**
 * Sends messages and learns what became of each: it counts when the broker has confirmed that the queue has it. Many
 * are under way at a time, but not any number; what is not confirmed when the connection ends does not count.
 */

import { randomUUID } from 'node:crypto';
import type { ConfirmChannel, Options } from 'amqplib';
import { openChannel } from './rabbit-link.ts';
import type { RabbitSession } from './rabbit-session.ts';

export interface OutgoingMessage {
  /** The whole name of the queue. */
  readonly queue: string;
  readonly body: Buffer;
  readonly headers?: Readonly<Record<string, string | number>>;
  /** When the news in it was new, in ms since 1970. */
  readonly bornMs: number;
}

interface UnderWay {
  /** It came back, because no queue was there for it. */
  isReturned: boolean;
  settle(isInQueue: boolean): void;
}

const MOST_UNDER_WAY = 500;
/** No confirmation for that long, while some are owed: the broker is as good as gone. */
const SILENCE_MS = 5000;

export class RabbitPublisher {
  readonly #session: RabbitSession;
  readonly #channel: ConfirmChannel;
  /** By message id. */
  readonly #underWay = new Map<string, UnderWay>();
  readonly #waiting: (() => void)[] = [];
  #silence: NodeJS.Timeout | undefined;
  #isOver = false;

  static async open(session: RabbitSession): Promise<RabbitPublisher> {
    return new RabbitPublisher(
      session,
      await openChannel(session, () => session.model.createConfirmChannel()),
    );
  }

  private constructor(session: RabbitSession, channel: ConfirmChannel) {
    this.#session = session;
    this.#channel = channel;
    channel.on('return', ({ properties }) => {
      const message = this.#underWay.get(String(properties.messageId));
      if (message !== undefined) message.isReturned = true;
    });
    // A broker that is short of something reads nothing more: nobody waits for that.
    session.model.on('blocked', () => this.#giveUp());
    session.ended.then(() => this.#end());
  }

  /** Whether it is in a queue now. Waits its turn when many are under way; never throws. */
  async send(message: OutgoingMessage): Promise<boolean> {
    const isSent = await this.admit();
    return isSent && this.post(message);
  }

  /** Waits until one more may be under way; false: nothing can be sent any more. */
  async admit(): Promise<boolean> {
    while (!this.#isOver && this.#underWay.size >= MOST_UNDER_WAY) {
      await new Promise<void>((resolve) => this.#waiting.push(resolve));
    }
    return !this.#isOver && this.#session.blockedBecause === undefined;
  }

  /** Sends at once; resolves when it is known whether it is in a queue. */
  post({ queue, body, headers, bornMs }: OutgoingMessage): Promise<boolean> {
    const messageId = randomUUID();
    const properties: Options.Publish = {
      ...{ messageId, persistent: true, mandatory: true, contentType: 'application/json', appId: 'forager' },
      ...{ timestamp: Math.floor(bornMs / 1000), headers: { ...headers } },
    };
    return new Promise((resolve) => {
      const message: UnderWay = {
        isReturned: false,
        settle: (isInQueue) => {
          if (!this.#underWay.delete(messageId)) return;
          this.#watchSilence();
          this.#waiting.shift()?.();
          resolve(isInQueue);
        },
      };
      this.#underWay.set(messageId, message);
      if (this.#silence === undefined) this.#watchSilence();
      try {
        this.#channel.sendToQueue(queue, body, properties, (error: unknown) => {
          // A message without a queue is confirmed, too: it was dealt with. The queue has been deleted.
          if (message.isReturned) this.#session.breakOff(new Error(`its queue "${queue}" is gone`));
          message.settle((error === null || error === undefined) && !message.isReturned);
        });
      } catch {
        // The connection ended a moment ago.
        message.settle(false);
      }
    });
  }

  #watchSilence(): void {
    clearTimeout(this.#silence);
    this.#silence = undefined;
    if (this.#underWay.size === 0 || this.#isOver) return;
    this.#silence = setTimeout(() => {
      this.#session.breakOff(new Error(`it confirmed nothing for ${SILENCE_MS / 1000} seconds`));
    }, SILENCE_MS);
  }

  #end(): void {
    this.#isOver = true;
    clearTimeout(this.#silence);
    this.#giveUp();
  }

  #giveUp(): void {
    for (const { settle } of [...this.#underWay.values()]) settle(false);
    for (const go of this.#waiting.splice(0)) go();
  }
}
