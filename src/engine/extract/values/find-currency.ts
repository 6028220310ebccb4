/** Which currency stands at a place of a text, and which of those that share a sign is meant. */
import { currencyOfCountry, isCurrencyCode } from './currencies.ts';
import {
  CASED_SIGNS,
  FOLDED_SIGNS,
  ONLY_AFTER,
  ONLY_BEFORE,
  type Sign,
  WORDS_TOO,
} from './currency-signs.ts';
import { regionOfLanguage } from './language-customs.ts';

export interface CurrencyFound {
  readonly start: number;
  readonly end: number;
  /** As written. */
  readonly text: string;
  readonly sign: Sign;
  readonly isCode: boolean;
}

export interface CurrencyHints {
  readonly currency?: string | undefined;
  readonly language?: string | undefined;
  readonly country?: string | undefined;
}

const LONGEST = 8;
const MOST_HINT_CHARACTERS = 100;
/** Letters of scripts that put spaces between words: only there can a sign be the end of another word. */
const WORD_LETTER =
  /[\p{Script=Latin}\p{Script=Cyrillic}\p{Script=Greek}\p{Script=Arabic}\p{Script=Hebrew}]/u;

/** One for each code that was seen, so that two of the same are the same. */
const CODE_SIGNS = new Map<string, Sign>();

/** The longest that begins exactly there. */
export function currencyAt(text: string, start: number): CurrencyFound | undefined {
  for (let length = Math.min(LONGEST, text.length - start); length > 0; length -= 1) {
    const found = look(text, start, start + length);
    if (found !== undefined && !ONLY_BEFORE.has(found.text)) return found;
  }
  return undefined;
}

/** The longest that ends exactly there. */
export function currencyEndingAt(text: string, end: number): CurrencyFound | undefined {
  for (let length = Math.min(LONGEST, end); length > 0; length -= 1) {
    const found = look(text, end - length, end);
    if (found !== undefined && !ONLY_AFTER.has(found.text)) return found;
  }
  return undefined;
}

/** The first in a text that names one without doubt: a sign, or a code in capitals. */
export function findCurrency(text: string, isLenient = false): CurrencyFound | undefined {
  for (let start = 0; start < text.length; start += 1) {
    const found = currencyAt(text, start);
    if (found === undefined) continue;
    const isSure = !WORD_LETTER.test(found.text) || found.text.length > 2;
    if (isLenient || isSure) return found;
  }
  return undefined;
}

/** The code that is meant; undefined where that cannot be told. */
export function settleCurrency(sign: Sign, hints: CurrencyHints): string | undefined {
  const { codes } = sign;
  if (codes.length < 2) return codes[0];
  for (const code of likelyCurrencies(hints)) {
    if (codes.includes(code)) return code;
  }
  return sign.hasDefault ? codes[0] : undefined;
}

/** A code or a sign that is known from elsewhere: what it is, and as it is written. */
export function readCurrency(
  text: string,
  hints: CurrencyHints = {},
): { readonly code: string | undefined; readonly text: string } | undefined {
  const short = text.slice(0, MOST_HINT_CHARACTERS).trim();
  const upper = short.toUpperCase();
  if (isCurrencyCode(upper)) return { code: upper, text: short };
  const found = currencyAtWhole(short) ?? findCurrency(short, true);
  if (found === undefined) return undefined;
  return { code: settleCurrency(found.sign, hints), text: found.text };
}

function currencyAtWhole(text: string): CurrencyFound | undefined {
  return text.length > LONGEST ? undefined : look(text, 0, text.length);
}

function* likelyCurrencies(hints: CurrencyHints): Generator<string> {
  if (hints.currency !== undefined) {
    const known = readCurrency(hints.currency, { language: hints.language, country: hints.country });
    if (known?.code !== undefined) yield known.code;
  }
  if (hints.country !== undefined) {
    const code = currencyOfCountry(hints.country);
    if (code !== undefined) yield code;
  }
  const region = hints.language === undefined ? undefined : regionOfLanguage(hints.language);
  const code = region === undefined ? undefined : currencyOfCountry(region);
  if (code !== undefined) yield code;
}

function look(text: string, start: number, end: number): CurrencyFound | undefined {
  const written = text.slice(start, end);
  const sign = CASED_SIGNS.get(written) ?? FOLDED_SIGNS.get(written.toLowerCase()) ?? codeSign(written);
  if (sign === undefined || !isWord(text, start, end)) return undefined;
  const isCode = sign.codes.length === 1 && sign.codes[0] === written.toUpperCase();
  return { start, end, text: shownText(written), sign, isCode };
}

/** An inflected word is shown by its stem. */
function shownText(written: string): string {
  return /^рубл/i.test(written) ? written.slice(0, 3) : written;
}

function codeSign(written: string): Sign | undefined {
  if (written.length !== 3) return undefined;
  const upper = written.toUpperCase();
  if (!isCurrencyCode(upper)) return undefined;
  if (written !== upper && WORDS_TOO.has(written.toLowerCase())) return undefined;
  let sign = CODE_SIGNS.get(upper);
  if (sign === undefined) {
    sign = { codes: [upper], hasDefault: true };
    CODE_SIGNS.set(upper, sign);
  }
  return sign;
}

/** A sign made of letters is no part of a longer word. */
function isWord(text: string, start: number, end: number): boolean {
  const before = text.charAt(start - 1);
  const after = text.charAt(end);
  if (before !== '' && WORD_LETTER.test(before) && WORD_LETTER.test(text.charAt(start))) return false;
  return after === '' || !WORD_LETTER.test(after) || !WORD_LETTER.test(text.charAt(end - 1));
}
