/** What happens to a crawl when its proxies fail, are turned away, come back, or are changed while it runs. */
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest';
import { type Origin, startOrigin } from '../origin/origin.ts';
import { type Handler, html, htmlPage } from '../origin/site.ts';
import { readDomainRow, readLog, readUrlRows } from '../support/crawl-rows.ts';
import { runTestCrawl } from '../support/crawl-support.ts';
import { advance } from '../support/moving-clock.ts';
import { createTestDatabase, type TestDatabase } from '../support/postgres.ts';
import { startMicrosocks, startTinyproxy, type TestProxy } from '../support/proxies.ts';
import { findFreePorts } from '../support/proxies-process.ts';
import { openTestSecrets, plantProxies, readPairs, readProxies } from '../support/proxy-rows.ts';

let origin: Origin;
let database: TestDatabase;
let started: TestProxy[];

beforeAll(async () => {
  origin = await startOrigin();
});
afterAll(() => origin.close());
beforeEach(async () => {
  database = await createTestDatabase();
  started = [];
});
afterEach(async () => {
  for (const proxy of started) {
    proxy.resume();
    await proxy.stop();
  }
  await database.drop();
});

async function startSocks(count: number): Promise<TestProxy[]> {
  const socks = await Promise.all(Array.from({ length: count }, () => startMicrosocks()));
  started.push(...socks);
  return socks;
}

function plant(proxies: readonly TestProxy[]): Promise<number[]> {
  return plantProxies(database, proxies);
}

/** A front page with links to so many others. */
function site(
  name: string,
  count: number,
  page: Handler = html(({ url }) => htmlPage(url.pathname)),
): string {
  const links = Array.from({ length: count }, (_, n) => `/page/${n}`);
  origin.site(name, { pages: { '/': htmlPage('front', links), '/page/*': page } });
  return origin.hostUrl(name, '/');
}

interface Order {
  readonly seed: string;
  readonly maxPagesPerDomain?: number;
  readonly scope?: 'host' | 'any';
  readonly settings?: Parameters<typeof runTestCrawl>[0]['settings'];
  readonly onVisit?: (count: number) => void;
}

/** Ends where it would wait for a proxy. */
function crawl({ seed, settings, onVisit, ...limits }: Order) {
  let count = 0;
  return runTestCrawl({
    ...{ db: database.db, seeds: [seed], ...limits },
    openSecrets: openTestSecrets,
    settings: { maxRetries: 0, requestTimeoutMs: 2000, ...settings },
    prepare: (running, events) => {
      events.on('url:visited', () => onVisit?.(++count));
      events.on('domain:released', ({ code }) => {
        if (code === 'no_proxy') running.stop();
      });
      events.on('domains:resting', () => running.stop());
    },
  });
}

async function expectAllFetched(count: number): Promise<void> {
  const urls = await readUrlRows(database.db);
  expect(urls.map(({ state, error_count: errors }) => `${state} ${errors}`)).toEqual(
    Array(count).fill('fetched 0'),
  );
}

it('one that is killed in mid-crawl costs no page and no retry', async () => {
  const socks = await startSocks(3);
  await plant(socks);
  const { end } = await crawl({
    seed: site('killed', 200),
    onVisit: (count) => {
      if (count === 40) void socks[1]?.kill();
    },
  });
  expect(end.reason).toBe('complete');
  await expectAllFetched(201);
  const [first, killed, last] = await readPairs(database);
  expect([first?.isActive, killed?.isActive, last?.isActive]).toEqual([true, false, true]);
  expect(killed?.successCount).toBeGreaterThan(0);
  // Those that were under way when it died are at most as many as are asked for at once.
  expect(killed?.failuresTotal).toBeLessThanOrEqual(5 + 4);
});

it('one that freezes in mid-crawl costs no page and no retry', { timeout: 60_000 }, async () => {
  const socks = await startSocks(3);
  await plant(socks);
  const { end } = await crawl({
    seed: site('frozen', 200),
    onVisit: (count) => {
      if (count === 40) socks[1]?.pause();
    },
  });
  expect(end.reason).toBe('complete');
  await expectAllFetched(201);
  expect((await readPairs(database)).map(({ isActive }) => isActive)).toEqual([true, false, true]);
});

