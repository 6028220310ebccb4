/** What the routes work with: everything long-lived that a server is put together from. */
import type { HealthCheck } from '../control/health/health-check.ts';
import type { JobRunner } from '../control/jobs/job-runner.ts';
import type { Figures } from '../control/stats/figures.ts';
import type { Config } from '../platform/config.ts';
import type { Database } from '../platform/database.ts';
import type { LiveStreams } from './live-streams.ts';
import type { Metrics } from './metrics.ts';
import type { RateLimiter } from './rate-limiter.ts';

export interface Ground {
  readonly config: Config;
  /** For answers: a question that takes too long is broken off. */
  readonly db: Database;
  /** For work that may take its time: jobs, roll-ups. */
  readonly slowDb: Database;
  /** What goes wrong in this process besides, a sentence each: for its health. */
  readonly troubles?: (() => readonly string[]) | undefined;
}

export interface ServerParts extends Ground {
  readonly limiter: RateLimiter;
  readonly live: LiveStreams;
  readonly jobRunner: Pick<JobRunner, 'wake'>;
  readonly figures: Figures;
  readonly health: HealthCheck;
  readonly metrics: Metrics;
  /** Ends what goes on beside the requests. The databases are whoever opened them's to close. */
  close(): Promise<void>;
}
