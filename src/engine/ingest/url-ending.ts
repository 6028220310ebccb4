/** What a visit makes of its URL: closed in a final state, or due again later. */
import type { RefreshSettings } from '../crawl-settings.ts';
import { CONSEQUENCES, retryDelayMs } from '../outcome.ts';
import type { Visit } from '../visit.ts';
import { planReading, type ReadingPlan } from './plan-reading.ts';

export interface UrlEnding extends ReadingPlan {
  readonly state: 'never_crawled' | 'fetched' | 'failed' | 'blocked';
  readonly errorCount: number;
  readonly retryAt: Date | undefined;
}

export interface EndingRules {
  readonly maxRetries: number;
  readonly refresh: RefreshSettings;
}

export function urlEnding(visit: Visit, { maxRetries, refresh }: EndingRules): UrlEnding {
  const consequence = CONSEQUENCES[visit.outcome.kind];
  const { errorCount } = visit.due;
  const plan = planReading(visit, refresh);
  // A page we have is not lost because it could not be read again: it stays, and its next reading is planned.
  if (plan.isKept) return { ...plan, state: 'fetched', errorCount: keptErrors(visit), retryAt: undefined };
  // The domain rests, not the URL: it stays first in line and is charged nothing.
  if (visit.outcome.kind === 'throttled') {
    return { ...plan, state: 'never_crawled', errorCount, retryAt: undefined };
  }
  if (!consequence.isRetryable) {
    const errors = consequence.isError ? errorCount + 1 : 0;
    return { ...plan, state: consequence.closesAs, errorCount: errors, retryAt: undefined };
  }
  const errors = errorCount + 1;
  // An order has retries of its own; the frontier does not try beside it.
  if (errors > maxRetries || visit.due.task !== undefined) {
    return { ...plan, state: consequence.closesAs, errorCount: errors, retryAt: undefined };
  }
  const retryAt = new Date(visit.fetchedAt.getTime() + retryDelayMs(errors));
  return { ...plan, state: 'never_crawled', errorCount: errors, retryAt };
}

function keptErrors({ outcome, due }: Visit): number {
  return CONSEQUENCES[outcome.kind].isError && outcome.kind !== 'throttled' ? due.errorCount + 1 : 0;
}
