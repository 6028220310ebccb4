import { beforeEach, describe, expect, it } from 'vitest';
import { removeDomain } from '../../src/control/domains/remove-domain.ts';
import { admitIntoDomains } from '../../src/engine/frontier/admit-into-domains.ts';
import { groupByDomain, readSeed } from '../../src/engine/frontier/seeds.ts';
import { drainQueue } from '../../src/engine/seeds/drain-queue.ts';
import type { SeedItem } from '../../src/engine/seeds/read-seed-list.ts';
import type { QueueMember } from '../../src/engine/seeds/redis-queue.ts';
import { BATCH_SEEDS, SeedLoad } from '../../src/engine/seeds/seed-load.ts';
import { type RankedSeed, storeSeeds } from '../../src/engine/seeds/store-seeds.ts';
import { createTestDatabase, type TestDatabase } from '../support/postgres.ts';

let database: TestDatabase;

beforeEach(async () => {
  database = await createTestDatabase();
});

const origin = { source: 'test', maxPagesPerRun: undefined };

function ranked(text: string, rank?: number): RankedSeed {
  const reading = readSeed(text, false);
  if (reading.kind === 'bad') throw new Error(reading.reason);
  return { seed: reading.seed, rank };
}

async function store(...seeds: RankedSeed[]): ReturnType<typeof storeSeeds> {
  return storeSeeds(database.db, seeds, origin);
}

async function readDomain(name: string): Promise<Record<string, unknown>> {
  const { rows } = await database.db.query('select * from domains where domain = $1', [name]);
  return rows[0] ?? {};
}

/** Everything a seed could have touched. */
async function snapshot(): Promise<unknown> {
  const domains = await database.db.query('select * from domains order by id');
  const urls = await database.db.query('select * from urls order by domain_id, url_hash');
  return [domains.rows, urls.rows];
}

describe('a new domain', () => {
  it('is pending in the standing order, with its source, rank, URLs and score', async () => {
    const stored = await store(
      ranked('http://www.a.example/x', 100),
      ranked('a.example/y', 7),
      ranked('a.example/y'),
    );
    expect(stored).toMatchObject({ newUrls: 2, ids: [...stored.newIds] });
    const domain = await readDomain('a.example');
    expect(domain).toMatchObject({
      status: 'pending',
      run_id: 0,
      source: 'test',
      seed_rank: 7,
      pages_discovered: 2,
      base_url: 'http://www.a.example',
      max_pages_per_run: null,
    });
    const { rows } = await database.db.query('select score from domain_priorities');
    expect(rows).toEqual([{ score: domain.priority_score }]);
    expect(domain.priority_score).toBeGreaterThan(800);
    const urls = await database.db.query('select url, is_seed, depth from urls order by url');
    expect(urls.rows).toEqual([
      { url: 'http://www.a.example/x', is_seed: true, depth: 0 },
      { url: 'https://a.example/y', is_seed: true, depth: 0 },
    ]);
  });

  it('is not written down as part of any run', async () => {
    await store(ranked('a.example'));
    const seeds = groupByDomain([ranked('b.example').seed]);
    await admitIntoDomains(database.db, 0, seeds, 'link');
    expect((await database.db.query('select * from crawl_run_domains')).rows).toEqual([]);
    expect(await readDomain('b.example')).toMatchObject({
      run_id: 0,
      status: 'pending',
      pages_discovered: 1,
    });
  });

  it('has the budget it was given, and a known one keeps its own', async () => {
    await store(ranked('a.example'));
    await storeSeeds(database.db, [ranked('a.example'), ranked('b.example')], {
      source: 'other',
      maxPagesPerRun: 50,
    });
    expect(await readDomain('a.example')).toMatchObject({ max_pages_per_run: null, source: 'test' });
    expect(await readDomain('b.example')).toMatchObject({ max_pages_per_run: 50, source: 'other' });
  });
});

