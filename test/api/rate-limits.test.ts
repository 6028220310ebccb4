import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createMemoryRateLimiter } from '../../src/api/memory-rate-limiter.ts';
import { type RateLimiter, type RateRule, waitSecondsOf } from '../../src/api/rate-limiter.ts';
import { createRedisRateLimiter } from '../../src/api/redis-rate-limiter.ts';
import { type ApiClient, startTestServer, type TestServer } from '../support/api.ts';
import { startTestRedis, type TestRedis } from '../support/redis.ts';

const FIVE: RateRule = { name: 'five', limit: 5, windowSeconds: 60 };
const TWO: RateRule = { name: 'two', limit: 2, windowSeconds: 600 };

interface Bench {
  readonly limiter: RateLimiter;
  /** Lets time go by. */
  pass(seconds: number): Promise<void>;
}

async function benchInMemory(): Promise<Bench> {
  let nowMs = 1_000_000;
  return {
    limiter: createMemoryRateLimiter(() => nowMs),
    pass: async (seconds) => {
      nowMs += seconds * 1000;
    },
  };
}

/** Redis has a clock of its own: instead of moving it, all that is written down is made older. */
const MAKE_OLDER = `
for _, key in ipairs(redis.call('KEYS', 'forager:rate:*')) do
  for i, moment in ipairs(redis.call('LRANGE', key, 0, -1)) do
    redis.call('LSET', key, i - 1, string.format('%.0f', tonumber(moment) - tonumber(ARGV[1]) * 1000000))
  end
end
return 0`;

/** Where it is about what Redis answers, a slow machine is no reason to do without. */
const PATIENCE_MS = 10_000;

async function benchInRedis(): Promise<Bench> {
  const redis = await startTestRedis();
  const limiter = createRedisRateLimiter(redis.url, PATIENCE_MS);
  await untilPlace(limiter, 'redis');
  return {
    limiter,
    pass: (seconds) => redis.ask('EVAL', MAKE_OLDER, '0', String(seconds)),
  };
}

async function untilPlace(limiter: RateLimiter, place: RateLimiter['place']): Promise<void> {
  await expect.poll(() => limiter.place, { timeout: 20_000, interval: 20 }).toBe(place);
}

async function takeMany(limiter: RateLimiter, owner: string, rules: RateRule[], times: number) {
  const verdicts = [];
  for (let count = 0; count < times; count += 1) verdicts.push(await limiter.take(owner, rules));
  return verdicts;
}

