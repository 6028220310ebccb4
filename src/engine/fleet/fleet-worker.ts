/**
 * A worker of the fleet: works on the standing order, beside any number of others on any number of machines,
 * until it is told to stop. A database that goes away is waited for, however long it takes.
 */
import type { Database } from '../../platform/database.ts';
import { ConnectionLost } from '../../platform/errors.ts';
import { loadSql } from '../../platform/sql-file.ts';
import type { ClaimedDomain } from '../claim/claim-domains.ts';
import { retireWorkerId, useWorkerId } from '../claim/worker-identity.ts';
import type { CrawlSettings } from '../crawl-settings.ts';
import type { EngineEvents } from '../events.ts';
import type { Fetcher } from '../fetch/fetcher.ts';
import type { Scope } from '../frontier/scope.ts';
import { Shift } from '../run/shift.ts';
import { waitForDatabase } from '../run/wait-for-database.ts';
import { Signal } from '../signal.ts';
import type { BodyStore } from '../store/body-store.ts';
import { ensureLogPartitions } from '../upkeep/log-partitions.ts';
import type { Worker } from '../worker.ts';

const fleetRemaining = loadSql(import.meta.url, './fleet-remaining.sql');

/** The run that every domain belongs to that is in no crawl of its own. */
export const STANDING_RUN = 0;
const WAIT_FOR_OTHERS_MS = 1000;

export interface FleetWorkerParts {
  readonly db: Database;
  readonly workerId: string;
  readonly settings: CrawlSettings;
  readonly fetcher: Fetcher;
  readonly store: BodyStore | undefined;
  readonly scopeOf: (claimed: ClaimedDomain) => Scope;
  /** Pages in one turn of a domain that says nothing else. */
  readonly turnPages: number;
  readonly events: EngineEvents;
  readonly isInFleet: boolean;
  /** Ends when there is nothing left to do, for anybody. */
  readonly untilIdle: boolean;
}

interface FleetRemaining {
  readonly has_claimable: boolean;
  readonly has_claimed: boolean;
  readonly wakes_at: Date | null;
}

export class FleetWorker {
  readonly #parts: FleetWorkerParts;
  readonly #change = new Signal();
  #shift: Shift | undefined;
  #isStopping = false;

  constructor(parts: FleetWorkerParts) {
    this.#parts = parts;
  }

  get worker(): Worker | undefined {
    return this.#shift?.worker;
  }

  /** Claims nothing more, finishes what is in flight, commits, gives the leases back. */
  stop(): void {
    this.#isStopping = true;
    this.#shift?.stop();
    this.#change.raise();
  }

  async run(): Promise<'stopped' | 'idle'> {
    const { db, workerId, events } = this.#parts;
    useWorkerId(workerId);
    try {
      for (;;) {
        try {
          await ensureLogPartitions(db);
          if (!this.#isStopping) await this.#workOnce();
          if (this.#isStopping) return 'stopped';
          if (await this.#isIdle()) return 'idle';
          await this.#change.wait(WAIT_FOR_OTHERS_MS);
        } catch (error) {
          if (!(error instanceof ConnectionLost)) throw error;
          await waitForDatabase({
            ...{ db, change: this.#change, attempts: Number.POSITIVE_INFINITY },
            isStopping: () => this.#isStopping,
          });
          events.emit('database:back', {});
        }
      }
    } finally {
      retireWorkerId(workerId);
    }
  }

  async #workOnce(): Promise<void> {
    const { turnPages, untilIdle, ...parts } = this.#parts;
    const shift = new Shift({
      ...parts,
      kind: 'worker',
      runId: STANDING_RUN,
      isEndless: !untilIdle,
      givenUp: new Set(),
      limits: { isRunLimited: false, maxPagesPerDomain: undefined, turnPages },
    });
    this.#shift = shift;
    try {
      await shift.run();
    } finally {
      this.#shift = undefined;
    }
  }

  async #isIdle(): Promise<boolean> {
    const { db, settings } = this.#parts;
    const { rows } = await db.query<FleetRemaining>(fleetRemaining, [settings.maxHoldMs / 1000]);
    const [left] = rows;
    return left !== undefined && !left.has_claimable && !left.has_claimed && left.wakes_at === null;
  }
}
