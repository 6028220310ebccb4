/** How many proxies a domain needs: requests an hour divided by what one proxy may do, and a fifth more. */
import type { Database } from '../../platform/database.ts';
import { loadSql } from '../../platform/sql-file.ts';
import { findDomain } from '../domains/find-domain.ts';

const measurePool = loadSql(import.meta.url, './measure-pool.sql');

/** Where nobody says how often a site may be asked from one address in an hour. */
const CAREFUL_LIMIT = 20;
const HOUR_MS = 3_600_000;
const DAY_HOURS = 24;

export interface SizingQuestion {
  readonly urlsPerHour?: number | undefined;
  readonly maxRequestsPerProxyPerHour?: number | undefined;
}

interface Measure {
  readonly lastHour: number;
  readonly lastDay: number;
  readonly delayMs: number | null;
  readonly domainLimit: number | null;
  readonly have: number;
  readonly active: number;
  readonly setLimit: number | null;
  readonly ownLimit: number | null;
}

export interface PoolSizing {
  readonly domain: string;
  readonly urlsPerHour: number;
  readonly urlsPerHourFrom: 'given' | 'last-hour' | 'last-day' | 'delay';
  readonly maxRequestsPerProxyPerHour: number;
  readonly maxRequestsFrom: 'given' | 'settings' | 'proxies' | 'assumed';
  readonly required: number;
  readonly recommended: number;
  readonly have: number;
  readonly active: number;
  readonly missing: number;
  readonly advice: string;
}

/** `delayMs`: the pause between two requests to a domain that has no setting of its own. */
export async function sizePool(
  db: Database,
  name: string,
  question: SizingQuestion,
  delayMs: number,
): Promise<PoolSizing> {
  const { id, domain } = await findDomain(db, name);
  const [row] = (await db.query<Measure>(measurePool, [id])).rows;
  const measure = row ?? { ...NOTHING };
  const rate = findRate(question.urlsPerHour, measure, delayMs);
  const limit = findLimit(question.maxRequestsPerProxyPerHour, measure);
  const size = poolSize(rate.urlsPerHour, limit.maxRequestsPerProxyPerHour);
  const { have, active } = measure;
  const missing = Math.max(0, size.recommended - active);
  const sizing = { domain, ...rate, ...limit, ...size, have, active, missing };
  return { ...sizing, advice: advise(sizing) };
}

const NOTHING: Measure = {
  ...{ lastHour: 0, lastDay: 0, delayMs: null, domainLimit: null, have: 0, active: 0 },
  ...{ setLimit: null, ownLimit: null },
};

/** 100 an hour at 20 each: 5, and 6 with the fifth more. */
export function poolSize(
  urlsPerHour: number,
  maxPerProxy: number,
): { required: number; recommended: number } {
  const required = Math.ceil(urlsPerHour / maxPerProxy);
  // In whole numbers: 5 × 1.2 must not be a little more than 6.
  return { required, recommended: Math.ceil((required * 12) / 10) };
}

function findRate(
  given: number | undefined,
  { lastHour, lastDay, delayMs }: Measure,
  usualDelayMs: number,
): Pick<PoolSizing, 'urlsPerHour' | 'urlsPerHourFrom'> {
  if (given !== undefined) return { urlsPerHour: given, urlsPerHourFrom: 'given' };
  const perHourOfDay = Math.ceil(lastDay / DAY_HOURS);
  if (lastHour > 0 && lastHour >= perHourOfDay)
    return { urlsPerHour: lastHour, urlsPerHourFrom: 'last-hour' };
  if (lastDay > 0) return { urlsPerHour: perHourOfDay, urlsPerHourFrom: 'last-day' };
  const pauseMs = Math.max(1, delayMs ?? usualDelayMs);
  return { urlsPerHour: Math.ceil(HOUR_MS / pauseMs), urlsPerHourFrom: 'delay' };
}

function findLimit(
  given: number | undefined,
  { setLimit, domainLimit, ownLimit }: Measure,
): Pick<PoolSizing, 'maxRequestsPerProxyPerHour' | 'maxRequestsFrom'> {
  const whole = (limit: number): number => Math.max(1, Math.floor(limit));
  if (given !== undefined) return { maxRequestsPerProxyPerHour: given, maxRequestsFrom: 'given' };
  const set = setLimit ?? domainLimit;
  if (set !== null)
    return { maxRequestsPerProxyPerHour: whole(Math.min(set, ownLimit ?? set)), maxRequestsFrom: 'settings' };
  if (ownLimit !== null) return { maxRequestsPerProxyPerHour: whole(ownLimit), maxRequestsFrom: 'proxies' };
  return { maxRequestsPerProxyPerHour: CAREFUL_LIMIT, maxRequestsFrom: 'assumed' };
}

function advise(sizing: Omit<PoolSizing, 'advice'>): string {
  const { domain, urlsPerHour, maxRequestsPerProxyPerHour: limit, recommended, active, missing } = sizing;
  const need =
    `${urlsPerHour} ${urlsPerHour === 1 ? 'request' : 'requests'} an hour to ${domain} at ${limit} through one proxy ` +
    `${urlsPerHour === 1 ? 'takes' : 'take'} ${sizing.required}, ` +
    `and with 20 % to spare ${recommended}`;
  if (missing === 0) return `${need}; ${active} can be used, which is enough.`;
  return `${need}; ${active} can be used: ${missing} more ${missing === 1 ? 'is' : 'are'} needed.`;
}
