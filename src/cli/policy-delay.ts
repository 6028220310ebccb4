/** What a policy stands still behind: its task may be scheduled for later, or paused. */
import type { Policy } from '../control/policies/policy.ts';
import { now } from '../platform/clock.ts';
import { formatInstant } from './moments.ts';

type Held = Pick<Policy, 'liveTaskStatus' | 'liveTaskScheduledAt'>;

/** When its task runs, where that is not at once. */
export function findDelay({
  liveTaskStatus: status,
  liveTaskScheduledAt: at,
}: Held): Date | 'paused' | undefined {
  if (status === 'paused') return 'paused';
  return status === 'pending' && at !== null && at > now() ? at : undefined;
}

export function describeDelay(policy: Held): string {
  const delay = findDelay(policy);
  if (delay === undefined) return '';
  return delay === 'paused' ? ', which is paused' : `, which is scheduled for ${formatInstant(delay)}`;
}
