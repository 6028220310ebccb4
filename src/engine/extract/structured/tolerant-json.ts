/**
 * JSON as pages really have it. What JSON.parse takes is read by it; the rest by a reader of our own, which goes over
 * the text once and repairs what can mean only one thing:
 *
 * - comments, CDATA and HTML comment marks around or between values, a BOM, semicolons, several values in a row;
 * - line breaks and tabs inside strings, backslashes that escape nothing, quotes inside strings that are not escaped
 *   (a quote ends a string only where what follows it could follow a string);
 * - commas too many or, before a key, too few; keys without quotes; single quotes; brackets that are never closed;
 * - numbers with leading zeros or with separators, and bare words, which are kept as the text they are.
 *
 * What is cut off by the end of the text is left out, what was complete before it is kept.
 */
import { JsonRepair } from './json-repair.ts';

/** Numbers may be given as the text they were written with, so that no digit of them is lost. */
export type Json = string | number | boolean | null | readonly Json[] | { readonly [key: string]: Json };

/** A number that a binary one cannot hold: 16 digits or more. */
const LONG_NUMBER = /[:[,]\s*-?[\d.]{16}/;

/** All values there are in the text, in their order: none where there is no sense in it. */
export function readTolerantJson(text: string): readonly Json[] {
  if (!LONG_NUMBER.test(text)) {
    try {
      return [JSON.parse(text)];
    } catch {
      // Not JSON as the standard has it.
    }
  }
  return new JsonRepair(text).readAll();
}
