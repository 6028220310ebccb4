/** A price as a page writes it: exact digits, and the currency where it can be told. */
import { decodeHTMLStrict } from 'entities';
import { exactPrice } from '../../products/exact-price.ts';
import { findCurrency, readCurrency, settleCurrency } from './find-currency.ts';
import { foldText } from './fold-text.ts';
import { findCandidates, type PriceCandidate } from './price-candidates.ts';
import {
  isCurrentPrice,
  isExtraCost,
  isFormerPrice,
  isFree,
  isLowestOf,
  isSaving,
  MEASURE_IS,
  OFF_BEHIND,
  PER_MEASURE,
  TIMES_BEFORE,
} from './price-words.ts';
import { scanNumbers } from './scan-numbers.ts';
import { settleNumber } from './settle-number.ts';

export interface PriceHints {
  /** A code of ISO 4217 or a sign, where it is known from elsewhere, such as priceCurrency. */
  readonly currency?: string | undefined;
  /** BCP 47, of the page. */
  readonly language?: string | undefined;
  /** ISO 3166, such as that of the domain. */
  readonly country?: string | undefined;
  readonly decimalSeparator?: '.' | ',' | undefined;
}

export interface PriceReading {
  /** Exact, as exactPrice writes it; the lower end of a range; "0" is free. */
  readonly amount: string;
  /** The upper end of a range. */
  readonly high?: string;
  /** ISO 4217. */
  readonly currency?: string;
  /** The sign or code as it is written. */
  readonly currencyText?: string;
  /** It is the lowest of several: "from", "ab", "à partir de". */
  readonly isFrom?: boolean;
  readonly isFree?: boolean;
}

/** No price is told further into a text than this. */
const MOST_CHARACTERS = 1000;
const MOST_AMOUNT_CHARACTERS = 100;
/** Nothing, one or two digits behind the point; zeros at their end are left out. */
const PLAIN_AMOUNT = /^(0|[1-9]\d{0,8})(?:\.(?:0{1,2}|([1-9])0?|(\d[1-9])))?$/;
/** Of a text with more letters than this, a whole number without a currency is not taken for a price. */
const MOST_LETTERS_AROUND = 20;

/** The price a text tells: the current one where it tells several; undefined where it tells none. */
export function readPrice(text: string, hints: PriceHints = {}): PriceReading | undefined {
  const folded = foldText(decoded(text.slice(0, MOST_CHARACTERS)));
  const known = hints.currency === undefined ? undefined : readCurrency(hints.currency, hints);
  const settled = { ...hints, currency: known?.code };
  const all = findCandidates(folded, settled);
  const chosen = choose(folded, all, hints);
  if (chosen === undefined) return readFree(folded, all, known);
  const found = chosen.currency ?? chosen.high?.currency ?? findCurrency(folded);
  const currency = found === undefined ? known?.code : settleCurrency(found.sign, settled);
  const currencyText = found?.text ?? known?.text;
  const behind = folded.slice(chosen.end, chosen.end + 24);
  return {
    amount: chosen.amount,
    ...(chosen.high === undefined ? {} : { high: chosen.high.amount }),
    ...(currency === undefined ? {} : { currency }),
    ...(currencyText === undefined ? {} : { currencyText }),
    ...(chosen.high === undefined && isLowestOf(chosen.words, behind) ? { isFrom: true } : {}),
  };
}

/**
 * A bare number of structured data: "1,299.00", "1.299,00", "1299", "1'299.-", "12.5e1". It is read as for machines:
 * a single point begins the fraction unless the currency has none or the language writes a comma.
 */
