/**
 * A tick: every duty of the scheduler once, in this order. Each takes portions for a moment at most; what fails is
 * told and tried again in a few seconds, and keeps nothing else from being done.
 */
import { monotonicMs } from '../platform/clock.ts';
import { messageOf } from '../platform/database-errors.ts';
import { ConnectionLost } from '../platform/errors.ts';
import { expireBotLocks, freeParserLocks } from './expire-locks.ts';
import {
  forgetOldBotHours,
  forgetOldDeliveries,
  forgetOldErrors,
  forgetOldParseHours,
  forgetOldProductEvents,
  forgetOldProxyMinutes,
  forgetOldSchedulers,
  forgetOldSubmissions,
} from './forget-old.ts';
import { forgetIdlePairs } from './forget-pairs.ts';
import type { Ground, Step } from './ground.ts';
import { healTaskPriorities } from './heal-task-priorities.ts';
import { keepMaintenance } from './keep-maintenance.ts';
import { keepUp } from './keep-up.ts';
import { queueDueTasks } from './queue-due-tasks.ts';
import { leaveToParsers, recoverStaleTasks } from './recover-stale.ts';
import { releaseWaiting } from './release-waiting.ts';
import { runDuePolicies } from './run-due-policies.ts';

/** For each step; the portion under way is finished. */
const STEP_MS = 400;
/** What has failed is tried again. */
export const FAILED_MS = 5000;
/** What fails again and again for the same reason is told this often. */
const TELL_AGAIN_MS = 60_000;

export interface TickReport {
  readonly durationMs: number;
  /** By step: what it did, where it did anything. */
  readonly counts: Readonly<Record<string, number>>;
  readonly isMore: boolean;
  readonly isHeldUp: boolean;
  /** A step of every tick has failed, now or a moment ago: what it was to do stays due until it is tried again. */
  readonly hasFailed: boolean;
}

interface Entry {
  readonly step: Step;
  dueAtMs: number;
  isFailing: boolean;
  told: { readonly message: string; readonly atMs: number } | undefined;
}

export type StepFailed = (step: string, error: unknown) => void;

function stepsOf(ground: Ground): readonly Step[] {
  return [
    runDuePolicies(ground),
    releaseWaiting(ground),
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
    forgetOldProxyMinutes(ground),
    forgetOldSubmissions(ground),
    forgetOldBotHours(ground),
    forgetOldProductEvents(ground),
    forgetOldParseHours(ground),
    forgetIdlePairs(ground),
    forgetOldSchedulers(ground),
  ];
}

export class Ticker {
  readonly #steps: readonly Entry[];
  readonly #onFailure: StepFailed;

  constructor(ground: Ground, onFailure: StepFailed, steps = stepsOf(ground)) {
    this.#onFailure = onFailure;
    this.#steps = steps.map((step) => ({ step, dueAtMs: 0, isFailing: false, told: undefined }));
  }

  /** Throws when the database is lost. */
  async tick(): Promise<TickReport> {
    const startedMs = monotonicMs();
    const counts: Record<string, number> = {};
    let [isMore, isHeldUp] = [false, false];
    for (const entry of this.#steps) {
      const begunMs = monotonicMs();
      if (begunMs < entry.dueAtMs) continue;
      try {
        const report = await entry.step.run(() => monotonicMs() - begunMs >= STEP_MS);
        if (report.count > 0) counts[entry.step.name] = report.count;
        isMore ||= report.isMore;
        isHeldUp ||= report.isHeldUp;
        entry.isFailing = false;
      } catch (error) {
        if (error instanceof ConnectionLost) throw error;
        entry.isFailing = true;
        this.#tell(entry, error);
      }
      const pauseMs = entry.isFailing ? Math.max(FAILED_MS, entry.step.everyMs) : entry.step.everyMs;
      entry.dueAtMs = monotonicMs() + pauseMs;
    }
    const hasFailed = this.#steps.some(({ isFailing, step }) => isFailing && step.everyMs === 0);
    return { durationMs: monotonicMs() - startedMs, counts, isMore, isHeldUp, hasFailed };
  }

  #tell(entry: Entry, error: unknown): void {
    const message = messageOf(error);
    const nowMs = monotonicMs();
    const { told } = entry;
    if (told?.message === message && nowMs - told.atMs < TELL_AGAIN_MS) return;
    entry.told = { message, atMs: nowMs };
    this.#onFailure(entry.step.name, error);
  }
}
