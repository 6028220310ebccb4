import type { Json } from './tolerant-json.ts';

/** The reader behind readTolerantJson. Linear: it looks ahead over white space and a short key, never further. */

const MAX_DEPTH = 64;
const MAX_VALUES = 100;
/** A word without quotes that is longer than this is not a value, it is something gone wrong. */
const MAX_BARE_LENGTH = 64;

type JsonObject = { [key: string]: Json };

/** Where a string stands decides what may follow it. */
type StringPlace = 'key' | 'in-object' | 'in-array';

/** A key and its colon, or as much of it as is left of the text. */
const KEY_AHEAD = /["'][\w@:. -]{0,64}(?:["']\s{0,64}(?::|$)|$)/y;
const BARE_KEY = /[A-Za-z_@$][\w@:.$-]{0,63}(?=\s{0,64}:)/y;
const NUMBER = /[-+]?[\d.]+(?:[eE][-+]?\d+)?/y;
/** In an object no value can begin behind a comma: digits there are still the same number. */
const NUMBER_IN_OBJECT = /[-+]?\d[\d.]*(?:,\d[\d.]*)*(?:[eE][-+]?\d+)?/y;
const BARE_VALUE = /[^\s,}\]"'{[][^,}\]\n"{[]*/y;
const AFTER_SCALAR = /\s{0,64}(?:[,}\]\n]|$)/y;

const CUT_OFF = Symbol('the text ends in the middle of it');

export class JsonRepair {
  private at = 0;
  private readonly text: string;

  constructor(text: string) {
    this.text = text;
  }

  readAll(): Json[] {
    const values: Json[] = [];
    while (values.length < MAX_VALUES) {
      this.skipSpace();
      if (this.at >= this.text.length) break;
      const first = this.text[this.at];
      // Only objects and lists stand by themselves; anything else out here is left over from something.
      if (first !== '{' && first !== '[') {
        this.at++;
        continue;
      }
      const value = this.readValue('in-array', 0);
      if (value !== CUT_OFF && value !== undefined) values.push(value);
    }
    return values;
  }

  private readValue(place: StringPlace, depth: number): Json | undefined | typeof CUT_OFF {
    const first = this.text[this.at];
    if (first === undefined) return CUT_OFF;
    if (first === '{') return depth < MAX_DEPTH ? this.readObject(depth + 1) : this.skipNested();
    if (first === '[') return depth < MAX_DEPTH ? this.readArray(depth + 1) : this.skipNested();
    if (first === '"' || first === "'") return this.readString(first, place);
    return this.readBare(place);
  }

  private readObject(depth: number): Json {
    const object: JsonObject = Object.create(null);
    this.at++;
    for (;;) {
      this.skipSpace();
      const first = this.text[this.at];
      if (first === undefined) return object;
      if (first === '}') {
        this.at++;
        return object;
      }
      // The end of the list around it: its own end was forgotten.
      if (first === ']') return object;
      if (first === ',' || first === '{') {
        this.at++;
        continue;
      }
      const key = this.readKey(first);
      if (key === undefined) {
        this.at++;
        continue;
      }
      if (key === CUT_OFF) return object;
      this.skipSpace();
      if (this.text[this.at] !== ':') continue;
      this.at++;
      this.skipSpace();
      const value = this.readValue('in-object', depth);
      if (value === CUT_OFF) return object;
      if (value !== undefined) object[key] = value;
    }
  }

  private readArray(depth: number): Json {
    const values: Json[] = [];
    this.at++;
    for (;;) {
      this.skipSpace();
      const first = this.text[this.at];
      if (first === undefined) return values;
      if (first === ']') {
        this.at++;
        return values;
      }
      if (first === '}') return values;
      if (first === ',') {
        this.at++;
        continue;
      }
      const before = this.at;
      const value = this.readValue('in-array', depth);
      if (value === CUT_OFF) return values;
      if (value !== undefined) values.push(value);
      if (this.at === before) this.at++;
    }
  }

  private readKey(first: string): string | undefined | typeof CUT_OFF {
    if (first === '"' || first === "'") return this.readString(first, 'key');
    return this.match(BARE_KEY);
  }

  private readString(quote: string, place: StringPlace): string | typeof CUT_OFF {
    const { text } = this;
    let parts = '';
    let start = ++this.at;
    while (this.at < text.length) {
      const character = text[this.at];
      if (character === '\\') {
        parts += text.slice(start, this.at) + this.readEscape();
        start = this.at;
      } else if (character === quote && this.mayEndString(place)) {
        parts += text.slice(start, this.at++);
        return parts;
      } else {
        this.at++;
      }
    }
    return CUT_OFF;
  }