describe('a known domain', () => {
  it('keeps its lowest rank, and its score follows', async () => {
    await store(ranked('a.example', 500));
    const before = await readDomain('a.example');
    await store(ranked('a.example', 900));
    expect(await readDomain('a.example')).toEqual(before);
    await store(ranked('a.example', 3));
    const after = await readDomain('a.example');
    expect(after.seed_rank).toBe(3);
    expect(Number(after.priority_score)).toBeGreaterThan(Number(before.priority_score));
    await store(ranked('b.example'));
    await store(ranked('b.example', 12));
    expect(await readDomain('b.example')).toMatchObject({ seed_rank: 12 });
  });

  it('that is blocked stays in its cooldown, also when a URL is new', async () => {
    await store(ranked('a.example'));
    await database.execute("update domains set status = 'active', status_code = 'claimed'");
    await database.execute(
      "update domains set status = 'blocked', status_code = 'forbidden', next_crawl_after = now() + interval '7 days'",
    );
    const before = await readDomain('a.example');
    const stored = await store(ranked('a.example'), ranked('a.example/new'));
    expect(stored).toMatchObject({ newUrls: 1, newIds: new Set() });
    const { status, next_crawl_after: until, pages_discovered: pages } = await readDomain('a.example');
    expect({ status, until, pages }).toEqual({ status: 'blocked', until: before.next_crawl_after, pages: 2 });
  });

  it('that is exhausted stays so, unless a URL is really new', async () => {
    await store(ranked('a.example'));
    await database.execute("update domains set status = 'active', status_code = 'claimed'");
    await database.execute("update domains set status = 'exhausted', status_code = 'all_done'");
    await store(ranked('a.example', 5), ranked('https://A.example/#top'));
    expect(await readDomain('a.example')).toMatchObject({ status: 'exhausted', seed_rank: 5 });
    await store(ranked('a.example/new'));
    expect(await readDomain('a.example')).toMatchObject({ status: 'pending', status_code: 'new_urls' });
  });
});

describe('loading', () => {
  async function* inPieces(items: readonly SeedItem[], size: number): AsyncGenerator<SeedItem[]> {
    for (let at = 0; at < items.length; at += size) yield items.slice(at, at + size);
  }
  const items: SeedItem[] = Array.from({ length: BATCH_SEEDS * 2 + 10 }, (_, n) => ({
    kind: 'seed',
    ...ranked(`https://s${n % (BATCH_SEEDS + 5)}.example/${n}`, n + 1),
  }));
  const bad: SeedItem = { kind: 'bad', number: 4, text: 'co.uk', reason: 'no site' };

  it('counts every domain once, however many batches name it, and again changes nothing', async () => {
    const told: unknown[] = [];
    const load = new SeedLoad({ db: database.db, onBad: (item) => told.push(item) });
    await load.load(inPieces([bad, ...items], 700), origin);
    const lines = items.length + 1;
    expect(load.figures).toEqual({
      lines,
      newDomains: BATCH_SEEDS + 5,
      knownDomains: 0,
      newUrls: items.length,
      badLines: 1,
    });
    expect(told).toEqual([bad]);
    const before = await snapshot();
    const again = new SeedLoad({ db: database.db, onBad: () => undefined });
    await again.load(inPieces(items, 5000), origin);
    expect(again.figures).toMatchObject({ newDomains: 0, knownDomains: BATCH_SEEDS + 5, newUrls: 0 });
    expect(await snapshot()).toEqual(before);
  });

  it('stopped in the middle has stored what it counted', async () => {
    const stop = new AbortController();
    const load = new SeedLoad({ db: database.db, onBad: () => undefined });
    async function* source(): AsyncGenerator<SeedItem[]> {
      yield items.slice(0, 100);
      stop.abort();
      yield items.slice(100, 200);
    }
    await load.load(source(), origin, stop.signal);
    const { rows } = await database.db.query('select count(*)::int as urls from urls');
    expect(rows).toEqual([{ urls: load.figures.lines }]);
    expect(load.figures.lines).toBeGreaterThanOrEqual(100);
    expect(load.figures.lines).toBeLessThan(200);
  });

  it('of a list that breaks off keeps what came before, and says so', async () => {
    const load = new SeedLoad({ db: database.db, onBad: () => undefined });
    async function* source(): AsyncGenerator<SeedItem[]> {
      yield items.slice(0, 100);
      throw new Error('damaged');
    }
    await expect(load.load(source(), origin)).rejects.toThrow('damaged');
    expect(load.figures).toMatchObject({ lines: 100, newUrls: 100 });
  });

  it('of the same sites by many at once leads to one row each and no deadlock', async () => {
    const shuffled = (turn: number): RankedSeed[] =>
      Array.from({ length: 400 }, (_, n) => ranked(`s${(n * 7 + turn * 131) % 400}.example`, n + 1));
    const results = await Promise.all([0, 1, 2, 3].map((turn) => store(...shuffled(turn))));
    expect(results.reduce((sum, { newIds }) => sum + newIds.size, 0)).toBe(400);
    expect(results.reduce((sum, { newUrls }) => sum + newUrls, 0)).toBe(400);
  });
});

