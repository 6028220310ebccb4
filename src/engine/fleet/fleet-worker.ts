/**
 * A worker of the fleet: works on the standing order, beside any number of others on any number of machines,
 * until it is told to stop. A database that goes away is waited for, however long it takes.
 */
import type { Database } from '../../platform/database.ts';
import { ConnectionLost, DiskFull, errorCode, PlatformError } from '../../platform/errors.ts';
import type { SecretBox } from '../../platform/secret-box.ts';
import { loadSql } from '../../platform/sql-file.ts';
import type { ClaimedDomain } from '../claim/claim-domains.ts';
import { retireWorkerId, useWorkerId } from '../claim/worker-identity.ts';
import type { CrawlSettings } from '../crawl-settings.ts';
import type { EngineEvents } from '../events.ts';
import type { ParserRegistry } from '../extract/registry.ts';
import type { Fetcher } from '../fetch/fetcher.ts';
import type { Scope } from '../frontier/scope.ts';
import type { BlobStore } from '../images/blob-store.ts';
import { Shift } from '../run/shift.ts';
import { STANDING_RUN } from '../run/standing-run.ts';
import { waitForDatabase } from '../run/wait-for-database.ts';
import { Signal } from '../signal.ts';
import type { BodyStore } from '../store/body-store.ts';
import { ensureLogPartitions } from '../upkeep/log-partitions.ts';
import type { Worker } from '../worker.ts';
import { type Duty, Registry } from './registry.ts';

const fleetRemaining = loadSql(import.meta.url, './fleet-remaining.sql');

const LOOK_FOR_IDLENESS_MS = 1000;
const WAIT_FOR_ROOM_MS = 15_000;

export interface FleetWorkerParts {
  readonly db: Database;
  readonly workerId: string;
  readonly settings: CrawlSettings;
  readonly fetcher: Fetcher;
  readonly store: BodyStore | undefined;
  /** See WorkerParts. */
  readonly blobs?: BlobStore | undefined;
  /** Undefined: pages are not looked at for products. */
  readonly parsers?: ParserRegistry | undefined;
  /** See WorkerParts. */
  readonly openSecrets?: (() => Promise<SecretBox>) | undefined;
  readonly scopeOf: (claimed: ClaimedDomain) => Scope;
  /** Pages in one turn of a domain that says nothing else. */
  readonly turnPages: number;
  readonly events: EngineEvents;
  readonly isInFleet: boolean;
  /** Ends when there is nothing left to do, for anybody. */
  readonly untilIdle: boolean;
  /** What goes on beside it has nothing left to do either. */
  readonly isIdleBesides?: () => Promise<boolean>;
}

interface FleetRemaining {
  readonly has_claimable: boolean;
  readonly has_claimed: boolean;
  readonly wakes_at: Date | null;
}

export class FleetWorker {
  readonly #parts: FleetWorkerParts;
  readonly #change = new Signal();
  readonly #registry: Registry | undefined;
  #shift: Shift | undefined;
  #isStopping = false;

  constructor(parts: FleetWorkerParts) {
    const { db, workerId: id, isInFleet, settings } = parts;
    this.#parts = parts;
    const duties: readonly Duty[] = settings.isParsingLeft ? ['crawl'] : ['crawl', 'parse'];
    if (isInFleet) this.#registry = new Registry(db, { id, kind: 'worker', runId: STANDING_RUN, duties });
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
      while (!this.#isStopping) {
        try {
          await ensureLogPartitions(db);
          if (await this.#workOnce()) return 'idle';
        } catch (error) {
          if (isPassing(error)) {
            events.emit('database:lost', { message: error.message });
            await this.#change.wait(WAIT_FOR_ROOM_MS);
          } else if (!(error instanceof ConnectionLost)) throw error;
          await waitForDatabase({
            ...{ db, change: this.#change, attempts: Number.POSITIVE_INFINITY },
            isStopping: () => this.#isStopping,
          });
          events.emit('database:back', {});
        }
      }
      return 'stopped';
    } finally {
      await this.#registry?.leave();
      retireWorkerId(workerId);
    }
  }

  /** Until it is stopped, or found to have nothing left to do where that is its end; tells whether it was that. */
  async #workOnce(): Promise<boolean> {
    const { turnPages, untilIdle, isInFleet: _, isIdleBesides: __, ...parts } = this.#parts;
    const shift = new Shift({
      ...parts,
      registry: this.#registry,
      runId: STANDING_RUN,
      isEndless: true,
      givenUp: new Set(),
      limits: { isRunLimited: false, maxPagesPerDomain: undefined, turnPages },
    });
    this.#shift = shift;
    let isIdle = false;
    const work = shift.run().finally(() => {
      this.#shift = undefined;
      this.#change.raise();
    });
    // Awaited below; until then nobody is looking.
    work.catch(() => undefined);
    while (untilIdle && this.#shift !== undefined && !isIdle) {
      await this.#change.wait(LOOK_FOR_IDLENESS_MS);
      isIdle = shift.worker.isOutOfWork && (await this.#isIdle().catch(() => false));
    }
    if (isIdle) shift.stop();
    await work;
    return isIdle && !this.#isStopping;
  }

  async #isIdle(): Promise<boolean> {
    const { db, settings, isIdleBesides } = this.#parts;
    if (isIdleBesides !== undefined && !(await isIdleBesides())) return false;
    const { rows } = await db.query<FleetRemaining>(fleetRemaining, [settings.maxHoldMs / 1000]);
    const [left] = rows;
    return left !== undefined && !left.has_claimable && !left.has_claimed && left.wakes_at === null;
  }
}

/** The server is there, but has no room at the moment: for another connection, on its disk, in its memory. */
function isPassing(error: unknown): error is Error {
  if (error instanceof DiskFull) return true;
  if (error instanceof PlatformError && error.code === 'too-many-connections') return true;
  const code = errorCode(error);
  return error instanceof Error && code !== undefined && /^(?:53|57014|57P05|55P03)/.test(code);
}
