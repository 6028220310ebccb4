/** When a task may be told to run: not in the past, not in another age. */
import { ForagerError } from '../../platform/errors.ts';

/** Clocks differ, and requests take their time. */
const TOLERANCE_MS = 5 * 60_000;
const FURTHEST_YEARS = 10;

export interface ScheduleProblem {
  readonly code: 'schedule-past' | 'schedule-too-far';
  readonly reason: string;
}

export function findScheduleProblem(at: Date | undefined, now: Date): ScheduleProblem | undefined {
  if (at === undefined) return undefined;
  if (at.getTime() < now.getTime() - TOLERANCE_MS) {
    return { code: 'schedule-past', reason: `${at.toISOString()} lies in the past` };
  }
  const furthest = new Date(now);
  furthest.setUTCFullYear(furthest.getUTCFullYear() + FURTHEST_YEARS);
  if (at <= furthest) return undefined;
  return {
    code: 'schedule-too-far',
    reason: `${at.toISOString()} is more than ${FURTHEST_YEARS} years ahead`,
  };
}

/** The time, a little of the past being now; throws for what is no time for a task. */
export function expectSchedule(at: Date | undefined, now: Date): Date | undefined {
  const problem = findScheduleProblem(at, now);
  if (problem === undefined) return at !== undefined && at < now ? undefined : at;
  throw new ForagerError(problem.code, `${problem.reason}.`, {
    hint: 'leave the time out to have it done at once',
  });
}
