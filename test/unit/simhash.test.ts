import { describe, expect, it } from 'vitest';
import { BitCounts } from '../../src/engine/parse/bit-counts.ts';
import { hammingDistance, simhash, toSigned64 } from '../../src/engine/parse/simhash.ts';

/** A repeatable source of numbers in [0, 1). */
function createRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) | 0;
    return (state >>> 0) / 2 ** 32;
  };
}

/** Words with the frequencies of natural language: the n-th most common is n times rarer than the first. */
function makeText(random: () => number, length: number, topic: string): string[] {
  return Array.from({ length }, () => {
    const rank = Math.floor(2000 ** random());
    return rank < 40 ? `common${rank}` : `${topic}${rank}`;
  });
}

function distance(a: readonly string[], b: readonly string[]): number {
  return hammingDistance(simhash(a.join(' ')), simhash(b.join(' ')));
}

function median(values: number[]): number {
  return values.sort((a, b) => a - b)[values.length >> 1] ?? Number.NaN;
}

/** The definition in simhash.ts, followed literally and slowly, for ASCII texts. */
function referenceSimhash(text: string): bigint {
  const finalise = (input: number) => {
    let hash = Math.imul(input ^ (input >>> 16), 0x85ebca6b);
    hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
    return hash ^ (hash >>> 16);
  };
  const words = (text.toLowerCase().match(/[a-z0-9]+/g) ?? []).map((word) => {
    let hash = 0;
    for (const byte of Buffer.from(word)) hash = Math.imul(hash ^ byte, 0x01000193);
    return hash;
  });
  let result = 0n;
  for (let bit = 0; bit < 64; bit++) {
    let set = 0;
    words.forEach((word, index) => {
      const pair = (Math.imul(words[index - 1] ?? 0, 0x9e3779b1) + word) | 0;
      const half = finalise(bit < 32 ? word : pair);
      set += (half >>> (bit % 32)) & 1;
    });
    if (set * 2 > words.length) result |= 1n << BigInt(bit);
  }
  return result;
}

describe('simhash', () => {
  it('gives the value its definition gives, for texts of every length and beyond one batch of words', () => {
    const random = createRandom(11);
    for (const length of [1, 2, 7, 8, 9, 100, 4031, 4032, 4096, 9000]) {
      const text = makeText(random, length, 'Topic').join(', ');
      expect(simhash(text)).toBe(referenceSimhash(text));
    }
  });

  it('never changes from release to release', () => {
    expect(simhash('')).toBe(0n);
    expect(simhash('The quick brown fox jumps over the lazy dog.')).toBe(0x12c84cbb3e0116f5n);
    expect(simhash('Чисто́та — залог здоровья, порядок прежде всего')).toBe(0x0b5180c94010ac85n);
    expect(simhash('東京都は日本の首都です。人口は約千四百万人。')).toBe(0x7d42e0d03c250afan);
  });

  it('ignores case, punctuation and spacing', () => {
    const plain = simhash('one two three four five');
    expect(simhash('One, two: THREE — “four”… five!')).toBe(plain);
    expect(simhash(' one\ttwo  three\nfour\u00a0five ')).toBe(plain);
  });

  it('tells texts of the same words in another order apart', () => {
    expect(simhash('one two three four five')).not.toBe(simhash('five four three two one'));
  });

  it('keeps texts that differ in a few words of many within 3 bits', () => {
    const random = createRandom(1);
    const distances = Array.from({ length: 60 }, () => {
      const text = makeText(random, 800, 'alpha');
      const changed = text
        .with(Math.floor(random() * 800), 'yesterday')
        .with(Math.floor(random() * 800), '1234');
      return distance(text, changed);
    });
    expect(median(distances)).toBeLessThanOrEqual(2);
    expect(distances.filter((bits) => bits <= 3).length).toBeGreaterThanOrEqual(54);
  });

  it('keeps unrelated texts far apart, even when half of their words are the same common ones', () => {
    const random = createRandom(2);
    const distances = Array.from({ length: 60 }, () =>
      distance(makeText(random, 800, 'alpha'), makeText(random, 800, 'beta')),
    );
    expect(Math.min(...distances)).toBeGreaterThan(6);
    expect(median(distances)).toBeGreaterThan(12);
  });

  it('notices order in scripts written without spaces', () => {
    const text = '春眠不覚暁処処聞啼鳥夜来風雨声花落知多少'.repeat(3);
    const reversed = [...text].reverse().join('');
    expect(hammingDistance(simhash(text), simhash(reversed))).toBeGreaterThan(6);
    expect(hammingDistance(simhash(text), simhash(`${text}花`))).toBeLessThan(8);
  });
});

describe('hammingDistance', () => {
  it('counts differing bits of signed and unsigned values alike', () => {
    expect(hammingDistance(0n, 0n)).toBe(0);
    expect(hammingDistance(0n, 2n ** 64n - 1n)).toBe(64);
    expect(hammingDistance(-1n, 2n ** 64n - 1n)).toBe(0);
    expect(hammingDistance(0b1011n, 0b0010n)).toBe(2);
    expect(hammingDistance(1n << 63n, 1n << 31n)).toBe(2);
  });
});

describe('toSigned64', () => {
  it('maps every value into the range of a signed bigint and keeps its bits', () => {
    expect(toSigned64(2n ** 63n)).toBe(-(2n ** 63n));
    expect(toSigned64(2n ** 64n - 1n)).toBe(-1n);
    expect(toSigned64(5n)).toBe(5n);
    const value = simhash('any text at all');
    expect(hammingDistance(value, toSigned64(value))).toBe(0);
  });
});

describe('BitCounts', () => {
  it('finds the majority of each bit as counting them one by one does', () => {
    const random = createRandom(3);
    const words = Int32Array.from({ length: 8 * 123 }, () => (random() * 2 ** 32) & (random() * 2 ** 32));
    const counts = new BitCounts();
    counts.add(words.subarray(0, 400), 400);
    counts.add(words.subarray(400), words.length - 400);
    for (const total of [words.length, words.length >> 1, 300]) {
      let expected = 0;
      for (let bit = 0; bit < 32; bit++) {
        const set = words.reduce((sum, word) => sum + ((word >>> bit) & 1), 0);
        if (set * 2 > total) expected |= 1 << bit;
      }
      expect(counts.majority(total)).toBe(expected >>> 0);
    }
  });
});
