/**
 * Whether any of a set of words stands in a page's bytes, in small letters, in capitals or with one first. The words are looked for
 * all at once, from window to window (Horspool, by pairs of bytes): where a pair is in none of them, nothing that
 * overlaps it needs to be looked at, so that two bytes of three never are.
 */

/** No word may be shorter. */
const WINDOW = 4;
const FARTHEST = WINDOW - 1;

export class ByteWords {
  /** By pair of bytes at the end of a window: how far the next window is that could hold a word. */
  private readonly steps = new Uint8Array(65_536).fill(FARTHEST);
  /** By pair of bytes: the words that have it at the end of their first window. */
  private readonly words = new Map<number, Buffer[]>();

  constructor(words: readonly string[]) {
    // Bytes of ASCII are compared in either case; of other letters each form is a word of its own.
    for (const form of new Set(words.flatMap(formsOf))) this.add(Buffer.from(form, 'utf8'));
  }

  areIn(bytes: Buffer): boolean {
    const { steps } = this;
    const end = bytes.length;
    let at = FARTHEST;
    while (at < end) {
      const pair = ((bytes[at - 1] as number) << 8) | (bytes[at] as number);
      const step = steps[pair] as number;
      if (step === 0) {
        if (this.isWordAt(bytes, at - FARTHEST, pair)) return true;
        at++;
      } else at += step;
    }
    return false;
  }

  private add(word: Buffer): void {
    if (word.length < WINDOW) throw new RangeError(`"${word.toString()}" is too short to be looked for.`);
    for (let behind = 1; behind < WINDOW; behind++) {
      for (const first of bothCases(word[behind - 1] as number)) {
        for (const second of bothCases(word[behind] as number)) {
          const pair = (first << 8) | second;
          this.steps[pair] = Math.min(this.steps[pair] as number, FARTHEST - behind);
          if (behind < FARTHEST) continue;
          const before = this.words.get(pair);
          if (before === undefined) this.words.set(pair, [word]);
          else before.push(word);
        }
      }
    }
  }

  private isWordAt(bytes: Buffer, start: number, pair: number): boolean {
    for (const word of this.words.get(pair) ?? []) if (isAt(bytes, start, word)) return true;
    return false;
  }
}

function formsOf(word: string): string[] {
  const small = word.toLowerCase();
  const [first = ''] = small;
  const forms = [small, first.toUpperCase() + small.slice(first.length), small.toUpperCase()];
  return forms.map((form) => form.replace(/[A-Z]/g, (letter) => letter.toLowerCase()));
}

function isAt(bytes: Buffer, start: number, word: Buffer): boolean {
  if (start + word.length > bytes.length) return false;
  for (let at = 0; at < word.length; at++) {
    if (folded(bytes[start + at] as number) !== word[at]) return false;
  }
  return true;
}

function bothCases(byte: number): number[] {
  return byte >= 0x61 && byte <= 0x7a ? [byte, byte - 0x20] : [byte];
}

function folded(byte: number): number {
  return byte >= 0x41 && byte <= 0x5a ? byte + 0x20 : byte;
}
