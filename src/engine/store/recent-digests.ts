import type { OriginalRecord } from './warc-record.ts';

/**
 * Which payloads the open segment already holds. Bounded: the least recently met is forgotten, and a
 * forgotten payload is simply written again.
 */
export class RecentDigests {
  readonly #capacity: number;
  readonly #records = new Map<string, OriginalRecord>();

  constructor(capacity: number) {
    this.#capacity = capacity;
  }

  find(digest: string): OriginalRecord | undefined {
    const found = this.#records.get(digest);
    if (found === undefined) return undefined;
    // A Map keeps insertion order: taking out and putting back makes this one the youngest.
    this.#records.delete(digest);
    this.#records.set(digest, found);
    return found;
  }

  remember(digest: string, record: OriginalRecord): void {
    this.#records.set(digest, record);
    if (this.#records.size <= this.#capacity) return;
    const oldest = this.#records.keys().next();
    if (!oldest.done) this.#records.delete(oldest.value);
  }

  clear(): void {
    this.#records.clear();
  }
}
