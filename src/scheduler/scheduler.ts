/**
 * Says what is to be done now. Any number may run; one of them leads, the others wait for its place. It wakes when
 * somebody says that there is something to schedule, when the next thing is due, and every ten seconds anyway. A
 * database that goes away is waited for, however long it takes.
 */
import type { Distribution } from '../distribution/distribution.ts';
import { STANDING_RUN } from '../engine/run/standing-run.ts';
import { Signal } from '../engine/signal.ts';
import { Upkeep } from '../engine/upkeep/upkeep.ts';
import { monotonicMs } from '../platform/clock.ts';
import type { Database } from '../platform/database.ts';
import { loadSql } from '../platform/sql-file.ts';
import type { SchedulerSettings } from './ground.ts';
import { Leadership } from './leadership.ts';
import { SchedulerRecord } from './record.ts';
import { FAILED_MS, Ticker, type TickReport } from './ticker.ts';

const readNextDue = loadSql(import.meta.url, './read-next-due.sql');

const LONGEST_WAIT_MS = 10_000;
/** Between two ticks, unless there is more to do than fitted into the first: notifications may come by the thousand. */
const SHORTEST_WAIT_MS = 50;
/** What somebody else has in hand is looked at again. */
const HELD_UP_MS = 250;
const TRY_TO_LEAD_MS = 2000;
const BEAT_MS = 5000;
const BACKOFF_MS = [500, 1000, 2000, 4000, 8000, 15_000, 30_000];

export type SchedulerEvent =
  | { readonly kind: 'leading' }
  | { readonly kind: 'waiting' }
  | { readonly kind: 'ticked'; readonly report: TickReport }
  | { readonly kind: 'step-failed'; readonly step: string; readonly error: unknown }
  | { readonly kind: 'lost'; readonly error: unknown; readonly pauseMs: number };

export interface SchedulerParts {
  readonly db: Database;
  /** Its own among all. */
  readonly id: string;
  readonly distribution: Pick<Distribution, 'announce'>;
  readonly settings: SchedulerSettings;
  readonly tell: (event: SchedulerEvent) => void;
}

export class Scheduler {
  readonly #parts: SchedulerParts;
  readonly #ticker: Ticker;
  readonly #record: SchedulerRecord;
  readonly #change = new Signal();
  #isStopping = false;
  #isLeading = false;
  #isNotified = false;
  #isLost = false;
  #beatAtMs = 0;
  #attempts = 0;

  constructor(parts: SchedulerParts) {
    const { db, id, distribution, settings } = parts;
    this.#parts = parts;
    const upkeep = new Upkeep({ db, runId: STANDING_RUN, settings });
    this.#ticker = new Ticker({ db, distribution, settings, upkeep }, (step, error) =>
      parts.tell({ kind: 'step-failed', step, error }),
    );
    this.#record = new SchedulerRecord(db, id);
  }

  get isLeading(): boolean {
    return this.#isLeading;
  }

  stop(): void {
    this.#isStopping = true;
    this.#change.raise();
  }

  /** Until it is stopped; the tick under way is finished. */
  async run(): Promise<void> {
    while (!this.#isStopping) {
      try {
        await this.#workOnce();
      } catch (error) {
        const pauseMs = BACKOFF_MS[this.#attempts] ?? BACKOFF_MS.at(-1) ?? 0;
        this.#attempts += 1;
        this.#parts.tell({ kind: 'lost', error, pauseMs });
        if (!this.#isStopping) await this.#change.wait(pauseMs);
      }
    }
    await this.#record.beat(false, true).catch(() => undefined);
  }

  async #workOnce(): Promise<void> {
    const { db, tell } = this.#parts;
    // Through the pool, which finds an embedded server that had to be brought back.
    await this.#record.enter();
    this.#isLost = false;
    const leadership = await Leadership.open(db, {
      notified: () => {
        this.#isNotified = true;
        if (this.#isLeading) this.#change.raise();
      },
      lost: () => {
        this.#isLost = true;
        this.#change.raise();
      },
    });
    try {
      let isTold = false;
      while (!this.#isStopping && !(await leadership.tryToLead())) {
        this.#attempts = 0;
        if (!isTold) tell({ kind: 'waiting' });
        isTold = true;
        await this.#beatInTime();
        await this.#change.wait(TRY_TO_LEAD_MS);
      }
      if (!this.#isStopping) await this.#lead(leadership);
    } finally {
      this.#isLeading = false;
      await leadership.close();
    }
  }

  async #lead(leadership: Leadership): Promise<void> {
    this.#isLeading = true;
    this.#parts.tell({ kind: 'leading' });
    await this.#record.beat(true);
    // Beside the ticks: one that takes its time is no silence.
    const beats = setInterval(() => void this.#record.beat(true).catch(() => undefined), BEAT_MS);
    try {
      while (!this.#isStopping) {
        await leadership.confirm();
        this.#isNotified = false;
        const report = await this.#ticker.tick();
        this.#attempts = 0;
        this.#record.noteTick(report.durationMs);
        this.#parts.tell({ kind: 'ticked', report });
        if (!report.isMore) await this.#rest(report);
      }
    } finally {
      clearInterval(beats);
    }
  }

  /** Until the next thing is due, or somebody says that there is something. */
  async #rest({ isHeldUp, hasFailed }: TickReport): Promise<void> {
    const restedMs = monotonicMs();
    const { rows } = await this.#parts.db.query<{ inMs: number | null }>(readNextDue);
    // What failed stays due: that alone is no reason to look again before it can be tried again.
    const leastMs = hasFailed ? FAILED_MS : isHeldUp ? HELD_UP_MS : SHORTEST_WAIT_MS;
    const waitMs = Math.min(LONGEST_WAIT_MS, Math.max(leastMs, rows[0]?.inMs ?? LONGEST_WAIT_MS));
    if (!this.#isNotified) await this.#waitFor(waitMs, () => this.#isNotified);
    const tooSoonMs = SHORTEST_WAIT_MS - (monotonicMs() - restedMs);
    if (tooSoonMs > 0) await this.#waitFor(tooSoonMs, () => false);
  }

  /** A signal may be one of an earlier time. */
  async #waitFor(ms: number, isEnough: () => boolean): Promise<void> {
    const endMs = monotonicMs() + ms;
    while (!this.#isStopping && !this.#isLost && !isEnough()) {
      const leftMs = endMs - monotonicMs();
      if (leftMs <= 0) return;
      await this.#change.wait(leftMs);
    }
  }

  async #beatInTime(): Promise<void> {
    const nowMs = monotonicMs();
    if (nowMs < this.#beatAtMs) return;
    this.#beatAtMs = nowMs + BEAT_MS;
    await this.#record.beat(false);
  }
}
