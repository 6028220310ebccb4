/** A worker of the fleet that only parses: in the register like any other, with no domain in its hands. */
import type { Database } from '../../platform/database.ts';
import { messageOf } from '../../platform/database-errors.ts';
import { freeClaims } from '../claim/claim-domains.ts';
import { retireWorkerId, useWorkerId } from '../claim/worker-identity.ts';
import type { EngineEvents } from '../events.ts';
import { isReplaced, Registry } from '../fleet/registry.ts';
import { STANDING_RUN } from '../run/standing-run.ts';
import { Signal } from '../signal.ts';
import type { ParseWorker } from './parse-worker.ts';

const ROUND_MS = 1000;
const HEARTBEAT_ROUNDS = 30;

export interface FleetParserParts {
  readonly db: Database;
  readonly workerId: string;
  readonly parser: ParseWorker;
  readonly events: EngineEvents;
  readonly isInFleet: boolean;
  /** Ends when nothing is left to parse. */
  readonly untilIdle: boolean;
}

export class FleetParser {
  readonly #parts: FleetParserParts;
  readonly #registry: Registry | undefined;
  readonly #change = new Signal();
  #isStopping = false;

  constructor(parts: FleetParserParts) {
    const { db, workerId: id, isInFleet } = parts;
    this.#parts = parts;
    if (isInFleet) {
      this.#registry = new Registry(db, { id, kind: 'worker', runId: STANDING_RUN, duties: ['parse'] });
    }
  }

  stop(): void {
    this.#isStopping = true;
    this.#parts.parser.stop();
    this.#change.raise();
  }

  async run(): Promise<'stopped' | 'idle'> {
    const { db, workerId, parser, events } = this.#parts;
    useWorkerId(workerId);
    try {
      await this.#registry?.enter();
      events.emit('worker:started', {});
      // What an earlier life under this name held, when it was not only parsing.
      await freeClaims(db, [workerId]);
      const work = parser.run();
      try {
        return await this.#keepUp();
      } finally {
        parser.stop();
        await work;
      }
    } finally {
      await this.#registry?.leave();
      retireWorkerId(workerId);
    }
  }

  /** Until it is stopped, or out of work where that is its end; throws when another goes by its name. */
  async #keepUp(): Promise<'stopped' | 'idle'> {
    for (let round = 0; !this.#isStopping; round += 1) {
      try {
        if (round % HEARTBEAT_ROUNDS === 0) await this.#beat();
        if (round > 0 && this.#parts.untilIdle && (await this.#parts.parser.isIdle())) return 'idle';
      } catch (error) {
        if (isReplaced(error)) throw error;
        // The database is away or has no room: it is asked again, as the parser does.
        this.#parts.events.emit('parser:failed', { message: messageOf(error), error });
      }
      await this.#change.wait(ROUND_MS);
    }
    return 'stopped';
  }

  async #beat(): Promise<void> {
    const inFlightCount = this.#parts.parser.tasksInHand;
    await this.#registry?.report({ state: 'running', domainsCount: 0, inFlightCount, wantedCount: 0 });
  }
}
