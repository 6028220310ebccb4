/** What a visit makes of its URL: closed in a final state, or due again later. */
import { CONSEQUENCES, retryDelayMs } from '../outcome.ts';
import type { Visit } from '../visit.ts';

export interface UrlEnding {
  readonly state: 'never_crawled' | 'fetched' | 'failed' | 'blocked';
  readonly errorCount: number;
  readonly retryAt: Date | undefined;
}

export function urlEnding(visit: Visit, maxRetries: number): UrlEnding {
  const consequence = CONSEQUENCES[visit.outcome.kind];
  const { errorCount } = visit.due;
  // The domain rests, not the URL: it stays first in line and is charged nothing.
  if (visit.outcome.kind === 'throttled') return { state: 'never_crawled', errorCount, retryAt: undefined };
  if (!consequence.isRetryable) {
    return {
      state: consequence.closesAs,
      errorCount: consequence.isError ? errorCount + 1 : 0,
      retryAt: undefined,
    };
  }
  const errors = errorCount + 1;
  if (errors > maxRetries) return { state: consequence.closesAs, errorCount: errors, retryAt: undefined };
  return {
    state: 'never_crawled',
    errorCount: errors,
    retryAt: new Date(visit.fetchedAt.getTime() + retryDelayMs(errors)),
  };
}
