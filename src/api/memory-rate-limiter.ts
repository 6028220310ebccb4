/**
 * Counts requests in this process. Of each owner the moments of the requests of the last window are kept, so that the
 * limit holds exactly. Owners are kept in the order of their last request: those at the front are forgotten as soon
 * as their last request has left the window, and earlier only when a flood of owners would fill the memory.
 */
import { monotonicMs } from '../platform/clock.ts';
import { MomentRing } from './moment-ring.ts';
import type { RateLimiter, RateRule, RateVerdict } from './rate-limiter.ts';

const MOST_OWNERS = 100_000;

export interface MemoryRateLimiter extends RateLimiter {
  takeNow(owner: string, rules: readonly RateRule[]): RateVerdict;
  /** How it would go, without taking anything. */
  peekNow(owner: string, rules: readonly RateRule[]): RateVerdict;
  /** How many owners are remembered, under all rules. */
  readonly size: number;
}

export function createMemoryRateLimiter(
  readMs: () => number = monotonicMs,
  mostOwners = MOST_OWNERS,
): MemoryRateLimiter {
  const rings = new Map<string, MomentRing>();

  const forgetIdle = (nowMs: number): void => {
    for (const [key, ring] of rings) {
      if (rings.size <= mostOwners && !ring.isIdle(nowMs)) return;
      rings.delete(key);
    }
  };
  const weigh = (owner: string, rules: readonly RateRule[], isTaken: boolean): RateVerdict => {
    const nowMs = readMs();
    const counted = rules.map((rule) => {
      const key = `${rule.name} ${owner}`;
      const ring = rings.get(key) ?? new MomentRing(rule.windowSeconds * 1000);
      ring.forgetBefore(nowMs);
      return { rule, key, ring };
    });
    const isAllowed = counted.every(({ rule, ring }) => ring.count < rule.limit);
    const standings = counted.map(({ rule, key, ring }) => {
      if (isAllowed && isTaken) {
        ring.add(nowMs);
        // To the end of the line.
        rings.delete(key);
        rings.set(key, ring);
      }
      return {
        rule,
        remaining: Math.max(0, rule.limit - ring.count),
        resetSeconds: Math.ceil(ring.waitMs(nowMs, rule.limit) / 1000),
      };
    });
    forgetIdle(nowMs);
    return { isAllowed, standings };
  };
  const takeNow = (owner: string, rules: readonly RateRule[]): RateVerdict => weigh(owner, rules, true);
  return {
    takeNow,
    peekNow: (owner, rules) => weigh(owner, rules, false),
    place: 'process',
    take: async (owner, rules) => takeNow(owner, rules),
    close: async () => rings.clear(),
    get size() {
      return rings.size;
    },
  };
}
