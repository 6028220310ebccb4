/**
 * Fetches an origin's robots.txt and says what it means (RFC 9309 §2.3). Redirects are followed here, up
 * to five, because rules found behind them still speak for the origin that was asked.
 */
import { type FetchRequest, type FetchResult, headerValue } from '../fetch/fetch-result.ts';
import { robotsAccess } from './robots-access.ts';
import type { RobotsReading } from './robots-book.ts';
import { ROBOTS_MAX_BYTES } from './robots-txt.ts';

const MAX_REDIRECTS = 5;
const TIMEOUT_MS = 10_000;
const FRESH_MS = 24 * 3_600_000;
/** A failure is asked about again soon: never kept for the life of the process. */
const FAILURE_FRESH_MS = 3_600_000;

export interface RobotsFetch {
  readonly reading: RobotsReading;
  /** The fetch that decided, when it was a failure: it tells an unreachable domain from a closed one. */
  readonly failure: Extract<FetchResult, { kind: 'failure' }> | undefined;
  readonly retryAfter: string | undefined;
}

export async function readRobots(
  origin: string,
  userAgent: string,
  fetch: (request: FetchRequest) => Promise<FetchResult>,
  clock: () => Date,
): Promise<RobotsFetch> {
  let url = `${origin}/robots.txt`;
  for (let hop = 0; hop <= MAX_REDIRECTS; hop += 1) {
    const result = await fetch({
      url,
      userAgent,
      accept: 'any',
      maxBodyBytes: ROBOTS_MAX_BYTES,
      onOversize: 'truncate',
      timeoutMs: TIMEOUT_MS,
    });
    if (result.kind === 'redirect') {
      url = result.location;
      continue;
    }
    return interpret(origin, result, clock());
  }
  const reading = makeReading(origin, 'allow-all', undefined, undefined, 'too many redirects', clock());
  return { reading, failure: undefined, retryAfter: undefined };
}

function interpret(origin: string, result: FetchResult, now: Date): RobotsFetch {
  if (result.kind === 'failure') {
    // A file so broken that it cannot be read is a file we cannot obey: treat it like no answer at all.
    const access = robotsAccess('unreachable');
    const reading = makeReading(origin, access, result.status, undefined, result.message, now);
    return { reading, failure: result, retryAfter: undefined };
  }
  const access = robotsAccess(result.status);
  const body = result.kind === 'response' && access === 'parse' ? result.body : undefined;
  const note = access === 'parse' ? undefined : `robots.txt answered ${result.status}`;
  const reading = makeReading(origin, access, result.status, body, note, now);
  return { reading, failure: undefined, retryAfter: headerValue(result.headers, 'retry-after') };
}

function makeReading(
  origin: string,
  access: RobotsReading['access'],
  httpStatus: number | undefined,
  body: Buffer | undefined,
  note: string | undefined,
  now: Date,
): RobotsReading {
  const isFailure = access === 'disallow-all' || access === 'defer';
  const expiresAt = new Date(now.getTime() + (isFailure ? FAILURE_FRESH_MS : FRESH_MS));
  return { origin, access, httpStatus, body, note, fetchedAt: now, expiresAt };
}
