/** The numbers of a folded text, with the marks inside them, before anything is decided about what the marks mean. */
import { CERTAIN_DECIMAL, RAISED } from './fold-text.ts';

export interface NumberFound {
  readonly start: number;
  /** Behind the last digit, and behind a dash that stands for no cents: "12,-". */
  readonly end: number;
  /** Runs of digits; one mark between each two of them. */
  readonly groups: readonly string[];
  readonly marks: readonly string[];
}

const MOST_NUMBERS = 60;
const INNER_MARKS = `.,'\u00b7${CERTAIN_DECIMAL}${RAISED}`;
const NO_CENTS = /^(?:[.,]|:)? ?(?:--?|_)(?![\d-])/;
const NO_CENTS_MARK = /^[.,:]/;

export function scanNumbers(text: string): NumberFound[] {
  const found: NumberFound[] = [];
  let index = 0;
  while (index < text.length && found.length < MOST_NUMBERS) {
    if (!isDigit(text, index)) {
      index += 1;
      continue;
    }
    const number = readNumber(text, index);
    found.push(number);
    index = number.end;
  }
  return found;
}

function readNumber(text: string, start: number): NumberFound {
  const groups: string[] = [];
  const marks: string[] = [];
  let end = endOfDigits(text, start);
  groups.push(text.slice(start, end));
  for (;;) {
    const next = nextGroup(text, end, groups, marks);
    if (next === undefined) break;
    marks.push(next.mark);
    end = endOfDigits(text, next.start);
    groups.push(text.slice(next.start, end));
  }
  if (groups.length === 1 && isBareFraction(text, start, end)) {
    return { start: start - 1, end, groups: ['0', groups[0] ?? ''], marks: ['.'] };
  }
  return { start, end: endOfDash(text, end), groups, marks };
}

interface NextGroup {
  readonly start: number;
  readonly mark: string;
}

function nextGroup(
  text: string,
  end: number,
  groups: readonly string[],
  marks: readonly string[],
): NextGroup | undefined {
  const mark = text.charAt(end);
  if (mark === '') return undefined;
  if (INNER_MARKS.includes(mark)) {
    if (isDigit(text, end + 1)) return { start: end + 1, mark };
    return isLooseFraction(text, end, mark, marks) ? { start: end + 2, mark } : undefined;
  }
  return mark === ' ' && isThousandsBehind(text, end, groups, marks) ? { start: end + 1, mark } : undefined;
}

/** "119. 95": a stray space behind the decimal mark. */
function isLooseFraction(text: string, end: number, mark: string, marks: readonly string[]): boolean {
  if ((mark !== '.' && mark !== ',') || marks.includes(mark)) return false;
  return (
    text.charAt(end + 1) === ' ' &&
    endOfDigits(text, end + 2) === end + 4 &&
    !/^[ ]?%/.test(text.slice(end + 4))
  );
}

/** "1 299": groups of three behind one to three digits, and no other mark so far. */
function isThousandsBehind(
  text: string,
  end: number,
  groups: readonly string[],
  marks: readonly string[],
): boolean {
  if (endOfDigits(text, end + 1) !== end + 4) return false;
  if (marks.some((mark) => mark !== ' ')) return false;
  const [first = '', ...rest] = groups;
  return first.length <= 3 && first !== '0' && rest.every((group) => group.length === 3);
}

/** ".99": behind a space, a sign or nothing at all. */
function isBareFraction(text: string, start: number, end: number): boolean {
  return text.charAt(start - 1) === '.' && end - start === 2 && !/[\p{L}\d.]/u.test(text.charAt(start - 2));
}

function endOfDash(text: string, end: number): number {
  const behind = text.slice(end, end + 5);
  const dash = NO_CENTS.exec(behind);
  if (dash === null || !(NO_CENTS_MARK.test(behind) || /^-(?:-|$)/.test(behind))) return end;
  return end + dash[0].length;
}

function endOfDigits(text: string, start: number): number {
  let end = start;
  while (isDigit(text, end)) end += 1;
  return end;
}

function isDigit(text: string, index: number): boolean {
  const code = text.charCodeAt(index);
  return code >= 0x30 && code <= 0x39;
}
