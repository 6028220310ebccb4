/** Goes through domains by their numbers, so many in a tick, and begins again when it has come to the end. */
import type { StepReport } from './ground.ts';

const PORTION = 1000;

export class DomainWalk {
  #after = 0;

  /** `look` reads the next so many after a number and tells what it did, and the last number it saw. */
  async go(
    isTimeUp: () => boolean,
    look: (after: number, limit: number) => Promise<{ seen: readonly number[]; count: number }>,
  ): Promise<StepReport> {
    let count = 0;
    for (;;) {
      const { seen, count: done } = await look(this.#after, PORTION);
      count += done;
      this.#after = seen.length < PORTION ? 0 : (seen.at(-1) ?? 0);
      // Where it has not come to the end, it goes on from here next time.
      if (this.#after === 0 || isTimeUp()) return { count, isMore: false, isHeldUp: false };
    }
  }
}
