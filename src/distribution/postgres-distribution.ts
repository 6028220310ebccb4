/**
 * Hints through PostgreSQL: a notification that every process hears that listens. There is no queue: a hint that
 * nobody hears is gone, and the work is found by looking.
 */
import type { Database } from '../platform/database.ts';
import { messageOf } from '../platform/database-errors.ts';
import { inTransaction } from '../platform/transaction.ts';
import type { RecordDeadLetter } from './dead-letter.ts';
import type {
  Distribution,
  DistributionState,
  HintSubscription,
  TakeHint,
  WorkHint,
  WorkKind,
} from './distribution.ts';
import { readNotification, writeNotifications } from './notification.ts';
import { PostgresListener } from './postgres-listener.ts';
import { PostgresSubscription } from './postgres-subscription.ts';
import { TroubleBook, type Warn } from './trouble-book.ts';
import { within } from './wait-until.ts';

export const WORK_CHANNEL = 'forager_work';

export interface PostgresDistributionOptions {
  readonly db: Pick<Database, 'pool' | 'url'>;
  readonly onDeadLetter: RecordDeadLetter;
  readonly warn: Warn;
}

const ANNOUNCE_PATIENCE_MS = 5000;
/** So many notifications in one transaction. */
const MOST_AT_ONCE = 200;

export class PostgresDistribution implements Distribution {
  readonly kind = 'postgres';
  readonly #options: PostgresDistributionOptions;
  readonly #troubles: TroubleBook;
  readonly #subscriptions = new Set<PostgresSubscription>();
  #listener: PostgresListener | undefined;
  #isClosed = false;

  constructor(options: PostgresDistributionOptions) {
    this.#options = options;
    this.#troubles = new TroubleBook(
      options.warn,
      'Workers are told of new work through the database again.',
    );
  }

  get state(): DistributionState {
    return { trouble: this.#troubles.trouble };
  }

  async announce(hints: readonly WorkHint[]): Promise<number> {
    const payloads = writeNotifications(hints);
    let announced = 0;
    while (!this.#isClosed && payloads.length > 0) {
      const batch = payloads.splice(0, MOST_AT_ONCE);
      if (!(await this.#notify(batch.map(({ text }) => text)))) return announced;
      announced += batch.reduce((sum, { count }) => sum + count, 0);
    }
    return announced;
  }

  async subscribe(kind: WorkKind, take: TakeHint): Promise<HintSubscription> {
    if (this.#isClosed) throw new Error('The distribution is closed.');
    const subscription = new PostgresSubscription(kind, take, this.#options.warn);
    this.#subscriptions.add(subscription);
    this.#listener ??= new PostgresListener({
      ...{ db: this.#options.db, channel: WORK_CHANNEL, troubles: this.#troubles },
      onPayload: (payload) => this.#hear(payload),
    });
    await this.#listener.ready();
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
    await Promise.all([...subscriptions.map((each) => each.close()), this.#listener?.close()]);
  }

  async #notify(payloads: readonly string[]): Promise<boolean> {
    try {
      const told = inTransaction(this.#options.db, (tx) =>
        tx.query('select pg_notify($1, payload) from unnest($2::text[]) as payload', [
          WORK_CHANNEL,
          payloads,
        ]),
      );
      await within(ANNOUNCE_PATIENCE_MS, told, 'the database does not answer');
      this.#troubles.clear('announce');
      return true;
    } catch (error) {
      this.#troubles.note(
        'announce',
        `Workers could not be told of new work (${messageOf(error)}); they find it by looking.`,
        error,
      );
      return false;
    }
  }

  #hear(payload: string): void {
    for (const read of readNotification(payload)) {
      if (read.kind === 'hint') for (const each of this.#subscriptions) each.offer(read.hint);
      else this.#setAside(payload, read.reason);
    }
  }

  #setAside(text: string, reason: string): void {
    const { onDeadLetter, warn } = this.#options;
    Promise.resolve()
      .then(() => onDeadLetter({ queue: WORK_CHANNEL, reason, text }))
      .catch((error: unknown) =>
        warn('A notification that cannot be understood could not be recorded.', error),
      );
  }
}
