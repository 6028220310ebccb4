/**
 * One worker at work, and what goes on beside it: upkeep every second, a heartbeat to the register, and domains
 * handed over when it has more than it can do while others have nothing.
 */
import { monotonicMs } from '../../platform/clock.ts';
import { ConnectionLost } from '../../platform/errors.ts';
import { freeClaims } from '../claim/claim-domains.ts';
import { isReplaced, type Registry, type WorkerReport } from '../fleet/registry.ts';
import { Signal } from '../signal.ts';
import { takeJob } from '../upkeep/take-job.ts';
import { Upkeep } from '../upkeep/upkeep.ts';
import { Worker, type WorkerParts } from '../worker.ts';

const ROUND_MS = 1000;
const HEARTBEAT_MS = 30_000;
/** Long enough for an idle worker to look around and claim what was given up. */
const LEAVE_TO_OTHERS_MS = 3000;
const SHARE_SECONDS = 1;

export interface ShiftParts extends WorkerParts {
  /** Where it sends its heartbeats and learns who has nothing to do; undefined for one that works by itself. */
  readonly registry: Registry | undefined;
}

export class Shift {
  readonly #parts: ShiftParts;
  readonly #upkeep: Upkeep;
  readonly #registry: Registry | undefined;
  readonly #ending = new Signal();
  readonly worker: Worker;
  #isOver = false;
  #isStopping = false;
  #failure: unknown;
  #heartbeatAtMs = 0;
  #shareAtMs = 0;
  #reported: WorkerReport | undefined;

  constructor(parts: ShiftParts) {
    this.#parts = parts;
    this.#upkeep = new Upkeep(parts);
    this.#registry = parts.registry;
    this.worker = new Worker(parts);
  }

  stop(): void {
    this.#isStopping = true;
    this.worker.stop();
    this.#ending.raise();
  }

  /** Until the worker has nothing left to do, or is stopped; throws when the database is lost. */
  async run(): Promise<void> {
    const { db, workerId } = this.#parts;
    await this.#registry?.enter();
    this.#parts.events.emit('worker:started', {});
    // What an earlier life under this name held: fenced out and free.
    await freeClaims(db, [workerId]);
    await this.#upkeep.round();
    const besides = this.#keepUp();
    try {
      await this.worker.work();
      if (this.#failure !== undefined) throw this.#failure;
    } catch (error) {
      // Without a database there is nothing to be said to it; the next life frees what this one held. Under a name
      // that another goes by now, only that one has anything to free.
      const isFree = !(error instanceof ConnectionLost) && !isReplaced(error);
      if (isFree) await freeClaims(db, [workerId]).catch(() => undefined);
      throw error;
    } finally {
      this.#isOver = true;
      this.#ending.raise();
      await besides;
    }
  }

  async #keepUp(): Promise<void> {
    while (!this.#isOver) {
      try {
        if (!this.#isStopping && (await this.#upkeep.round()) > 0) this.worker.lookAround();
        await this.#reportInTime();
        if (!this.#isStopping) await this.#share();
      } catch (error) {
        // A lost database is found out by the worker too, which ends the shift.
        if (!(error instanceof ConnectionLost)) this.#fail(error);
      }
      await this.#ending.wait(ROUND_MS);
    }
  }

  /** More to do than it can, and others have nothing: some of its domains move. */
  async #share(): Promise<void> {
    if (this.#registry === undefined || !this.worker.isSaturated || monotonicMs() < this.#shareAtMs) return;
    const { workers, wanted, held } = await this.#registry.findWant();
    // One gives at a time: ten who gave at once would bury whoever had nothing.
    if (workers === 0 || !(await takeJob(this.#parts.db, `share:${this.#parts.runId}`, SHARE_SECONDS)))
      return;
    // What would leave everybody with the same.
    const fair = Math.ceil((this.worker.domainCount + held) / (workers + 1));
    const given = this.worker.handOver(Math.max(0, Math.min(wanted, this.worker.domainCount - fair)));
    if (given === 0) return;
    this.worker.leaveToOthers(LEAVE_TO_OTHERS_MS);
    // Who was given something needs a moment to find it and say so.
    this.#shareAtMs = monotonicMs() + LEAVE_TO_OTHERS_MS;
    this.#parts.events.emit('domains:handed-over', { domains: given });
  }

  async #reportInTime(): Promise<void> {
    const state = this.#isStopping ? 'draining' : 'running';
    // That it has nothing to do is worth saying at once: somebody may have too much.
    const isNews =
      state !== this.#reported?.state || this.worker.wantedCount > 0 !== this.#reported.wantedCount > 0;
    if (isNews || monotonicMs() >= this.#heartbeatAtMs) await this.#report(state);
  }

  async #report(state: 'running' | 'draining'): Promise<void> {
    const { domainCount, inFlight, wantedCount } = this.worker;
    this.#reported = { state, domainsCount: domainCount, inFlightCount: inFlight, wantedCount };
    this.#heartbeatAtMs = monotonicMs() + HEARTBEAT_MS;
    await this.#registry?.report(this.#reported);
  }

  #fail(error: unknown): void {
    this.#failure ??= error;
    this.stop();
  }
}
