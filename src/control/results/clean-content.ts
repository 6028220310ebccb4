/**
 * What others hand in, made fit to be kept: PostgreSQL takes neither NUL nor half a surrogate pair, and nobody is to
 * store more than a page's worth of data, or data nested so deep that reading it costs the reader.
 */
import { ForagerError } from '../../platform/errors.ts';

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

/** Throws `invalid` for what is too large or too deep. */
export function cleanData(data: Record<string, unknown> | null): Record<string, unknown> | null {
  if (data === null) return null;
  const clean = cleanObject(data, 1);
  if (Buffer.byteLength(JSON.stringify(clean)) > MOST_DATA_BYTES) {
    const most = MOST_DATA_BYTES / 1024;
    throw new ForagerError('invalid', `parsed_data is larger than ${most} KB.`, {
      hint: 'hand in what was found, and the page itself as raw_html',
    });
  }
  return clean;
}

function cleanObject(value: object, depth: number): Record<string, unknown> {
  // As properties of its own, whatever they are called.
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [cleanText(key), cleanValue(item, depth + 1)]),
  );
}

function cleanValue(value: unknown, depth: number): unknown {
  if (typeof value === 'string') return cleanText(value);
  if (typeof value === 'number') return Number.isFinite(value) ? value : null;
  if (typeof value === 'boolean') return value;
  if (typeof value !== 'object' || value === null) return null;
  if (depth > DEEPEST_DATA) {
    throw new ForagerError('invalid', `parsed_data is nested more than ${DEEPEST_DATA} levels deep.`);
  }
  if (Array.isArray(value)) return value.map((item: unknown) => cleanValue(item, depth + 1));
  return cleanObject(value, depth);
}