describe('a domain that is being removed', () => {
  async function plantRemoval(state: 'queued' | 'running'): Promise<void> {
    await store(ranked('going.example'));
    await database.execute(
      `insert into jobs (kind, params, state, created_by, runner, runner_until)
       select 'delete-domain', jsonb_build_object('domainId', id, 'domain', domain, 'restMs', 0), $1, 'cli:test', 'r',
              now() + interval '1 hour' from domains`,
      [state],
    );
  }
  const countUrls = async (): Promise<number> => (await database.db.query('select from urls')).rowCount;

  it('takes no seeds, and whoever loads them is told; the others are stored', async () => {
    await plantRemoval('running');
    const told: string[] = [];
    const load = new SeedLoad({
      db: database.db,
      onBad: ({ text, reason }) => told.push(`${text} ${reason}`),
    });
    const items = ['going.example/a', 'b.example'].map(
      (text): SeedItem => ({ kind: 'seed', ...ranked(text) }),
    );
    await load.store(items, origin);
    expect(load.figures).toMatchObject({ lines: 2, newDomains: 1, knownDomains: 0, newUrls: 1, badLines: 1 });
    expect(told).toEqual([
      expect.stringMatching(/^https:..going.example.a its domain is being removed \(job \d+\)$/),
    ]);
    await database.execute("update jobs set state = 'cancelled', finished_at = now()");
    await load.store(items, origin);
    expect(load.figures).toMatchObject({ newUrls: 2, badLines: 1 });
  });

  it('keeps seeds of a queue among those that were refused', async () => {
    await plantRemoval('running');
    const left = ['going.example', 'b.example'].map(
      (text): QueueMember => ({ bytes: Buffer.from(text), score: '1' }),
    );
    const aside: string[] = [];
    const queue = {
      read: async () => [...left],
      length: async () => left.length,
      setAside: async (members: readonly QueueMember[]) =>
        void aside.push(...members.map(({ bytes }) => String(bytes))),
      remove: async () => void left.splice(0),
      close: () => undefined,
    };
    const rules = { stripTrailingSlash: false, allowPrivate: false };
    const { signal } = new AbortController();
    await drainQueue(queue, new SeedLoad({ db: database.db, onBad: () => undefined }), {
      rules,
      origin,
      signal,
    });
    expect(aside).toEqual(['going.example']);
  });

  it('is not crawled by a command that names it; links into it go with it', async () => {
    await plantRemoval('running');
    const named = groupByDomain([ranked('going.example/n').seed]);
    await expect(admitIntoDomains(database.db, 0, named, 'seed')).rejects.toMatchObject({
      code: 'domain-going',
    });
    expect(await countUrls()).toBe(1);
    expect(await admitIntoDomains(database.db, 0, named, 'link')).toBe(1);
  });

  it('is removed by whoever asks once more and waits', async () => {
    await plantRemoval('queued');
    const removed = await removeDomain(database.db, 'going.example', 0, { name: 'cli:test' });
    expect(removed).toMatchObject({ domain: 'going.example', urls: 1 });
    expect((await database.db.query('select from domains')).rowCount).toBe(0);
    expect((await database.db.query('select state from jobs')).rows).toEqual([{ state: 'done' }]);
  });
});
