/**
 * Hints through RabbitMQ: queues that outlive the broker's restart, each hint for one of those who take them. Sending
 * and taking have connections of their own: a broker that is short of memory or disk stops reading from those who
 * send, and acknowledgements must still come through.
 */
import { now } from '../platform/clock.ts';
import type { RecordDeadLetter } from './dead-letter.ts';
import type {
  Distribution,
  DistributionState,
  HintSubscription,
  TakeHint,
  WorkHint,
  WorkKind,
} from './distribution.ts';
import { writeHint } from './hint-message.ts';
import { RabbitLink } from './rabbit-link.ts';
import { RabbitPublisher } from './rabbit-publisher.ts';
import { RabbitSubscription } from './rabbit-subscription.ts';
import { queueOf, type Topology, topologyOf } from './rabbit-topology.ts';
import { TroubleBook, type Warn } from './trouble-book.ts';
import { settledWithin } from './wait-until.ts';

export interface RabbitDistributionOptions {
  readonly url: string;
  readonly prefix: string;
  readonly onDeadLetter: RecordDeadLetter;
  readonly warn: Warn;
}

/** Whoever opens or subscribes goes on after that, with the broker or without. */
const OPEN_PATIENCE_MS = 6000;

export async function openRabbitDistribution(options: RabbitDistributionOptions): Promise<Distribution> {
  const distribution = new RabbitDistribution(options);
  await distribution.ready();
  return distribution;
}

class RabbitDistribution implements Distribution {
  readonly kind = 'rabbitmq';
  readonly #options: RabbitDistributionOptions;
  readonly #topology: Topology;
  readonly #troubles: TroubleBook;
  readonly #subscriptions = new Set<RabbitSubscription>();
  readonly #sending: RabbitLink;
  #publisher: RabbitPublisher | undefined;
  #taking: RabbitLink | undefined;
  #isClosed = false;

  constructor(options: RabbitDistributionOptions) {
    this.#options = options;
    this.#topology = topologyOf(options.prefix);
    this.#troubles = new TroubleBook(options.warn, 'RabbitMQ tells workers of tasks again.');
    this.#sending = this.#openLink('announces', {
      onUp: async (session) => {
        this.#publisher = await RabbitPublisher.open(session);
      },
      onDown: () => {
        this.#publisher = undefined;
      },
    });
  }

  get state(): DistributionState {
    return { trouble: this.#troubles.trouble };
  }

  async ready(): Promise<void> {
    await settledWithin(OPEN_PATIENCE_MS, this.#sending.ready());
  }

  async announce(hints: readonly WorkHint[]): Promise<number> {
    const publisher = this.#publisher;
    if (publisher === undefined || this.#isClosed) return 0;
    const bornMs = now().getTime();
    const underWay: Promise<boolean>[] = [];
    for (const hint of hints) {
      if (!(await publisher.admit())) break;
      const queue = this.#topology.nameOf(queueOf(hint));
      underWay.push(publisher.post({ queue, body: Buffer.from(writeHint(hint)), bornMs }));
    }
    const outcomes = await Promise.all(underWay);
    return outcomes.filter((isInQueue) => isInQueue).length;
  }

  async subscribe(kind: WorkKind, take: TakeHint): Promise<HintSubscription> {
    if (this.#isClosed) throw new Error('The distribution is closed.');
    const { onDeadLetter, warn } = this.#options;
    const subscription = new RabbitSubscription({
      ...{ kind, take, topology: this.#topology, onDeadLetter, warn },
      send: async (message) => (await this.#publisher?.send(message)) ?? false,
    });
    this.#subscriptions.add(subscription);
    await this.#begin(subscription);
    return {
      close: async () => {
        this.#subscriptions.delete(subscription);
        await subscription.close();
      },
    };
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    const subscriptions = [...this.#subscriptions];
    this.#subscriptions.clear();
    await Promise.all(subscriptions.map((each) => each.close()));
    await Promise.all([this.#sending.close(), this.#taking?.close()]);
  }

  /** On the connection there is, or on the next one with all others. */
  async #begin(subscription: RabbitSubscription): Promise<void> {
    const session = this.#taking?.session;
    if (session !== undefined) {
      await settledWithin(
        OPEN_PATIENCE_MS,
        subscription.start(session).catch((error: unknown) => session.breakOff(asError(error))),
      );
      return;
    }
    this.#taking ??= this.#openLink('takes', {
      onUp: async (opened) => {
        for (const each of this.#subscriptions) await each.start(opened);
      },
      onDown: () => {
        for (const each of this.#subscriptions) each.drop();
      },
    });
    await settledWithin(OPEN_PATIENCE_MS, this.#taking.ready());
  }

  #openLink(
    role: string,
    hooks: Pick<ConstructorParameters<typeof RabbitLink>[0], 'onUp' | 'onDown'>,
  ): RabbitLink {
    const { url, warn } = this.#options;
    return new RabbitLink({
      ...{
        url,
        topology: this.#topology,
        troubles: this.#troubles,
        warn,
        name: `forager ${process.pid} ${role}`,
      },
      ...hooks,
    });
  }
}

function asError(error: unknown): Error {
  return error instanceof Error ? error : new Error(String(error));
}
