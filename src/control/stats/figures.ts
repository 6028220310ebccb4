/**
 * How the crawl goes, for whoever asks: read from the database at most once a second, and only when somebody asks. A
 * thousand who ask at once wait for one question.
 */
import { monotonicMs, now } from '../../platform/clock.ts';
import { type Database, prepared } from '../../platform/database.ts';
import { loadSql } from '../../platform/sql-file.ts';
import { CensusKeeper } from './census.ts';
import { describeStats, type Stats } from './describe-stats.ts';
import { RateWindow } from './rate-window.ts';

const readFigures = prepared('read-figures', loadSql(import.meta.url, './read-figures.sql'));
const readActivity = prepared('read-activity', loadSql(import.meta.url, './read-activity.sql'));

const FRESH_MS = 1000;

export interface TallyRow {
  readonly tally: string;
  readonly total: number;
  readonly thisMinute: number;
  readonly lastMinute: number;
}

export interface Activity {
  readonly workers: number;
  readonly inFlight: number;
  readonly warnings: number;
  readonly criticals: number;
  readonly secondsIntoMinute: number;
}

export interface FigureParts {
  readonly db: Database;
  /** For the census, which may take its time. */
  readonly slowDb: Database;
}

export interface Snapshot {
  readonly stats: Stats;
  /** The same as JSON: written once, sent as often as it is asked for. */
  readonly json: string;
}

export class Figures {
  readonly #db: Database;
  readonly #census: CensusKeeper;
  readonly #rates = new RateWindow();
  #last: Snapshot | undefined;
  #readAtMs = Number.NEGATIVE_INFINITY;
  #reading: Promise<Snapshot> | undefined;

  constructor({ db, slowDb }: FigureParts) {
    this.#db = db;
    this.#census = new CensusKeeper(slowDb);
  }

  /** Not older than a second. */
  async read(): Promise<Snapshot> {
    if (this.#last !== undefined && monotonicMs() - this.#readAtMs < FRESH_MS) return this.#last;
    this.#reading ??= this.#ask().finally(() => {
      this.#reading = undefined;
    });
    return this.#reading;
  }

  async #ask(): Promise<Snapshot> {
    const startedMs = monotonicMs();
    const asOf = now();
    const [tallies, activity, census] = await Promise.all([
      this.#db.query<TallyRow>(readFigures),
      this.#db.query<Activity>(readActivity),
      this.#census.read(),
    ]);
    const [active] = activity.rows;
    if (active === undefined) throw new Error('the database did not say who is at work');
    const stats = describeStats({ asOf, atMs: startedMs }, tallies.rows, active, census, this.#rates);
    this.#last = { stats, json: JSON.stringify(stats) };
    this.#readAtMs = startedMs;
    return this.#last;
  }
}
