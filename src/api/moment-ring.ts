/** The moments of somebody's last requests, oldest first, in a ring that grows as far as it is needed. */
const FIRST_SIZE = 8;

export class MomentRing {
  readonly #windowMs: number;
  #moments = new Float64Array(FIRST_SIZE);
  #first = 0;
  #count = 0;

  constructor(windowMs: number) {
    this.#windowMs = windowMs;
  }

  get count(): number {
    return this.#count;
  }

  add(nowMs: number): void {
    if (this.#count === this.#moments.length) this.#grow();
    this.#moments[(this.#first + this.#count) % this.#moments.length] = nowMs;
    this.#count += 1;
  }

  /** Those that have left the window that ends now. */
  forgetBefore(nowMs: number): void {
    while (this.#count > 0 && this.#at(0) + this.#windowMs <= nowMs) {
      this.#first = (this.#first + 1) % this.#moments.length;
      this.#count -= 1;
    }
  }

  isIdle(nowMs: number): boolean {
    return this.#count === 0 || this.#at(this.#count - 1) + this.#windowMs <= nowMs;
  }

  /** How long until one more fits than now; 0 when nothing is in the window. */
  waitMs(nowMs: number, limit: number): number {
    if (this.#count === 0) return 0;
    return this.#at(Math.max(0, this.#count - limit)) + this.#windowMs - nowMs;
  }

  #at(index: number): number {
    return this.#moments[(this.#first + index) % this.#moments.length] ?? 0;
  }

  #grow(): void {
    const larger = new Float64Array(this.#moments.length * 2);
    for (let index = 0; index < this.#count; index += 1) larger[index] = this.#at(index);
    this.#moments = larger;
    this.#first = 0;
  }
}
