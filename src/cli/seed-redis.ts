/** The sorted set of REDIS_URL as a source of seeds. */
import { drainQueue } from '../engine/seeds/drain-queue.ts';
import { followQueue } from '../engine/seeds/follow-queue.ts';
import type { SeedRules } from '../engine/seeds/read-seed-list.ts';
import { openRedisQueue } from '../engine/seeds/redis-queue.ts';
import type { SeedOrigin } from '../engine/seeds/store-seeds.ts';
import type { CommandContext } from './context.ts';
import { UsageError } from './exit.ts';
import { printable } from './format.ts';
import type { SeedSource } from './run-seed.ts';

export function redisSource(
  context: CommandContext,
  options: { key: string; rules: SeedRules; origin: SeedOrigin; follow: true | undefined },
): SeedSource {
  const { redisUrl } = context.config;
  const { key, rules, origin, follow } = options;
  if (redisUrl === undefined) {
    throw new UsageError(
      '--redis needs to know where Redis is, and REDIS_URL is not set.',
      'set it, such as REDIS_URL=redis://localhost:6379',
    );
  }
  if (key === '') throw new UsageError('The key of --redis is empty.', 'leave it out, or name a sorted set');
  let total: number | undefined;
  let counted = () => 0;
  return {
    name: `redis:${printable(key)}`,
    origin,
    fraction: () => (total === undefined || total === 0 || follow ? undefined : counted() / total),
    load: async (load, progress, signal) => {
      const open = () => openRedisQueue(redisUrl, key);
      const queue = await open();
      const how = { rules, origin, signal };
      try {
        total = await queue.length();
        const before = load.figures.lines;
        counted = () => load.figures.lines - before;
        if (!follow) return await drainQueue(queue, load, how);
        await followQueue(queue, open, load, how, {
          onAway: (problem) => progress.note(`${problem.message} Waiting for it to come back.`),
          onBack: () => progress.note('Redis is back; going on.'),
        });
      } finally {
        queue.close();
      }
    },
  };
}
