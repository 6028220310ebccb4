/** Which row ids have been seen: one bit each, because a list may name millions and ids lie close together. */
const PAGE_BITS = 8192;

export class IdSet {
  readonly #pages = new Map<number, Uint8Array>();

  /** True if it was not in the set before. */
  add(id: number): boolean {
    const pageNumber = Math.floor(id / PAGE_BITS);
    const page = this.#pages.get(pageNumber) ?? new Uint8Array(PAGE_BITS / 8);
    this.#pages.set(pageNumber, page);
    const [byteAt, bit] = [(id % PAGE_BITS) >> 3, 1 << (id % 8)];
    const byte = page[byteAt] ?? 0;
    page[byteAt] = byte | bit;
    return (byte & bit) === 0;
  }
}
