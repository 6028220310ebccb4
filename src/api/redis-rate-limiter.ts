/**
 * Counts requests in Redis, for all processes together. Redis is a help, not a need: when it is away, slow or refuses,
 * this process counts by itself at once, and goes back to Redis as soon as that answers again. What Redis lets through
 * is counted here as well, so that its going away gives nobody a fresh start.
 */
import { readFileSync } from 'node:fs';
import { createMemoryRateLimiter } from './memory-rate-limiter.ts';
import type { RateLimiter, RateRule, RateVerdict } from './rate-limiter.ts';
import { openRedisLink, type RedisLink } from './redis-link.ts';

/** Beside the program, also when built. */
const script = readFileSync(new URL('./take-requests.lua', import.meta.url), 'utf8');

/** How long a request waits for Redis at most, and how long Redis is then left alone. */
const PATIENCE_MS = 100;
const PAUSE_MS = 1000;

export function createRedisRateLimiter(url: string, patienceMs = PATIENCE_MS): RateLimiter {
  const memory = createMemoryRateLimiter();
  let link: RedisLink | undefined;
  let isClosed = false;
  let pause: NodeJS.Timeout | undefined;
  let opening: Promise<void> = Promise.resolve();

  const open = async (): Promise<void> => {
    try {
      const fresh = await openRedisLink(url, script, patienceMs, drop);
      if (isClosed) fresh.close();
      else link = fresh;
    } catch {
      openLater();
    }
  };
  const openLater = (): void => {
    if (isClosed || pause !== undefined) return;
    pause = setTimeout(() => {
      pause = undefined;
      opening = open();
    }, PAUSE_MS);
    pause.unref();
  };
  /** The link is no good any more. */
  const drop = (): void => {
    if (link === undefined) return;
    link.close();
    link = undefined;
    openLater();
  };
  opening = open();

  return {
    take: async (owner, rules) => {
      const asked = link;
      if (asked === undefined) return memory.takeNow(owner, rules);
      try {
        const verdict = readVerdict(await asked.run(keysOf(owner, rules), argumentsOf(rules)), rules);
        if (verdict.isAllowed) memory.takeNow(owner, rules);
        return verdict;
      } catch {
        if (asked === link) drop();
        return memory.takeNow(owner, rules);
      }
    },
    get place() {
      return link === undefined ? 'redis-away' : 'redis';
    },
    close: async () => {
      isClosed = true;
      clearTimeout(pause);
      await opening;
      link?.close();
      link = undefined;
      await memory.close();
    },
  };
}

/** All keys of an owner lie together where Redis is spread over several machines. */
function keysOf(owner: string, rules: readonly RateRule[]): string[] {
  return rules.map((rule) => `forager:rate:{${owner}}:${rule.name}`);
}

function argumentsOf(rules: readonly RateRule[]): string[] {
  return rules.flatMap((rule) => [String(rule.limit), String(rule.windowSeconds * 1_000_000)]);
}

function readVerdict(answer: readonly number[], rules: readonly RateRule[]): RateVerdict {
  const standings = rules.map((rule, index) => {
    const count = answer[2 * index + 1];
    const waitMicroseconds = answer[2 * index + 2];
    if (count === undefined || waitMicroseconds === undefined) throw new Error('Redis answered too little.');
    return {
      rule,
      remaining: Math.max(0, rule.limit - count),
      resetSeconds: Math.max(0, Math.ceil(waitMicroseconds / 1_000_000)),
    };
  });
  return { isAllowed: answer[0] === 1, standings };
}