it('all of them dead: the domain waits, nothing is asked directly, and no URL is the worse for it', async () => {
  const socks = await startSocks(2);
  await plant(socks);
  for (const proxy of socks) await proxy.kill();
  const seed = site('all-dead', 3);
  await crawl({ seed });
  expect(origin.requestsTo('all-dead')).toEqual([]);
  expect((await readUrlRows(database.db)).map(({ state, error_count: errors }) => [state, errors])).toEqual([
    ['never_crawled', 0],
  ]);
  expect(await readDomainRow(database.db, new URL(seed).host)).toMatchObject({
    ...{ status: 'active', code: 'no_proxy', is_resting: true },
    reason: expect.stringMatching(
      /^none of its 2 proxies can be used: 2 out after failures \(the last: .*refuses connections\.\)$/,
    ),
  });
  expect((await readPairs(database)).map(({ failuresTotal }) => failuresTotal)).toEqual([5, 5]);
});

it('comes back by a single request after the cooling time, and cools twice as long when that fails', async () => {
  const [proxy] = await startSocks(1);
  if (proxy === undefined) throw new Error('no proxy');
  await plant([proxy]);
  await proxy.kill();
  const seed = site('back', 20);
  await crawl({ seed });
  const failures = async () =>
    (await readPairs(database)).map(({ failuresTotal, isActive }) => [failuresTotal, isActive]);
  expect(await failures()).toEqual([[5, false]]);
  await advance(database, { minutes: 11 });
  await crawl({ seed });
  expect(await failures()).toEqual([[6, false]]);
  await proxy.restart();
  // Ten minutes the first time, twenty the second.
  await advance(database, { minutes: 12 });
  await crawl({ seed });
  expect(origin.requestsTo('back')).toEqual([]);
  await advance(database, { minutes: 10 });
  const { end } = await crawl({ seed });
  expect(end.reason).toBe('complete');
  await expectAllFetched(21);
  expect(await readPairs(database)).toMatchObject([
    { isActive: true, disabledBy: null, failureCount: 0, hasRetry: false },
  ]);
  expect(await readProxies(database)).toMatchObject([{ isActive: true, failureCount: 0 }]);
});

it('a proxy that the site turns away is out for this site only, and the pages come through another', async () => {
  const [sock] = await startSocks(1);
  const tiny = await startTinyproxy({ hosts: ['picky.localhost'] });
  started.push(tiny);
  const ids = await plantProxies(database, [...(sock === undefined ? [] : [sock]), tiny]);
  expect(ids).toHaveLength(2);
  const { end } = await crawl({
    seed: site('picky', 60, ({ request, response, url }) => {
      const isTurnedAway = request.headers.via !== undefined;
      response.writeHead(isTurnedAway ? 403 : 200, { 'content-type': 'text/html' });
      response.end(isTurnedAway ? 'not you' : htmlPage(url.pathname));
    }),
  });
  expect(end.reason).toBe('complete');
  await expectAllFetched(61);
  expect((await readPairs(database)).map(({ isActive }) => isActive)).toEqual([true, false]);
  const [, turnedAway] = await readProxies(database);
  expect(turnedAway).toMatchObject({ isActive: true, failureCount: 0 });
  expect(turnedAway?.successCount).toBeGreaterThan(0);
});

it('a target that nobody reaches is the target’s failure, not that of three proxies', async () => {
  const socks = await startSocks(3);
  await plant(socks);
  const { end } = await crawl({
    seed: site('drops', 4, ({ request, response, url }) => {
      if (url.pathname === '/page/2') request.socket.destroy();
      else response.end(htmlPage(url.pathname));
    }),
  });
  expect(end.reason).toBe('complete');
  const log = await readLog(database.db);
  expect(
    log
      .filter(({ outcome }) => outcome !== 'page')
      .map(({ url, outcome }) => [new URL(url).pathname, outcome]),
  ).toEqual([['/page/2', 'connection-lost']]);
  expect((await readPairs(database)).map(({ failuresTotal }) => failuresTotal)).toEqual([0, 0, 0]);
});

it('a page budget that is all promised leaves no proxy in use', async () => {
  const socks = await startSocks(1);
  await plant(socks);
  // Hardly anything is a page: the budget is promised and given back again and again.
  const seed = site('budget', 40, ({ response, url }) => {
    const isTurnedAway = Number(url.pathname.split('/')[2]) % 10 === 0;
    response.writeHead(isTurnedAway ? 403 : 404, { 'content-type': 'text/html' });
    response.end('no');
  });
  const { end } = await crawl({ seed, maxPagesPerDomain: 3 });
  expect(end.reason).toBe('complete');
  const { rows } = await database.execute<{ granted: number; made: number }>(
    'select sum(granted_count)::int as granted, sum(requests_count)::int as made from proxy_usage',
  );
  expect(rows).toEqual([{ granted: 42, made: 42 }]);
});

