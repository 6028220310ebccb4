/**
 * A parser: takes tasks whose bodies were kept (`queued_parse`), parses them and writes down what they say, without a
 * word to their sites. Any number of them work side by side; bodies are read one after another, so that the largest of
 * them, not the length of a lot, says how much memory it takes.
 *
 * It needs no lease: a task is in its hands for a while, which it prolongs, and what it writes is fenced by that.
 */
import { monotonicMs } from '../../platform/clock.ts';
import type { Database } from '../../platform/database.ts';
import { messageOf } from '../../platform/database-errors.ts';
import { errorCode, PlatformError } from '../../platform/errors.ts';
import type { CrawlSettings } from '../crawl-settings.ts';
import type { EngineEvents } from '../events.ts';
import type { ParserRegistry } from '../extract/registry.ts';
import type { Scope } from '../frontier/scope.ts';
import { Signal } from '../signal.ts';
import { commitReadings, type WrittenReadings } from './commit-readings.ts';
import { type LotReader, openLotReader } from './page-reader.ts';
import { ParseQueue } from './parse-queue.ts';
import type { ParseLot, ParseTask } from './parse-task.ts';
import { readStoredPage } from './read-stored-page.ts';
import { failedReading, type Reading } from './reading.ts';

const MOST_TASKS = 50;
/** What is read is written this often, also in the middle of a lot, or when it has found so many links. */
const PORTION_MS = 1000;
const PORTION_LINKS = 5000;
const LONGEST_LOCK_MS = 60_000;
/** With nothing to do it looks for work, ever less often. */
const SHORTEST_IDLE_MS = 1000;
const LONGEST_IDLE_MS = 5000;
const LONGEST_PAUSE_MS = 30_000;

export interface ParseWorkerParts {
  readonly db: Database;
  readonly workerId: string;
  readonly settings: CrawlSettings;
  readonly warcDirectory: string;
  /** Undefined: pages are not looked at for products. */
  readonly parsers?: ParserRegistry | undefined;
  readonly scopeOf: (task: ParseTask) => Scope;
  readonly events: EngineEvents;
}

export class ParseWorker {
  readonly #parts: ParseWorkerParts;
  readonly #queue: ParseQueue;
  readonly #lockMs: number;
  readonly #change = new Signal();
  #isStopping = false;
  #isBusy = false;
  #tasksInHand = 0;

  constructor(parts: ParseWorkerParts) {
    this.#parts = parts;
    this.#lockMs = Math.min(LONGEST_LOCK_MS, parts.settings.leaseMs);
    this.#queue = new ParseQueue(parts.db, parts.workerId, this.#lockMs);
  }

  get tasksInHand(): number {
    return this.#tasksInHand;
  }

  /** There is something to parse. */
  wake(): 'taken' | 'later' {
    this.#change.raise();
    return this.#isStopping ? 'later' : 'taken';
  }

  /** Finishes the page in hand, writes what is read, and gives back what it has not begun. */
  stop(): void {
    this.#isStopping = true;
    this.#change.raise();
  }

