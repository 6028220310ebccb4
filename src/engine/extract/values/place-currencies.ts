/** Which currency belongs to which number of a text: a sign stands before or behind, and often between two. */
import { type CurrencyFound, currencyAt, currencyEndingAt } from './find-currency.ts';
import { type NumberFound, scanNumbers } from './scan-numbers.ts';

export interface Placed {
  readonly number: NumberFound;
  readonly prefix: CurrencyFound | undefined;
  readonly suffix: CurrencyFound | undefined;
}

const GAP_BEFORE = /^(?:[ \n]?:?[ \n]?)$/;
/** What may stand between a number and the currency behind it. */
const GAP_BEHIND = /^[ \n]?(?:[*¹²³]|[万萬만]|тыс\.?|млн\.?|tys\.?|mln\.?|tis\.?|mio\.?)?[ \n]?/i;
/** Nothing but marks to the end. */
export const ALL_SAID = /^[\s*.)]*$/;

/** A currency belongs to one number: to the one behind it if it stands before one, else to the one before it. */
export function placeCurrencies(masked: string, text: string): Placed[] {
  const numbers = scanNumbers(masked);
  const placed: Placed[] = [];
  let usedTo = 0;
  for (const [index, number] of numbers.entries()) {
    const prefix = prefixOf(text, number.start, usedTo);
    const suffix = suffixOf(text, number.end);
    const next = numbers[index + 1];
    const isOfNext =
      suffix !== undefined &&
      (prefix === undefined ? isGluedToNext(text, number, suffix, next) : isBeforeNumber(text, suffix.end));
    const kept = isOfNext ? undefined : suffix;
    const preferred = preferCurrency(prefix, kept);
    placed.push({ number, ...preferred });
    usedTo = Math.max(number.end, preferred.suffix?.end ?? 0);
  }
  return placed;
}

/** "5 $10": the sign stands off the first number and touches the second, which has none of its own. */
function isGluedToNext(
  text: string,
  number: NumberFound,
  suffix: CurrencyFound,
  next: NumberFound | undefined,
): boolean {
  if (next === undefined || suffix.start === number.end || suffix.end !== next.start) return false;
  return suffixOf(text, next.end) === undefined && !isEuroMark(text, number, suffix, next);
}

/** "19 €95", but neither "pack of 5 €10" nor "5 $10". */
export function isEuroMark(
  text: string,
  number: NumberFound,
  sign: CurrencyFound,
  next: NumberFound,
): boolean {
  const isLast = ALL_SAID.test(text.slice(next.end));
  return (
    isLast &&
    sign.text === '€' &&
    next.end - next.start === 2 &&
    /(?:^|:\s?)$/.test(text.slice(0, number.start))
  );
}

/** Of two, a code says more than a sign that many share, and a sign more than what may be a word ("fr. 199 kr"). */
function preferCurrency(
  prefix: CurrencyFound | undefined,
  suffix: CurrencyFound | undefined,
): Pick<Placed, 'prefix' | 'suffix'> {
  if (prefix === undefined || suffix === undefined) return { prefix, suffix };
  if (prefix.text === '$' && suffix.isCode) return { prefix: undefined, suffix };
  if (/^\p{Ll}/u.test(prefix.text) && !prefix.isCode) return { prefix: undefined, suffix };
  return { prefix, suffix: undefined };
}

function prefixOf(text: string, start: number, usedTo: number): CurrencyFound | undefined {
  let end = start;
  while (end > usedTo && start - end < 3 && /[ \n:]/.test(text.charAt(end - 1))) end -= 1;
  if (!GAP_BEFORE.test(text.slice(end, start))) return undefined;
  const found = currencyEndingAt(text, end);
  if (found === undefined || found.start < usedTo) return undefined;
  if (found.text !== '$') return found;
  // "NZD $100", "SGD$4.90": the code before the sign says which dollars.
  const gapped = text.charAt(found.start - 1) === ' ' ? found.start - 1 : found.start;
  const code = currencyEndingAt(text, gapped);
  return code?.isCode === true && code.start >= usedTo ? code : found;
}

function suffixOf(text: string, end: number): CurrencyFound | undefined {
  const gap = GAP_BEHIND.exec(text.slice(end, end + 7))?.[0].length ?? 0;
  const found = currencyAt(text, end + gap);
  if (found?.text !== '$') return found;
  const code = currencyAt(text, text.charAt(found.end) === ' ' ? found.end + 1 : found.end);
  return code?.isCode === true && !isBeforeNumber(text, code.end) ? code : found;
}

function isBeforeNumber(text: string, end: number): boolean {
  return /^ ?\d/.test(text.slice(end, end + 2));
}
