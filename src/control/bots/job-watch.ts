/**
 * Pulls that wait until there is work. They hold no connection to the database: one listener for all of them hears
 * when jobs come or room is made. Then one question tells which domains have something, and those who may have it look
 * again one after another, those that wait longest first; nobody else does anything. A pull of everything that finds
 * nothing ends the round: there is nothing for those behind it either.
 */
import { PostgresListener } from '../../distribution/postgres-listener.ts';
import { TroubleBook, type Warn } from '../../distribution/trouble-book.ts';
import { type Database, prepared } from '../../platform/database.ts';
import { loadSql } from '../../platform/sql-file.ts';
import type { Pulled } from './pull-jobs.ts';

const listDue = prepared('list-due-bot-domains', loadSql(import.meta.url, './list-due-domains.sql'));

const CHANNEL = 'forager_bots';
/** Whoever comes when so many wait is answered at once, and told when to ask again. */
const MOST_WAITING = 500;
const MOST_OF_ONE_BOT = 20;
const MOST_DUE = 500;
/** Nothing is known to come, or it could not be asked: whoever notifies may have been missed. */
const IDLE_SECONDS = 10;

export interface WaitingPull {
  readonly botId: number;
  /** It takes any job: when there is none for it, there is none for anybody. */
  readonly isForAny: boolean;
  /** Whether a job of this domain would do. */
  isFor(domain: string): boolean;
  readonly waitMs: number;
  /** The client has gone. */
  readonly signal: AbortSignal;
  look(): Promise<Pulled>;
}

interface Due {
  /** Domains that may have something now. */
  readonly names: readonly string[];
  readonly nextSeconds: number | null;
}

interface Waiter extends WaitingPull {
  /** Of the last look. */
  last: Pulled;
  isLooking: boolean;
  /** Its time is up, or its client has gone: it is answered when its look is over. */
  isDue: boolean;
  settle(answer: Pulled | Error): void;
}

export class JobWatch {
  readonly #db: Pick<Database, 'url' | 'query'>;
  readonly #troubles: TroubleBook;
  readonly #waiters = new Set<Waiter>();
  #listener: PostgresListener | undefined;
  #news = 0;
  #round: Promise<void> | undefined;
  #isEnding = false;
  /** When something may come, as it was last asked. */
  #nextSeconds: number | null = 1;
  #timer: NodeJS.Timeout | undefined;

  constructor(db: Pick<Database, 'url' | 'query'>, warn: Warn) {
    this.#db = db;
    this.#troubles = new TroubleBook(warn, 'Waiting bots are told of new jobs again.');
  }

  get size(): number {
    return this.#waiters.size;
  }

  /** How often there was news: what was found before may be old. */
  get news(): number {
    return this.#news;
  }

  /** Waits for jobs after a look at `news` that found none. */
  async waitForJobs(pull: WaitingPull, first: Pulled, news: number): Promise<Pulled> {
    const isNew = this.#listener === undefined;
    if (this.#isEnding || !this.#hasRoomFor(pull)) return first;
    const answer = this.#enter(pull, first);
    this.#listener ??= new PostgresListener({
      ...{ db: this.#db, channel: CHANNEL, troubles: this.#troubles },
      onPayload: () => this.#hear(),
    });
    if (isNew) {
      // What came before it listened was not heard.
      this.#listener.ready().then(() => this.#hear());
    } else if (news !== this.#news) this.#startRound();
    this.#nextSeconds = Math.min(this.#nextSeconds ?? IDLE_SECONDS, first.retryAfterSeconds ?? 1);
    this.#planNext();
    return answer;
  }

  /** Those that wait are answered with what they have found last; nobody waits any more. */
  endAll(): void {
    this.#isEnding = true;
    clearTimeout(this.#timer);
    for (const waiter of this.#waiters) this.#dismiss(waiter);
  }

  async close(): Promise<void> {
    this.endAll();
    await this.#round;
    await this.#listener?.close();
  }

  #hasRoomFor({ botId }: WaitingPull): boolean {
    if (this.#waiters.size >= MOST_WAITING) return false;
    const own = [...this.#waiters].filter((waiter) => waiter.botId === botId);
    return own.length < MOST_OF_ONE_BOT;
  }

  #enter(pull: WaitingPull, first: Pulled): Promise<Pulled> {
    return new Promise((resolve, reject) => {
      const dismiss = (): void => this.#dismiss(waiter);
      const timer = setTimeout(dismiss, pull.waitMs);
      const waiter: Waiter = {
        ...pull,
        ...{ last: first, isLooking: false, isDue: false },
        settle: (answer) => {
          clearTimeout(timer);
          pull.signal.removeEventListener('abort', dismiss);
          this.#waiters.delete(waiter);
          if (answer instanceof Error) reject(answer);
          else resolve(answer);
        },
      };
      this.#waiters.add(waiter);
      pull.signal.addEventListener('abort', dismiss, { once: true });
      if (pull.signal.aborted) dismiss();
    });
  }

  #dismiss(waiter: Waiter): void {
    waiter.isDue = true;
    // What it is just being given must not be lost.
    if (!waiter.isLooking) waiter.settle(waiter.last);
  }

  #hear(): void {
    this.#news += 1;
    this.#startRound();
  }

  #startRound(): void {
    if (this.#waiters.size === 0 || this.#isEnding) return;
    this.#round ??= this.#goRound().finally(() => {
      this.#round = undefined;
      this.#planNext();
    });
  }

  async #goRound(): Promise<void> {
    for (;;) {
      const news = this.#news;
      let due = await this.#findDue();
      for (const waiter of [...this.#waiters]) {
        if (!mayHave(waiter, due)) continue;
        const isNothing = await this.#lookFor(waiter);
        if (!isNothing) continue;
        if (waiter.isForAny) break;
        // It was another's, or the domain is full: those behind it need not look for that.
        due = await this.#findDue();
      }
      if (news === this.#news || this.#isEnding) return;
    }
  }

  async #findDue(): Promise<Due> {
    try {
      const [due] = (await this.#db.query<Due>(listDue, [MOST_DUE])).rows;
      this.#nextSeconds = due === undefined || due.names.length > 0 ? 1 : due.nextSeconds;
      return due ?? NOTHING_DUE;
    } catch {
      // Whoever looks next time finds it, or is told what is wrong.
      this.#nextSeconds = null;
      return NOTHING_DUE;
    }
  }

  async #lookFor(waiter: Waiter): Promise<boolean> {
    if (waiter.isDue || !this.#waiters.has(waiter)) return false;
    waiter.isLooking = true;
    try {
      waiter.last = await waiter.look();
      waiter.isLooking = false;
      const isNothing = waiter.last.jobs.length === 0;
      if (!isNothing || waiter.isDue) waiter.settle(waiter.last);
      return isNothing;
    } catch (error) {
      waiter.settle(error instanceof Error ? error : new Error(String(error)));
      return false;
    }
  }

  /** Jobs whose time comes make no noise. */
  #planNext(): void {
    clearTimeout(this.#timer);
    if (this.#waiters.size === 0 || this.#isEnding) return;
    const seconds = Math.max(1, Math.min(IDLE_SECONDS, this.#nextSeconds ?? IDLE_SECONDS));
    this.#timer = setTimeout(() => this.#startRound(), seconds * 1000);
    this.#timer.unref();
  }
}

const NOTHING_DUE: Due = { names: [], nextSeconds: null };

/** Where there are more than are told, any of them may be for it. */
function mayHave(waiter: Waiter, { names }: Due): boolean {
  return names.length === MOST_DUE || names.some((name) => waiter.isFor(name));
}
