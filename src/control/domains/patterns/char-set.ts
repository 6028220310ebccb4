/** Sets of characters: one bit for each of ASCII, and one for everything else together. */
export type CharSet = bigint;

const SIZE = 129;
const OTHER = 128;

export const NOTHING: CharSet = 0n;
export const ANYTHING: CharSet = (1n << BigInt(SIZE)) - 1n;

/** What lies beyond ASCII is one: two such ranges are taken to overlap, which errs on the safe side. */
export function charsBetween(first: number, last: number): CharSet {
  let set = last >= OTHER ? 1n << BigInt(OTHER) : NOTHING;
  for (let code = first; code <= Math.min(last, OTHER - 1); code += 1) set |= 1n << BigInt(code);
  return set;
}

export function charOf(code: number): CharSet {
  return charsBetween(code, code);
}

/** The complement. What is beyond ASCII stays in: a set names some of it at most. */
export function allBut(set: CharSet): CharSet {
  return (ANYTHING & ~set) | (1n << BigInt(OTHER));
}

export function overlap(a: CharSet, b: CharSet): boolean {
  return (a & b) !== NOTHING;
}

const DIGITS = charsBetween(0x30, 0x39);
const WORD = DIGITS | charsBetween(0x41, 0x5a) | charsBetween(0x61, 0x7a) | charOf(0x5f);
const SPACE = charsBetween(0x09, 0x0d) | charOf(0x20) | charOf(OTHER);

/** `\d`, `\W` …; undefined for a letter that names no class. */
export function classOf(letter: string): CharSet | undefined {
  switch (letter) {
    case 'd':
      return DIGITS;
    case 'D':
      return allBut(DIGITS);
    case 'w':
      return WORD;
    case 'W':
      return allBut(WORD);
    case 's':
      return SPACE;
    case 'S':
      return allBut(SPACE);
    default:
      return undefined;
  }
}

/** `.` stands for all but ends of lines. */
export const DOT: CharSet = allBut(charOf(0x0a) | charOf(0x0d));
