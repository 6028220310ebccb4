/** The numbers of a text that can be prices, each with its currency and with what is said about it. */
import { type CurrencyFound, currencyEndingAt } from './find-currency.ts';
import { type AmountHints, CENT_ONLY, joinCents, settlePlaced } from './join-cents.ts';
import { PHONES_AND_DATES } from './not-prices.ts';
import { type Placed, placeCurrencies } from './place-currencies.ts';
import {
  FREE_DELIVERY_FROM,
  isOtherNumber,
  isRangeLink,
  MONTH_BEFORE,
  OUT_OF_BEFORE,
  UNIT_BEHIND,
  wordsOf,
} from './price-words.ts';

export interface PriceCandidate {
  /** With its currency. */
  readonly start: number;
  readonly end: number;
  readonly amount: string;
  readonly hasFraction: boolean;
  readonly currency: CurrencyFound | undefined;
  /** The text between the one before and this one, at most 60 characters, and its words. */
  readonly before: string;
  readonly words: string;
  /** The upper end of the range that it begins. */
  high?: PriceCandidate;
  isUpperEnd?: boolean;
}

const MOST_BEFORE = 60;
const MOST_BEFORE_DELIVERY = 110;

/** In the order of the text. */
export function findCandidates(text: string, hints: AmountHints): PriceCandidate[] {
  const placed = placeCurrencies(maskOthers(text), text);
  const candidates: PriceCandidate[] = [];
  let readTo = 0;
  let isBroken = false;
  for (let index = 0; index < placed.length; index += 1) {
    const here = placed[index] as Placed;
    const next = placed[index + 1];
    const cents = next === undefined ? undefined : joinCents(text, here, next, hints);
    const start = here.prefix?.start ?? here.number.start;
    const end = cents === undefined ? (here.suffix?.end ?? here.number.end) : cents.end;
    const before = text.slice(Math.max(readTo, start - MOST_BEFORE), start);
    const isBelowZero = isNegative(text, here, start, readTo);
    readTo = end;
    if (cents !== undefined) index += 1;
    const settled = cents ?? settlePlaced(text, here, hints);
    const words = wordsOf(before);
    const currency = here.prefix ?? here.suffix ?? (cents === undefined ? undefined : next?.suffix);
    const isPrice =
      settled !== undefined &&
      !isBelowZero &&
      !isOther(text, here, currency, before, words) &&
      !FREE_DELIVERY_FROM.test(text.slice(Math.max(0, start - MOST_BEFORE_DELIVERY), start));
    const last = candidates.at(-1);
    const link = last === undefined || isBroken ? '' : text.slice(last.end, start);
    if (!isPrice) {
      // "2-3 days": the first number counts days as well.
      if (last !== undefined && last.currency === undefined && isRangeLink(link)) candidates.pop();
      isBroken = true;
      continue;
    }
    const { amount, hasFraction } = settled;
    const candidate: PriceCandidate = { start, end, amount, hasFraction, currency, before, words };
    isBroken = false;
    candidates.push(candidate);
    if (last !== undefined && link !== '' && isRangeLink(link)) linkRange(last, candidate, here);
  }
  return candidates;
}

function linkRange(low: PriceCandidate, high: PriceCandidate, placedHigh: Placed): void {
  if (low.currency !== undefined && high.currency !== undefined && low.currency.sign !== high.currency.sign)
    return;
  if (low.isUpperEnd === true || compareAmounts(low.amount, high.amount) >= 0) return;
  // "50 - $2.00" tells how many, and then the price of so many.
  if (low.currency === undefined && placedHigh.prefix !== undefined) return;
  low.high = high;
  high.isUpperEnd = true;
}

/** Both are written by exactPrice. */
function compareAmounts(a: string, b: string): number {
  const [wholeA = '', restA = ''] = a.split('.');
  const [wholeB = '', restB = ''] = b.split('.');
  if (wholeA.length !== wholeB.length) return wholeA.length - wholeB.length;
  const length = Math.max(restA.length, restB.length);
  const [left, right] = [wholeA + restA.padEnd(length, '0'), wholeB + restB.padEnd(length, '0')];
  return left < right ? -1 : left > right ? 1 : 0;
}

/** A minus that is glued to the price, and to nothing else but its own sign: "-$5", "$-5", but not "$4-$5" nor "- $5". */
function isNegative(text: string, { number }: Placed, start: number, readTo: number): boolean {
  return isMinus(text, start, readTo) || isMinus(text, number.start, readTo);
}

function isMinus(text: string, at: number, readTo: number): boolean {
  if (text.charAt(at - 1) !== '-') return false;
  if (/^[\s(]?$/.test(text.charAt(at - 2))) return true;
  const sign = currencyEndingAt(text, at - 1);
  return sign !== undefined && sign.start >= readTo;
}

/** A share, a measure, a quantity, a year, part of a name: no price, whatever else the text has. */
function isOther(
  text: string,
  { number }: Placed,
  currency: CurrencyFound | undefined,
  before: string,
  words: string,
): boolean {
  const behind = text.slice(number.end, number.end + 24);
  if (/^ ?%/.test(behind) || /% ?$/.test(text.slice(Math.max(0, number.start - 2), number.start)))
    return true;
  if (currency !== undefined) return false;
  if (CENT_ONLY.test(behind)) return false;
  if (UNIT_BEHIND.test(behind) || isOtherNumber(words, before)) return true;
  if (before.length < number.start && OUT_OF_BEFORE.test(before)) return true;
  const [first = ''] = number.groups;
  if (number.groups.length === 1 && first.length > 1 && first.startsWith('0')) return true;
  if (number.groups.length === 1 && first.length > 10) return true;
  if (/^(?:19|20)\d\d$/.test(first) && number.groups.length === 1 && MONTH_BEFORE.test(before)) return true;
  if (/[\p{Script=Latin}\p{Script=Cyrillic}_+]/u.test(text.charAt(number.start - 1))) return true;
  return /^[\p{Script=Latin}\p{Script=Cyrillic}_]/u.test(behind);
}

function maskOthers(text: string): string {
  return text.replace(PHONES_AND_DATES, (match) => '\u0002'.repeat(match.length));
}
