/**
 * Hands hints to whoever takes them: one at a time, the urgent before the others. What waits is bounded; whoever
 * offers more gets the oldest of the less urgent back.
 */
import { type HandOver, type TakeHint, URGENT_PRIORITY, type WorkHint } from './distribution.ts';
import { settledWithin, within } from './wait-until.ts';

export interface OfferedHint {
  readonly hint: WorkHint;
  /** Called once, when it is known what became of it; not called when it was still waiting at the close. */
  settle(outcome: HandOver): void;
}

/** Whoever takes a hint only notes it. One that hangs must not stop all that come after it. */
const TAKE_PATIENCE_MS = 30_000;
const CLOSE_PATIENCE_MS = 2000;

export class HintDesk {
  readonly #take: TakeHint;
  readonly #warn: (sentence: string, error?: unknown) => void;
  readonly #mostWaiting: number;
  readonly #urgent: OfferedHint[] = [];
  readonly #others: OfferedHint[] = [];
  #isClosed = false;
  #isAtWork = false;
  #work: Promise<void> = Promise.resolve();
  #hasWarned = false;

  constructor(
    take: TakeHint,
    options: { mostWaiting: number; warn: (sentence: string, error?: unknown) => void },
  ) {
    this.#take = take;
    this.#warn = options.warn;
    this.#mostWaiting = options.mostWaiting;
  }

  get waiting(): number {
    return this.#urgent.length + this.#others.length;
  }

  /** Gives back what there was no more room for: it is as if it had been lost. */
  offer(offered: OfferedHint): OfferedHint | undefined {
    if (this.#isClosed) return offered;
    (offered.hint.priority <= URGENT_PRIORITY ? this.#urgent : this.#others).push(offered);
    const dropped =
      this.waiting > this.#mostWaiting ? (this.#others.shift() ?? this.#urgent.shift()) : undefined;
    if (!this.#isAtWork) this.#work = this.#handOut();
    return dropped;
  }

  /** Forgets what waits: whoever offered it still has it. */
  clear(): void {
    this.#urgent.length = 0;
    this.#others.length = 0;
  }

  /** Waits for the hint that is being handed over, but not for ever. */
  async close(): Promise<void> {
    this.#isClosed = true;
    this.clear();
    await settledWithin(CLOSE_PATIENCE_MS, this.#work);
  }

  async #handOut(): Promise<void> {
    this.#isAtWork = true;
    // Whoever offered it is done first: a hint is never handed over in the middle of that.
    await Promise.resolve();
    let next = this.#next();
    while (next !== undefined) {
      next.settle(await this.#ask(next.hint));
      next = this.#next();
    }
    // In the same moment in which nothing was left: what is offered after that starts it again.
    this.#isAtWork = false;
  }

  #next(): OfferedHint | undefined {
    return this.#urgent.shift() ?? this.#others.shift();
  }

  async #ask(hint: WorkHint): Promise<HandOver> {
    try {
      const asked = Promise.resolve(this.#take(hint));
      const outcome = await within(TAKE_PATIENCE_MS, asked, 'Nobody took the hint in time.');
      this.#hasWarned = false;
      return outcome;
    } catch (error) {
      if (!this.#hasWarned) this.#warn('A hint could not be handed over; it is offered again later.', error);
      this.#hasWarned = true;
      return 'later';
    }
  }
}
