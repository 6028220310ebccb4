/**
 * Every way the visit of a URL can end, and what happens next.
 *
 * How a visit ends is a value. `judgeFetch` turns what the fetcher saw into one of the outcomes below, and
 * CONSEQUENCES is the one table that says what each outcome means: for the URL (is it closed, and as what;
 * does it cost a retry), for the domain (does it slow down, does it count as a failure for the breaker)
 * and for the person (is it an error to show).
 */
import { type FetchFailureReason, type FetchResult, headerValue } from './fetch/fetch-result.ts';
import type { LoginSign } from './politeness/login-wall.ts';
import { retryAfterMs } from './politeness/retry-after.ts';

export type OutcomeKind =
  | 'page'
  /** An image that is kept. */
  | 'image'
  /** Something else where an image was said to be, or one that is not kept. */
  | 'image-refused'
  | 'not-modified'
  | 'redirect'
  | 'redirect-loop'
  | 'unwanted-type'
  | 'gone'
  | 'refused'
  | 'client-error'
  | 'throttled'
  | 'server-error'
  | 'timeout'
  | 'connection-lost'
  | 'unreachable'
  | 'tls-failed'
  | 'bad-response'
  | 'too-large'
  | 'private-address'
  | 'robots-denied'
  | 'aborted';

export interface Consequence {
  /** The state the URL ends in when it is closed. */
  readonly closesAs: 'fetched' | 'failed' | 'blocked';
  /** May be tried again later, at most `maxRetries` times, before it is closed. */
  readonly isRetryable: boolean;
  /** What it tells the domain's circuit breaker. */
  readonly breaker: 'success' | 'failure' | 'ignore';
  /** Does it count as an error of the domain and the run? */
  readonly isError: boolean;
  /** One phrase for summaries. */
  readonly phrase: string;
}

const closed = (
  closesAs: Consequence['closesAs'],
  breaker: Consequence['breaker'],
  isError: boolean,
  phrase: string,
): Consequence => ({ closesAs, isRetryable: false, breaker, isError, phrase });

const retried = (breaker: Consequence['breaker'], phrase: string): Consequence => ({
  closesAs: 'failed',
  isRetryable: true,
  breaker,
  isError: true,
  phrase,
});

export const CONSEQUENCES: Readonly<Record<OutcomeKind, Consequence>> = {
  page: closed('fetched', 'success', false, 'page'),
  image: closed('fetched', 'success', false, 'image'),
  'image-refused': closed('fetched', 'success', false, 'image that is not kept'),
  'not-modified': closed('fetched', 'success', false, 'unchanged'),
  redirect: closed('fetched', 'success', false, 'redirect'),
  'redirect-loop': closed('failed', 'success', true, 'redirect loop or too many redirects'),
  'unwanted-type': closed('fetched', 'success', false, 'not a web page (other content type)'),
  gone: closed('failed', 'success', true, 'not found'),
  refused: closed('failed', 'ignore', true, 'access refused'),
  'client-error': closed('failed', 'success', true, 'request refused (other 4xx)'),
  throttled: retried('ignore', 'asked to slow down'),
  'server-error': retried('failure', 'server error'),
  timeout: retried('failure', 'timed out'),
  'connection-lost': retried('failure', 'connection lost'),
  unreachable: retried('failure', 'no connection'),
  'tls-failed': closed('failed', 'failure', true, 'TLS failed'),
  'bad-response': retried('ignore', 'broken answer'),
  'too-large': closed('failed', 'success', true, 'too large'),
  'private-address': closed('blocked', 'ignore', true, 'private address, or a port not for the web'),
  'robots-denied': closed('blocked', 'ignore', false, 'disallowed by robots.txt'),
  aborted: { closesAs: 'failed', isRetryable: true, breaker: 'ignore', isError: false, phrase: 'stopped' },
};

