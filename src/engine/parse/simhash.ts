/**
 * 64-bit SimHash (Charikar) of a text, for finding near-duplicate pages. The algorithm is fixed: values are
 * stored and compared across releases, so any change to it needs a new column.
 *
 * 1. The text is taken as UTF-8 and cut into words. ASCII letters (folded to lower case), ASCII digits and
 *    all bytes from 0x80 up belong to words; every other byte separates them. So do U+0080–U+00BF and
 *    U+2000–U+207F (signs, spaces, punctuation) and U+3000–U+303F (CJK punctuation).
 *    Scripts written without spaces have no such words: each character whose first byte is 0xE3–0xE9 (kana,
 *    CJK ideographs; not U+3000–U+303F), each of U+0E00–U+0EFF (Thai, Lao) and each character of four bytes
 *    is a word of its own.
 * 2. A word's hash is 32-bit FNV-1a over its bytes.
 * 3. Each word and the one before it (0 before the first) make a shingle, hashed to 64 bits by `mix` below.
 * 4. Bit i of the result is set when more than half of the shingles' hashes have bit i set. Repeated
 *    shingles count each time. An empty text gives 0.
 */

const FNV_SEED = 0x811c9dc5 | 0;
const FNV_PRIME = 0x01000193;

const SEPARATOR = 0;
/** Lead bytes whose meaning depends on what follows. */
const LEAD = 1;

const fold = new Uint8Array(256);
for (let byte = 0x30; byte <= 0x39; byte++) fold[byte] = byte;
for (let byte = 0x61; byte <= 0x7a; byte++) {
  fold[byte] = byte;
  fold[byte - 0x20] = byte;
}
for (let byte = 0x80; byte <= 0xff; byte++) fold[byte] = byte;
for (const byte of [0xc2, 0xe0, 0xe2, 0xe3, 0xe4, 0xe5, 0xe6, 0xe7, 0xe8, 0xe9]) fold[byte] = LEAD;
for (let byte = 0xf0; byte <= 0xf7; byte++) fold[byte] = LEAD;

/**
 * One histogram of 256 counts per byte of the hash: a shingle costs 8 increments instead of 64, and the
 * 64 sums are read off the histograms once, at the end.
 */
const histogram = new Uint32Array(8 * 256);

export function simhash(text: string): bigint {
  return simhashUtf8(Buffer.from(text, 'utf8'));
}

export function simhashUtf8(bytes: Buffer): bigint {
  histogram.fill(0);
  const end = bytes.length;
  let shingles = 0;
  let previous = 0;
  let word = FNV_SEED;
  let hasWord = false;
  let at = 0;
  while (at <= end) {
    let folded = SEPARATOR;
    let size = 1;
    let isWhole = false;
    if (at < end) {
      const byte = bytes[at] as number;
      folded = fold[byte] as number;
      if (folded > LEAD) {
        word = Math.imul(word ^ folded, FNV_PRIME);
        hasWord = true;
        at++;
        continue;
      }
      if (folded === LEAD) {
        const next = at + 1 < end ? (bytes[at + 1] as number) : 0;
        size = byte < 0xe0 ? 2 : byte < 0xf0 ? 3 : 4;
        if (isPunctuation(byte, next)) folded = SEPARATOR;
        else if (byte === 0xe2 || (byte === 0xe0 && (next < 0xb8 || next > 0xbb))) {
          word = Math.imul(word ^ byte, FNV_PRIME);
          hasWord = true;
          at++;
          continue;
        } else isWhole = true;
      }
    }
    if (hasWord) {
      count(previous, word);
      shingles++;
      previous = word;
      word = FNV_SEED;
      hasWord = false;
    }
    if (isWhole) {
      const stop = at + size < end ? at + size : end;
      for (let i = at; i < stop; i++) word = Math.imul(word ^ (bytes[i] as number), FNV_PRIME);
      count(previous, word);
      shingles++;
      previous = word;
      word = FNV_SEED;
    }
    at += size;
  }
  return majority(shingles);
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

/** Murmur3's finaliser over both words, once for each half. */
function count(previous: number, word: number): void {
  let low = (Math.imul(previous, 0x9e3779b1) + word) | 0;
  low = Math.imul(low ^ (low >>> 16), 0x85ebca6b);
  low = Math.imul(low ^ (low >>> 13), 0xc2b2ae35);
  low ^= low >>> 16;
  let high = (Math.imul(word, 0x85ebca77) ^ (previous + 0x27d4eb2f)) | 0;
  high = Math.imul(high ^ (high >>> 16), 0x85ebca6b);
  high = Math.imul(high ^ (high >>> 13), 0xc2b2ae35);
  high ^= high >>> 16;
  (histogram[low & 255] as number)++;
  (histogram[256 + ((low >>> 8) & 255)] as number)++;
  (histogram[512 + ((low >>> 16) & 255)] as number)++;
  (histogram[768 + (low >>> 24)] as number)++;
  (histogram[1024 + (high & 255)] as number)++;
  (histogram[1280 + ((high >>> 8) & 255)] as number)++;
  (histogram[1536 + ((high >>> 16) & 255)] as number)++;
  (histogram[1792 + (high >>> 24)] as number)++;
}

/**
 * Folds each histogram in half eight times: the upper half's total is how often the top bit was set, and
 * adding it onto the lower half leaves the histogram of the remaining bits.
 */
function majority(shingles: number): bigint {
  let low = 0;
  let high = 0;
  for (let byte = 0; byte < 8; byte++) {
    const base = byte * 256;
    let bits = 0;
    for (let bit = 7; bit >= 0; bit--) {
      const half = 1 << bit;
      let set = 0;
      for (let i = base; i < base + half; i++) {
        const upper = histogram[i + half] as number;
        set += upper;
        histogram[i] = (histogram[i] as number) + upper;
      }
      if (set * 2 > shingles) bits |= half;
    }
    if (byte < 4) low |= bits << (byte * 8);
    else high |= bits << ((byte - 4) * 8);
  }
  return (BigInt(high >>> 0) << 32n) | BigInt(low >>> 0);
}

function isPunctuation(lead: number, next: number): boolean {
  if (lead === 0xc2) return true;
  if (lead === 0xe2) return next === 0x80 || next === 0x81;
  return lead === 0xe3 && next === 0x80;
}

function countBits(value: number): number {
  let bits = value - ((value >>> 1) & 0x55555555);
  bits = (bits & 0x33333333) + ((bits >>> 2) & 0x33333333);
  return Math.imul((bits + (bits >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24;
}
