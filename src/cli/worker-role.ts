/** A worker inside a process that does other things too; one that fails is started again. */

import type { FastifyBaseLogger } from 'fastify';
import { type FleetOrder, type FleetRole, openFleetRole } from './fleet-role.ts';
import { KeepRunning } from './keep-running.ts';

export class WorkerRole {
  readonly #order: FleetOrder;
  readonly #log: FastifyBaseLogger;
  readonly #running = new KeepRunning();
  #role: FleetRole | undefined;
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
  run(): Promise<void> {
    return this.#running.run(
      () => this.#workOnce(),
      (error, pauseMs) => {
        this.#trouble = 'The worker of this process has failed; its log says why.';
        this.#log.error({ err: error, pauseMs }, 'the worker has failed and is started again');
      },
    );
  }

  /** Claims nothing more, finishes what is in flight, commits, gives the leases back. */
  stop(): void {
    this.#running.stop();
    this.#role?.stop();
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
      if (this.#running.isStopping) return;
      await role.run();
    } finally {
      this.#role = undefined;
      await role.close();
    }
  }
}
