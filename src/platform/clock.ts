/** The one place that reads the clock, so that everything else can be given another one. */

export function now(): Date {
  return new Date();
}

/** Monotonic milliseconds: for intervals and pacing, immune to the wall clock being set. */
export function monotonicMs(): number {
  return performance.now();
}
