/** What the robots.txt we have says about a URL, and how far that can be trusted. */
import { productToken } from '../../engine/politeness/product-token.ts';
import { type RobotsReading, readEntry } from '../../engine/politeness/robots-book.ts';

export interface RobotsOpinion {
  readonly origin: string;
  /** Undecided when no robots.txt has been read: it comes before the first fetch. */
  readonly verdict: 'allowed' | 'disallowed' | 'undecided';
  readonly agent: string;
  /** The line that decided, as written. */
  readonly rule: string | null;
  readonly line: number | null;
  readonly group: 'specific' | 'global' | 'none' | null;
  readonly fetchedAt: Date | null;
  readonly isStale: boolean;
  readonly sentence: string;
}

export function judgeRobots(
  url: string,
  readings: readonly RobotsReading[],
  userAgent: string,
  now: Date,
): RobotsOpinion {
  const { origin } = new URL(url);
  const agent = productToken(userAgent);
  const none = { origin, agent, rule: null, line: null, group: null };
  const reading = readings.find((candidate) => candidate.origin === origin);
  if (reading === undefined) {
    const sentence = `The robots.txt of ${origin} has not been read yet; that comes before the first fetch.`;
    return { ...none, verdict: 'undecided', fetchedAt: null, isStale: false, sentence };
  }
  const { fetchedAt } = reading;
  const isStale = reading.expiresAt <= now;
  const stale = isStale ? ' It is stale and will be read again before the next fetch.' : '';
  const rules = readEntry(reading, agent).rules;
  if (rules === undefined) {
    const isAllowed = reading.access === 'allow-all';
    const what = isAllowed ? 'allows everything' : 'cannot be read, so nothing may be fetched';
    const note = reading.note === undefined ? '' : ` (${reading.note})`;
    const sentence = `The robots.txt of ${origin} ${what}${note}.${stale}`;
    return { ...none, verdict: isAllowed ? 'allowed' : 'disallowed', fetchedAt, isStale, sentence };
  }
  const { allowed, rule, line, group } = rules.verdict(url);
  const verdict = allowed ? 'allowed' : 'disallowed';
  const by = rule === undefined ? 'no rule matches' : `"${rule}", line ${line}`;
  return {
    ...{ origin, agent, verdict, group, fetchedAt, isStale },
    rule: rule ?? null,
    line: line ?? null,
    sentence: `The robots.txt of ${origin} ${allowed ? 'allows' : 'disallows'} it to ${agent} (${by}).${stale}`,
  };
}
