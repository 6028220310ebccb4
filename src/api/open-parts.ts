/** Puts together what the routes work with, and starts what goes on beside the requests. */
import { startJobRunner } from '../control/jobs/job-runner.ts';
import type { RateLimiter } from './rate-limiter.ts';
import type { Ground, ServerParts } from './server-parts.ts';

export async function openParts(ground: Ground): Promise<ServerParts> {
  const limiter: RateLimiter = {
    take: async (_owner, rule) => ({ isAllowed: true, remaining: rule.limit, resetSeconds: 0 }),
    close: async () => undefined,
  };
  const jobRunner = startJobRunner(ground.slowDb);
  return {
    ...ground,
    jobRunner,
    limiter,
    close: async () => {
      await jobRunner.stop();
      await limiter.close();
    },
  };
}
