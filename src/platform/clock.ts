/** The one place that reads the clock, so that everything else can be given another one. */

let readMs: () => number = Date.now;

export function now(): Date {
  return new Date(readMs());
}

/** Puts another clock in the place of the machine's, for everything that is planned by date. */
export function useClock(read: () => number): void {
  readMs = read;
}

/** Monotonic milliseconds: for intervals and pacing, immune to the wall clock being set. */
export function monotonicMs(): number {
  return performance.now();
}
