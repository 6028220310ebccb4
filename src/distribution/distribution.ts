/**
 * How processes learn that there is work: hints, sent by whoever made work ready and handed to one (RabbitMQ) or all
 * (PostgreSQL) of those that could do it. The truth is in the database: a hint that is lost costs time, one that comes
 * twice changes nothing, and one that is older than the truth is ignored.
 */

/** Which queue a hint goes through. */
export type WorkKind = 'crawl' | 'parse';

/** Tasks of one domain have become ready. */
export interface WorkHint {
  readonly kind: WorkKind;
  readonly domainId: number;
  /** Some of them, the most urgent first; a domain with thousands names a hundred. */
  readonly taskIds: readonly number[];
  /** The best of their priorities: 1 is the most urgent. */
  readonly priority: number;
}

/** At this priority and better a hint goes past the others, through the priority queue. */
export const URGENT_PRIORITY = 2;
export const MOST_TASKS_IN_HINT = 100;

/**
 * Says that a hint was handed over: whoever took it will look into the database, now or when it can. `later`: nobody
 * here can do anything with it at the moment, let somebody else have it.
 */
export type HandOver = 'taken' | 'later';

export type TakeHint = (hint: WorkHint) => Promise<HandOver> | HandOver;

/** Ends when closed: hints that were not handed over go to others. */
export interface HintSubscription {
  close(): Promise<void>;
}

export interface DistributionState {
  /** Undefined: it works. */
  readonly trouble: string | undefined;
}

export interface Distribution {
  readonly kind: 'postgres' | 'rabbitmq';
  readonly state: DistributionState;
  /**
   * Resolves to how many are in safe hands (confirmed); less than were given, when the carrier is away. Never throws
   * for that, never waits long: the caller goes on, and workers find the work by looking.
   */
  announce(hints: readonly WorkHint[]): Promise<number>;
  /** Goes on over any loss of the carrier until it is closed. */
  subscribe(kind: WorkKind, take: TakeHint): Promise<HintSubscription>;
  close(): Promise<void>;
}
