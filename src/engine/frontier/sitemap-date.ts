/**
 * Dates as the web writes them: W3C datetime of any precision, RFC 822 and 850 of feeds and headers. A date
 * without a zone is UTC, so that the answer does not hang on where the crawler runs. Undefined when unreadable.
 */
export function readWebDate(text: string): Date | undefined {
  const trimmed = text.trim();
  // Date.parse takes almost anything with a digit ("page 3" is March 2001): ask for the look of a date first.
  if (trimmed.length > MAX_DATE_CHARS || !LOOKS_LIKE_DATE.test(trimmed)) return undefined;
  const ms = Date.parse(hasZone(trimmed) ? trimmed : appendUtc(trimmed));
  return Number.isNaN(ms) ? undefined : new Date(ms);
}

const MAX_DATE_CHARS = 64;
const LOOKS_LIKE_DATE = /^(?:\d{4}(?:-\d|$)|(?:[a-z]{3,9},? )?\d{1,2}[ -][a-z]{3}|[a-z]{3,9} \d{1,2},? )/i;

function hasZone(text: string): boolean {
  // A W3C date without a time is UTC by ECMAScript too.
  return /^\d{4}(-\d\d(-\d\d)?)?$/.test(text) || /(?:[a-z]|[+-]\d\d:?\d\d)\)?$/i.test(text);
}

function appendUtc(text: string): string {
  return /^\d{4}-\d\d-\d\dT/.test(text) ? `${text}Z` : `${text} UTC`;
}
