/**
 * Who may act next: a binary heap of items by the time they become ready, first come first served among
 * equals, so that thousands of domains with long delays cost one timer and a few comparisons.
 */
interface Entry<T> {
  readonly atMs: number;
  readonly order: number;
  readonly item: T;
}

export class ReadyQueue<T> {
  readonly #heap: Entry<T>[] = [];
  #order = 0;

  get size(): number {
    return this.#heap.length;
  }

  push(item: T, atMs: number): void {
    const heap = this.#heap;
    const entry = { atMs, order: this.#order++, item };
    let i = heap.length;
    heap.push(entry);
    while (i > 0) {
      const parent = (i - 1) >> 1;
      const above = heap[parent];
      if (above === undefined || !isBefore(entry, above)) break;
      heap[i] = above;
      i = parent;
    }
    heap[i] = entry;
  }

  /** When the first item is ready; undefined when there is none. */
  nextAtMs(): number | undefined {
    return this.#heap[0]?.atMs;
  }

  /** The first item that is ready at `nowMs`, removed; undefined when none is. */
  popReady(nowMs: number): T | undefined {
    const heap = this.#heap;
    const first = heap[0];
    if (first === undefined || first.atMs > nowMs) return undefined;
    const last = heap.pop();
    if (last === undefined || heap.length === 0) return first.item;
    let i = 0;
    for (;;) {
      let child = 2 * i + 1;
      const left = heap[child];
      if (left === undefined) break;
      let smaller = left;
      const right = heap[child + 1];
      if (right !== undefined && isBefore(right, left)) {
        smaller = right;
        child += 1;
      }
      if (!isBefore(smaller, last)) break;
      heap[i] = smaller;
      i = child;
    }
    heap[i] = last;
    return first.item;
  }
}

function isBefore(a: Entry<unknown>, b: Entry<unknown>): boolean {
  return a.atMs < b.atMs || (a.atMs === b.atMs && a.order < b.order);
}
