/**
 * Memory that is filled, used and filled again. With a fresh buffer for every record, garbage collection was
 * the second largest cost in a profile of the writing thread, after hashing.
 */
export class GrowingBuffer {
  readonly #keepBytes: number;
  #bytes: Buffer;
  #usedBytes = 0;

  /** More than `keepBytes` is given back as soon as the buffer is cleared. */
  constructor(keepBytes: number) {
    this.#keepBytes = keepBytes;
    this.#bytes = Buffer.allocUnsafeSlow(keepBytes);
  }

  get usedBytes(): number {
    return this.#usedBytes;
  }

  /** The next `length` bytes, to be written by the caller at once. */
  claim(length: number): Buffer {
    const end = this.#usedBytes + length;
    if (end > this.#bytes.length) this.#grow(end);
    const claimed = this.#bytes.subarray(this.#usedBytes, end);
    this.#usedBytes = end;
    return claimed;
  }

  /** Everything claimed so far; valid until the next call of any other method. */
  view(): Buffer {
    return this.#bytes.subarray(0, this.#usedBytes);
  }

  clear(): void {
    this.#usedBytes = 0;
    if (this.#bytes.length > this.#keepBytes) this.#bytes = Buffer.allocUnsafeSlow(this.#keepBytes);
  }

  #grow(neededBytes: number): void {
    const larger = Buffer.allocUnsafeSlow(Math.max(neededBytes, this.#bytes.length * 2));
    this.#bytes.copy(larger, 0, 0, this.#usedBytes);
    this.#bytes = larger;
  }
}
