/** https sites through proxies, by CONNECT and by SOCKS, and tasks, which say which way they went. */
import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Fetcher } from '../../src/engine/fetch/fetcher.ts';
import { createTestFetcher } from '../origin/fetch-from.ts';
import { type Origin, startOrigin } from '../origin/origin.ts';
import { html, htmlPage } from '../origin/site.ts';
import { readUrlRows } from '../support/crawl-rows.ts';
import { runTestCrawl, waitUntil } from '../support/crawl-support.ts';
import { runTestFleet } from '../support/fleet-run.ts';
import { createTestDatabase, type TestDatabase } from '../support/postgres.ts';
import { startMicrosocks, startSquid, type TestProxy, type TestSquid } from '../support/proxies.ts';
import { openTestSecrets, plantProxies, readPairs } from '../support/proxy-rows.ts';
import { plantTasks } from '../support/tasks.ts';

const fixture = (name: string): string =>
  readFileSync(new URL(`../origin/fixtures/${name}`, import.meta.url), 'utf8');
const cert = fixture('secure-localhost.cert.pem');
const login = { user: 'forager', password: 'secret' };

let origin: Origin;
let database: TestDatabase;
let squid: TestSquid;
let socks: TestProxy;
let fetcher: Fetcher;
let ids: number[];

beforeAll(async () => {
  origin = await startOrigin({ tls: { key: fixture('secure-localhost.key.pem'), cert } });
  database = await createTestDatabase();
  [squid, socks] = await Promise.all([startSquid(login), startMicrosocks(login)]);
  fetcher = createTestFetcher({ ca: cert });
  ids = await plantProxies(database, [squid, socks]);
  const links = Array.from({ length: 20 }, (_, n) => `/page/${n}`);
  origin.site('secure', {
    pages: { '/': htmlPage('front', links), '/page/*': html(({ url }) => htmlPage(url.pathname)) },
  });
});
afterAll(async () => {
  await Promise.all([fetcher.close(), squid.stop(), socks.stop(), origin.close()]);
  await database.drop();
});

it('every page of an https site comes through a tunnel, half of them through each kind', async () => {
  const seeds = [origin.hostUrl('secure', '/')];
  const { end } = await runTestCrawl({ db: database.db, seeds, fetcher, openSecrets: openTestSecrets });
  expect(end.reason).toBe('complete');
  expect((await readUrlRows(database.db)).map(({ state }) => state)).toEqual(Array(21).fill('fetched'));
  const pairs = await readPairs(database);
  expect(pairs.map(({ proxyId, failuresTotal }) => [proxyId, failuresTotal])).toEqual(
    ids.map((id) => [id, 0]),
  );
  const counts = pairs.map(({ successCount }) => successCount);
  expect(Math.abs((counts[0] ?? 0) - (counts[1] ?? 0))).toBeLessThanOrEqual(1);
});

it('a task says which proxy it went through', async () => {
  const [task = 0] = await plantTasks(database.db, [{ url: origin.hostUrl('secure', '/page/3') }]);
  await runTestFleet({ db: database.db, fetcher, openSecrets: openTestSecrets });
  const { rows } = await database.execute<{ status: string; proxyId: number }>(
    `select status, proxy_id::int as "proxyId" from crawl_tasks where id = $1`,
    [task],
  );
  expect(rows).toMatchObject([{ status: 'completed' }]);
  expect(ids).toContain(rows[0]?.proxyId);
});

it('the proxy is told where to, and sees nothing of what is asked there', async () => {
  // A tunnel is in its log when it has ended.
  await fetcher.close();
  const asked = await waitUntil(async () => {
    const requests = await squid.requests();
    return requests.length > 0 ? requests : undefined;
  });
  expect(new Set(asked.map(({ method, url }) => `${method} ${url}`))).toEqual(
    new Set([`CONNECT 127.0.0.1:${origin.port}`]),
  );
});
