/** One crawl on the embedded database, killed again and again wherever it happens to be. */
import path from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { goodSite, goodSitePath } from '../origin/good-site.ts';
import { type Origin, startOrigin } from '../origin/origin.ts';
import { countLogged, countRequests, expectComplete, mostUncommitted } from '../support/crawl-crash.ts';
import { buildProgram, joinEmbedded, startCrawl } from '../support/crawl-process.ts';
import { temporaryDirectory, waitUntil } from '../support/crawl-support.ts';
import { makeRandom } from '../support/make-random.ts';

const KILLS = 6;
const PAGES = 200;
const SITES = ['killed-a', 'killed-b', 'killed-c'];

let origin: Origin;
beforeAll(async () => {
  await buildProgram();
  origin = await startOrigin();
  for (const site of SITES) origin.site(site, goodSite({ pages: PAGES, linksPerPage: 8, textBytes: 3000 }));
});
afterAll(() => origin.close());

it(`after ${KILLS} kills in one crawl no URL is lost, no page is written twice, and only what was in flight is fetched again`, async () => {
  const dataDir = await temporaryDirectory();
  const seeds = SITES.map((site) => origin.hostUrl(site, '/'));
  const urls = SITES.flatMap((site) =>
    Array.from({ length: PAGES }, (_, n) => origin.hostUrl(site, goodSitePath(n))),
  );
  const env = { FORAGER_BATCH_PAGES: '20' };
  let mayRefetch = 0;
  let committed = 0;
  const random = makeRandom(20_261_115);
  for (let kill = 0; kill < KILLS; kill += 1) {
    const before = countRequests(origin, SITES);
    const wanted = before + Math.floor(random() * 60);
    const crawl = startCrawl(seeds, { dataDir, env, args: ['--concurrency', '4'] });
    await waitUntil(() => (countRequests(origin, SITES) > wanted || crawl.hasEnded() ? true : undefined));
    await crawl.kill();
    // Joined only once the crawl is gone: before its first start there is no server to join.
    const db = await joinEmbedded(dataDir);
    const logged = await countLogged(db);
    const lost = countRequests(origin, SITES) - before - (logged - committed);
    expect(lost).toBeLessThanOrEqual(mostUncommitted(20, SITES.length * 4));
    mayRefetch += lost;
    committed = logged;
    await db.close();
  }
  expect(committed).toBeLessThan(urls.length);
  const end = await startCrawl(seeds, { dataDir, env }).ended;
  expect(end).toMatchObject({ code: 0, signal: null });
  expect(JSON.parse(end.stdout)).toMatchObject({ pages: urls.length, reason: 'complete', isResumed: true });
  const db = await joinEmbedded(dataDir);
  const warcDirectory = path.join(dataDir, 'warc');
  await expectComplete(db, origin, { urls, sites: SITES, mayRefetch, warcDirectory });
  await db.close();
}, 180_000);
