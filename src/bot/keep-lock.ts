/** Keeps a job's lock alive: at half its time it is extended by as much again, until the server extends it no more. */
import { setTimeout as waitMs } from 'node:timers/promises';
import { monotonicMs } from '../platform/clock.ts';
import type { BotClient } from './bot-client.ts';
import { BotError } from './bot-error.ts';
import type { BotJob } from './shapes.ts';

export interface KeptLock {
  /** Aborted when the job is lost. */
  readonly signal: AbortSignal;
  release(): void;
}

const MOST_EXTENSION_SECONDS = 3600;

/** `pulledAtMs`: before the pull was sent, on our own clock. That of the server may be another. */
export function keepLock(
  client: BotClient,
  job: BotJob,
  pulledAtMs: number,
  tell: (error: unknown) => void,
): KeptLock {
  const lost = new AbortController();
  const released = new AbortController();
  const seconds = Math.min(job.timeout_seconds, MOST_EXTENSION_SECONDS);
  void keep().catch((error: unknown) => {
    if (released.signal.aborted) return;
    tell(error);
    lost.abort(error);
  });
  return { signal: lost.signal, release: () => released.abort() };

  async function keep(): Promise<void> {
    // Ours, and the server's. The clocks may differ; by how much the end moves is the same on both.
    let endsAtMs = pulledAtMs + job.timeout_seconds * 1000;
    let toldEndMs = Date.parse(job.locked_until);
    for (;;) {
      const leftMs = endsAtMs - monotonicMs();
      await waitMs(pauseBeforeExtending(leftMs, seconds * 1000), undefined, { signal: released.signal });
      try {
        // Not beyond the end of the lock: who comes later has lost it.
        const inTime = AbortSignal.timeout(Math.max(1, Math.ceil(endsAtMs - monotonicMs())));
        const told = await client.extend(job, seconds, AbortSignal.any([inTime, released.signal]));
        const movedMs = Date.parse(told.locked_until) - toldEndMs;
        if (!(movedMs > 0)) break;
        endsAtMs += movedMs;
        toldEndMs += movedMs;
      } catch (error) {
        if (monotonicMs() < endsAtMs && error instanceof BotError && error.isTransient) continue;
        if (error instanceof BotError) throw error;
        throw new BotError('lock-expired', `The lock of ${job.url} could not be kept.`, { cause: error });
      }
    }
    await waitMs(Math.max(endsAtMs - monotonicMs(), 0), undefined, { signal: released.signal });
    throw new BotError('lock-expired', `The lock of ${job.url} cannot be kept any longer.`);
  }
}

/** Until half of it is left, and of a long lock half of an extension: asked for earlier, that would shorten it. */
export function pauseBeforeExtending(leftMs: number, extensionMs: number): number {
  return Math.max(0, leftMs - Math.min(leftMs, extensionMs) / 2);
}
