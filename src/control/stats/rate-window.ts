/** Rates over the last few seconds, from totals that were read in between. */
export const RATED = ['pages', 'fetches', 'errors', 'bytes', 'urls'] as const;
export type Rated = (typeof RATED)[number];
export type Amounts = Readonly<Record<Rated, number>>;

export interface Rates {
  readonly perSecond: Amounts;
  /** Over how many seconds. */
  readonly seconds: number;
}

interface Reading {
  readonly atMs: number;
  readonly totals: Amounts;
}

/** A commit comes every few hundred milliseconds: over less than this a rate says little. */
const SHORTEST_MS = 2000;
const WANTED_MS = 5000;
/** What was read longer ago says nothing about now. */
const LONGEST_MS = 15_000;

export class RateWindow {
  #readings: Reading[] = [];

  /** The rate since a reading of a few seconds ago; undefined when there is none. */
  add(atMs: number, totals: Amounts): Rates | undefined {
    this.#readings = this.#readings.filter((reading) => atMs - reading.atMs <= LONGEST_MS);
    const since =
      this.#readings.findLast((reading) => atMs - reading.atMs >= WANTED_MS) ??
      this.#readings.find((reading) => atMs - reading.atMs >= SHORTEST_MS);
    this.#readings.push({ atMs, totals });
    if (since === undefined) return undefined;
    const seconds = (atMs - since.atMs) / 1000;
    // Totals that went back belong to another database; a rate is never negative.
    return { seconds, perSecond: each((name) => Math.max(0, totals[name] - since.totals[name]) / seconds) };
  }
}

export function each(amount: (name: Rated) => number): Amounts {
  return Object.fromEntries(RATED.map((name) => [name, amount(name)])) as Record<Rated, number>;
}
