/**
 * A scheduler in a process of its own, or inside one that does other things too. If it fails, the others go on: the
 * failure is written down, and after a pause, ever longer while it keeps failing, it is started again.
 */
import { randomBytes } from 'node:crypto';
import { hostname } from 'node:os';
import { openDistribution } from '../distribution/open-distribution.ts';
import { Signal } from '../engine/signal.ts';
import { monotonicMs } from '../platform/clock.ts';
import { Scheduler } from '../scheduler/scheduler.ts';
import { crawlSettings } from './engine-tools.ts';
import { type Duty, type DutyGround, makeDuties } from './scheduler-duties.ts';
import { logSchedulerEvent } from './scheduler-log.ts';

const SHORTEST_PAUSE_MS = 1000;
const LONGEST_PAUSE_MS = 60_000;
/** Having worked that long, it counts as well. */
const WELL_AFTER_MS = 60_000;

export class SchedulerRole {
  readonly #ground: DutyGround;
  readonly #change = new Signal();
  readonly id = `${hostname().slice(0, 70)}:${process.pid}:${randomBytes(3).toString('hex')}`;
  #scheduler: Scheduler | undefined;
  #isStopping = false;
  #trouble: string | undefined;

  constructor(ground: DutyGround) {
    this.#ground = ground;
  }

  /** Undefined: it works. */
  get trouble(): string | undefined {
    return this.#trouble;
  }

  /** Until it is stopped; never throws. */
  async run(): Promise<void> {
    let pauseMs = SHORTEST_PAUSE_MS;
    while (!this.#isStopping) {
      const startedMs = monotonicMs();
      try {
        await this.#scheduleOnce();
      } catch (error) {
        if (monotonicMs() - startedMs > WELL_AFTER_MS) pauseMs = SHORTEST_PAUSE_MS;
        this.#trouble = 'The scheduler of this process has failed; its log says why.';
        this.#ground.log.error({ err: error, pauseMs }, 'the scheduler has failed and is started again');
        if (!this.#isStopping) await this.#change.wait(pauseMs);
        pauseMs = Math.min(LONGEST_PAUSE_MS, pauseMs * 2);
      }
    }
  }

  /** Finishes what it is at. */
  stop(): void {
    this.#isStopping = true;
    this.#scheduler?.stop();
    this.#change.raise();
  }

  async #scheduleOnce(): Promise<void> {
    const { db, config, log } = this.#ground;
    const warn = (sentence: string, error?: unknown): void =>
      log.warn(error === undefined ? {} : { err: error }, sentence);
    const distribution = await openDistribution({ config, db, warn });
    const duties: Duty[] = [];
    try {
      for (const duty of makeDuties(this.#ground)) {
        duties.push(duty);
        duty.start();
      }
      const { refresh, isDomainTracked } = crawlSettings(config, false);
      const { errorLogDays, webhookLogDays } = config;
      const scheduler = new Scheduler({
        ...{ db, id: this.id, distribution },
        settings: { refresh, isDomainTracked, errorLogDays, webhookLogDays },
        tell: (event) => {
          if (event.kind === 'leading' || event.kind === 'waiting') this.#trouble = undefined;
          logSchedulerEvent(log, event);
        },
      });
      this.#scheduler = scheduler;
      if (this.#isStopping) return;
      await scheduler.run();
    } finally {
      this.#scheduler = undefined;
      for (const duty of duties) await duty.stop().catch(() => undefined);
      await distribution.close().catch(() => undefined);
    }
  }
}