export interface Outcome {
  readonly kind: OutcomeKind;
  readonly httpStatus: number | undefined;
  /** One sentence for the log; undefined when the kind says it all. */
  readonly message: string | undefined;
  /** How long the whole domain is asked to rest (429, 503 with Retry-After). */
  readonly holdMs: number | undefined;
  /** Why there is no answer, when there is none. */
  readonly fetchFailure?: FetchFailureReason | undefined;
  /** It ended at a login. */
  readonly login?: LoginSign | undefined;
}

/** What a server says about itself goes into the log, but not at any length. */
const MAX_MESSAGE_CHARS = 500;

export function judgeFetch(result: FetchResult, now: Date): Outcome {
  const outcome = (kind: OutcomeKind, message?: string, holdMs?: number): Outcome => ({
    kind,
    httpStatus: result.status,
    message: message?.slice(0, MAX_MESSAGE_CHARS),
    holdMs,
  });
  switch (result.kind) {
    case 'redirect':
      return outcome('redirect');
    case 'not-modified':
      return outcome('not-modified');
    case 'unwanted-type':
      return outcome('unwanted-type', result.contentType);
    case 'response':
      return judgeStatus(result.status, headerValue(result.headers, 'retry-after'), now, outcome);
    case 'failure':
      return { ...outcome(FAILURE_OUTCOME[result.reason], result.message), fetchFailure: result.reason };
  }
}

const FAILURE_OUTCOME: Readonly<Record<Extract<FetchResult, { kind: 'failure' }>['reason'], OutcomeKind>> = {
  'bad-url': 'client-error',
  'bad-port': 'private-address',
  'private-address': 'private-address',
  'dns-not-found': 'unreachable',
  'dns-failed': 'unreachable',
  'connect-refused': 'unreachable',
  'connect-failed': 'unreachable',
  'connect-timeout': 'unreachable',
  'tls-failed': 'tls-failed',
  'headers-timeout': 'timeout',
  'body-timeout': 'timeout',
  dropped: 'connection-lost',
  'protocol-error': 'bad-response',
  'bad-length': 'bad-response',
  'bad-encoding': 'bad-response',
  'too-large': 'too-large',
  // A proxy's failure says nothing about the URL: it is as if it had been called off.
  'proxy-unreachable': 'aborted',
  'proxy-auth': 'aborted',
  'proxy-tunnel': 'aborted',
  'proxy-protocol': 'aborted',
  'no-exit': 'aborted',
  // Nobody was asked: as if it had been called off.
  'no-socket': 'aborted',
  aborted: 'aborted',
};

function judgeStatus(
  status: number,
  retryAfter: string | undefined,
  now: Date,
  outcome: (kind: OutcomeKind, message?: string, holdMs?: number) => Outcome,
): Outcome {
  // Nobody asked for a part: a page that is not whole is not a page.
  if (status === 206) return outcome('bad-response', 'a part of the page, which nobody asked for');
  if (status >= 200 && status < 300) return outcome('page');
  if (status === 429) return outcome('throttled', undefined, retryAfterMs(retryAfter, now));
  if (status === 503 && retryAfter !== undefined) {
    return outcome('throttled', undefined, retryAfterMs(retryAfter, now));
  }
  if (status === 404 || status === 410) return outcome('gone');
  if (status === 401) return { ...outcome('refused', 'asks for a login (status 401)'), login: 'status' };
  if (status === 403 || status === 451) return outcome('refused');
  if (status === 408) return outcome('timeout');
  if (status >= 500) return outcome('server-error');
  if (status >= 400) return outcome('client-error');
  return outcome('bad-response', `status ${status} without a usable answer`);
}

/** Backoff before the next attempt: 1 s, 2 s, 4 s … at most a minute, with up to half a second of jitter. */
export function retryDelayMs(errorCount: number, random: () => number = Math.random): number {
  return Math.min(1000 * 2 ** Math.max(0, errorCount - 1), 60_000) + random() * 500;
}
