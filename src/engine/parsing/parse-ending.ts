/** What a reading makes of its task. */
import type { Reading } from './reading.ts';

export interface ParseEnding {
  readonly status: 'completed' | 'queued_parse' | 'failed';
  readonly isRetried: boolean;
  readonly reason: string | undefined;
  readonly error: string | undefined;
  /** The page may not be kept: its body is forgotten. */
  readonly isDropped: boolean;
}

export function parseEnding(reading: Reading, isOutdated: boolean): ParseEnding {
  const plain = { isRetried: false, isDropped: false, error: undefined };
  if (reading.kind === 'read') {
    const reason = isOutdated
      ? 'a newer reading of the page is there already'
      : reading.visit.outcome.message;
    return { ...plain, status: 'completed', reason, isDropped: reading.body === undefined };
  }
  const { task, message: error } = reading;
  if (reading.isFinal) return { ...plain, status: 'failed', reason: error, error };
  if (task.retry_count < task.max_retries) {
    return { ...plain, status: 'queued_parse', isRetried: true, reason: error, error };
  }
  const attempts = task.max_retries + 1;
  const reason = `${error}; ${attempts} attempt${attempts === 1 ? '' : 's'} made`;
  return { ...plain, status: 'failed', reason, error };
}
