/** How fields are noted while a page is read. */
import type { FieldName, FieldSource, FoundField, ProductFields } from '../product-fields.ts';

export type MutableFields = { -readonly [Name in FieldName]?: FoundField<ProductFields[Name]> };

export const LONGEST_LINE = 500;
export const LONGEST_CODE = 100;
export const LONGEST_PROSE = 20_000;
const LONGEST_EVIDENCE = 200;
/** What no database takes, and what makes a text read otherwise than it is written. */
const NOT_SHOWN = /[\p{Cc}\p{Cs}\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff]/gu;

/** Most evidence: nothing has to be done to it. */
const PLAIN = /^[\x21-\x7e]+(?: [\x21-\x7e]+)*$/;

/**
 * How far each way of saying something is believed by itself. Structured data is written for machines and checked by
 * search engines; metas are often made from a template; what is read off the page may be something else.
 */
export const SOURCE_CONFIDENCE: Readonly<Record<FieldSource, number>> = {
  'site-parser': 0.95,
  'json-ld': 0.95,
  microdata: 0.9,
  rdfa: 0.85,
  'open-graph': 0.75,
  meta: 0.6,
  heuristic: 0.5,
};

/** Notes a field, unless there is no value. `share` says how sure this reading is compared with its source. */
export function note<Name extends FieldName>(
  fields: MutableFields,
  name: Name,
  value: ProductFields[Name] | undefined,
  source: FieldSource,
  evidence?: string,
  share = 1,
): void {
  if (value === undefined || value === '') return;
  const confidence = Math.round(SOURCE_CONFIDENCE[source] * share * 100) / 100;
  const shown = evidence === undefined ? '' : shorten(evidence);
  const field: FoundField<ProductFields[Name]> =
    shown === '' ? { value, source, confidence } : { value, source, confidence, evidence: shown };
  (fields as Record<string, unknown>)[name] = field;
}

/** A copy, so that no page is held by a few words of it. */
function shorten(text: string): string {
  const start = text.slice(0, LONGEST_EVIDENCE * 2);
  const shown = PLAIN.test(start) ? start : start.replace(NOT_SHOWN, ' ').replace(/\s+/g, ' ');
  const copy = Buffer.from(shown.trim().slice(0, LONGEST_EVIDENCE), 'utf8').toString('utf8');
  return copy.endsWith('\ufffd') ? copy.slice(0, -1) : copy;
}
