/** A small seeded generator: the demo web is the same, to the byte, on every machine and every start. */
export interface Random {
  /** A fraction in [0, 1). */
  next(): number;
  /** A whole number in [from, to], both included. */
  between(from: number, to: number): number;
  pick<T>(list: readonly T[]): T;
  /** Up to `count` different members of the list, in drawn order. */
  pickSome<T>(list: readonly T[], count: number): T[];
  mayHappen(probability: number): boolean;
}

export function createRandom(seed: string): Random {
  let state = hashText(seed);

  function next(): number {
    // Mulberry32: one multiplication-xor round a draw, plenty for choosing adjectives.
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  }

  function between(from: number, to: number): number {
    return from + Math.floor(next() * (to - from + 1));
  }

  function pick<T>(list: readonly T[]): T {
    const chosen = list[between(0, list.length - 1)];
    if (chosen === undefined) throw new RangeError('nothing to pick from');
    return chosen;
  }

  function pickSome<T>(list: readonly T[], count: number): T[] {
    const pool = [...list];
    const drawn: T[] = [];
    while (drawn.length < count && pool.length > 0) {
      drawn.push(...pool.splice(between(0, pool.length - 1), 1));
    }
    return drawn;
  }

  return { next, between, pick, pickSome, mayHappen: (probability) => next() < probability };
}

/** FNV-1a, 32 bits. */
export function hashText(text: string): number {
  let hash = 0x811c9dc5;
  for (let index = 0; index < text.length; index += 1) {
    hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193);
  }
  return hash >>> 0;
}