describe.each([
  ['in this process', benchInMemory],
  ['in Redis', benchInRedis],
])('requests counted %s', (_where, makeBench) => {
  test('as many as the limit are let through, and one more is not', async () => {
    const { limiter } = await makeBench();
    const verdicts = await takeMany(limiter, 'a', [FIVE], 6);
    expect(verdicts.map(({ isAllowed }) => isAllowed)).toEqual([true, true, true, true, true, false]);
    expect(verdicts.map(({ standings }) => standings[0]?.remaining)).toEqual([4, 3, 2, 1, 0, 0]);
    await limiter.close();
  });

  test('one owner does not use up what another has', async () => {
    const { limiter } = await makeBench();
    await takeMany(limiter, 'a', [FIVE], 6);
    expect((await limiter.take('b', [FIVE])).isAllowed).toBe(true);
    await limiter.close();
  });

  test('room comes back one by one as requests leave the window, not all at once', async () => {
    const { limiter, pass } = await makeBench();
    await takeMany(limiter, 'a', [FIVE], 2);
    await pass(30);
    await takeMany(limiter, 'a', [FIVE], 3);
    expect((await limiter.take('a', [FIVE])).isAllowed).toBe(false);
    await pass(30);
    const after = await takeMany(limiter, 'a', [FIVE], 3);
    expect(after.map(({ isAllowed }) => isAllowed)).toEqual([true, true, false]);
    await limiter.close();
  });

  test('whoever waits as long as told is let through, however often they were refused before', async () => {
    const { limiter, pass } = await makeBench();
    await takeMany(limiter, 'a', [FIVE], 5);
    const refused = (await takeMany(limiter, 'a', [FIVE], 20)).at(-1);
    if (refused === undefined) throw new Error('nothing was taken');
    expect(refused.isAllowed).toBe(false);
    const wait = waitSecondsOf(refused);
    expect(wait).toBeGreaterThan(50);
    expect(wait).toBeLessThanOrEqual(60);
    await pass(wait - 10);
    expect((await limiter.take('a', [FIVE])).isAllowed).toBe(false);
    await pass(10);
    expect((await limiter.take('a', [FIVE])).isAllowed).toBe(true);
    await limiter.close();
  });

  test('of several rules the request is taken under all or under none', async () => {
    const { limiter, pass } = await makeBench();
    await takeMany(limiter, 'a', [FIVE, TWO], 2);
    const refused = await limiter.take('a', [FIVE, TWO]);
    expect(refused.isAllowed).toBe(false);
    expect(refused.standings.map(({ remaining }) => remaining)).toEqual([3, 0]);
    expect(waitSecondsOf(refused)).toBeGreaterThan(500);
    // The other rule has lost nothing by it.
    expect((await limiter.take('a', [FIVE])).standings[0]?.remaining).toBe(2);
    await pass(60);
    expect((await limiter.take('a', [FIVE])).standings[0]?.remaining).toBe(4);
    expect((await limiter.take('a', [TWO])).isAllowed).toBe(false);
    await limiter.close();
  });

  test('of requests that come at the same moment no more than the limit are let through', async () => {
    const { limiter } = await makeBench();
    const verdicts = await Promise.all(Array.from({ length: 50 }, () => limiter.take('a', [FIVE])));
    expect(verdicts.filter(({ isAllowed }) => isAllowed)).toHaveLength(5);
    await limiter.close();
  });

  test('a limit that was lowered holds for what was let through before', async () => {
    const { limiter, pass } = await makeBench();
    await takeMany(limiter, 'a', [FIVE], 4);
    await pass(20);
    const lowered = { ...FIVE, limit: 1 };
    const refused = await limiter.take('a', [lowered]);
    expect(refused.isAllowed).toBe(false);
    await pass(waitSecondsOf(refused));
    expect((await limiter.take('a', [lowered])).isAllowed).toBe(true);
    await limiter.close();
  });
});

describe('what is remembered in this process', () => {
  test('owners are forgotten when their last request has left the window', async () => {
    let nowMs = 0;
    const limiter = createMemoryRateLimiter(() => nowMs);
    for (let owner = 0; owner < 1000; owner += 1) limiter.takeNow(`owner ${owner}`, [FIVE]);
    expect(limiter.size).toBe(1000);
    nowMs = 60_000;
    limiter.takeNow('another', [FIVE]);
    expect(limiter.size).toBe(1);
  });

  test('a flood of owners pushes out the longest silent, and never fills the memory', async () => {
    let nowMs = 0;
    const limiter = createMemoryRateLimiter(() => nowMs, 100);
    for (let count = 0; count < 5; count += 1) limiter.takeNow('steady', [FIVE]);
    for (let owner = 0; owner < 10_000; owner += 1) {
      nowMs += 1;
      limiter.takeNow(`owner ${owner}`, [FIVE]);
      expect(limiter.size).toBeLessThanOrEqual(100);
    }
    expect(limiter.takeNow('owner 9999', [FIVE]).standings[0]?.remaining).toBe(3);
  });

  test('a large limit holds exactly, also after the ring has grown and turned over', async () => {
    let nowMs = 0;
    const limiter = createMemoryRateLimiter(() => nowMs);
    const rule = { name: 'large', limit: 500, windowSeconds: 60 };
    const moments: number[] = [];
    for (let step = 0; step < 20_000; step += 1) {
      nowMs += (step * 7919) % 250;
      const isAllowed = moments.filter((moment) => moment > nowMs - 60_000).length < 500;
      expect(limiter.takeNow('a', [rule]).isAllowed).toBe(isAllowed);
      if (isAllowed) moments.push(nowMs);
      if (moments.length > 600) moments.shift();
    }
  });
});

