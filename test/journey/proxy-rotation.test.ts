/** Which proxy is next: by the hour with a clock that is moved, by priority, by country, within the limits of an hour. */
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type Origin, startOrigin } from '../origin/origin.ts';
import { htmlPage } from '../origin/site.ts';
import { readDomainRow } from '../support/crawl-rows.ts';
import { runTestCrawl } from '../support/crawl-support.ts';
import { advance } from '../support/moving-clock.ts';
import { createTestDatabase, type TestDatabase } from '../support/postgres.ts';
import { startMicrosocks, type TestProxy } from '../support/proxies.ts';
import { assignProxies, plantProxies } from '../support/proxy-rows.ts';

const SIZE = 5;
let origin: Origin;
let database: TestDatabase;
let proxies: TestProxy[];
let domain: string;

beforeAll(async () => {
  origin = await startOrigin();
  proxies = await Promise.all(Array.from({ length: SIZE }, () => startMicrosocks()));
  domain = `shop.localhost:${origin.port}`;
});
afterAll(async () => {
  await Promise.all([...proxies.map((proxy) => proxy.stop()), origin.close()]);
});
beforeEach(async () => {
  database = await createTestDatabase();
});
afterEach(() => database.drop());

/** One page in a run of its own, nothing else asked for; it ends where it would wait for a proxy. */
async function crawlPage(path: string) {
  origin.site('shop', { pages: { [path]: htmlPage(path) } });
  return runTestCrawl({
    db: database.db,
    seeds: [origin.hostUrl('shop', path)],
    settings: { respectRobots: false },
    prepare: (crawl, events) => {
      events.on('domain:released', ({ code }) => {
        if (code === 'no_proxy') crawl.stop();
      });
      events.on('domains:resting', () => crawl.stop());
    },
  });
}

/** The numbers of the proxies that the visits went through, in order, 1 for the first that was planted. */
async function readWays(ids: readonly number[]): Promise<(number | 'directly')[]> {
  const { rows } = await database.execute<{ proxyId: number | null }>(
    `select proxy_id as "proxyId" from crawl_log order by fetched_at`,
  );
  return rows.map(({ proxyId }) => (proxyId === null ? 'directly' : ids.indexOf(Number(proxyId)) + 1));
}

function plant(changes: (index: number) => object = () => ({})): Promise<number[]> {
  return plantProxies(
    database,
    proxies.map(({ protocol, port }, index) => ({ protocol, port, isShared: false, ...changes(index) })),
  );
}

/** The domain is known before it has a pool. */
async function plantDomain(): Promise<void> {
  await crawlPage('/before');
  await database.execute('delete from crawl_log');
}

it('every hour another one, from the first to the last and round again', async () => {
  await plantDomain();
  const ids = await plant();
  await assignProxies(database, domain, ids);
  for (let hour = 1; hour <= 7; hour += 1) {
    await crawlPage(`/hour/${hour}`);
    await advance(database, { hours: 1 });
  }
  expect(await readWays(ids)).toEqual([1, 2, 3, 4, 5, 1, 2]);
});

it('those of the better priority go first, whoever was used last', async () => {
  await plantDomain();
  const ids = await plant();
  await assignProxies(database, domain, ids.slice(0, 3));
  await assignProxies(database, domain, ids.slice(3), { priority: 1 });
  for (let page = 1; page <= 4; page += 1) await crawlPage(`/page/${page}`);
  expect(await readWays(ids)).toEqual([4, 5, 4, 5]);
});

it('the others are not used at all while one of a better priority will do, however fast it goes', async () => {
  await plantDomain();
  const ids = await plant();
  await assignProxies(database, domain, ids.slice(1));
  await assignProxies(database, domain, ids.slice(0, 1), { priority: 1 });
  const links = Array.from({ length: 200 }, (_, n) => `/page/${n}`);
  origin.site('shop', { pages: { '/': htmlPage('front', links), '/page/*': 'a page' } });
  const seeds = [origin.hostUrl('shop', '/')];
  await runTestCrawl({ db: database.db, seeds, settings: { respectRobots: false } });
  expect(await readWays(ids)).toEqual(Array(201).fill(1));
});

it('only those of the country that the domain asks for', async () => {
  await plantDomain();
  const ids = await plant((index) => ({ country: index % 2 === 0 ? 'US' : 'DE', isShared: true }));
  await database.execute(`update domains set proxy_country = 'DE'`);
  for (let page = 1; page <= 3; page += 1) await crawlPage(`/page/${page}`);
  expect(await readWays(ids)).toEqual([2, 4, 2]);
});

