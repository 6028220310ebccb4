import { BitCounts } from './bit-counts.ts';

/**
 * 64-bit SimHash (Charikar) of a text, for finding near-duplicate pages. The algorithm is fixed: values are
 * stored and compared across releases, so a change to it needs a new column.
 *
 * 1. The text is taken as UTF-8 and cut into words. ASCII letters (in lower case), ASCII digits and all
 *    bytes from 0x80 up belong to words; every other byte separates them. So do U+0080–U+00BF and
 *    U+2000–U+207F (signs, spaces, punctuation) and U+3000–U+303F (CJK punctuation).
 *    Scripts written without spaces have no such words: each character whose first byte is 0xE3–0xE9 (kana,
 *    CJK ideographs), each of U+0E00–U+0EFF (Thai, Lao) and each of four bytes is a word of its own.
 * 2. A word's hash is 0 with, for each byte in turn, `hash = (hash ^ byte) * 0x01000193` modulo 2^32.
 * 3. Each word is hashed to the low 32 bits, and with the word before it (0 before the first) to the high
 *    32 bits, by `hashShingles` below.
 * 4. Bit i of the result is set when more than half of these hashes have it set. Words count as often as
 *    they occur. A text without words gives 0.
 *
 * Why both: single words make the value steady (a changed word among hundreds moves it little, since common
 * words weigh most), pairs make it telling (texts over the same vocabulary differ in what follows what).
 * Either alone does badly at the other's task.
 */

const FNV_PRIME = 0x01000193;
/** Stands for a lead byte whose meaning depends on what follows. */
const LEAD = 1;

/** What a byte adds to a word's hash; 0 for separators. */
const folded = new Uint8Array(256);
for (let byte = 0x30; byte <= 0x39; byte++) folded[byte] = byte;
for (let byte = 0x61; byte <= 0x7a; byte++) {
  folded[byte] = byte;
  folded[byte - 0x20] = byte;
}
for (let byte = 0x80; byte <= 0xff; byte++) folded[byte] = byte;
for (const byte of [0xc2, 0xe0, 0xe2, 0xe3, 0xe4, 0xe5, 0xe6, 0xe7, 0xe8, 0xe9]) folded[byte] = LEAD;
for (let byte = 0xf0; byte <= 0xf7; byte++) folded[byte] = LEAD;

/** Words are counted in batches, so that a text of any size needs the same memory. */
const BATCH_WORDS = 4096;
const FULL_WORDS = BATCH_WORDS - 64;
const words = new Int32Array(BATCH_WORDS + 8);
const lowHalves = new Int32Array(BATCH_WORDS + 8);
const highHalves = new Int32Array(BATCH_WORDS + 8);
const lowCounts = new BitCounts();
const highCounts = new BitCounts();

export function simhash(text: string): bigint {
  return simhashUtf8(Buffer.from(text, 'utf8'));
}

export function simhashUtf8(bytes: Buffer): bigint {
  lowCounts.reset();
  highCounts.reset();
  const end = bytes.length;
  let total = 0;
  let previous = 0;
  let count = 0;
  let word = 0;
  /** 1 behind a byte that belongs to no word: then no word ends at a separator. */
  let wasSeparator = 1;
  let at = 0;
  while (at < end) {
    // No branch on where words end, for no predictor guesses it: each byte stores the hash so far, and the
    // index moves on only where a word ended.
    const limit = Math.min(end, at + BATCH_WORDS - count) | 0;
    for (; at < limit; at = (at + 1) | 0) {
      const fold = folded[bytes[at] as number] as number;
      if (fold === LEAD) break;
      const isSeparator = (fold - 1) >>> 31;
      words[count] = word;
      count = (count + (isSeparator & (wasSeparator ^ 1))) | 0;
      wasSeparator = isSeparator;
      word = Math.imul(word ^ fold, FNV_PRIME) & (isSeparator - 1);
    }
    if (at < limit) {
      const lead = bytes[at] as number;
      const size = lead < 0xe0 ? 2 : lead < 0xf0 ? 3 : 4;
      const role = roleOfLead(lead, at + 1 < end ? (bytes[at + 1] as number) : 0);
      if (role === 'letter') {
        word = Math.imul(word ^ lead, FNV_PRIME);
        wasSeparator = 0;
        at++;
      } else {
        if (wasSeparator === 0) words[count++] = word;
        if (role === 'word') words[count++] = hashBytes(bytes, at, Math.min(at + size, end));
        word = 0;
        wasSeparator = 1;
        at += size;
      }
    }
    if (count >= FULL_WORDS) {
      total += count;
      previous = countShingles(previous, count);
      count = 0;
    }
  }
  if (wasSeparator === 0) words[count++] = word;
  total += count;
  countShingles(previous, count);
  return (BigInt(highCounts.majority(total)) << 32n) | BigInt(lowCounts.majority(total));
}

/** Number of bits in which two hashes differ; signed and unsigned forms may be mixed. */
export function hammingDistance(a: bigint, b: bigint): number {
  const difference = BigInt.asUintN(64, a ^ b);
  return countBits(Number(difference & 0xffffffffn)) + countBits(Number(difference >> 32n));
}

/** The same 64 bits as PostgreSQL's signed bigint holds them. */
export function toSigned64(value: bigint): bigint {
  return BigInt.asIntN(64, value);
}

function countShingles(previous: number, count: number): number {
  const last = hashShingles(previous, count);
  let padded = count;
  while ((padded & 7) !== 0) {
    lowHalves[padded] = 0;
    highHalves[padded] = 0;
    padded++;
  }
  lowCounts.add(lowHalves, padded);
  highCounts.add(highHalves, padded);
  return last;
}

/** Both halves end in Murmur3's finaliser. */
function hashShingles(before: number, count: number): number {
  let previous = before;
  for (let i = 0; i < count; i++) {
    const word = words[i] as number;
    let low = Math.imul(word ^ (word >>> 16), 0x85ebca6b);
    low = Math.imul(low ^ (low >>> 13), 0xc2b2ae35);
    lowHalves[i] = low ^ (low >>> 16);
    let high = (Math.imul(previous, 0x9e3779b1) + word) | 0;
    high = Math.imul(high ^ (high >>> 16), 0x85ebca6b);
    high = Math.imul(high ^ (high >>> 13), 0xc2b2ae35);
    highHalves[i] = high ^ (high >>> 16);
    previous = word;
  }
  return previous;
}

function roleOfLead(lead: number, next: number): 'separator' | 'letter' | 'word' {
  if (lead === 0xc2) return 'separator';
  if (lead === 0xe2) return next === 0x80 || next === 0x81 ? 'separator' : 'letter';
  if (lead === 0xe0) return next >= 0xb8 && next <= 0xbb ? 'word' : 'letter';
  return lead === 0xe3 && next === 0x80 ? 'separator' : 'word';
}

function hashBytes(bytes: Buffer, start: number, stop: number): number {
  let hash = 0;
  for (let i = start; i < stop; i++) hash = Math.imul(hash ^ (bytes[i] as number), FNV_PRIME);
  return hash;
}

function countBits(value: number): number {
  let bits = value - ((value >>> 1) & 0x55555555);
  bits = (bits & 0x33333333) + ((bits >>> 2) & 0x33333333);
  return Math.imul((bits + (bits >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24;
}
