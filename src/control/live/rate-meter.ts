/** How fast it goes: the difference of what was counted between two looks. */
import type { LiveEvent } from '../../contract/live.ts';
import { monotonicMs, now } from '../../platform/clock.ts';
import { type Database, prepared } from '../../platform/database.ts';
import { loadSql } from '../../platform/sql-file.ts';
import type { Watch } from './watch.ts';

const readTotals = prepared('read-live-totals', loadSql(import.meta.url, './read-totals.sql'));

type RatesEvent = Extract<LiveEvent, { type: 'rates' }>;

interface Totals extends Pick<RatesEvent, 'pages' | 'fetches' | 'errors' | 'bytes' | 'workers' | 'inFlight'> {
  readonly urls: number;
  readonly frontier: number | null;
}

interface Reading {
  readonly totals: Totals;
  readonly atMs: number;
}

const NOTHING: Totals = {
  ...{ pages: 0, fetches: 0, errors: 0, bytes: 0, urls: 0 },
  ...{ frontier: null, workers: 0, inFlight: 0 },
};

export class RateMeter implements Watch {
  readonly #db: Database;
  #before: Reading = { totals: NOTHING, atMs: 0 };

  constructor(db: Database) {
    this.#db = db;
  }

  async begin(): Promise<void> {
    this.#before = await this.#read();
  }

  async look(): Promise<RatesEvent[]> {
    const { totals: before, atMs } = this.#before;
    this.#before = await this.#read();
    const { totals } = this.#before;
    const seconds = Math.max(0.001, (this.#before.atMs - atMs) / 1000);
    // Figures that were thrown away make no negative rate.
    const rate = (total: number, earlier: number): number => Math.max(0, total - earlier) / seconds;
    const { urls, frontier, ...counts } = totals;
    return [
      {
        ...{ type: 'rates', at: now().toISOString(), seconds },
        pagesPerSecond: rate(counts.pages, before.pages),
        fetchesPerSecond: rate(counts.fetches, before.fetches),
        errorsPerSecond: rate(counts.errors, before.errors),
        bytesPerSecond: rate(counts.bytes, before.bytes),
        urlsPerSecond: rate(urls, before.urls),
        ...counts,
        frontier: frontier === null ? null : Math.round(frontier),
      },
    ];
  }

  async #read(): Promise<Reading> {
    const { rows } = await this.#db.query<Totals>(readTotals);
    return { totals: rows[0] ?? NOTHING, atMs: monotonicMs() };
  }
}
