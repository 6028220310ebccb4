/** When a worker looks for more domains: in portions while there are some, now and then while there are none. */
import { monotonicMs } from '../../platform/clock.ts';

/** Room that became free meanwhile is filled in one claim. */
const BETWEEN_CLAIMS_MS = 200;
const AFTER_NOTHING_MS = 1000;

export class ClaimPace {
  #nextMs = 0;
  /** Until then what becomes free is left to others. */
  #generousUntilMs = 0;
  #hasFoundNothing = false;

  /** The last look found nothing to claim. */
  get hasFoundNothing(): boolean {
    return this.#hasFoundNothing;
  }

  /** A worker with nothing to do does not wait. */
  isDue(isIdle: boolean): boolean {
    const nowMs = monotonicMs();
    return nowMs >= this.#generousUntilMs && (isIdle || nowMs >= this.#nextMs);
  }

  noteFound(count: number): void {
    this.#hasFoundNothing = count === 0;
    this.#nextMs = monotonicMs() + (count === 0 ? AFTER_NOTHING_MS : BETWEEN_CLAIMS_MS);
  }

  get msToNext(): number {
    return Math.max(this.#nextMs, this.#generousUntilMs) - monotonicMs();
  }

  /** There is something new to claim. */
  hurry(): void {
    this.#nextMs = 0;
  }

  /** Claims nothing for a while, so that what was given up goes to others. */
  leaveToOthers(forMs: number): void {
    this.#generousUntilMs = monotonicMs() + forMs;
  }
}
