/** What the routes work with: everything long-lived that a server is put together from. */
import type { BotDesk } from '../control/bots/bot-desk.ts';
import type { HealthCheck } from '../control/health/health-check.ts';
import type { JobRunner } from '../control/jobs/job-runner.ts';
import type { HtmlKeeper } from '../control/results/keep-html.ts';
import type { Figures } from '../control/stats/figures.ts';
import type { Distribution } from '../distribution/distribution.ts';
import type { OpenedParsers } from '../engine/extract/site/open-parsers.ts';
import type { PrivateRule } from '../engine/seeds/read-seed-list.ts';
import type { Config } from '../platform/config.ts';
import type { Database } from '../platform/database.ts';
import type { OpenSearch } from '../search/open-search.ts';
import type { LiveStreams } from './live-streams.ts';
import type { Metrics } from './metrics.ts';
import type { RateLimiter } from './rate-limiter.ts';

export interface Ground {
  readonly config: Config;
  /** For answers: a question that takes too long is broken off. */
  readonly db: Database;
  /**
   * For finding out who sends a request, and for logging in: a few connections that answers cannot take away. Left out:
   * those of the answers.
   */
  readonly authDb?: Database;
  /** For work that may take its time: jobs, roll-ups. */
  readonly slowDb: Database;
  /** Private places that may be named although private ones may not: those of a demo web. */
  readonly privateOrigins?: ReadonlySet<string> | undefined;
  /** For the log: what goes wrong beside the requests. */
  readonly warn?: ((sentence: string, error?: unknown) => void) | undefined;
  /** What goes wrong in this process besides, a sentence each: for its health. */
  readonly troubles?: (() => readonly string[]) | undefined;
}

export interface ServerParts extends Ground {
  readonly authDb: Database;
  readonly limiter: RateLimiter;
  /** Tells workers and parsers of tasks that became ready by a request. */
  readonly distribution: Distribution;
  /** For the pages that bots hand in; undefined: pages are not kept here. */
  readonly htmlKeeper: HtmlKeeper | undefined;
  /** Where bots come for work, and wait for it. */
  readonly botDesk: BotDesk;
  readonly parsers: OpenedParsers;
  readonly search: OpenSearch;
  readonly live: LiveStreams;
  readonly jobRunner: Pick<JobRunner, 'wake'>;
  readonly figures: Figures;
  readonly health: HealthCheck;
  readonly metrics: Metrics;
  /** Ends what goes on beside the requests. The databases are whoever opened them's to close. */
  close(): Promise<void>;
}

export function privateRuleOf({ config, privateOrigins }: Ground): PrivateRule {
  return config.allowPrivate || (privateOrigins ?? false);
}
