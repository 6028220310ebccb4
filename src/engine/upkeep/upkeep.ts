/**
 * What must happen while workers work, whoever does it: rests, cooldowns and refreshes end in time, scores are
 * brought up to date every hour, tomorrow's part of the log exists, figures are added up. Any number of processes
 * may do it at once; each step takes what nobody else has taken.
 */
import { keepStats } from '../../control/stats/keep-stats.ts';
import { monotonicMs, now } from '../../platform/clock.ts';
import type { Database } from '../../platform/database.ts';
import { loadSql } from '../../platform/sql-file.ts';
import { inTransaction } from '../../platform/transaction.ts';
import { freeGoneClaims } from '../claim/claim-domains.ts';
import { beginRefreshes, wakeDomains } from '../claim/wake-domains.ts';
import type { CrawlSettings } from '../crawl-settings.ts';
import { reprioritize } from '../schedule/reprioritize.ts';
import { ensureLogPartitions } from './log-partitions.ts';
import { takeJob } from './take-job.ts';

const handBack = loadSql(import.meta.url, '../run/hand-back-exhausted.sql');
const forgetWorkers = loadSql(import.meta.url, './forget-workers.sql');
const countProducts = loadSql(import.meta.url, './count-products.sql');

/** Each machine knows of its own processes only: every process looks for those that are gone. */
const FREE_GONE_MS = 10_000;
const LOOK_FOR_JOBS_MS = 60_000;
const JOB_SECONDS = 3600;
const MINUTE_MS = 60_000;

export interface UpkeepParts {
  readonly db: Database;
  readonly runId: number;
  readonly settings: Pick<CrawlSettings, 'refresh' | 'isDomainTracked'>;
}

export class Upkeep {
  readonly #parts: UpkeepParts;
  #freeGoneAtMs = 0;
  #jobsAtMs = 0;
  #minute = 0;
  #figures: Promise<void> | undefined;

  constructor(parts: UpkeepParts) {
    this.#parts = parts;
  }

  /** Returns how many domains can be claimed now that could not before. */
  async round(): Promise<number> {
    const { db, runId, settings } = this.#parts;
    const nowMs = monotonicMs();
    let woken = await wakeDomains(db);
    if (settings.refresh.isOn) woken += await beginRefreshes(db, runId);
    if (nowMs >= this.#freeGoneAtMs) {
      this.#freeGoneAtMs = nowMs + FREE_GONE_MS;
      woken += await freeGoneClaims(db);
    }
    if (nowMs >= this.#jobsAtMs) {
      this.#jobsAtMs = nowMs + LOOK_FOR_JOBS_MS;
      await this.#doJobs();
    }
    this.#keepFigures();
    return woken;
  }

  /** Beside everything else: counting a large frontier takes time, and no crawl ends for the want of a figure. */
  #keepFigures(): void {
    const minute = Math.floor(now().getTime() / MINUTE_MS);
    if (minute === this.#minute || this.#figures !== undefined) return;
    this.#minute = minute;
    this.#figures = keepStats(this.#parts.db)
      .catch(() => undefined)
      .finally(() => {
        this.#figures = undefined;
      });
  }

  async #doJobs(): Promise<void> {
    const { db, settings } = this.#parts;
    if (await this.#take('log-partitions')) await ensureLogPartitions(db);
    if (await this.#take('hand-back-domains')) await inTransaction(db, (tx) => tx.query(handBack, [null]));
    if (await this.#take('forget-workers')) await inTransaction(db, (tx) => tx.query(forgetWorkers, []));
    if (await this.#take('count-products')) await inTransaction(db, (tx) => tx.query(countProducts, []));
    if (settings.isDomainTracked && (await this.#take('reprioritize'))) await reprioritize(db);
  }

  #take(job: string): Promise<boolean> {
    return takeJob(this.#parts.db, job, JOB_SECONDS);
  }
}
