/** Seeds out of a real Redis. */
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { drainQueue } from '../../src/engine/seeds/drain-queue.ts';
import { followQueue } from '../../src/engine/seeds/follow-queue.ts';
import { openRedisQueue, type RedisQueue } from '../../src/engine/seeds/redis-queue.ts';
import { SeedLoad } from '../../src/engine/seeds/seed-load.ts';
import { createTestDatabase, type TestDatabase } from '../support/postgres.ts';
import { startTestRedis, type TestRedis } from '../support/redis.ts';
import { type CliRun, runForager } from '../support/run-cli.ts';

let database: TestDatabase;
let redis: TestRedis;

beforeEach(async () => {
  database = await createTestDatabase();
  redis = await startTestRedis();
});

function seed(url: string, ...args: string[]): Promise<CliRun> {
  return runForager(['seed', ...args], { env: { DATABASE_URL: database.url, REDIS_URL: url } });
}

async function readRanks(): Promise<unknown[]> {
  const { rows } = await database.db.query<{ domain: string; seed_rank: number | null }>(
    'select domain, seed_rank from domains order by seed_rank nulls last, domain',
  );
  return rows.map(({ domain, seed_rank: rank }) => [domain, rank]);
}

const how = () => ({
  rules: { stripTrailingSlash: false, allowPrivate: false },
  origin: { source: 'redis:start_urls', maxPagesPerRun: undefined },
  signal: new AbortController().signal,
});

describe('forager seed --redis', () => {
  it('takes every member, its score as the rank, and leaves the set empty', async () => {
    await redis.ask(
      'ZADD',
      'start_urls',
      '2',
      'b.example',
      '1',
      'https://a.example/shop',
      '2.4',
      'c.example',
    );
    await redis.ask('ZADD', 'start_urls', '0', 'd.example', '+inf', 'e.example', '1e300', 'f.example');
    await redis.ask('ZADD', 'start_urls', '-inf', 'g.example', '0.1', 'h.example', '-7', 'i.example');
    const run = await seed(redis.url, '--redis', '--json');
    expect(run).toMatchObject({ code: 0, stderr: '' });
    expect(run.json()[0]).toMatchObject({ lines: 9, newDomains: 9, newUrls: 9, badLines: 0 });
    expect(await readRanks()).toEqual([
      ['a.example', 1],
      ['d.example', 1],
      ['h.example', 1],
      ['i.example', 1],
      ['b.example', 2],
      ['c.example', 2],
      ['e.example', null],
      ['f.example', null],
      ['g.example', null],
    ]);
    expect(await redis.ask('EXISTS', 'start_urls')).toBe(0);
    const { rows } = await database.db.query('select distinct source from domains');
    expect(rows).toEqual([{ source: 'redis:start_urls' }]);
  });

  it('goes through a set of many batches', async () => {
    const members = Array.from({ length: 2500 }, (_, n) => [String(n + 1), `s${n}.example`]);
    await redis.ask('ZADD', 'queue', ...members.flat());
    const run = await seed(redis.url, '--redis', 'queue', '--source', 'partner', '--json');
    expect(run.json()[0]).toMatchObject({ lines: 2500, newDomains: 2500 });
    expect(await redis.ask('ZCARD', 'queue')).toBe(0);
  });

  it('moves bad members aside, whatever bytes they are, and takes the others', async () => {
    const bytes = Buffer.from([0xff, 0xfe, 0x00, 0x80]);
    await redis.ask(
      'ZADD',
      'start_urls',
      '1',
      'co.uk',
      '2',
      bytes,
      '3',
      'a.example',
      '4',
      '',
      '5',
      '10.0.0.1',
    );
    const run = await seed(redis.url, '--redis');
    expect(run.code).toBe(1);
    expect(run.stderr).toContain('redis:start_urls: "co.uk" is not a URL that can be crawled');
    expect(run.stderr).not.toMatch(/\0/);
    expect(await readRanks()).toEqual([['a.example', 3]]);
    expect(await redis.ask('EXISTS', 'start_urls')).toBe(0);
    expect(await redis.ask('ZCARD', 'start_urls:bad')).toBe(4);
    expect(await redis.ask('ZSCORE', 'start_urls:bad', bytes)).toBe('2');
  });

  it('of an empty or missing set loads nothing, and that is no error', async () => {
    expect(await seed(redis.url, '--redis', 'nothing')).toMatchObject({ code: 0, stderr: '' });
  });

  it('refuses a key of another type and leaves it alone', async () => {
    await redis.ask('RPUSH', 'list', 'a.example');
    const run = await seed(redis.url, '--redis', 'list');
    expect(run.code).toBe(1);
    expect(run.stderr).toContain('The Redis key "list" holds a list, not a sorted set.');
    expect(run.stderr).toContain('ZADD');
    expect(await redis.ask('LLEN', 'list')).toBe(1);
  });

  it('says where Redis would be when it is away', async () => {
    await redis.stop();
    const run = await seed(redis.url, '--redis');
    expect(run.code).toBe(1);
    expect(run.stderr).toContain(
      `Redis at ${redis.url.slice('redis://'.length)} cannot be reached: ECONNREFUSED`,
    );
    expect(run.stderr).toContain('REDIS_URL');
  });

  it('never shows the password, right or wrong', async () => {
    const guarded = await startTestRedis({ password: 'very-secret' });
    const place = guarded.url.slice(guarded.url.indexOf('@') + 1);
    for (const url of [`redis://:very-wrong@${place}`, `redis://${place}`]) {
      const run = await seed(url, '--redis');
      expect(run.code).toBe(1);
      expect(run.stderr).toContain('does not accept the password');
      expect(run.stderr).not.toMatch(/very-/);
    }
    await guarded.ask('ZADD', 'start_urls', '1', 'a.example');
    const run = await seed(guarded.url, '--redis');
    expect(run.code).toBe(0);
    expect(run.stdout + run.stderr).not.toContain('very-secret');
    expect(
      (await runForager(['doctor', '--json'], { env: { REDIS_URL: guarded.url } })).stdout,
    ).not.toContain('very-secret');
  });

  it('needs REDIS_URL, and one that is a URL of Redis', async () => {
    const without = await runForager(['seed', '--redis'], { env: { REDIS_URL: '' } });
    expect(without.code).toBe(2);
    expect(without.stderr).toContain('REDIS_URL is not set');
    const wrong = await runForager(['seed', '--redis'], { env: { REDIS_URL: 'http://:very-secret@host/' } });
    expect(wrong.code).toBe(1);
    expect(wrong.stderr).toContain('rediss://');
    expect(wrong.stderr).not.toContain('very-secret');
  });
});

