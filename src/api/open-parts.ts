/** Puts together what the routes work with, and starts what goes on beside the requests. */
import { BotDesk } from '../control/bots/bot-desk.ts';
import { HealthCheck } from '../control/health/health-check.ts';
import { startJobRunner } from '../control/jobs/job-runner.ts';
import { warcDirectory } from '../control/pages/warc-directory.ts';
import { describeTrouble, openConfiguredParsers } from '../control/parsers/open-configured-parsers.ts';
import { createHtmlKeeper, type HtmlKeeper } from '../control/results/keep-html.ts';
import { Figures } from '../control/stats/figures.ts';
import type { Distribution } from '../distribution/distribution.ts';
import { openDistribution } from '../distribution/open-distribution.ts';
import { openSearch } from '../search/open-search.ts';
import { LiveStreams } from './live-streams.ts';
import { createMemoryRateLimiter } from './memory-rate-limiter.ts';
import { Metrics } from './metrics.ts';
import { Monitor } from './monitor.ts';
import type { RateLimiter } from './rate-limiter.ts';
import { createRedisRateLimiter } from './redis-rate-limiter.ts';
import type { Ground, ServerParts } from './server-parts.ts';

export async function openParts(ground: Ground): Promise<ServerParts> {
  const { redisUrl } = ground.config;
  const limiter = redisUrl === undefined ? createMemoryRateLimiter() : createRedisRateLimiter(redisUrl);
  const jobRunner = startJobRunner(ground.slowDb);
  const figures = new Figures(ground);
  const live = new LiveStreams({ db: ground.db, figures });
  const { db, troubles } = ground;
  const { warn = () => undefined } = ground;
  const distribution = await openDistribution({ config: ground.config, db: ground.slowDb, warn });
  const health = new HealthCheck({
    ...{ db, troubles, redisStatus: () => redisStatusOf(limiter) },
    rabbitStatus: () => rabbitStatusOf(distribution),
  });
  const monitor = new Monitor({ db: ground.slowDb, dataDir: ground.config.dataDir, limiter, warn });
  const authDb = ground.authDb ?? ground.db;
  const databases = { answers: ground.db, access: authDb, work: ground.slowDb };
  const metrics = new Metrics({ databases, figures, health, monitor });
  const htmlKeeper = ground.config.keepBodies ? openHtmlKeeper(ground) : undefined;
  const { maxConcurrentRequests: maxPerDomain, botLockSeconds: lockSeconds } = ground.config;
  const botDesk = new BotDesk({ db, maxPerDomain, lockSeconds, warn });
  const parsers = await openConfiguredParsers(ground.config);
  for (const trouble of parsers.troubles) warn(describeTrouble(trouble));
  const search = openSearch({ db, config: ground.config, warn });
  monitor.start();
  return {
    ...ground,
    authDb,
    figures,
    health,
    metrics,
    live,
    jobRunner,
    limiter,
    distribution,
    htmlKeeper,
    botDesk,
    search,
    parsers,
    close: async () => {
      await monitor.close();
      await health.close();
      await distribution.close();
      await live.close();
      await jobRunner.stop();
      await limiter.close();
      await botDesk.close();
      await search.close();
      await htmlKeeper?.close();
    },
  };
}

function openHtmlKeeper({ config, db }: Ground): HtmlKeeper {
  const robots = config.respectRobots ? 'obey' : 'ignore';
  return createHtmlKeeper({ db, directory: warcDirectory(config), robots });
}

/** The limiter speaks to it with every request: nobody else has to ask how it is. */
function redisStatusOf({ place }: RateLimiter): 'up' | 'down' | undefined {
  if (place === 'process') return undefined;
  return place === 'redis' ? 'up' : 'down';
}

function rabbitStatusOf({ kind, state }: Distribution): 'up' | 'down' | undefined {
  if (kind !== 'rabbitmq') return undefined;
  return state.trouble === undefined ? 'up' : 'down';
}
