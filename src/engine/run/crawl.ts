/**
 * One crawl from seeds to the end: opens or resumes its run, lets a worker work, and decides from the
 * database what the end was. If the database goes away meanwhile it waits for it and goes on from what was
 * committed, under a new identity, so that nothing written by the old one can still arrive.
 */
import { now } from '../../platform/clock.ts';
import type { Database } from '../../platform/database.ts';
import { ConnectionLost } from '../../platform/errors.ts';
import { freeClaims, freeGoneClaims } from '../claim/claim-domains.ts';
import { endCooldowns } from '../claim/end-cooldowns.ts';
import { createWorkerId } from '../claim/worker-identity.ts';
import type { CrawlSettings } from '../crawl-settings.ts';
import type { EngineEvents } from '../events.ts';
import type { Fetcher } from '../fetch/fetcher.ts';
import { admitIntoDomains } from '../frontier/admit-into-domains.ts';
import type { Scope } from '../frontier/scope.ts';
import { groupByDomain, type Seed } from '../frontier/seeds.ts';
import { PageBudget } from '../page-budget.ts';
import { Signal } from '../signal.ts';
import type { BodyStore } from '../store/body-store.ts';
import { ensureLogPartitions } from '../upkeep/log-partitions.ts';
import { Worker } from '../worker.ts';
import {
  countRunPages,
  endRun,
  type OpenedRun,
  openRun,
  type RunLimits,
  readRemaining,
} from './run-record.ts';

const SEED_PORTION = 1000;
const WAIT_FOR_OTHERS_MS = 1000;
const DATABASE_WAITS_MS = [500, 1000, 2000, 4000, 8000, 15_000, 30_000, 30_000, 30_000];

export interface CrawlParts {
  readonly db: Database;
  readonly settings: CrawlSettings;
  readonly fetcher: Fetcher;
  readonly store: BodyStore | undefined;
  readonly scope: Scope;
  readonly events: EngineEvents;
  readonly seeds: readonly Seed[];
  readonly identity: Parameters<typeof openRun>[1];
  readonly limits: RunLimits;
}

export interface CrawlEnd {
  readonly runId: number;
  readonly isResumed: boolean;
  readonly reason: 'complete' | 'budget' | 'stopped' | 'resting';
  readonly restingUntil: Date | undefined;
}

export class Crawl {
  readonly #parts: CrawlParts;
  readonly #change = new Signal();
  #worker: Worker | undefined;
  #isStopping = false;
  #run: OpenedRun | undefined;
  #hasSeeds = false;

  constructor(parts: CrawlParts) {
    this.#parts = parts;
  }

  get worker(): Worker | undefined {
    return this.#worker;
  }

  get runId(): number | undefined {
    return this.#run?.id;
  }

  /** Pages this run had before it was resumed. */
  get pagesBefore(): number {
    return this.#run?.pagesCount ?? 0;
  }

  /** Finishes what is in flight, commits, gives the leases back. */
  stop(): void {
    this.#isStopping = true;
    this.#worker?.stop();
    this.#change.raise();
  }

  async run(): Promise<CrawlEnd> {
    const givenUp = new Set<number>();
    for (;;) {
      try {
        const run = await this.#begin();
        await this.#workOnce(run.id, givenUp);
        const end = await this.#judge(run, givenUp);
        if (end !== undefined) return end;
        await this.#change.wait(WAIT_FOR_OTHERS_MS);
      } catch (error) {
        if (!(error instanceof ConnectionLost)) throw error;
        await this.#waitForDatabase();
      }
    }
  }

  /** Opens or resumes the run and plants its seeds, once; a part of it that is repeated changes nothing. */
  async #begin(): Promise<OpenedRun> {
    const { db, identity, limits } = this.#parts;
    if (this.#run === undefined) {
      await ensureLogPartitions(db);
      this.#run = await openRun(db, identity, limits);
    }
    if (!this.#hasSeeds) {
      await this.#plantSeeds(this.#run.id);
      await endCooldowns(db, this.#run.id);
    }
    this.#hasSeeds = true;
    return this.#run;
  }

