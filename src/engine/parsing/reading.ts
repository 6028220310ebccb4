/** What came of parsing a stored body: a visit as the journey would have made it, or why there is none. */
import type { FoundLinks } from '../frontier/find-links.ts';
import type { BodyLocation } from '../store/body-store.ts';
import type { Visit } from '../visit.ts';
import type { ParseTask } from './parse-task.ts';

export interface GoodReading {
  readonly kind: 'read';
  readonly task: ParseTask;
  readonly visit: Visit;
  readonly found: FoundLinks;
  /** Where the body stays; undefined: the page may not be kept. */
  readonly body: BodyLocation | undefined;
}

export interface FailedReading {
  readonly kind: 'failed';
  readonly task: ParseTask;
  readonly code: string;
  readonly message: string;
  readonly stack: string | undefined;
  /** The same would come of it again. */
  readonly isFinal: boolean;
}

export type Reading = GoodReading | FailedReading;

const MAX_MESSAGE_CHARS = 1000;
const MAX_STACK_CHARS = 8000;

export function failedReading(task: ParseTask, error: unknown, isFinal: boolean): FailedReading {
  const { name, message, stack } = error instanceof Error ? error : new Error(String(error));
  const code =
    error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : name;
  return {
    ...{ kind: 'failed', task, isFinal },
    code: code.slice(0, 100),
    message: message.slice(0, MAX_MESSAGE_CHARS),
    stack: stack?.slice(0, MAX_STACK_CHARS),
  };
}
