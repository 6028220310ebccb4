/**
 * Before the first request to an origin: what does its robots.txt say? Reads it through the domain's gate,
 * tries again where an answer may still come, falls back to rules read earlier while the server is down,
 * and otherwise ends the session: without an answer nothing may be fetched (RFC 9309 §2.3.1.4).
 */
import { now } from '../../platform/clock.ts';
import { type Settlement, settleUnreachable } from '../claim/settle-domain.ts';
import type { DomainSession } from '../domain-session.ts';
import type { FetchPage } from '../fetch/fetch-result.ts';
import { type RobotsFetch, readRobots } from './read-robots.ts';
import { retryAfterMs } from './retry-after.ts';
import type { RobotsReading } from './robots-book.ts';

const RETRY_WAITS_MS = [2000, 4000];
const HOUR_MS = 3_600_000;
/** RFC 9309 §2.3.1.4: rules that cannot be refreshed may serve on for a reasonably long time. */
const STALE_RULES_MS = 30 * 24 * HOUR_MS;

export interface RobotsQuestion {
  readonly session: DomainSession;
  readonly origin: string;
  /** Already waits for the gate. */
  readonly fetch: FetchPage;
  readonly wait: (ms: number) => Promise<void>;
  /** What was known before, possibly stale. */
  readonly known: RobotsReading | undefined;
  readonly maxHoldMs: number;
}

export type RobotsAnswer =
  | { readonly kind: 'read'; readonly reading: RobotsReading }
  | { readonly kind: 'ended'; readonly reading: RobotsReading; readonly end: Settlement }
  /** Nobody was asked after all: the crawl is stopping. */
  | { readonly kind: 'called-off' };

export async function askRobots(question: RobotsQuestion): Promise<RobotsAnswer> {
  const { session, origin, known } = question;
  let fetched = await readRobots(origin, session.userAgent, question.fetch, now);
  for (const waitMs of RETRY_WAITS_MS) {
    if (!mayPass(fetched)) break;
    const askedMs = retryAfterMs(fetched.retryAfter, now());
    if (askedMs !== undefined && askedMs > question.maxHoldMs) break;
    await question.wait(askedMs ?? waitMs);
    fetched = await readRobots(origin, session.userAgent, question.fetch, now);
  }
  const { reading } = fetched;
  if (fetched.failure?.reason === 'aborted') return { kind: 'called-off' };
  if (reading.access === 'parse' || reading.access === 'allow-all') return { kind: 'read', reading };
  if (known?.access === 'parse' && now().getTime() - known.fetchedAt.getTime() < STALE_RULES_MS) {
    return { kind: 'read', reading: { ...known, expiresAt: reading.expiresAt } };
  }
  return { kind: 'ended', reading, end: endWithout(fetched) };
}

const LASTING: ReadonlySet<string> = new Set(['dns-not-found', 'private-address', 'bad-port', 'aborted']);

/** Worth asking again in a moment? A name that does not exist or an address we refuse will not change. */
function mayPass(fetched: RobotsFetch): boolean {
  if (fetched.reading.access === 'parse' || fetched.reading.access === 'allow-all') return false;
  const reason = fetched.failure?.reason;
  return !LASTING.has(reason ?? '');
}

function endWithout(fetched: RobotsFetch): Settlement {
  const { failure, reading } = fetched;
  if (failure === undefined) {
    const restMs = retryAfterMs(fetched.retryAfter, now()) ?? HOUR_MS;
    const isDeferred = reading.access === 'defer';
    return {
      status: 'active',
      code: isDeferred ? 'robots_deferred' : 'robots_unavailable',
      reason: `robots.txt answers ${reading.httpStatus}: nothing may be fetched until it can be read`,
      restMs,
    };
  }
  switch (failure.reason) {
    case 'private-address':
    case 'bad-port':
      return { status: 'active', code: 'private_address', reason: failure.message, restMs: undefined };
    case 'dns-not-found':
    case 'dns-failed':
    case 'connect-refused':
    case 'connect-failed':
    case 'connect-timeout':
    case 'tls-failed':
      return settleUnreachable(failure.reason, failure.message);
    default:
      return {
        status: 'active',
        code: 'robots_unavailable',
        reason: `robots.txt cannot be read: ${failure.message}`,
        restMs: HOUR_MS,
      };
  }
}
