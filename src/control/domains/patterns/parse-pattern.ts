/**
 * A regular expression taken apart, as far as telling its cost needs it. Knows what JavaScript patterns for URLs are
 * made of; whatever else the language has (look-ahead, back references, modifiers) is refused by name. The pattern is
 * known to compile.
 */
import { ANYTHING, allBut, type CharSet, charOf, charsBetween, classOf, DOT, NOTHING } from './char-set.ts';

export type Node =
  | { readonly kind: 'chars'; readonly set: CharSet }
  /** `^`, `$`, `\b`: takes no character. */
  | { readonly kind: 'edge'; readonly isStart: boolean }
  | { readonly kind: 'sequence'; readonly items: readonly Node[] }
  | { readonly kind: 'choice'; readonly options: readonly Node[] }
  | {
      readonly kind: 'repeat';
      readonly body: Node;
      readonly least: number;
      readonly most: number;
      readonly text: string;
    };

/** Why a pattern is refused, in words for whoever wrote it. */
export class PatternProblem extends Error {}

export function parsePattern(source: string): Node {
  const parser = new PatternParser(source);
  return parser.parse();
}

const QUANTIFIER = /^(?:[*+?]|\{(\d+)(,(\d*))?\})\??/;
const DEEPEST = 20;

class PatternParser {
  readonly #source: string;
  #at = 0;
  #depth = 0;

  constructor(source: string) {
    this.#source = source;
  }

  parse(): Node {
    return this.#choice();
  }

  get #next(): string {
    return this.#source[this.#at] ?? '';
  }

  #choice(): Node {
    const options = [this.#sequence()];
    while (this.#next === '|') {
      this.#at += 1;
      options.push(this.#sequence());
    }
    const [only] = options;
    return options.length === 1 && only !== undefined ? only : { kind: 'choice', options };
  }

  #sequence(): Node {
    const items: Node[] = [];
    while (this.#next !== '' && this.#next !== '|' && this.#next !== ')') {
      const start = this.#at;
      items.push(this.#quantified(this.#atom(), start));
    }
    return { kind: 'sequence', items };
  }

  #quantified(body: Node, start: number): Node {
    const found = QUANTIFIER.exec(this.#source.slice(this.#at));
    if (found === null) return body;
    this.#at += found[0].length;
    const [least, most] = limitsOf(found);
    return { kind: 'repeat', body, least, most, text: this.#source.slice(start, this.#at) };
  }

  #atom(): Node {
    const letter = this.#next;
    this.#at += 1;
    switch (letter) {
      case '(':
        return this.#group();
      case '[':
        return { kind: 'chars', set: this.#class() };
      case '.':
        return { kind: 'chars', set: DOT };
      case '^':
      case '$':
        return { kind: 'edge', isStart: letter === '^' };
      case '\\':
        return this.#escape();
      default:
        return { kind: 'chars', set: charOf(letter.charCodeAt(0)) };
    }
  }

  #group(): Node {
    const rest = this.#source.slice(this.#at);
    if (/^\?<?[=!]/.test(rest)) {
      throw new PatternProblem(
        'it looks ahead or behind, which may not be used here; "exclude" says what not to match',
      );
    }
    const opening = /^\?(?::|<[^>]*>)/.exec(rest)?.[0];
    if (rest.startsWith('?') && opening === undefined)
      throw new PatternProblem('it changes flags inside a group');
    this.#at += opening?.length ?? 0;
    this.#depth += 1;
    if (this.#depth > DEEPEST) throw new PatternProblem(`its groups are nested more than ${DEEPEST} deep`);
    const inside = this.#choice();
    this.#depth -= 1;
    this.#at += 1;
    return inside;
  }

  #escape(): Node {
    const letter = this.#next;
    if (letter === 'b' || letter === 'B') {
      this.#at += 1;
      return { kind: 'edge', isStart: false };
    }
    if (letter === 'c') throw new PatternProblem('it names a control character (\\c)');
    if (/[1-9k]/.test(letter)) throw new PatternProblem(`it refers back to a group (\\${letter})`);
    return { kind: 'chars', set: this.#escapedChars() };
  }

  /** After the backslash, inside a class or outside. */
  #escapedChars(): CharSet {
    const letter = this.#next;
    this.#at += 1;
    const known = classOf(letter);
    if (known !== undefined) return known;
    const code = /^(?:x([0-9a-f]{2})|u([0-9a-f]{4}))/i.exec(this.#source.slice(this.#at - 1));
    if (code !== null) {
      this.#at += code[0].length - 1;
      return charOf(Number.parseInt(code[1] ?? code[2] ?? '0', 16));
    }
    // Control characters, octal numbers and what older patterns may write: whatever it is, it may be anything.
    if (/[a-zA-Z0-9]/.test(letter)) return ANYTHING;
    return charOf(letter.charCodeAt(0));
  }

  #class(): CharSet {
    const isNegated = this.#next === '^';
    if (isNegated) this.#at += 1;
    let set = NOTHING;
    while (this.#next !== ']' && this.#next !== '') {
      const start = this.#at;
      const first = this.#classChars();
      if (this.#next === '-' && ![']', ''].includes(this.#source[this.#at + 1] ?? '')) {
        this.#at += 1;
        const last = this.#classChars();
        set |= rangeOf(first, last, this.#source.slice(start, this.#at));
      } else set |= first;
    }
    this.#at += 1;
    return isNegated ? allBut(set) : set;
  }

  #classChars(): CharSet {
    const letter = this.#next;
    this.#at += 1;
    return letter === '\\' ? this.#escapedChars() : charOf(letter.charCodeAt(0));
  }
}

/** `a-z`; of anything but two plain characters nobody need know more than that it may be anything. */
function rangeOf(first: CharSet, last: CharSet, text: string): CharSet {
  const plain = /^([^\\])-([^\\])$/.exec(text);
  if (plain === null) return ANYTHING | first | last;
  return charsBetween(plain[1]?.charCodeAt(0) ?? 0, plain[2]?.charCodeAt(0) ?? 0);
}

function limitsOf(found: RegExpExecArray): [least: number, most: number] {
  const [text, least, comma, most] = found;
  switch (text[0]) {
    case '*':
      return [0, Number.POSITIVE_INFINITY];
    case '+':
      return [1, Number.POSITIVE_INFINITY];
    case '?':
      return [0, 1];
    default: {
      const from = Number(least);
      if (comma === undefined) return [from, from];
      return [from, most === '' || most === undefined ? Number.POSITIVE_INFINITY : Number(most)];
    }
  }
}
