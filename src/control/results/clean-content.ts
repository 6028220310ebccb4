/**
 * What others hand in, made fit to be kept: PostgreSQL takes neither NUL nor half a surrogate pair, and nobody is to
 * store more than a page's worth of data, or data nested so deep that reading it costs the reader.
 */
import { InvalidField } from '../bots/invalid-field.ts';

export const MOST_DATA_BYTES = 256 * 1024;
export const DEEPEST_DATA = 32;
export const LONGEST_TITLE = 2000;

/** Whole pairs are one character here, and none of these. */
const HALF_PAIR = /\p{Surrogate}/gu;

export function cleanText(text: string): string {
  return text.replaceAll('\0', '').replace(HALF_PAIR, '\ufffd');
}

/** On one line; null: nothing is left of it. */
export function cleanTitle(title: string | null): string | null {
  if (title === null) return null;
  const line = cleanText(title).replace(/\s+/g, ' ').trim();
  if (line === '') return null;
  // Not between the halves of a pair.
  return cleanText(line.slice(0, LONGEST_TITLE));
}

/** Throws `invalid` for what is too large or too deep, as soon as that is known. */
export function cleanData(data: Record<string, unknown> | null): Record<string, unknown> | null {
  if (data === null) return null;
  const clean = cleanObject(data, { left: MOST_DATA_BYTES }, 1);
  if (Buffer.byteLength(JSON.stringify(clean)) > MOST_DATA_BYTES) throw tooLarge();
  return clean;
}

/** Of the bytes that may be kept, those that are left. Never more is taken than it will be: the exact count comes after. */
interface Budget {
  left: number;
}

function spend(budget: Budget, bytes: number): void {
  budget.left -= bytes;
  if (budget.left < 0) throw tooLarge();
}

function cleanObject(value: object, budget: Budget, depth: number): Record<string, unknown> {
  const names = Object.keys(value);
  spend(budget, names.length);
  // As properties of its own, whatever they are called.
  return Object.fromEntries(
    names.map((name) => {
      const clean = cleanText(name);
      spend(budget, clean.length);
      return [clean, cleanValue(Reflect.get(value, name), budget, depth + 1)];
    }),
  );
}

function cleanValue(value: unknown, budget: Budget, depth: number): unknown {
  if (typeof value === 'string') {
    const text = cleanText(value);
    spend(budget, text.length);
    return text;
  }
  if (typeof value === 'number') return Number.isFinite(value) ? value : null;
  if (typeof value === 'boolean') return value;
  if (typeof value !== 'object' || value === null) return null;
  if (depth > DEEPEST_DATA) {
    throw new InvalidField('parsed_data', `is nested more than ${DEEPEST_DATA} levels deep`);
  }
  if (!Array.isArray(value)) return cleanObject(value, budget, depth);
  spend(budget, value.length);
  return value.map((item: unknown) => cleanValue(item, budget, depth + 1));
}

function tooLarge(): InvalidField {
  return new InvalidField('parsed_data', `is larger than ${MOST_DATA_BYTES / 1024} KB`);
}