describe('between commit and removal', () => {
  /** A queue that does something else just before members are removed. */
  async function openWith(beforeRemoval: () => Promise<void>): Promise<RedisQueue> {
    const queue = await openRedisQueue(redis.url, 'start_urls');
    return {
      ...queue,
      remove: async (members) => {
        await beforeRemoval();
        await queue.remove(members);
      },
    };
  }
  const makeLoad = () => new SeedLoad({ db: database.db, onBad: () => undefined });

  it('a crash loses nothing, and the next one finds it done', async () => {
    await redis.ask('ZADD', 'start_urls', '1', 'a.example', '2', 'b.example');
    const crashing = await openWith(() => Promise.reject(new Error('crash')));
    await expect(drainQueue(crashing, makeLoad(), how())).rejects.toThrow('crash');
    crashing.close();
    expect(await redis.ask('ZCARD', 'start_urls')).toBe(2);
    const run = await seed(redis.url, '--redis', '--json');
    expect(run.json()[0]).toMatchObject({ newDomains: 0, knownDomains: 2, newUrls: 0 });
    expect(await redis.ask('ZCARD', 'start_urls')).toBe(0);
  });

  it('a member that was added anew with another rank is not lost', async () => {
    await redis.ask('ZADD', 'start_urls', '50', 'a.example', '60', 'b.example');
    let isFirst = true;
    const queue = await openWith(async () => {
      if (isFirst) await redis.ask('ZADD', 'start_urls', '3', 'a.example', '9', 'c.example');
      isFirst = false;
    });
    await drainQueue(queue, makeLoad(), how());
    queue.close();
    expect(await readRanks()).toEqual([
      ['a.example', 3],
      ['c.example', 9],
      ['b.example', 60],
    ]);
    expect(await redis.ask('ZCARD', 'start_urls')).toBe(0);
  });

  it('Redis going away is told, and the members are there when it is back', async () => {
    await redis.ask('ZADD', 'start_urls', '1', 'a.example');
    const queue = await openWith(() => redis.stop());
    await expect(drainQueue(queue, makeLoad(), how())).rejects.toMatchObject({ code: 'redis-away' });
    expect(await readRanks()).toEqual([['a.example', 1]]);
  });
});

describe('following', () => {
  it('takes what comes, also after Redis was away, until it is stopped', async () => {
    const stop = new AbortController();
    const events = { onAway: vi.fn(), onBack: vi.fn() };
    const load = new SeedLoad({ db: database.db, onBad: () => undefined });
    await redis.ask('ZADD', 'start_urls', '1', 'a.example');
    const open = () => openRedisQueue(redis.url, 'start_urls');
    const following = followQueue(await open(), open, load, { ...how(), signal: stop.signal }, events);
    await vi.waitFor(() => expect(load.figures.lines).toBe(1), 20_000);
    await redis.ask('ZADD', 'start_urls', '2', 'b.example');
    await vi.waitFor(() => expect(load.figures.lines).toBe(2), 20_000);
    await redis.stop();
    await vi.waitFor(() => expect(events.onAway).toHaveBeenCalledTimes(1), 20_000);
    const back = await startTestRedis({ port: Number(new URL(redis.url).port) });
    await back.ask('ZADD', 'start_urls', '3', 'c.example');
    await vi.waitFor(() => expect(load.figures.lines).toBe(3), 20_000);
    stop.abort();
    await following;
    expect(events.onBack).toHaveBeenCalledTimes(1);
    expect(await readRanks()).toEqual([
      ['a.example', 1],
      ['b.example', 2],
      ['c.example', 3],
    ]);
  });
});
