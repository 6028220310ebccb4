/** Puts together what the routes work with, and starts what goes on beside the requests. */
import { startJobRunner } from '../control/jobs/job-runner.ts';
import { LiveStreams } from './live-streams.ts';
import { createMemoryRateLimiter } from './memory-rate-limiter.ts';
import { createRedisRateLimiter } from './redis-rate-limiter.ts';
import type { Ground, ServerParts } from './server-parts.ts';

export async function openParts(ground: Ground): Promise<ServerParts> {
  const { redisUrl } = ground.config;
  const limiter = redisUrl === undefined ? createMemoryRateLimiter() : createRedisRateLimiter(redisUrl);
  const jobRunner = startJobRunner(ground.slowDb);
  const live = new LiveStreams(ground.db);
  return {
    ...ground,
    live,
    jobRunner,
    limiter,
    close: async () => {
      await live.close();
      await jobRunner.stop();
      await limiter.close();
    },
  };
}
