/**
 * A tick: every duty of the scheduler once, in this order. Each takes portions for a moment at most; what fails is
 * told and tried again in the next tick, and keeps nothing else from being done.
 */
import { monotonicMs } from '../platform/clock.ts';
import { ConnectionLost } from '../platform/errors.ts';
import { expireBotLocks, freeParserLocks } from './expire-locks.ts';
import { forgetOldDeliveries, forgetOldErrors, forgetOldSchedulers } from './forget-old.ts';
import type { Ground, Step } from './ground.ts';
import { healTaskPriorities } from './heal-task-priorities.ts';
import { keepMaintenance } from './keep-maintenance.ts';
import { keepUp } from './keep-up.ts';
import { queueDueTasks } from './queue-due-tasks.ts';
import { leaveToParsers, recoverStaleTasks } from './recover-stale.ts';
import { runDuePolicies } from './run-due-policies.ts';

/** For each step; the portion under way is finished. */
const STEP_MS = 400;

export interface TickReport {
  readonly durationMs: number;
  /** By step: what it did, where it did anything. */
  readonly counts: Readonly<Record<string, number>>;
  readonly isMore: boolean;
  readonly isHeldUp: boolean;
  readonly hasFailed: boolean;
}

export type StepFailed = (step: string, error: unknown) => void;

export class Ticker {
  readonly #steps: readonly { readonly step: Step; dueAtMs: number }[];
  readonly #onFailure: StepFailed;

  constructor(ground: Ground, onFailure: StepFailed) {
    this.#onFailure = onFailure;
    this.#steps = [
      runDuePolicies(ground),
      queueDueTasks(ground),
      expireBotLocks(ground),
      freeParserLocks(ground),
      recoverStaleTasks(ground),
      leaveToParsers(ground),
      healTaskPriorities(ground),
      keepMaintenance(ground),
      keepUp(ground),
      forgetOldErrors(ground),
      forgetOldDeliveries(ground),
      forgetOldSchedulers(ground),
    ].map((step) => ({ step, dueAtMs: 0 }));
  }

  /** Throws when the database is lost. */
  async tick(): Promise<TickReport> {
    const startedMs = monotonicMs();
    const counts: Record<string, number> = {};
    let [isMore, isHeldUp, hasFailed] = [false, false, false];
    for (const entry of this.#steps) {
      const begunMs = monotonicMs();
      if (begunMs < entry.dueAtMs) continue;
      try {
        const report = await entry.step.run(() => monotonicMs() - begunMs >= STEP_MS);
        if (report.count > 0) counts[entry.step.name] = report.count;
        isMore ||= report.isMore;
        isHeldUp ||= report.isHeldUp;
      } catch (error) {
        if (error instanceof ConnectionLost) throw error;
        hasFailed = true;
        this.#onFailure(entry.step.name, error);
      }
      entry.dueAtMs = monotonicMs() + entry.step.everyMs;
    }
    return { durationMs: monotonicMs() - startedMs, counts, isMore, isHeldUp, hasFailed };
  }
}