  /** At a quote inside a string: could what comes after it come after a string? */
  private mayEndString(place: StringPlace): boolean {
    const { text } = this;
    let next = this.skipBlanks(this.at + 1);
    const after = text[next];
    if (after === undefined) return true;
    if (place === 'key') return after === ':';
    if (after === '}' || after === ']') return true;
    if (after === '/' && (text[next + 1] === '/' || text[next + 1] === '*')) return true;
    if (after === '"' || after === "'") return place === 'in-object' && matchesAt(KEY_AHEAD, text, next);
    if (after !== ',') return false;
    next = this.skipBlanks(next + 1);
    const then = text[next];
    if (then === undefined || then === '}' || then === ']' || then === ',' || then === '/') return true;
    if (place === 'in-array') return /["'{[\d\-tfn]/.test(then);
    return then === '"' || then === "'" ? matchesAt(KEY_AHEAD, text, next) : matchesAt(BARE_KEY, text, next);
  }

  /** At a backslash. One that escapes nothing is a backslash. */
  private readEscape(): string {
    const next = this.text[this.at + 1];
    this.at += 2;
    switch (next) {
      case 'n':
        return '\n';
      case 't':
        return '\t';
      case 'r':
        return '\r';
      case 'b':
      case 'f':
        return ' ';
      case 'u': {
        const digits = this.text.slice(this.at, this.at + 4);
        if (!/^[0-9a-fA-F]{4}$/.test(digits)) return '\\u';
        this.at += 4;
        return String.fromCharCode(Number.parseInt(digits, 16));
      }
      case '"':
      case "'":
      case '\\':
      case '/':
        return next;
      case '\n':
        return ' ';
      case undefined:
        return '';
      default:
        return `\\${next}`;
    }
  }

  private readBare(place: StringPlace): Json | undefined {
    const start = this.at;
    const number = this.match(place === 'in-object' ? NUMBER_IN_OBJECT : NUMBER);
    if (number !== undefined) {
      if (matchesAt(AFTER_SCALAR, this.text, this.at)) return number;
      this.at = start;
    }
    const word = this.match(BARE_VALUE)?.trim();
    if (word === undefined || word.length > MAX_BARE_LENGTH) return undefined;
    return /^(?:null|none|undefined|nan)$/i.test(word) ? undefined : word;
  }

  /** Too deep to be read: goes over it by its brackets, strings left out. */
  private skipNested(): undefined {
    const { text } = this;
    let depth = 0;
    while (this.at < text.length) {
      const character = text[this.at++];
      if (character === '"') {
        while (this.at < text.length && text[this.at] !== '"') this.at += text[this.at] === '\\' ? 2 : 1;
        this.at++;
      } else if (character === '{' || character === '[') depth++;
      else if ((character === '}' || character === ']') && --depth === 0) return undefined;
    }
    return undefined;
  }

  private match(pattern: RegExp): string | undefined {
    pattern.lastIndex = this.at;
    const found = pattern.exec(this.text)?.[0];
    if (found !== undefined) this.at += found.length;
    return found;
  }

  private skipBlanks(from: number): number {
    let at = from;
    while (at < this.text.length && isBlank(this.text.charCodeAt(at))) at++;
    return at;
  }

  /** White space, comments, and the marks by which scripts were hidden from old browsers and from XML. */
  private skipSpace(): void {
    const { text } = this;
    for (;;) {
      this.at = this.skipBlanks(this.at);
      if (!MARK_STARTS.includes(text[this.at] ?? '}')) return;
      const mark = MARKS.find((candidate) => text.startsWith(candidate, this.at));
      if (mark !== undefined) this.at += mark.length;
      else if (text.startsWith('/*', this.at)) this.at = endOf(text, text.indexOf('*/', this.at + 2), 2);
      else if (text.startsWith('//', this.at)) this.skipLineComment();
      else return;
    }
  }

  private skipLineComment(): void {
    const { text } = this;
    const after = this.skipBlanks(this.at + 2);
    // `//<![CDATA[` and `//-->` are marks as well, and what matters may stand on the same line.
    if (MARKS.some((mark) => text.startsWith(mark, after))) this.at = after;
    else this.at = endOf(text, text.indexOf('\n', this.at), 1);
  }
}

const MARK_STARTS = '<]-;/';
const MARKS = ['<![CDATA[', ']]>', '<!--', '-->', '--!>', ';'];

function endOf(text: string, found: number, length: number): number {
  return found === -1 ? text.length : found + length;
}

function matchesAt(pattern: RegExp, text: string, at: number): boolean {
  pattern.lastIndex = at;
  return pattern.test(text);
}

function isBlank(code: number): boolean {
  return code <= 0x20 || code === 0xa0 || code === 0xfeff || code === 0x2028 || code === 0x2029;
}