describe('when Redis is not there', () => {
  test('the process counts by itself from the first request on, and by Redis as soon as there is one', async () => {
    const redis = await startTestRedis();
    const port = Number(new URL(redis.url).port);
    await redis.stop();
    const limiter = createRedisRateLimiter(redis.url);
    const verdicts = await takeMany(limiter, 'a', [FIVE], 6);
    expect(verdicts.map(({ isAllowed }) => isAllowed)).toEqual([true, true, true, true, true, false]);
    expect(limiter.place).toBe('redis-away');
    const again = await startTestRedis({ port });
    await untilPlace(limiter, 'redis');
    await limiter.take('a', [FIVE]);
    expect(await again.ask('LLEN', 'forager:rate:{a}:five')).toBe(1);
    await limiter.close();
  });

  test('its death gives nobody a fresh start: what it let through here is known here', async () => {
    const redis = await startTestRedis();
    const limiter = createRedisRateLimiter(redis.url);
    await untilPlace(limiter, 'redis');
    await takeMany(limiter, 'a', [FIVE], 4);
    await redis.stop();
    const verdicts = await takeMany(limiter, 'a', [FIVE], 2);
    expect(verdicts.map(({ isAllowed }) => isAllowed)).toEqual([true, false]);
    await limiter.close();
  });

  test('one that has fallen silent is not waited for, and is used again when it speaks again', async () => {
    const redis = await startTestRedis();
    const limiter = createRedisRateLimiter(redis.url);
    await untilPlace(limiter, 'redis');
    redis.process.kill('SIGSTOP');
    const verdicts = await Promise.all(Array.from({ length: 50 }, () => limiter.take('a', [FIVE])));
    expect(verdicts.filter(({ isAllowed }) => isAllowed)).toHaveLength(5);
    expect(limiter.place).toBe('redis-away');
    redis.process.kill('SIGCONT');
    await untilPlace(limiter, 'redis');
    await limiter.close();
  });

  test('one that has lost the script is given it again', async () => {
    const redis = await startTestRedis();
    const limiter = createRedisRateLimiter(redis.url);
    await untilPlace(limiter, 'redis');
    await redis.ask('SCRIPT', 'FLUSH');
    expect((await limiter.take('a', [FIVE])).isAllowed).toBe(true);
    await untilPlace(limiter, 'redis');
    expect((await limiter.take('a', [FIVE])).isAllowed).toBe(true);
    await limiter.close();
  });

  test('one that wants a password we do not have is as good as away', async () => {
    const redis = await startTestRedis({ password: 'secret' });
    const url = new URL(redis.url);
    url.password = 'wrong';
    const limiter = createRedisRateLimiter(url.href);
    const verdicts = await takeMany(limiter, 'a', [FIVE], 6);
    expect(verdicts.filter(({ isAllowed }) => isAllowed)).toHaveLength(5);
    await limiter.close();
  });
});

test('processes that share a Redis share the limit, and what they write there goes away by itself', async () => {
  const redis: TestRedis = await startTestRedis();
  const limiters = [redis.url, redis.url].map((url) => createRedisRateLimiter(url, PATIENCE_MS));
  for (const limiter of limiters) await untilPlace(limiter, 'redis');
  const verdicts = await Promise.all(
    Array.from({ length: 40 }, (_, index) => limiters[index % 2]?.take('a', [FIVE])),
  );
  expect(verdicts.filter((verdict) => verdict?.isAllowed)).toHaveLength(5);
  const left = await redis.ask<number>('PTTL', 'forager:rate:{a}:five');
  expect(left).toBeGreaterThan(0);
  expect(left).toBeLessThanOrEqual(60_000);
  for (const limiter of limiters) await limiter.close();
});

