/**
 * What happens, as the database tells it: one reader for all subscribers of this process, at work only while there is
 * one. It asks a few times a second instead of being notified: a transaction that notifies takes a lock at its commit
 * that every other such transaction waits for, and a fleet commits all the time.
 */
import type { LiveEvent, LiveType } from '../../contract/live.ts';
import { monotonicMs, now } from '../../platform/clock.ts';
import type { Database } from '../../platform/database.ts';
import { ConnectionLost } from '../../platform/errors.ts';
import type { Figures } from '../stats/figures.ts';
import { type Move, tailDomains } from './domain-tail.ts';
import type { NumberedTail } from './numbered-tail.ts';
import type { Place } from './place.ts';
import type { Watch } from './watch.ts';
import { watchActs } from './watch-acts.ts';
import { watchAlerts } from './watch-alerts.ts';
import { watchJobs } from './watch-jobs.ts';
import { watchProducts } from './watch-products.ts';
import { watchRates } from './watch-rates.ts';
import { watchWorkers } from './watch-workers.ts';

const MOVES_EVERY_MS = 250;
const CHANGES_EVERY_MS = 500;
const RATES_EVERY_MS = 1000;
const AFTER_TROUBLE_MS = 1000;

export interface Told {
  readonly event: LiveEvent;
  /** Where whoever has seen it has come to, if it is a change of a domain's state. */
  readonly place?: Place;
}

export interface Subscriber {
  readonly types: ReadonlySet<LiveType>;
  /** Must not throw, and must not make the feed wait. */
  tell(told: Told): void;
}

interface Source {
  readonly watch: Watch;
  readonly everyMs: number;
  dueAtMs: number;
}

export interface FeedParts {
  readonly db: Database;
  readonly figures: Pick<Figures, 'read'>;
  /** Something went wrong that is not the loss of the database. */
  readonly onTrouble: (error: unknown) => void;
}

export class LiveFeed {
  readonly #parts: FeedParts;
  readonly #subscribers = new Set<Subscriber>();
  readonly #tail: NumberedTail<Move>;
  readonly #sources: readonly Source[];
  #beginning: Promise<void> | undefined;
  #timer: NodeJS.Timeout | undefined;
  #reading: Promise<void> = Promise.resolve();
  /** The database does not answer. */
  #isLost = false;

  constructor(parts: FeedParts) {
    const { db, figures } = parts;
    this.#parts = parts;
    this.#tail = tailDomains(db);
    const source = (watch: Watch, everyMs: number): Source => ({ watch, everyMs, dueAtMs: 0 });
    this.#sources = [
      source(watchActs(db), CHANGES_EVERY_MS),
      source(watchAlerts(db), CHANGES_EVERY_MS),
      source(watchJobs(db), CHANGES_EVERY_MS),
      source(watchWorkers(db), CHANGES_EVERY_MS),
      source(watchProducts(db), CHANGES_EVERY_MS),
      source(watchRates(figures), RATES_EVERY_MS),
    ];
  }

  get place(): Place {
    return this.#tail.place;
  }

  /** Everything that is committed after this resolves reaches the subscriber. Rejects when there is no database. */
  async join(subscriber: Subscriber): Promise<void> {
    this.#subscribers.add(subscriber);
    try {
      await this.#begin();
    } catch (error) {
      this.leave(subscriber);
      throw error;
    }
  }

  leave(subscriber: Subscriber): void {
    this.#subscribers.delete(subscriber);
    if (this.#subscribers.size === 0) this.#rest();
  }

  async close(): Promise<void> {
    this.#subscribers.clear();
    this.#rest();
    await this.#reading;
  }

  #begin(): Promise<void> {
    if (this.#beginning !== undefined) return this.#beginning;
    const beginning = this.#reading.then(async () => {
      try {
        await this.#beginSources();
      } catch (error) {
        if (this.#beginning === beginning) this.#beginning = undefined;
        throw error;
      }
      // Whoever wanted it may have left meanwhile.
      if (this.#beginning === beginning) this.#schedule(MOVES_EVERY_MS);
    });
    this.#beginning = beginning;
    this.#reading = beginning.catch(() => undefined);
    return beginning;
  }

  async #beginSources(): Promise<void> {
    await this.#tail.begin();
    for (const source of this.#sources) {
      await source.watch.begin();
      source.dueAtMs = monotonicMs() + source.everyMs;
    }
    this.#isLost = false;
  }

  #rest(): void {
    clearTimeout(this.#timer);
    this.#beginning = undefined;
  }

  #schedule(waitMs: number): void {
    const life = this.#beginning;
    this.#timer = setTimeout(() => {
      const startedMs = monotonicMs();
      this.#reading = this.#read().then((pauseMs) => {
        const isWanted = life !== undefined && this.#beginning === life;
        if (isWanted) this.#schedule(Math.max(0, pauseMs - (monotonicMs() - startedMs)));
      });
    }, waitMs);
  }

  /** Tells how long to wait before the next time; whatever went wrong, that goes on from the same place. */
  async #read(): Promise<number> {
    try {
      if (this.#isLost) await this.#beginAgainIfReplaced();
      const { rows, isMore } = await this.#tail.read();
      for (const { row, place } of rows) this.#tell('domain', { event: toEvent(row), place });
      for (const source of this.#sources) {
        const nowMs = monotonicMs();
        if (source.dueAtMs > nowMs) continue;
        source.dueAtMs = nowMs + source.everyMs;
        for (const event of await source.watch.look()) this.#tell(event.type, { event });
      }
      if (this.#isLost) this.#tell('database', { event: databaseEvent('back') });
      this.#isLost = false;
      return isMore ? 0 : MOVES_EVERY_MS;
    } catch (error) {
      this.#complain(error);
      return AFTER_TROUBLE_MS;
    }
  }

  async #beginAgainIfReplaced(): Promise<void> {
    if (await this.#tail.beginAgainIfReplaced()) {
      this.#tell('gap', { event: gapEvent('unknown-place'), place: this.place });
    }
    for (const { watch } of this.#sources) await watch.beginAgainIfReplaced?.();
  }

  #complain(error: unknown): void {
    if (this.#isLost) return;
    this.#isLost = true;
    this.#tell('database', { event: databaseEvent('lost') });
    if (!(error instanceof ConnectionLost)) this.#parts.onTrouble(error);
  }

  /** What concerns the stream itself is for everybody. */
  #tell(type: LiveEvent['type'], told: Told): void {
    for (const subscriber of this.#subscribers) {
      const isWanted =
        type === 'database' ||
        (type === 'gap' ? subscriber.types.has('domain') : subscriber.types.has(type as LiveType));
      if (isWanted) subscriber.tell(told);
    }
  }
}

export function toEvent(move: Move): LiveEvent {
  return {
    ...{ type: 'domain', ...move, at: move.at.toISOString() },
    nextCrawlAfter: move.nextCrawlAfter?.toISOString() ?? null,
  };
}

function databaseEvent(status: 'lost' | 'back'): LiveEvent {
  return { type: 'database', status, at: now().toISOString() };
}

export function gapEvent(reason: 'too-many' | 'unknown-place'): LiveEvent {
  const what =
    reason === 'too-many' ? 'More happened than is sent afterwards' : 'The place is not known here';
  return { type: 'gap', reason, message: `${what}: read everything again.`, at: now().toISOString() };
}
