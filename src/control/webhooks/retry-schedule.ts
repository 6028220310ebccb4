/** When a message that was not taken is sent again: the example of Standard Webhooks, over about three days. */
const SECOND_MS = 1000;
const MINUTE_MS = 60 * SECOND_MS;
const HOUR_MS = 60 * MINUTE_MS;

export const RETRY_DELAYS_MS: readonly number[] = [
  ...[5 * SECOND_MS, 5 * MINUTE_MS, 30 * MINUTE_MS, 2 * HOUR_MS, 5 * HOUR_MS],
  ...[10 * HOUR_MS, 14 * HOUR_MS, 20 * HOUR_MS, 24 * HOUR_MS],
];
/** Up to that much longer, so that what failed together does not come back together. */
const JITTER = 0.2;

/** After so many attempts, counted from 1; undefined: that was the last. */
export function nextDelayMs(
  attempts: number,
  askedMs: number | undefined,
  random: () => number = Math.random,
): number | undefined {
  const delayMs = RETRY_DELAYS_MS[attempts - 1];
  if (delayMs === undefined) return undefined;
  return Math.round(Math.max(delayMs * (1 + JITTER * random()), askedMs ?? 0));
}