  /** Nothing in its hands, and nothing to be taken. */
  async isIdle(): Promise<boolean> {
    if (await this.#queue.hasWork()) return false;
    // Asked last: what is not in the queue any more may be in its hands.
    return !this.#isBusy;
  }

  /** Until it is stopped. Whatever goes wrong, it goes on: after a pause, ever longer while it keeps going wrong. */
  async run(): Promise<void> {
    let idleMs = SHORTEST_IDLE_MS;
    let pauseMs = SHORTEST_IDLE_MS;
    let isNew = true;
    while (!this.#isStopping) {
      try {
        if (isNew) await this.#queue.forgetEarlierLives();
        isNew = false;
        const hasWorked = await this.#workOnce();
        idleMs = hasWorked ? SHORTEST_IDLE_MS : Math.min(LONGEST_IDLE_MS, idleMs * 1.5);
        pauseMs = SHORTEST_IDLE_MS;
        if (!hasWorked && !this.#isStopping) await this.#change.wait(idleMs);
      } catch (error) {
        this.#parts.events.emit('parser:failed', { message: messageOf(error), error });
        if (!this.#isStopping) await this.#change.wait(pauseMs);
        pauseMs = Math.min(LONGEST_PAUSE_MS, pauseMs * 2);
      }
    }
  }

  async #workOnce(): Promise<boolean> {
    if (!(await this.#queue.hasWork())) return false;
    this.#isBusy = true;
    try {
      const lot = await this.#queue.take(MOST_TASKS);
      this.#tasksInHand = lot.tasks.length;
      if (lot.tasks.length > 0) await this.#work(lot);
      return lot.tasks.length > 0;
    } finally {
      this.#tasksInHand = 0;
      this.#isBusy = false;
    }
  }

  async #work(lot: ParseLot): Promise<void> {
    const open = [...lot.tasks];
    try {
      const reader = await openLotReader(this.#parts, lot.tasks);
      while (open.length > 0 && !this.#isStopping) {
        const readings = await this.#readPortion(open, reader);
        // Those that wait for the next portion are kept, too.
        const heldIds = await this.#queue.renew(lot, [...readings.map(({ task }) => task), ...open]);
        await this.#write(lot, readings, heldIds, reader);
      }
      await this.#queue.giveBack(lot, open);
    } catch (error) {
      // Also what is read and not written: it is simply still to be done. If nobody hears, its time runs out.
      await this.#queue.giveBack(lot, lot.tasks).catch(() => undefined);
      throw error;
    }
  }

  /** Takes from the beginning of the open ones what can be read in a moment. */
  async #readPortion(open: ParseTask[], reader: LotReader): Promise<Reading[]> {
    const readings: Reading[] = [];
    const untilMs = monotonicMs() + Math.min(PORTION_MS, this.#lockMs / 3);
    let links = 0;
    while (open.length > 0 && (readings.length === 0 || !this.#isStopping)) {
      const task = open.shift();
      if (task === undefined) break;
      const reading = await readStoredPage(task, reader);
      readings.push(reading);
      if (reading.kind === 'read') {
        links += reading.found.own.length;
        for (const candidates of reading.found.foreign.values()) links += candidates.length;
      }
      if (links >= PORTION_LINKS || monotonicMs() >= untilMs) break;
    }
    return readings;
  }

  /** One that cannot be written is found by writing each by itself: the others are not held up by it. */
  async #write(
    lot: ParseLot,
    readings: readonly Reading[],
    heldIds: ReadonlySet<number>,
    reader: LotReader,
  ): Promise<void> {
    const { db, workerId, settings } = this.#parts;
    const context = { ...{ db, workerId, settings, heldIds }, lotNumber: lot.number };
    const tallies = reader.takeTallies();
    try {
      this.#tell(await commitReadings(readings, { ...context, tallies }), reader);
    } catch (error) {
      if (!isOfContent(error)) throw error;
      for (const reading of readings) {
        const written = commitReadings([reading], { ...context, tallies: new Map() }).catch(
          (reason: unknown) => {
            if (!isOfContent(reason)) throw reason;
            return commitReadings([failedReading(reading.task, reason, false)], {
              ...context,
              tallies: new Map(),
            });
          },
        );
        this.#tell(await written, reader);
      }
    }
  }

  #tell({ knownTemplates, completed, retried, failed, lost }: WrittenReadings, reader: LotReader): void {
    for (const { domainId, template } of knownTemplates) reader.takeBackTemplate(domainId, template);
    this.#parts.events.emit('tasks:parsed', { completed, retried, failed, lost });
  }
}

/** What was to be written is at fault, or we are: not the database. */
function isOfContent(error: unknown): boolean {
  if (error instanceof PlatformError) return false;
  const code = errorCode(error);
  return code === undefined || !/^[0-9A-Z]{5}$/.test(code) || /^(?:22|23|54)/.test(code);
}