  async #plantSeeds(runId: number): Promise<void> {
    const { db, seeds } = this.#parts;
    for (let at = 0; at < seeds.length; at += SEED_PORTION) {
      await admitIntoDomains(db, runId, groupByDomain(seeds.slice(at, at + SEED_PORTION)), 'seed');
    }
  }

  /** One worker's life: until nothing is left to claim, or the database is lost. */
  async #workOnce(runId: number, givenUp: Set<number>): Promise<void> {
    const { db, limits, settings, fetcher, store, scope, events } = this.#parts;
    if (this.#isStopping) return;
    const workerId = createWorkerId();
    await freeGoneClaims(db, workerId);
    const worker = new Worker({
      db,
      workerId,
      runId,
      settings,
      fetcher,
      store,
      scope,
      events,
      givenUp,
      maxPagesPerDomain: limits.maxPagesPerDomain,
      budget: new PageBudget(limits.maxPages, await countRunPages(db, runId)),
    });
    this.#worker = worker;
    try {
      await worker.work();
    } catch (error) {
      // Without a database there is nothing to be said to it; the next worker frees what this one held.
      if (!(error instanceof ConnectionLost)) await freeClaims(db, [workerId]).catch(() => undefined);
      throw error;
    } finally {
      this.#worker = undefined;
    }
  }

  async #waitForDatabase(): Promise<void> {
    const { db, events } = this.#parts;
    for (const [attempt, waitMs] of DATABASE_WAITS_MS.entries()) {
      await this.#change.wait(waitMs);
      try {
        await db.query('select 1');
        events.emit('database:back', {});
        return;
      } catch (error) {
        if (attempt === DATABASE_WAITS_MS.length - 1 || this.#isStopping) throw error;
      }
    }
  }

  async #judge(run: OpenedRun, givenUp: Set<number>): Promise<CrawlEnd | undefined> {
    const { db, limits } = this.#parts;
    const end = (reason: CrawlEnd['reason'], restingUntil?: Date): CrawlEnd => ({
      runId: run.id,
      isResumed: run.isResumed,
      reason,
      restingUntil,
    });
    const pages = await countRunPages(db, run.id);
    if (limits.maxPages !== undefined && pages >= limits.maxPages) {
      // Unfinished: a larger limit goes on with it, the same one finds it reached.
      await endRun(db, run.id, 'interrupted', 'budget');
      return end('budget');
    }
    if (this.#isStopping) {
      await endRun(db, run.id, 'interrupted', 'stopped');
      return end('stopped');
    }
    const remaining = await readRemaining(db, run.id, limits.maxPagesPerDomain, givenUp);
    if (remaining.claimable_count === 0 && remaining.claimed_count > 0) {
      this.#parts.events.emit('claim:waiting', { domains: remaining.claimed_count });
    }
    if (remaining.claimable_count > 0 || remaining.claimed_count > 0) return undefined;
    const restMs = (remaining.resting_until?.getTime() ?? 0) - now().getTime();
    if (remaining.resting_count > 0 && restMs <= this.#parts.settings.maxHoldMs) {
      this.#parts.events.emit('domains:resting', { domains: remaining.resting_count, restMs });
      await this.#change.wait(Math.max(0, restMs));
      return undefined;
    }
    if (remaining.resting_count > 0) {
      await endRun(db, run.id, 'interrupted', 'resting');
      return end('resting', remaining.resting_until ?? undefined);
    }
    if (limits.maxPagesPerDomain !== undefined) {
      const beyond = await readRemaining(db, run.id, undefined, givenUp);
      if (beyond.claimable_count + beyond.claimed_count + beyond.resting_count > 0) {
        await endRun(db, run.id, 'interrupted', 'budget');
        return end('budget');
      }
    }
    await endRun(db, run.id, 'finished', 'complete');
    return end('complete');
  }
}
