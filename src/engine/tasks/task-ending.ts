/**
 * What a visit makes of the task it was made for. The URL's own fate is decided in ingest/url-ending.ts: a task is an
 * order with retries of its own, minutes apart; a URL that was merely found is tried again by the frontier.
 */
import { CONSEQUENCES, type OutcomeKind } from '../outcome.ts';
import type { Visit } from '../visit.ts';
import type { DueTask } from './due-task.ts';

export interface TaskEnding {
  readonly status: 'completed' | 'queued_parse' | 'queued' | 'pending' | 'failed';
  /** It has cost one of its retries, and waits for the next attempt. */
  readonly isRetried: boolean;
  readonly reason: string | undefined;
  /** What the person is told went wrong; undefined: nothing. */
  readonly error: string | undefined;
}

/** Undefined: it goes on, at the place a redirect has led to. */
export function taskEnding(visit: Visit, task: DueTask): TaskEnding | undefined {
  const { outcome } = visit;
  if (visit.isStep === true) return undefined;
  if (visit.movedTo !== undefined) return done(`moved to ${visit.movedTo}`);
  if (outcome.kind === 'redirect') return failed(outcome.message ?? 'a redirect that leads nowhere');
  if (visit.isLeftToParser === true) return { ...done(undefined), status: 'queued_parse' };
  if (CONSEQUENCES[outcome.kind].closesAs === 'fetched')
    return done(DONE_NOTES[outcome.kind] ?? outcome.message);
  const error = describe(visit);
  // The domain rests, not the task: it stays first in line and is charged nothing.
  if (outcome.kind === 'throttled') return { status: 'queued', isRetried: false, reason: error, error };
  if (!CONSEQUENCES[outcome.kind].isRetryable) return failed(error);
  if (task.retryCount >= task.maxRetries) {
    const attempts = task.maxRetries + 1;
    return { ...failed(error), reason: `${error}; ${attempts} attempt${attempts === 1 ? '' : 's'} made` };
  }
  return { status: 'pending', isRetried: true, reason: error, error };
}

/** It has moved to where nobody may follow. */
export function strandedEnding({ movedTo }: Visit): TaskEnding {
  return failed(`redirected to ${movedTo}, of a domain that is not known here`);
}

const DONE_NOTES: Partial<Record<OutcomeKind, string>> = {
  'not-modified': 'unchanged since it was last read',
};

function done(reason: string | undefined): TaskEnding {
  return { status: 'completed', isRetried: false, reason, error: undefined };
}

function failed(error: string): TaskEnding {
  return { status: 'failed', isRetried: false, reason: error, error };
}

export function describe({ outcome }: Visit): string {
  const { phrase } = CONSEQUENCES[outcome.kind];
  const status = outcome.httpStatus === undefined ? '' : ` (status ${outcome.httpStatus})`;
  return outcome.message === undefined ? `${phrase}${status}` : `${phrase}${status}: ${outcome.message}`;
}
