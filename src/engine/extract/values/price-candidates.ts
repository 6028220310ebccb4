/** The numbers of a text that can be prices, each with its currency and with what is said about it. */
import { exactPrice } from '../../products/exact-price.ts';
import {
  type CurrencyFound,
  type CurrencyHints,
  currencyAt,
  currencyEndingAt,
  settleCurrency,
} from './find-currency.ts';
import { PHONES_AND_DATES } from './not-prices.ts';
import {
  FREE_DELIVERY_FROM,
  isOtherNumber,
  isRangeLink,
  MONTH_BEFORE,
  UNIT_BEHIND,
  wordsOf,
} from './price-words.ts';
import { type NumberFound, scanNumbers } from './scan-numbers.ts';
import { type NumberHints, settleNumber } from './settle-number.ts';

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

export type CandidateHints = CurrencyHints & NumberHints;

interface Placed {
  readonly number: NumberFound;
  readonly prefix: CurrencyFound | undefined;
  readonly suffix: CurrencyFound | undefined;
}

const MOST_BEFORE = 60;
const MOST_BEFORE_DELIVERY = 110;
const GAP_BEFORE = /^(?:[ \n]?:?[ \n]?)$/;
/** What may stand between a number and the currency behind it. */
const GAP_BEHIND = /^[ \n]?(?:[*¹²³]|[万萬만]|тыс\.?|млн\.?|tys\.?|mln\.?|tis\.?|mio\.?)?[ \n]?/i;
/** Words that count thousands and more, where they stand with money. */
const MULTIPLES: readonly (readonly [RegExp, number])[] = [
  [/^(?:k(?![\p{L}\d])| ?(?:тыс|tys|tis)(?!\p{L}))/iu, 3],
  [/^ ?[万萬만]/u, 4],
  [/^(?:M(?![\p{L}\d])| ?(?:млн|mln|[Mm]io|[Mm]illions?)(?!\p{L}))/u, 6],
];
const MINOR =
  /^ ?(?:коп(?:\.|еек|ейки)?|gr\.?|groszy|cents?|ct\.?|c|¢|pence|øre|öre|hal\.?|ст\.?|стотинки|bani|lipa)(?![\p{L}\d])/iu;
const CENT_ONLY = /^ ?(?:¢|cents?|ct\.?|коп\.?|копеек)(?![\p{L}\d])/iu;

export function findCandidates(text: string, hints: CandidateHints): PriceCandidate[] {
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
    readTo = end;
    if (cents !== undefined) index += 1;
    const settled = cents ?? settlePlaced(text, here, hints);
    const words = wordsOf(before);
    const currency = here.prefix ?? here.suffix ?? (cents === undefined ? undefined : next?.suffix);
    const isPrice =
      settled !== undefined &&
      !isNegative(text, here, start) &&
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

function settlePlaced(text: string, { number, prefix, suffix }: Placed, hints: CandidateHints) {
  const found = prefix ?? suffix;
  const currency = found === undefined ? hints.currency : settleCurrency(found.sign, hints);
  const settled = settleNumber(number, { ...hints, currency });
  if (settled === undefined) return undefined;
  const behind = text.slice(number.end, number.end + 12);
  const shift = found === undefined ? centShift(behind) : multipleShift(behind);
  if (shift === 0) return settled;
  const amount = exactPrice(`${settled.amount}e${shift}`);
  return amount === undefined ? undefined : { amount, hasFraction: true };
}

function centShift(behind: string): number {
  return CENT_ONLY.test(behind) ? -2 : 0;
}

function multipleShift(behind: string): number {
  return MULTIPLES.find(([pattern]) => pattern.test(behind))?.[1] ?? 0;
}

/** A currency belongs to one number: to the one behind it if it stands before one, else to the one before it. */
function placeCurrencies(masked: string, text: string): Placed[] {
  const numbers = scanNumbers(masked);
  const placed: Placed[] = [];
  let usedTo = 0;
  for (const number of numbers) {
    const prefix = prefixOf(text, number.start, usedTo);
    const suffix = suffixOf(text, number.end);
    const isSuffixOfNext = suffix !== undefined && prefix !== undefined && isBeforeNumber(text, suffix.end);
    const kept = isSuffixOfNext ? undefined : suffix;
    const preferred = preferCurrency(prefix, kept);
    placed.push({ number, ...preferred });
    usedTo = Math.max(number.end, preferred.suffix?.end ?? 0);
  }
  return placed;
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

interface JoinedCents {
  readonly amount: string;
  readonly hasFraction: true;
  readonly end: number;
}

/** Cents that stand apart: "19€95", "5 руб. 50 коп.", "$12 99". */
function joinCents(text: string, here: Placed, next: Placed, hints: CandidateHints): JoinedCents | undefined {
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
  const isLast = /^[\s*.)]*$/.test(text.slice(next.number.end));
  if (here.prefix !== undefined) {
    return isLast && next.prefix === undefined && text.slice(number.end, next.number.start) === ' ';
  }
  if (suffix !== undefined) {
    if (next.suffix !== undefined) return false;
    if (/\p{L}/u.test(suffix.text)) return isLast && /^euros?$/i.test(suffix.text);
    const gapBefore = suffix.start - number.end;
    const gapBehind = text.slice(suffix.end, next.number.start);
    if (gapBehind !== '' && gapBehind !== ' ') return false;
    // "19 €95", but neither "pack of 5 €10" nor "5 $10".
    if (gapBefore > 0 && gapBehind === '') {
      return isLast && suffix.text === '€' && /(?:^|:\s?)$/.test(text.slice(0, number.start));
    }
    return gapBefore === 0 || isLast;
  }
  // "12 99 €", and nothing before it.
  return number.start === 0 && next.suffix !== undefined && text.slice(number.end, next.number.start) === ' ';
}

/** A minus that is glued to the price, with nothing glued to itself: "-$5", but not "$4-$5" nor "- $5". */
function isNegative(text: string, { number }: Placed, start: number): boolean {
  return isMinus(text, start) || isMinus(text, number.start);
}

function isMinus(text: string, at: number): boolean {
  return text.charAt(at - 1) === '-' && /^[\s(]?$/.test(text.charAt(at - 2));
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
