/** What the steps of a tick work with. */
import type { Distribution } from '../distribution/distribution.ts';
import type { CrawlSettings } from '../engine/crawl-settings.ts';
import type { Upkeep } from '../engine/upkeep/upkeep.ts';
import type { Database } from '../platform/database.ts';

export interface SchedulerSettings extends Pick<CrawlSettings, 'refresh' | 'isDomainTracked'> {
  /** How long errors, deliveries to webhooks and changes of products are kept. */
  readonly errorLogDays: number;
  readonly webhookLogDays: number;
  readonly productEventDays: number;
}

export interface Ground {
  readonly db: Database;
  readonly distribution: Pick<Distribution, 'announce'>;
  readonly settings: SchedulerSettings;
  readonly upkeep: Upkeep;
}

/** What a step did. */
export interface StepReport {
  readonly count: number;
  /** There was more than fits into a tick: the next one follows at once. */
  readonly isMore: boolean;
  /** Somebody else had some of it in hand: it is looked at again in a moment. */
  readonly isHeldUp: boolean;
}

/** One duty of the scheduler. Doing it twice, or by two at once, changes nothing. */
export interface Step {
  /** As it stands in the log, with the number of what it did. */
  readonly name: string;
  /** Not more often than that. */
  readonly everyMs: number;
  /** Takes portions until there is nothing left, or the time is up. */
  run(isTimeUp: () => boolean): Promise<StepReport>;
}

export const NOTHING: StepReport = { count: 0, isMore: false, isHeldUp: false };
