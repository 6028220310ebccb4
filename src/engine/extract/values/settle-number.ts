/** What the marks inside a number mean: which group thousands, and which one begins the fraction. */
import { exactPrice } from '../../products/exact-price.ts';
import { isWholeCurrency, minorUnits } from './currencies.ts';
import { CERTAIN_DECIMAL, RAISED } from './fold-text.ts';
import { decimalSeparatorOf } from './language-customs.ts';
import type { NumberFound } from './scan-numbers.ts';

export interface NumberHints {
  /** ISO 4217. */
  readonly currency?: string | undefined;
  readonly language?: string | undefined;
  readonly decimalSeparator?: '.' | ',' | undefined;
  /** Written for machines, which put a point before the fraction and nothing between thousands. */
  readonly isForMachines?: boolean;
}

export interface NumberSettled {
  /** As exactPrice writes it. */
  readonly amount: string;
  readonly hasFraction: boolean;
}

/** Undefined for what is written like no number: a date, a version, an address, or too many digits. */
export function settleNumber(number: NumberFound, hints: NumberHints): NumberSettled | undefined {
  const { groups, marks } = number;
  const at = findFraction(groups, marks, hints);
  if (at === undefined) return undefined;
  const whole = at === 0 ? groups : groups.slice(0, at);
  if (!areThousands(whole)) return undefined;
  const fraction = at === 0 ? '' : (groups[at] ?? '');
  const amount = exactPrice(fraction === '' ? whole.join('') : `${whole.join('')}.${fraction}`);
  return amount === undefined ? undefined : { amount, hasFraction: fraction !== '' };
}

/** The place of the group that is the fraction; 0: there is none; undefined: no number is written like that. */
function findFraction(
  groups: readonly string[],
  marks: readonly string[],
  hints: NumberHints,
): number | undefined {
  const lastMark = marks.at(-1);
  if (lastMark === undefined || lastMark === ' ' || lastMark === "'") return 0;
  const lastIndex = marks.length;
  const isFirstOfItsKind = marks.indexOf(lastMark) === lastIndex - 1;
  if (lastMark === CERTAIN_DECIMAL || lastMark === RAISED || lastMark === '\u00b7') {
    return isFirstOfItsKind ? lastIndex : undefined;
  }
  if (!isFirstOfItsKind) {
    const isAllOfAKind = marks.every((mark) => mark === lastMark);
    if (!isAllOfAKind) return undefined;
    // "1.234.56": the last one can only be a fraction.
    return groups.at(-1)?.length === 2 && groups.at(-2)?.length === 3 ? lastIndex : 0;
  }
  if (marks.length > 1) return lastIndex;
  return isFraction(groups, lastMark, hints) ? lastIndex : 0;
}

/** Of one point or comma in a number: three digits behind it are thousands unless something speaks against it. */
function isFraction(groups: readonly string[], mark: string, hints: NumberHints): boolean {
  const [whole = '', rest = ''] = groups;
  if (rest.length !== 3) return true;
  if (whole.length > 3 || whole.startsWith('0')) return true;
  if (hints.decimalSeparator !== undefined) return hints.decimalSeparator === mark;
  const { currency, language } = hints;
  if (currency !== undefined && isWholeCurrency(currency)) return false;
  const custom = language === undefined ? undefined : decimalSeparatorOf(language);
  if (currency !== undefined && minorUnits(currency) >= 3) {
    return mark === (custom ?? (currency === 'TND' ? mark : '.'));
  }
  return hints.isForMachines === true && mark === '.' && custom !== ',';
}

/** Groups of three behind the first one, or, as in India, of two and at last three. */
function areThousands(groups: readonly string[]): boolean {
  const [first = '', ...rest] = groups;
  if (rest.length === 0) return true;
  if (first.length > 3 || rest.at(-1)?.length !== 3) return false;
  return (
    rest.every((group) => group.length === 3) ||
    (first.length <= 2 && rest.slice(0, -1).every((group) => group.length === 2))
  );
}