describe('a domain without a pool of its own', () => {
  it('uses those that everybody may use, and not those of others', async () => {
    await plantDomain();
    const ids = await plant((index) => ({ isShared: index < 2 }));
    for (let page = 1; page <= 3; page += 1) await crawlPage(`/page/${page}`);
    expect(await readWays(ids)).toEqual([1, 2, 1]);
  });

  it('goes directly where there are none, and where it is told to', async () => {
    await plantDomain();
    await crawlPage('/none');
    const ids = await plant(() => ({ isShared: true }));
    await database.execute(`update domains set proxy_mode = 'direct'`);
    await crawlPage('/told');
    expect(await readWays(ids)).toEqual(['directly', 'directly']);
  });

  it('waits where it must not go directly and there are none, and says why', async () => {
    await plantDomain();
    await database.execute(`update domains set proxy_mode = 'required'`);
    origin.forgetRequests();
    const { events } = await crawlPage('/page');
    expect(origin.requestsTo('shop')).toEqual([]);
    const reason = 'it needs a proxy, and there is none for it';
    expect(events.filter(({ name }) => name === 'domain:released').map(({ event }) => event)).toEqual([
      { domain, status: 'active', code: 'no_proxy', reason },
    ]);
    const waits = { status: 'active', code: 'no_proxy', reason, is_resting: true };
    expect(await readDomainRow(database.db, domain)).toMatchObject(waits);
  });
});

it('many domains at once share them without standing in each other’s way', async () => {
  const ids = await plant(() => ({ isShared: true, maxPerHour: 10_000 }));
  const [hosts, pages] = [20, 60];
  const links = Array.from({ length: pages - 1 }, (_, n) => `/page/${n}`);
  const seeds = Array.from({ length: hosts }, (_, n) => {
    origin.site(`many${n}`, { pages: { '/': htmlPage('front', links), '/page/*': 'a page' } });
    return origin.hostUrl(`many${n}`, '/');
  });
  // Commits and grants all the time: each locks proxies that the other counts for.
  const settings = { respectRobots: false, batchPages: 5, batchMs: 1 };
  const { end } = await runTestCrawl({ db: database.db, seeds, settings });
  expect(end.reason).toBe('complete');
  const { rows } = await database.execute<{
    proxyId: number;
    made: number;
    granted: number;
    counted: number;
  }>(
    `select p.id::int as "proxyId", sum(u.requests_count)::int as made, sum(u.granted_count)::int as granted,
            p.success_count::int as counted
       from proxy_usage u join proxies p on p.id = u.proxy_id group by p.id order by p.id`,
  );
  // What was granted and not used has been given back to the last one.
  expect(rows.map(({ proxyId, made, granted }) => [proxyId, granted - made])).toEqual(
    ids.map((id) => [id, 0]),
  );
  expect(rows.reduce((sum, { made }) => sum + made, 0)).toBe(hosts * pages);
  expect(rows.map(({ counted }) => counted)).toEqual(rows.map(({ made }) => made));
});

it('a domain that asks for a country never goes directly, and names it', async () => {
  await plantDomain();
  await database.execute(`update domains set proxy_country = 'FR'`);
  origin.forgetRequests();
  await crawlPage('/page');
  expect(origin.requestsTo('shop')).toEqual([]);
  const reason = 'it needs a proxy of FR, and there is none for it';
  expect(await readDomainRow(database.db, domain)).toMatchObject({ code: 'no_proxy', reason });
});

it('what one domain is granted and does not use, another has in a minute', async () => {
  await plantDomain();
  const [id = 0] = (await plant(() => ({ isShared: true, maxPerHour: 8 }))).slice(0, 1);
  await database.execute('delete from proxies where id <> $1', [id]);
  // Somebody else holds all of them.
  await database.execute(
    `insert into proxy_usage (proxy_id, domain_id, minute, granted_count)
     values ($1, 99, date_trunc('minute', forager_now()), 8)`,
    [id],
  );
  await crawlPage('/page');
  const { rows } = await database.execute<{ seconds: number }>(
    `select extract(epoch from next_crawl_after - forager_now())::int as seconds from domains where domain = $1`,
    [domain],
  );
  expect(rows[0]?.seconds).toBeGreaterThan(30);
  expect(rows[0]?.seconds).toBeLessThanOrEqual(60);
});

describe('the limits of an hour', () => {
  it.each([
    ['of the pair', { pair: 2, proxy: 1000 }],
    ['of the proxy, over all domains', { pair: undefined, proxy: 2 }],
  ])('%s hold in any sixty minutes, and the domain waits until there is room again', async (_what, limit) => {
    await plantDomain();
    const ids = (await plant(() => ({ maxPerHour: limit.proxy }))).slice(0, 2);
    await assignProxies(database, domain, ids, limit.pair === undefined ? {} : { maxPerHour: limit.pair });
    for (let page = 1; page <= 4; page += 1) await crawlPage(`/page/${page}`);
    await crawlPage('/too-many');
    expect(await readWays(ids)).toEqual([1, 2, 1, 2]);
    expect(await readDomainRow(database.db, domain)).toMatchObject({
      reason: 'none of its 2 proxies can be used: 2 at the limit of what may go through in an hour',
    });
    await advance(database, { minutes: 59 });
    await crawlPage('/too-early');
    expect(await readWays(ids)).toHaveLength(4);
    await advance(database, { minutes: 4 });
    await crawlPage('/in-time');
    expect((await readWays(ids)).length).toBeGreaterThan(4);
  });
});
