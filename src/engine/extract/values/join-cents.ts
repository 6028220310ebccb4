/** The amount of a number with what stands behind it: cents that stand apart, and words that count thousands. */
import { exactPrice } from '../../products/exact-price.ts';
import { type CurrencyHints, settleCurrency } from './find-currency.ts';
import { ALL_SAID, isEuroMark, type Placed } from './place-currencies.ts';
import { UNIT_BEHIND } from './price-words.ts';
import { type NumberHints, type NumberSettled, settleNumber } from './settle-number.ts';

export type AmountHints = CurrencyHints & NumberHints;

/** Words that count thousands and more, where they stand with money. */
const MULTIPLES: readonly (readonly [RegExp, number])[] = [
  [/^(?:k(?![\p{L}\d])| ?(?:тыс|tys|tis)(?!\p{L}))/iu, 3],
  [/^ ?[万萬만]/u, 4],
  [/^(?:M(?![\p{L}\d.])| ?(?:млн|mln|[Mm]io|[Mm]illions?)(?!\p{L}))/u, 6],
];
const MINOR =
  /^ ?(?:коп(?:\.|еек|ейки)?|gr\.?|groszy|cents?|ct\.?|c|¢|pence|øre|öre|hal\.?|ст\.?|стотинки|bani|lipa)(?![\p{L}\d])/iu;
export const CENT_ONLY = /^ ?(?:¢|cents?|ct\.?|коп\.?|копеек)(?![\p{L}\d])/iu;

export function settlePlaced(
  text: string,
  { number, prefix, suffix }: Placed,
  hints: AmountHints,
): NumberSettled | undefined {
  const found = prefix ?? suffix;
  const currency = found === undefined ? hints.currency : settleCurrency(found.sign, hints);
  const settled = settleNumber(number, { ...hints, currency });
  if (settled === undefined) return undefined;
  const behind = text.slice(number.end, number.end + 12);
  const isCents = found === undefined ? CENT_ONLY.test(behind) : found.text === '¢';
  const shift = isCents ? -2 : multipleShift(found === undefined ? '' : behind);
  if (shift === 0) return settled;
  const amount = exactPrice(`${settled.amount}e${shift}`);
  return amount === undefined ? undefined : { amount, hasFraction: true };
}

function multipleShift(behind: string): number {
  return MULTIPLES.find(([pattern]) => pattern.test(behind))?.[1] ?? 0;
}

export interface JoinedCents {
  readonly amount: string;
  readonly hasFraction: true;
  readonly end: number;
}

/** Cents that stand apart: "19€95", "5 руб. 50 коп.", "$12 99". */
export function joinCents(
  text: string,
  here: Placed,
  next: Placed,
  hints: AmountHints,
): JoinedCents | undefined {
  const { number } = next;
  const [digits = ''] = number.groups;
  if (number.groups.length !== 1 || digits.length > 2 || number.end !== number.start + digits.length)
    return undefined;
  const whole = settlePlaced(text, here, hints);
  if (whole === undefined || whole.hasFraction) return undefined;
  const behind = text.slice(number.end, number.end + 12);
  const minor = MINOR.exec(behind)?.[0];
  const isSure =
    minor !== undefined && here.suffix !== undefined
      ? text.slice(here.suffix.end, number.start).trim() === ''
      : digits.length === 2 && areCents(text, here, next, behind);
  if (!isSure) return undefined;
  const amount = exactPrice(`${whole.amount}.${digits.padStart(2, '0')}`);
  if (amount === undefined) return undefined;
  const end = number.end + (minor?.length ?? 0);
  return { amount, hasFraction: true, end: Math.max(end, next.suffix?.end ?? 0) };
}

function areCents(text: string, here: Placed, next: Placed, behind: string): boolean {
  const { number, suffix } = here;
  if (/^ ?%/.test(behind) || (next.suffix === undefined && UNIT_BEHIND.test(behind))) return false;
  const isLast = ALL_SAID.test(text.slice(next.number.end));
  if (here.prefix !== undefined) {
    return isLast && next.prefix === undefined && text.slice(number.end, next.number.start) === ' ';
  }
  if (suffix !== undefined) {
    if (next.suffix !== undefined) return false;
    if (/\p{L}/u.test(suffix.text)) return isLast && /^euros?$/i.test(suffix.text);
    const gapBefore = suffix.start - number.end;
    const gapBehind = text.slice(suffix.end, next.number.start);
    if (gapBehind !== '' && gapBehind !== ' ') return false;
    if (gapBefore > 0 && gapBehind === '') return isEuroMark(text, number, suffix, next.number);
    return gapBefore === 0 || isLast;
  }
  // "12 99 €", and nothing before it.
  return number.start === 0 && next.suffix !== undefined && text.slice(number.end, next.number.start) === ' ';
}