describe('limits of the server', () => {
  let server: TestServer;
  beforeAll(async () => {
    server = await startTestServer({ rateAnonymous: 3, rateUser: 4, rateAdmin: 6, rateBot: 5, rateSeed: 2 });
  });
  afterAll(() => server.close());

  async function statusesOf(client: ApiClient, path: string, times: number): Promise<number[]> {
    const statuses: number[] = [];
    for (let count = 0; count < times; count += 1) statuses.push((await client.get(path)).status);
    return statuses;
  }

  test.each([
    ['user', 4],
    ['admin', 6],
  ] as const)('a %s has as many requests as the role', async (role, limit) => {
    const client = await server.as(role);
    const statuses = await statusesOf(client, '/api/domains', limit + 1);
    expect(statuses).toEqual([...Array.from({ length: limit }, () => 200), 429]);
  });

  test('adding seeds is counted besides, and what it refuses is not taken from the rest', async () => {
    const client = await server.as('admin');
    const seed = () => client.post('/api/frontier/seed', { urls: ['https://one.example/'] });
    const first = await seed();
    expect(first.headers.get('ratelimit-policy')).toBe('"admin";q=6;w=60, "seed";q=2;w=60');
    expect(first.headers.get('ratelimit')).toMatch(/^"admin";r=5;t=\d+, "seed";r=1;t=\d+$/);
    expect(first.headers.get('ratelimit-limit')).toBe('2');
    await seed();
    const refused = await seed();
    expect([refused.status, refused.problem?.code]).toEqual([429, 'rate-limited']);
    expect(refused.problem?.detail).toContain('"seed"');
    expect((await client.get('/api/domains')).headers.get('ratelimit-remaining')).toBe('3');
  });

  test('adding URLs that are no seeds is counted like anything else', async () => {
    const client = await server.as('admin');
    const { headers } = await client.post('/api/frontier/add', { urls: ['https://one.example/'] });
    expect(headers.get('ratelimit-policy')).toBe('"admin";q=6;w=60');
  });

  test('probes are not counted, and neither is what the page of the documentation needs', async () => {
    for (const path of ['/health', '/metrics', '/api/docs/docs.css', '/', '/favicon.ico']) {
      for (let count = 0; count < 5; count += 1) {
        const { status, headers } = await server.client().get(path);
        expect([status < 400, headers.get('ratelimit')]).toEqual([true, null]);
      }
    }
  });

  test('every counted answer says how many are left, in the new way and in the old', async () => {
    const client = await server.as('user');
    const { headers } = await client.get('/api/domains');
    expect(headers.get('ratelimit-policy')).toBe('"user";q=4;w=60');
    expect(headers.get('ratelimit')).toMatch(/^"user";r=3;t=(?:60|5\d)$/);
    expect(headers.get('ratelimit-limit')).toBe('4');
    expect(headers.get('ratelimit-remaining')).toBe('3');
    expect(headers.get('ratelimit-reset')).toMatch(/^(?:60|5\d)$/);
    // A refusal of another kind, and what is not there, are counted just the same.
    expect((await client.get('/api/nothing-here')).headers.get('ratelimit-remaining')).toBe('2');
    expect((await client.get('/api/domains', { no: 'such field' })).headers.get('ratelimit-remaining')).toBe(
      '1',
    );
  });

  test('a refusal says when to come again, as a problem', async () => {
    const client = await server.as('user');
    await statusesOf(client, '/api/domains', 4);
    const { status, headers, problem } = await client.get('/api/domains');
    expect(status).toBe(429);
    expect(problem).toMatchObject({ code: 'rate-limited', status: 429 });
    expect(Number(headers.get('retry-after'))).toBeGreaterThanOrEqual(1);
    expect(Number(headers.get('retry-after'))).toBeLessThanOrEqual(60);
    expect(headers.get('ratelimit-remaining')).toBe('0');
  });

  test('a wrong key, a wrong path and no key at all are the same address', async () => {
    const fresh = await startTestServer({ rateAnonymous: 3 });
    try {
      const wrong = fresh.client({ authorization: `Bearer fgr_${'x'.repeat(43)}` });
      expect((await wrong.get('/api/domains')).problem?.code).toBe('bad-key');
      expect((await fresh.client().get('/api/domains')).problem?.code).toBe('not-logged-in');
      expect((await fresh.client().get('/nothing/here')).problem?.code).toBe('unknown-route');
      expect((await wrong.get('/api/domains')).problem?.code).toBe('rate-limited');
      expect((await fresh.client().get('/%zz')).problem?.code).toBe('rate-limited');
      const account = await fresh.as('user');
      expect((await account.get('/api/domains')).status).toBe(200);
    } finally {
      await fresh.close();
    }
  });
});