it('a dead site does not take the only proxy from the others, and says what is wrong', async () => {
  const [proxy] = await startSocks(1);
  const [nobody = 0] = await findFreePorts(1);
  await plant(proxy === undefined ? [] : [proxy]);
  const seed = site('alive', 3);
  await crawl({ seed });
  await crawl({ seed: `http://dead.localhost:${nobody}/` });
  expect(await readProxies(database)).toMatchObject([{ isActive: true, failureCount: 0 }]);
  const row = await readDomainRow(database.db, `dead.localhost:${nobody}`);
  expect(row).toMatchObject({ code: 'no_proxy', is_resting: true });
  expect(row?.reason).toMatch(
    /^its only proxy cannot be used: 1 out after failures \(the last: .*opens no way.*\)$/,
  );
});

it('whoever helps while the last requests of a waiting domain come to their end is heard', async () => {
  const socks = await startSocks(1);
  const [id] = await plant(socks);
  let release = (): void => undefined;
  const slow = new Promise<void>((resolve) => {
    release = resolve;
  });
  const switchTo = (isOn: boolean): Promise<unknown> =>
    database.execute(
      `update proxies set is_active = $1, disabled_by = case when $1 then null else 'somebody' end`,
      [isOn],
    );
  const seed = site('helped', 30, async ({ response, url }) => {
    if (url.pathname === '/page/0') await slow;
    response.end(htmlPage(url.pathname));
  });
  const running = crawl({
    seed,
    settings: { requestTimeoutMs: 60_000, maxConcurrentPerDomain: 2, delayMs: 100 },
  });
  await origin.waitForRequest(({ site: name, path }) => name === 'helped' && path === '/page/0');
  await switchTo(false);
  // Heard, and decided: nothing new is asked for.
  await expect
    .poll(
      async () => {
        const before = origin.requestsTo('helped').length;
        await new Promise((resolve) => setTimeout(resolve, 500));
        return origin.requestsTo('helped').length - before;
      },
      { timeout: 20_000 },
    )
    .toBe(0);
  await switchTo(true);
  release();
  const { end } = await running;
  expect(end.reason).toBe('complete');
  await expectAllFetched(31);
  expect(id).toBeDefined();
});

it('one that a person switches off in mid-crawl is not used any more, and one that is added is', async () => {
  const socks = await startSocks(2);
  const [first] = await plant(socks.slice(0, 1));
  const links = 400;
  let changed: Promise<unknown> = Promise.resolve();
  const { end } = await crawl({
    seed: site('steered', links, async ({ response, url }) => {
      if (Number(url.pathname.split('/')[2]) > 100) await new Promise((resolve) => setTimeout(resolve, 50));
      response.end(htmlPage(url.pathname));
    }),
    onVisit: (count) => {
      if (count !== 40) return;
      changed = plant(socks.slice(1)).then(() =>
        database.execute(`update proxies set is_active = false, disabled_by = 'somebody' where id = $1`, [
          first,
        ]),
      );
    },
  });
  await changed;
  expect(end.reason).toBe('complete');
  await expectAllFetched(links + 1);
  const { rows } = await database.execute<{ proxyId: number }>(
    `select proxy_id::int as "proxyId" from crawl_log order by fetched_at desc limit 100`,
  );
  expect(new Set(rows.map(({ proxyId }) => proxyId)).size).toBe(1);
  expect(rows[0]?.proxyId).not.toBe(first);
  expect(await readProxies(database)).toMatchObject([
    { isActive: false, disabledBy: 'somebody' },
    { isActive: true },
  ]);
});

it('a domain that sticks to its proxy keeps the cookies it was given there, and shows them through no other', async () => {
  const socks = await startSocks(2);
  await plant(socks);
  let visitors = 0;
  const seen: string[] = [];
  const seed = site('sticky', 30, ({ request, response, url }) => {
    const cookie = request.headers.cookie ?? '';
    seen.push(cookie);
    const given = cookie === '' ? { 'set-cookie': `visitor=${++visitors}; Path=/` } : {};
    response.writeHead(200, { 'content-type': 'text/html', ...given });
    response.end(htmlPage(url.pathname));
  });
  // The domain is known, and sticky, before it is crawled.
  await database.execute(
    `insert into domains (domain, parent_domain, base_url, proxy_rotation) values ($1, 'sticky.localhost', $2, 'sticky')`,
    [new URL(seed).host, seed],
  );
  await crawl({ seed, settings: { maxConcurrentPerDomain: 1 } });
  await expectAllFetched(31);
  expect(new Set(seen)).toEqual(new Set(['', 'visitor=1']));
  expect((await readPairs(database)).filter(({ successCount }) => successCount > 0)).toHaveLength(1);
});
