/** How long to wait before the next attempt: twice as long each time, and not at the same moment as everybody else. */

export interface BackoffLimits {
  readonly firstMs: number;
  readonly mostMs: number;
}

/** Between half of it and all of it, so that those who lost the same server do not come back as one. */
export function backoffMs(attempt: number, { firstMs, mostMs }: BackoffLimits): number {
  const wholeMs = Math.min(mostMs, firstMs * 2 ** Math.min(attempt, 30));
  return wholeMs * (0.5 + Math.random() / 2);
}
