/**
 * How many pages a lease may still fetch. A fetch first reserves a page; when it turns out not to be one (a
 * 404, a redirect) the reservation is given back, so that `--max-pages 500` means five hundred pages.
 */
export class PageBudget {
  readonly #limit: number;
  #spent: number;
  #reserved = 0;

  constructor(limit: number | undefined, alreadySpent = 0) {
    this.#limit = limit ?? Number.POSITIVE_INFINITY;
    this.#spent = alreadySpent;
  }

  tryReserve(): boolean {
    if (this.#spent + this.#reserved >= this.#limit) return false;
    this.#reserved += 1;
    return true;
  }

  /** The visit that held a reservation ended; it cost a page or it did not. */
  settle(wasPage: boolean): void {
    this.#reserved -= 1;
    if (wasPage) this.#spent += 1;
  }

  /** Nothing more may be fetched, whatever becomes of the visits under way. */
  get isSpent(): boolean {
    return this.#spent >= this.#limit;
  }
}
