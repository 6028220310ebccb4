/**
 * One crawl from seeds to the end: opens or resumes its run, lets a worker work, and decides from the
 * database what the end was. If the database goes away meanwhile it waits for it and goes on from what was
 * committed; nothing written by the worker before can still arrive, since its leases are fenced.
 */
import type { Database } from '../../platform/database.ts';
import { ConnectionLost } from '../../platform/errors.ts';
import type { SecretBox } from '../../platform/secret-box.ts';
import { createWorkerId, retireWorkerId } from '../claim/worker-identity.ts';
import type { CrawlSettings } from '../crawl-settings.ts';
import type { EngineEvents } from '../events.ts';
import type { ParserRegistry } from '../extract/registry.ts';
import type { Fetcher } from '../fetch/fetcher.ts';
import { Registry } from '../fleet/registry.ts';
import { admitIntoDomains } from '../frontier/admit-into-domains.ts';
import type { Scope } from '../frontier/scope.ts';
import { groupByDomain, type Seed } from '../frontier/seeds.ts';
import type { BlobStore } from '../images/blob-store.ts';
import { Signal } from '../signal.ts';
import type { BodyStore } from '../store/body-store.ts';
import { ensureLogPartitions } from '../upkeep/log-partitions.ts';
import type { Worker } from '../worker.ts';
import {
  adoptDomains,
  countRunPages,
  type DomainRules,
  endRun,
  type OpenedRun,
  openRun,
  type RunLimits,
  readRemaining,
} from './run-record.ts';
import { Shift } from './shift.ts';
import { waitForDatabase } from './wait-for-database.ts';

const NO_RULES: DomainRules = { scope: null, include: null, exclude: null, maxDepth: null };
const SEED_PORTION = 1000;
const WAIT_FOR_OTHERS_MS = 1000;
/** About two minutes: longer than a restart takes, short enough for somebody who waits for the result. */
const DATABASE_ATTEMPTS = 9;

export interface CrawlParts {
  readonly db: Database;
  readonly settings: CrawlSettings;
  readonly fetcher: Fetcher;
  readonly store: BodyStore | undefined;
  /** See WorkerParts. */
  readonly blobs?: BlobStore | undefined;
  /** Undefined: pages are not looked at for products. */
  readonly parsers?: ParserRegistry | undefined;
  /** See WorkerParts. */
  readonly openSecrets?: (() => Promise<SecretBox>) | undefined;
  readonly scope: Scope;
  readonly events: EngineEvents;
  readonly seeds: readonly Seed[];
  readonly identity: Parameters<typeof openRun>[1];
  readonly limits: RunLimits;
  /** What belongs to its domains, for whoever reads them again later. */
  readonly rules?: DomainRules;
  /** Registers as a worker, and hands domains over to others of the same run. */
  readonly isInFleet?: boolean;
}

export interface CrawlEnd {
  readonly runId: number;
  readonly isResumed: boolean;
  readonly reason: 'complete' | 'budget' | 'stopped' | 'resting';
  readonly restingUntil: Date | undefined;
}

export class Crawl {
  readonly #parts: CrawlParts;
  readonly #workerId = createWorkerId();
  readonly #change = new Signal();
  #shift: Shift | undefined;
  #isStopping = false;
  #run: OpenedRun | undefined;
  #hasSeeds = false;
  #registry: Registry | undefined;

  constructor(parts: CrawlParts) {
    this.#parts = parts;
  }

  get worker(): Worker | undefined {
    return this.#shift?.worker;
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
    this.#shift?.stop();
    this.#change.raise();
  }

  async run(): Promise<CrawlEnd> {
    const givenUp = new Set<number>();
    try {
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
    } finally {
      await this.#registry?.leave();
      retireWorkerId(this.#workerId);
    }
  }

  /** Opens or resumes the run and plants its seeds, once; a part of it that is repeated changes nothing. */
  async #begin(): Promise<OpenedRun> {
    const { db, identity, limits } = this.#parts;
    if (this.#run === undefined) {
      await ensureLogPartitions(db);
      this.#run = await openRun(db, identity, limits);
    }
    if (!this.#hasSeeds) await this.#plantSeeds(this.#run.id);
    this.#hasSeeds = true;
    await adoptDomains(db, this.#run.id);
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
    const { db, limits, settings, fetcher, store, blobs, parsers, openSecrets, scope, events } = this.#parts;
    const { isInFleet = false } = this.#parts;
    const entry = { id: this.#workerId, kind: 'crawl', runId, duties: ['crawl', 'parse'] } as const;
    if (isInFleet) this.#registry ??= new Registry(db, entry);
    if (this.#isStopping) return;
    const shift = new Shift({
      ...{ db, runId, settings, fetcher, store, blobs, parsers, openSecrets, events, givenUp },
      workerId: this.#workerId,
      registry: this.#registry,
      isEndless: false,
      limits: {
        isRunLimited: limits.maxPages !== undefined,
        maxPagesPerDomain: limits.maxPagesPerDomain,
        turnPages: undefined,
      },
      scopeOf: (claimed) => {
        // A seed may have redirected here before this process started: links within are in scope.
        if (claimed.is_seed) scope.addSeedDomain(claimed.domain);
        return scope;
      },
    });
    this.#shift = shift;
    try {
      await shift.run();
    } finally {
      this.#shift = undefined;
    }
  }

  async #waitForDatabase(): Promise<void> {
    const { db, events } = this.#parts;
    await waitForDatabase({
      ...{ db, change: this.#change, attempts: DATABASE_ATTEMPTS },
      isStopping: () => this.#isStopping,
    });
    events.emit('database:back', {});
  }

  async #judge(run: OpenedRun, givenUp: Set<number>): Promise<CrawlEnd | undefined> {
    const { db, limits, rules = NO_RULES, settings, events } = this.#parts;
    const end = (reason: CrawlEnd['reason'], restingUntil?: Date): CrawlEnd => ({
      ...{ runId: run.id, isResumed: run.isResumed, reason, restingUntil },
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
    const bounds = { maxPagesPerDomain: limits.maxPagesPerDomain, isFair: settings.isBudgetFair };
    const remaining = await readRemaining(db, run.id, bounds, givenUp);
    if (remaining.claimable_count === 0 && remaining.claimed_count > 0) {
      events.emit('claim:waiting', { domains: remaining.claimed_count });
    }
    if (remaining.claimable_count > 0 || remaining.claimed_count > 0) return undefined;
    const restMs = remaining.resting_ms ?? 0;
    if (remaining.resting_count > 0 && restMs <= settings.maxHoldMs) {
      events.emit('domains:resting', { domains: remaining.resting_count, restMs });
      await this.#change.wait(Math.max(0, restMs));
      return undefined;
    }
    if (remaining.resting_count > 0) {
      await endRun(db, run.id, 'interrupted', 'resting');
      return end('resting', remaining.resting_until ?? undefined);
    }
    const beyond = await readRemaining(db, run.id, { maxPagesPerDomain: undefined, isFair: false }, givenUp);
    if (beyond.claimable_count + beyond.claimed_count + beyond.resting_count > 0) {
      await endRun(db, run.id, 'interrupted', 'budget');
      return end('budget');
    }
    await endRun(db, run.id, 'finished', 'complete', rules);
    return end('complete');
  }
}
