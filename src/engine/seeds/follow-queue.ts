/** Takes seeds out of Redis as they come, for as long as it is let, also over times when Redis is away. */
import { setTimeout as pause } from 'node:timers/promises';
import { drainQueue } from './drain-queue.ts';
import { RedisAway, type RedisQueue } from './redis-queue.ts';
import type { SeedLoad } from './seed-load.ts';

export interface FollowEvents {
  onAway(problem: RedisAway): void;
  onBack(): void;
}

const POLL_MS = 1000;

/** `first` was opened by the caller: a Redis that was never there is a mistake, not an outage. */
export async function followQueue(
  first: RedisQueue,
  open: () => Promise<RedisQueue>,
  load: SeedLoad,
  how: Parameters<typeof drainQueue>[2],
  events: FollowEvents,
): Promise<void> {
  let queue: RedisQueue | undefined = first;
  try {
    while (!how.signal.aborted) {
      try {
        if (queue === undefined) {
          queue = await open();
          events.onBack();
        }
        await drainQueue(queue, load, how);
      } catch (error) {
        if (!(error instanceof RedisAway)) throw error;
        if (queue !== undefined) events.onAway(error);
        queue?.close();
        queue = undefined;
      }
      await pause(POLL_MS, undefined, { signal: how.signal }).catch(() => undefined);
    }
  } finally {
    queue?.close();
  }
}
