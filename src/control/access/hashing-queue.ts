/**
 * Hashing a password takes memory and a core for a while, on purpose. A few at a time, some more wait their turn,
 * and the rest is told to come back: a flood of logins must not take the machine away from the crawl.
 */
import { ForagerError } from '../../platform/errors.ts';

const MOST_AT_ONCE = 2;
const MOST_WAITING = 50;

export class HashingQueue {
  readonly #mostAtOnce: number;
  readonly #mostWaiting: number;
  readonly #waiting: (() => void)[] = [];
  #running = 0;

  constructor(mostAtOnce = MOST_AT_ONCE, mostWaiting = MOST_WAITING) {
    this.#mostAtOnce = mostAtOnce;
    this.#mostWaiting = mostWaiting;
  }

  async run<T>(work: () => Promise<T>): Promise<T> {
    await this.#takeTurn();
    try {
      return await work();
    } finally {
      // The place goes to whoever waits longest, and is free only if nobody does.
      const next = this.#waiting.shift();
      if (next === undefined) this.#running -= 1;
      else next();
    }
  }

  #takeTurn(): Promise<void> {
    if (this.#running < this.#mostAtOnce) {
      this.#running += 1;
      return Promise.resolve();
    }
    if (this.#waiting.length >= this.#mostWaiting) {
      throw new ForagerError('overloaded', 'Too many passwords are being checked at the moment.', {
        hint: 'try again in a few seconds',
      });
    }
    return new Promise((resolve) => this.#waiting.push(resolve));
  }
}
