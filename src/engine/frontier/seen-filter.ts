/**
 * Absorbs the links we have already dealt with, before they cost a URL parse or a database row.
 *
 * Links outnumber pages forty to one and most repeat. Two layers, both bounded whatever the site's size:
 *  - raw: hrefs as written, under the base that gives them meaning, so that a repeat costs one look-up and
 *    builds no string;
 *  - keys: 64 bits of the SHA-256 of the normalised URL, in a fixed table of about a million entries.
 * Forgetting is harmless: `insert … on conflict do nothing` decides. Remembering what was never committed
 * is not: whoever abandons a batch must call `clear()`.
 */
export class SeenFilter {
  readonly #rawLimit: number;
  #rawYoung = new Map<string, Set<string>>();
  #rawOld = new Map<string, Set<string>>();
  #rawYoungCount = 0;
  readonly #slots: Uint32Array;
  readonly #bucketMask: number;

  constructor(rawLimit = 50_000, keySlots = 1 << 20) {
    this.#rawLimit = rawLimit;
    this.#slots = new Uint32Array(keySlots * 2);
    this.#bucketMask = keySlots / BUCKET_WAYS - 1;
  }

  hasRaw(base: string, href: string): boolean {
    return (this.#rawYoung.get(base)?.has(href) || this.#rawOld.get(base)?.has(href)) ?? false;
  }

  addRaw(base: string, href: string): void {
    const known = this.#rawYoung.get(base);
    if (known === undefined) this.#rawYoung.set(base, new Set([href]));
    else known.add(href);
    this.#rawYoungCount += 1;
    if (this.#rawYoungCount < this.#rawLimit) return;
    this.#rawOld = this.#rawYoung;
    this.#rawYoung = new Map();
    this.#rawYoungCount = 0;
  }

  hasKey(hash: Buffer): boolean {
    const { high, low, bucket } = this.#place(hash);
    const slots = this.#slots;
    for (let i = bucket; i < bucket + BUCKET_WAYS * 2; i += 2) {
      if (slots[i] === high && slots[i + 1] === low) return true;
    }
    return false;
  }

  /** Newest first; the oldest of the bucket falls out. */
  addKey(hash: Buffer): void {
    const { high, low, bucket } = this.#place(hash);
    this.#slots.copyWithin(bucket + 2, bucket, bucket + (BUCKET_WAYS - 1) * 2);
    this.#slots[bucket] = high;
    this.#slots[bucket + 1] = low;
  }

  #place(hash: Buffer): { high: number; low: number; bucket: number } {
    return {
      high: hash.readUInt32LE(0),
      // Zero marks an empty slot, so it cannot be a fingerprint's low word.
      low: hash.readUInt32LE(4) || 1,
      bucket: (hash.readUInt32LE(8) & this.#bucketMask) * BUCKET_WAYS * 2,
    };
  }

  clear(): void {
    this.#rawYoung = new Map();
    this.#rawOld = new Map();
    this.#rawYoungCount = 0;
    this.#slots.fill(0);
  }
}

const BUCKET_WAYS = 4;
