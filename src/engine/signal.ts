/** A timer for longer fires at once. */
export const LONGEST_TIMER_MS = 2 ** 31 - 1;

/** Something changed: whoever waits looks again. A wait also ends by itself after a while. */
export class Signal {
  #wake: (() => void) | undefined;
  #isRaised = false;

  raise(): void {
    this.#isRaised = true;
    this.#wake?.();
  }

  async wait(atMostMs: number): Promise<void> {
    if (!this.#isRaised) {
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, Math.min(atMostMs, LONGEST_TIMER_MS));
        this.#wake = () => {
          clearTimeout(timer);
          resolve();
        };
      });
    }
    this.#wake = undefined;
    this.#isRaised = false;
  }
}
