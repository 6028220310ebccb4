/** Everything that bears on whether a domain is worked on next, gathered from the database. */
import { STANDING_RUN } from '../../engine/run/standing-run.ts';
import type { Database } from '../../platform/database.ts';
import { loadSql } from '../../platform/sql-file.ts';
import { findDomain } from '../domains/find-domain.ts';
import { type DomainDetails, readDomainRow } from '../domains/read-domain.ts';
import { type DomainEvent, readDomainEvents } from '../domains/read-domain-events.ts';
import { type DomainScore, readDomainScore } from '../domains/read-domain-score.ts';

const readQueue = loadSql(import.meta.url, './read-queue.sql');
const countAheadByScore = loadSql(import.meta.url, './count-ahead-by-score.sql');
const countAheadByArrival = loadSql(import.meta.url, './count-ahead-by-arrival.sql');

/** Nobody waits for an exact number beyond this. */
export const MOST_AHEAD = 10_000;

export interface DomainQueue {
  readonly run: number;
  readonly runStatus: string;
  readonly runMaxPages: number | null;
  readonly runMaxPagesPerDomain: number | null;
  /** What the run has had from this domain. */
  readonly pagesOfRun: number;
  /** How many pages of the run the last lease might bring it to. */
  readonly pagesAllowed: number | null;
  /** Registered workers that take from it now. */
  readonly workers: number;
}

export interface DomainFacts {
  readonly domain: string;
  readonly domainState: DomainDetails;
  /** How it came into its state; null if it has never changed. */
  readonly lastMove: DomainEvent | null;
  readonly queue: DomainQueue;
  /** What the domains of its queue are ordered by. */
  readonly claimOrder: 'score' | 'arrival';
  /** How many would be claimed before it, at most MOST_AHEAD; null for what is in no queue. */
  readonly ahead: number | null;
  /** Pages of one turn, or of one run; null: no limit. */
  readonly budget: number | null;
  readonly score: DomainScore;
}

export interface DomainSettings {
  /** Whether the process that claims from this queue goes by score. */
  isByScore(queueRun: number): boolean;
  /** Pages of a turn of a domain without a number of its own. */
  readonly maxPagesPerRun: number;
  /** Whether a domain's own number counts. */
  readonly enablePerDomainBudget: boolean;
}

export async function gatherDomainFacts(
  db: Database,
  name: string,
  settings: DomainSettings,
): Promise<DomainFacts> {
  const { id, domain } = await findDomain(db, name);
  const domainState = await readDomainRow(db, id);
  const [queue] = (await db.query<DomainQueue>(readQueue, [id])).rows;
  if (queue === undefined) throw new Error(`domain ${id} has just been deleted`);
  const claimOrder = settings.isByScore(queue.run) ? 'score' : 'arrival';
  const isQueued = domainState.status === 'pending' || domainState.status === 'active';
  return {
    ...{ domain, domainState, queue, claimOrder },
    lastMove: (await readDomainEvents(db, id, 1))[0] ?? null,
    ahead: isQueued && !domainState.isClaimed ? await countAhead(db, id, claimOrder) : null,
    budget: chooseBudget(domainState, queue, settings),
    score: await readDomainScore(db, id),
  };
}

async function countAhead(db: Database, id: number, order: DomainFacts['claimOrder']): Promise<number> {
  const statement = order === 'score' ? countAheadByScore : countAheadByArrival;
  return (await db.query<{ ahead: number }>(statement, [id, MOST_AHEAD])).rows[0]?.ahead ?? 0;
}

/** The standing order gives every domain a turn; a crawl has a limit of its own, or the domain has. */
function chooseBudget(domain: DomainDetails, queue: DomainQueue, settings: DomainSettings): number | null {
  const own = settings.enablePerDomainBudget ? domain.maxPagesPerRun : null;
  if (queue.run === STANDING_RUN) return own ?? settings.maxPagesPerRun;
  const limits = [own, queue.runMaxPagesPerDomain].filter((limit) => limit !== null);
  return limits.length === 0 ? null : Math.min(...limits);
}
