/**
 * A worker inside a process that does other things too. If it fails, the others go on: the failure is written down,
 * and after a pause, ever longer while it keeps failing, it is started again.
 */
import type { FastifyBaseLogger } from 'fastify';
import { Signal } from '../engine/signal.ts';
import { monotonicMs } from '../platform/clock.ts';
import { type FleetOrder, type FleetRole, openFleetRole } from './fleet-role.ts';

const SHORTEST_PAUSE_MS = 1000;
const LONGEST_PAUSE_MS = 60_000;
/** Having worked that long, it counts as well. */
const WELL_AFTER_MS = 60_000;

export class WorkerRole {
  readonly #order: FleetOrder;
  readonly #log: FastifyBaseLogger;
  readonly #change = new Signal();
  #role: FleetRole | undefined;
  #isStopping = false;
  #trouble: string | undefined;

  constructor(order: FleetOrder, log: FastifyBaseLogger) {
    this.#order = order;
    this.#log = log;
    order.events.on('worker:started', () => {
      this.#trouble = undefined;
    });
  }

  get worker() {
    return this.#role?.fleet.worker;
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
        await this.#workOnce();
      } catch (error) {
        if (monotonicMs() - startedMs > WELL_AFTER_MS) pauseMs = SHORTEST_PAUSE_MS;
        this.#trouble = 'The worker of this process has failed; its log says why.';
        this.#log.error({ err: error, pauseMs }, 'the worker has failed and is started again');
        if (!this.#isStopping) await this.#change.wait(pauseMs);
        pauseMs = Math.min(LONGEST_PAUSE_MS, pauseMs * 2);
      }
    }
  }

  /** Claims nothing more, finishes what is in flight, commits, gives the leases back. */
  stop(): void {
    this.#isStopping = true;
    this.#role?.stop();
    this.#change.raise();
  }

  callOff(): void {
    this.#role?.callOff();
  }

  async #workOnce(): Promise<void> {
    const role = await openFleetRole({
      ...this.#order,
      warn: (sentence, error) => this.#log.warn({ err: error }, sentence),
    });
    this.#role = role;
    try {
      if (this.#isStopping) return;
      await role.run();
    } finally {
      this.#role = undefined;
      await role.close();
    }
  }
}
