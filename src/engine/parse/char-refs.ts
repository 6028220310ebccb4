import { DecodingMode, decodeHTML } from 'entities';

/**
 * Character references (HTML standard, 13.2.5.72 and following) for a scanner that works on bytes: the few
 * references that make up nearly all of the web's are recognised byte by byte, the rest goes to `entities`.
 */

const AMPERSAND = 0x26;
const SEMICOLON = 0x3b;
/** The longest name is 32 characters with its semicolon; no need to look further. */
const MAX_NAME_BYTES = 40;
/** Distinct references of a page are few; the bound is for pages that make them up. */
const MAX_CACHED = 2000;

const cache = new Map<string, string>();

/** What the reference read last stands for: one object, reused, so that reading one allocates nothing. */
export const reference = { text: '' };

/**
 * Reads the reference at `start` (an ampersand) into `reference` and returns how many bytes it takes. An
 * ampersand that begins no reference stands for itself.
 */
export function readTextReference(bytes: Buffer, start: number, end: number): number {
  const first = start + 1 < end ? (bytes[start + 1] as number) : 0;
  if (first === 0x61 && matches(bytes, start, end, 0x6d, 0x70, SEMICOLON)) return resolve('&', 5);
  if (first === 0x6e && matches(bytes, start, end, 0x62, 0x73, 0x70) && bytes[start + 5] === SEMICOLON) {
    return resolve('\u00a0', 6);
  }
  let stop = start + 1;
  if (first === 0x23) {
    stop = endOfNumber(bytes, start + 2, end);
  } else {
    const limit = Math.min(end, start + MAX_NAME_BYTES);
    while (stop < limit && isAlphanumeric(bytes[stop] as number)) stop++;
  }
  if (stop === start + 1) return resolve('&', 1);
  if (stop < end && bytes[stop] === SEMICOLON) stop++;
  // Leading zeros can make a numeric reference any length: only its value matters.
  if (stop - start > MAX_NAME_BYTES)
    return resolve(decodeHTML(shortenNumber(bytes, start, stop)), stop - start);
  const source = bytes.toString('latin1', start, stop);
  let text = cache.get(source);
  if (text === undefined) {
    text = decodeHTML(source);
    if (cache.size >= MAX_CACHED) cache.clear();
    cache.set(source, text);
  }
  return resolve(text, stop - start);
}

/** An attribute value as a string of its own: never a slice of the page. */
export function decodeAttribute(bytes: Buffer, start: number, end: number): string {
  let isAsWritten = true;
  let seen = 0;
  for (let i = start; i < end; i++) {
    const byte = bytes[i] as number;
    seen |= byte;
    if (byte === AMPERSAND || byte === 0) isAsWritten = false;
  }
  const source = bytes.toString(seen < 0x80 ? 'latin1' : 'utf8', start, end);
  if (isAsWritten) return source;
  return decodeHTML(source, DecodingMode.Attribute).replaceAll('\0', '\ufffd');
}

function resolve(text: string, consumedBytes: number): number {
  reference.text = text;
  return consumedBytes;
}

function matches(bytes: Buffer, start: number, end: number, b: number, c: number, d: number): boolean {
  return start + 6 <= end && bytes[start + 2] === b && bytes[start + 3] === c && bytes[start + 4] === d;
}

function endOfNumber(bytes: Buffer, start: number, end: number): number {
  let stop = start;
  const isHex = stop < end && ((bytes[stop] as number) | 0x20) === 0x78;
  if (isHex) stop++;
  while (stop < end) {
    const byte = bytes[stop] as number;
    const folded = byte | 0x20;
    const isDigit = byte >= 0x30 && byte <= 0x39;
    if (!isDigit && !(isHex && folded >= 0x61 && folded <= 0x66)) break;
    stop++;
  }
  return stop;
}

function shortenNumber(bytes: Buffer, start: number, stop: number): string {
  const isHex = ((bytes[start + 2] as number) | 0x20) === 0x78;
  let digits = start + (isHex ? 3 : 2);
  while (digits < stop - 2 && bytes[digits] === 0x30) digits++;
  const tail = bytes.toString('latin1', digits, Math.min(stop, digits + 16));
  return `&#${isHex ? 'x' : ''}${tail.endsWith(';') ? tail : `${tail};`}`;
}

function isAlphanumeric(byte: number): boolean {
  const folded = byte | 0x20;
  return (byte >= 0x30 && byte <= 0x39) || (folded >= 0x61 && folded <= 0x7a);
}
