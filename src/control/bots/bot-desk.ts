/** Where bots come for work: at once, or after waiting for it. */
import type { Warn } from '../../distribution/trouble-book.ts';
import { canonicalDomain } from '../../engine/frontier/canonical-domain.ts';
import type { Database } from '../../platform/database.ts';
import { type BotOfKey, mayWorkOn } from './bot-of-key.ts';
import { JobWatch } from './job-watch.ts';
import { OneAtATime } from './one-at-a-time.ts';
import { type Pulled, pullJobs, type WantedJobs } from './pull-jobs.ts';
import { readStanding } from './read-standing.ts';

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
  /** The key that was shown: what holds for it may change while its bot waits. */
  readonly keyId: number;
  /** The client has gone: nothing is taken for it any more. */
  readonly signal: AbortSignal;
}

export class BotDesk {
  readonly #options: BotDeskOptions;
  readonly #turns = new OneAtATime('pulls of this bot');
  readonly #watch: JobWatch;

  constructor(options: BotDeskOptions) {
    this.#options = options;
    this.#watch = new JobWatch(options.db, options.warn);
  }

  /** How many pulls wait for work. */
  get waitingCount(): number {
    return this.#watch.size;
  }

  async pull(bot: BotOfKey, wanted: WantedJobs, options: WaitOptions): Promise<Pulled> {
    const { waitSeconds, signal, keyId } = options;
    const { news } = this.#watch;
    const first = await this.#look(bot, wanted, true);
    if (first.jobs.length > 0 || waitSeconds === 0) return first;
    const domain =
      (wanted.domain ?? null) === null ? undefined : canonicalDomain(wanted.domain?.trim() ?? '');
    const pull = {
      ...{ botId: bot.id, isForAny: bot.domains === null && domain === undefined, signal },
      waitMs: waitSeconds * 1000,
      isFor: (name: string) => (domain === undefined || name === domain) && mayWorkOn(bot, name),
      look: async () => this.#look(await readStanding(this.#options.db, keyId), wanted, false),
    };
    return this.#watch.waitForJobs(pull, first, news);
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