export function readAmount(text: string | number, hints: PriceHints = {}): string | undefined {
  if (typeof text === 'number') return exactNumber(String(text));
  const plain = readPlainAmount(text);
  if (plain !== undefined) return plain;
  const folded = foldText(text.slice(0, MOST_AMOUNT_CHARACTERS + 1)).replace(/^\+/, '');
  if (folded.length > MOST_AMOUNT_CHARACTERS) return undefined;
  if (/^\d+(?:\.\d+)?e[+-]?\d+$/i.test(folded)) return exactNumber(folded);
  const numbers = scanNumbers(folded);
  const [number] = numbers;
  if (number === undefined || numbers.length > 1) return readPrice(text, hints)?.amount;
  const isBare = folded.slice(0, number.start).trim() === '' && /^[.,\s]*$/.test(folded.slice(number.end));
  if (!isBare) return readPrice(text, hints)?.amount;
  const currency = hints.currency === undefined ? undefined : readCurrency(hints.currency, hints)?.code;
  return settleNumber(number, { ...hints, currency, isForMachines: true })?.amount;
}

/** As nearly all data writes it, and as it can be read in one way only. */
function readPlainAmount(text: string): string | undefined {
  const match = PLAIN_AMOUNT.exec(text);
  if (match === null) return undefined;
  const [, whole, tenths, hundredths] = match;
  const fraction = tenths ?? hundredths;
  return fraction === undefined ? whole : `${whole}.${fraction}`;
}

/** What is too small to be kept is no price, and above all not a price of nothing. */
function exactNumber(digits: string): string | undefined {
  const amount = exactPrice(digits);
  return amount === '0' && /[1-9]/.test(digits.replace(/e.*$/i, '')) ? undefined : amount;
}

/** What was escaped once too often. */
function decoded(text: string): string {
  return /&[#a-zA-Z]/.test(text) ? decodeHTMLStrict(text) : text;
}

function choose(text: string, all: readonly PriceCandidate[], hints: PriceHints): PriceCandidate | undefined {
  const starts = all.filter((candidate) => candidate.isUpperEnd !== true);
  const withCurrency = starts.filter((candidate) => currencyOf(candidate) !== undefined);
  const pool = withCurrency.length > 0 ? withCurrency : starts.filter((bare) => mayBeBare(text, bare, hints));
  const prices = pool.filter(
    (candidate) =>
      !isSaving(candidate.words) && !OFF_BEHIND.test(text.slice(candidate.end, candidate.end + 24)),
  );
  if (prices.length < 2) return prices[0];
  const own = keepUnlessAll(prices, (candidate) => !isForPartOnly(text, candidate));
  const current = own.find((candidate) => isCurrentPrice(candidate.words) && !isFormerPrice(candidate.words));
  return current ?? own.find((candidate) => !isFormerPrice(candidate.words)) ?? own[0];
}

function currencyOf(candidate: PriceCandidate) {
  return candidate.currency ?? candidate.high?.currency;
}

function mayBeBare(text: string, candidate: PriceCandidate, hints: PriceHints): boolean {
  if (candidate.hasFraction || hints.currency !== undefined) return true;
  const letters = text.match(/\p{L}/gu)?.length ?? 0;
  return letters <= MOST_LETTERS_AROUND;
}

/** Delivery, a payment of several, a price by weight: some price, but not that of the thing. */
function isForPartOnly(text: string, candidate: PriceCandidate): boolean {
  return (
    isExtraCost(candidate.words) ||
    TIMES_BEFORE.test(text.slice(Math.max(0, candidate.start - 12), candidate.start)) ||
    MEASURE_IS.test(candidate.before) ||
    PER_MEASURE.test(text.slice(candidate.end, candidate.end + 24))
  );
}

function keepUnlessAll(
  candidates: readonly PriceCandidate[],
  isKept: (candidate: PriceCandidate) => boolean,
): readonly PriceCandidate[] {
  const kept = candidates.filter(isKept);
  return kept.length === 0 ? candidates : kept;
}

function readFree(
  text: string,
  candidates: readonly PriceCandidate[],
  known: { readonly code: string | undefined; readonly text: string } | undefined,
): PriceReading | undefined {
  if (candidates.length > 0 || !isFree(text)) return undefined;
  return {
    amount: '0',
    ...(known?.code === undefined ? {} : { currency: known.code, currencyText: known.text }),
    isFree: true,
  };
}
