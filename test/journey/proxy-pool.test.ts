/**
 * Ten real proxies, three of which fail in ways of their own, and five thousand pages: all arrive, nobody is blamed for
 * a proxy, the failing ones are out after as many failures as they may have, and the others are used alike.
 */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Origin, startOrigin } from '../origin/origin.ts';
import { html, htmlPage } from '../origin/site.ts';
import { readDomainRow, readUrlRows } from '../support/crawl-rows.ts';
import { runTestCrawl } from '../support/crawl-support.ts';
import { createTestDatabase, type TestDatabase } from '../support/postgres.ts';
import { startMicrosocks, startSquids, type TestProxy, type TestSquid } from '../support/proxies.ts';
import { findFreePorts } from '../support/proxies-process.ts';
import { openTestSecrets, plantProxies, readPairs, readProxies } from '../support/proxy-rows.ts';

const PAGES = 5000;
const MAY_HAVE = 800;
const WORKING = 7;
const PAIR_MAY_FAIL = 5;

let origin: Origin;
let database: TestDatabase;
let squids: TestSquid[];
let frozen: TestProxy;

beforeAll(async () => {
  origin = await startOrigin();
  database = await createTestDatabase();
  const login = { user: 'forager', password: 's3cret:@%' };
  squids = await startSquids(WORKING + 1, { ...login, hosts: ['shop.localhost'] });
  frozen = await startMicrosocks(login);
  frozen.pause();
});

afterAll(async () => {
  frozen.resume();
  await Promise.all([squids[0]?.stop(), frozen.stop(), origin.close()]);
  await database.drop();
});

it('brings every page, once, through the proxies that work, and none directly', {
  timeout: 180_000,
}, async () => {
  origin.site('shop', {
    pages: {
      '/': htmlPage(
        'front',
        Array.from({ length: 50 }, (_, n) => `/list/${n}`),
      ),
      '/list/*': html(({ url }) => {
        const list = Number(url.pathname.split('/')[2]);
        const ids = Array.from({ length: (PAGES - 51) / 50 + 1 }, (_, n) => n * 50 + list);
        return htmlPage(
          `list ${list}`,
          ids.filter((id) => id < PAGES - 51).map((id) => `/item/${id}`),
        );
      }),
      '/item/*': html(({ url }) => htmlPage(url.pathname)),
    },
  });
  const [nobody = 0] = await findFreePorts(1);
  const working = squids.slice(0, WORKING);
  const [strict] = squids.slice(WORKING);
  const ids = await plantProxies(database, [
    ...working.map(({ protocol, port, user, password }) => ({
      ...{ protocol, port, user, password, maxPerHour: MAY_HAVE },
    })),
    {
      protocol: 'http',
      port: strict?.port ?? 0,
      user: 'stranger',
      password: 'another',
      maxPerHour: MAY_HAVE,
    },
    { protocol: 'http', port: nobody, maxPerHour: MAY_HAVE },
    { protocol: 'socks5', port: frozen.port, user: 'forager', password: 's3cret:@%', maxPerHour: MAY_HAVE },
  ]);

  const { end } = await runTestCrawl({
    db: database.db,
    seeds: [origin.hostUrl('shop', '/')],
    settings: {
      maxConcurrentPerDomain: 8,
      requestTimeoutMs: 3000,
      maxRetries: 0,
      batchPages: 100,
      batchMs: 100,
    },
    openSecrets: openTestSecrets,
  });

  expect(end.reason).toBe('complete');
  const urls = await readUrlRows(database.db);
  expect(urls).toHaveLength(PAGES);
  expect(urls.filter(({ state, error_count: errors }) => state !== 'fetched' || errors > 0)).toEqual([]);
  // Everything the site has seen came through a proxy, and nothing came twice.
  expect(origin.requestsTo('shop').filter(({ headers }) => headers.via === undefined)).toEqual([]);
  const asked = origin.requestsTo('shop').map(({ path }) => path);
  expect(new Set(asked).size).toBe(asked.length);
  expect(await readDomainRow(database.db, `shop.localhost:${origin.port}`)).toMatchObject({
    status: 'exhausted',
  });

  const pairs = new Map((await readPairs(database)).map((pair) => [pair.proxyId, pair]));
  const standing = ids.map((id) => pairs.get(id));
  for (const pair of standing.slice(WORKING)) {
    expect(pair).toMatchObject({ isActive: false, disabledBy: 'failures', hasRetry: true, successCount: 0 });
    expect(pair?.failuresTotal).toBe(PAIR_MAY_FAIL);
  }
  expect(standing.slice(WORKING).map((pair) => pair?.lastError)).toEqual([
    expect.stringContaining('user name and password'),
    expect.stringContaining('refuse'),
    expect.stringContaining('within 3000 ms'),
  ]);
  expect((await strict?.requests())?.map(({ status }) => status)).toEqual(Array(PAIR_MAY_FAIL).fill(407));

  // Used alike, each within its limit, and counted as the proxies themselves have counted.
  const seen = await Promise.all(working.map(async (squid) => (await squid.requests()).length));
  expect(standing.slice(0, WORKING).map((pair) => pair?.successCount)).toEqual(seen);
  expect(Math.max(...seen) / Math.min(...seen)).toBeLessThanOrEqual(1.2);
  expect(Math.max(...seen)).toBeLessThanOrEqual(MAY_HAVE);
  expect(seen.reduce((sum, count) => sum + count, 0)).toBe(asked.length);

  const proxies = await readProxies(database);
  expect(
    proxies.slice(0, WORKING).every(({ isActive, failuresTotal }) => isActive && failuresTotal === 0),
  ).toBe(true);
  // One domain alone does not take a proxy from the others.
  expect(proxies.slice(WORKING).map(({ isActive, failureCount }) => [isActive, failureCount])).toEqual(
    Array(3).fill([true, PAIR_MAY_FAIL]),
  );
  const { rows: log } = await database.execute<{ directly: number }>(
    `select count(*) filter (where proxy_id is null)::int as directly from crawl_log`,
  );
  expect(log).toEqual([{ directly: 0 }]);
  const { rows: errors } = await database.execute<{ category: string; count: number }>(
    `select category, count(*)::int from error_logs group by 1`,
  );
  expect(errors).toEqual([{ category: 'proxy', count: 3 * PAIR_MAY_FAIL }]);
});
