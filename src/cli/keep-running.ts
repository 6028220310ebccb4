/**
 * Something that runs inside a process that does other things too. If it fails, the others go on: the failure is told,
 * and after a pause, ever longer while it keeps failing, it is started again.
 */
import { Signal } from '../engine/signal.ts';
import { monotonicMs } from '../platform/clock.ts';

const SHORTEST_PAUSE_MS = 1000;
const LONGEST_PAUSE_MS = 60_000;
/** Having worked that long, it counts as well. */
const WELL_AFTER_MS = 60_000;

export class KeepRunning {
  readonly #change = new Signal();
  #isStopping = false;

  get isStopping(): boolean {
    return this.#isStopping;
  }

  /** Until it is stopped; never throws. */
  async run(
    once: () => Promise<void>,
    tellFailure: (error: unknown, pauseMs: number) => void,
  ): Promise<void> {
    let pauseMs = SHORTEST_PAUSE_MS;
    while (!this.#isStopping) {
      const startedMs = monotonicMs();
      try {
        await once();
      } catch (error) {
        if (monotonicMs() - startedMs > WELL_AFTER_MS) pauseMs = SHORTEST_PAUSE_MS;
        tellFailure(error, pauseMs);
        if (!this.#isStopping) await this.#change.wait(pauseMs);
        pauseMs = Math.min(LONGEST_PAUSE_MS, pauseMs * 2);
      }
    }
  }

  stop(): void {
    this.#isStopping = true;
    this.#change.raise();
  }
}
