/**
 * Retry-After (RFC 9110 §10.2.3): seconds or an HTTP date. Undefined when absent or unreadable; the
 * caller then chooses its own pause. Clamped to a day: a larger wish is kept as a day and asked again.
 */
const MAX_MS = 86_400_000;

export function retryAfterMs(value: string | undefined, now: Date): number | undefined {
  const text = value?.trim();
  if (!text) return undefined;
  if (/^\d{1,10}$/.test(text)) return Math.min(Number(text) * 1000, MAX_MS);
  // All three forms of an HTTP date begin with the day's name; without it `Date.parse` reads a date into anything.
  const date = /^(?:mon|tue|wed|thu|fri|sat|sun)/i.test(text) ? Date.parse(text) : Number.NaN;
  if (Number.isNaN(date)) return undefined;
  return Math.min(Math.max(0, date - now.getTime()), MAX_MS);
}
