/**
 * What a server does for the figures and alerts beside its requests. Workers keep the figures too; whoever comes
 * first does it, and when no worker runs the server does.
 */
import { cleanAccess } from '../control/access/clean-access.ts';
import { evaluateAlerts } from '../control/alerts/evaluate-alerts.ts';
import { forgetAlerts } from '../control/alerts/forget-alerts.ts';
import { forgetJobs } from '../control/jobs/forget-jobs.ts';
import { keepStats } from '../control/stats/keep-stats.ts';
import { takeJob } from '../engine/upkeep/take-job.ts';
import { monotonicMs, now } from '../platform/clock.ts';
import type { Database } from '../platform/database.ts';
import type { RateLimiter } from './rate-limiter.ts';

const TICK_MS = 1000;
const MINUTE_MS = 60_000;
const ALERTS_MS = 15_000;
/** A little less: whoever comes a moment early would have to come again. */
const ALERTS_SECONDS = 14;
const CLEANING_MS = 600_000;
const CLEANING_SECONDS = 3600;

export interface MonitorParts {
  /** For work that may take its time. */
  readonly db: Database;
  /** Where the embedded database is. */
  readonly dataDir: string;
  readonly limiter: Pick<RateLimiter, 'place'>;
  readonly warn: (sentence: string, error?: unknown) => void;
}

export class Monitor {
  readonly #parts: MonitorParts;
  readonly #failures = new Map<string, number>();
  #timer: NodeJS.Timeout | undefined;
  #round: Promise<void> | undefined;
  #minute = 0;
  #alertsAtMs = 0;
  #cleaningAtMs = 0;
  #place: RateLimiter['place'] = 'redis';

  constructor(parts: MonitorParts) {
    this.#parts = parts;
  }

  /** How often which of its duties failed: for the metrics. All of them are tried again. */
  get failures(): ReadonlyMap<string, number> {
    return this.#failures;
  }

  start(): void {
    this.#timer = setInterval(() => {
      // Without a database, or when one thing fails, the rest is done all the same, and all of it is tried again.
      this.#round ??= this.#doRound().finally(() => {
        this.#round = undefined;
      });
    }, TICK_MS);
    this.#timer.unref();
  }

  async close(): Promise<void> {
    clearInterval(this.#timer);
    await this.#round;
  }

  async #doRound(): Promise<void> {
    this.#lookAtRedis();
    const minute = Math.floor(now().getTime() / MINUTE_MS);
    const nowMs = monotonicMs();
    if (minute !== this.#minute) {
      this.#minute = minute;
      await this.#attempt('figures', () => keepStats(this.#parts.db));
    }
    if (nowMs >= this.#alertsAtMs) {
      this.#alertsAtMs = nowMs + ALERTS_MS;
      await this.#attempt('alerts', () => this.#lookForTrouble());
    }
    if (nowMs >= this.#cleaningAtMs) {
      this.#cleaningAtMs = nowMs + CLEANING_MS;
      await this.#attempt('cleaning', () => this.#clean());
    }
  }

  #lookAtRedis(): void {
    const { limiter, warn } = this.#parts;
    const before = this.#place;
    this.#place = limiter.place;
    if (before !== 'redis-away' && this.#place === 'redis-away') {
      warn('Redis cannot be reached: this server counts requests by itself until it is back.');
    }
    if (before === 'redis-away' && this.#place === 'redis') warn('Redis is back.');
  }

  async #lookForTrouble(): Promise<void> {
    const { db, dataDir } = this.#parts;
    if (!(await takeJob(db, 'alerts', ALERTS_SECONDS))) return;
    await evaluateAlerts({ db, dataDir: db.kind === 'embedded' ? dataDir : undefined });
  }

  async #clean(): Promise<void> {
    const { db } = this.#parts;
    if (!(await takeJob(db, 'server-cleaning', CLEANING_SECONDS))) return;
    for (const clean of [cleanAccess, forgetJobs, forgetAlerts]) {
      await this.#attempt('cleaning', () => clean(db));
    }
  }

  async #attempt(duty: string, work: () => Promise<unknown>): Promise<void> {
    try {
      await work();
    } catch (error) {
      this.#parts.warn(`The duty "${duty}" beside the requests failed; it is tried again.`, error);
      this.#failures.set(duty, (this.#failures.get(duty) ?? 0) + 1);
    }
  }
}
