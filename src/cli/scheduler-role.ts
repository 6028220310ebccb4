/** A scheduler in a process of its own, or inside one that does other things too; one that fails is started again. */

import { randomBytes } from 'node:crypto';
import { hostname } from 'node:os';
import { openDistribution } from '../distribution/open-distribution.ts';
import { Scheduler } from '../scheduler/scheduler.ts';
import { crawlSettings } from './engine-tools.ts';
import { KeepRunning } from './keep-running.ts';
import { type Duty, type DutyGround, makeDuties } from './scheduler-duties.ts';
import { logSchedulerEvent } from './scheduler-log.ts';

export class SchedulerRole {
  readonly #ground: DutyGround;
  readonly #running = new KeepRunning();
  readonly id = `${hostname().slice(0, 70)}:${process.pid}:${randomBytes(3).toString('hex')}`;
  #scheduler: Scheduler | undefined;
  #trouble: string | undefined;

  constructor(ground: DutyGround) {
    this.#ground = ground;
  }

  /** Undefined: it works. */
  get trouble(): string | undefined {
    return this.#trouble;
  }

  /** Until it is stopped; never throws. */
  run(): Promise<void> {
    return this.#running.run(
      () => this.#scheduleOnce(),
      (error, pauseMs) => {
        this.#trouble = 'The scheduler of this process has failed; its log says why.';
        this.#ground.log.error({ err: error, pauseMs }, 'the scheduler has failed and is started again');
      },
    );
  }

  /** Finishes what it is at. */
  stop(): void {
    this.#running.stop();
    this.#scheduler?.stop();
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
      const { errorLogDays, webhookLogDays, productEventDays } = config;
      const scheduler = new Scheduler({
        ...{ db, id: this.id, distribution },
        settings: { refresh, isDomainTracked, errorLogDays, webhookLogDays, productEventDays },
        tell: (event) => {
          if (event.kind === 'leading' || event.kind === 'waiting') this.#trouble = undefined;
          logSchedulerEvent(log, event);
        },
      });
      this.#scheduler = scheduler;
      if (this.#running.isStopping) return;
      await scheduler.run();
    } finally {
      this.#scheduler = undefined;
      for (const duty of duties) await duty.stop().catch(() => undefined);
      await distribution.close().catch(() => undefined);
    }
  }
}
