/** Where bots come for work: at once, or after waiting for it. */
import type { Warn } from '../../distribution/trouble-book.ts';
import type { Database } from '../../platform/database.ts';
import type { BotOfKey } from './bot-of-key.ts';
import { JobWatch } from './job-watch.ts';
import { OneAtATime } from './one-at-a-time.ts';
import { type Pulled, pullJobs, type WantedJobs } from './pull-jobs.ts';

export interface BotDeskOptions {
  readonly db: Database;
  /** Jobs of one domain that may be under way at once, where it says nothing itself. */
  readonly maxPerDomain: number;
  /** How long a lock lasts where the policy of the job says nothing. */
  readonly lockSeconds: number;
  readonly warn: Warn;
}

export interface WaitOptions {
  readonly waitSeconds: number;
  /** The client has gone: nothing is taken for it any more. */
  readonly signal: AbortSignal;
}

export class BotDesk {
  readonly #options: BotDeskOptions;
  readonly #turns = new OneAtATime();
  readonly #watch: JobWatch;

  constructor(options: BotDeskOptions) {
    this.#options = options;
    this.#watch = new JobWatch(options.db, options.warn);
  }

  /** How many pulls wait for work. */
  get waitingCount(): number {
    return this.#watch.size;
  }

  async pull(bot: BotOfKey, wanted: WantedJobs, { waitSeconds, signal }: WaitOptions): Promise<Pulled> {
    const { news } = this.#watch;
    const first = await this.#look(bot, wanted, true);
    if (first.jobs.length > 0 || waitSeconds === 0) return first;
    const isForAny = bot.domains === null && (wanted.domain ?? null) === null;
    const look = (): Promise<Pulled> => this.#look(bot, wanted, false);
    const waiting = { botId: bot.id, isForAny, waitMs: waitSeconds * 1000, signal, look };
    return this.#watch.waitForJobs(waiting, first, news);
  }

  /** Whoever waits is answered, so that the server can stop. */
  endAll(): void {
    this.#watch.endAll();
  }

  close(): Promise<void> {
    return this.#watch.close();
  }

  #look(bot: BotOfKey, wanted: WantedJobs, isCounted: boolean): Promise<Pulled> {
    const { db, maxPerDomain, lockSeconds } = this.#options;
    return this.#turns.run(bot.id, () => pullJobs(db, bot, wanted, { maxPerDomain, lockSeconds, isCounted }));
  }
}
