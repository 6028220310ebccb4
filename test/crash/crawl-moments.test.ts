/**
 * The real program, killed with SIGKILL at moments a test can be sure of: it is made to wait for a lock the test
 * holds, seen waiting there in pg_stat_activity, and killed while it does.
 */
import path from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { goodSite, goodSitePath } from '../origin/good-site.ts';
import { type Origin, startOrigin } from '../origin/origin.ts';
import { htmlPage } from '../origin/site.ts';
import {
  countLogged,
  countRequests,
  expectComplete,
  holdLock,
  mostUncommitted,
} from '../support/crawl-crash.ts';
import { awaitLockWait, buildProgram, type CrawlProcess, startCrawl } from '../support/crawl-process.ts';
import { readPageRows } from '../support/crawl-rows.ts';
import { temporaryDirectory, waitUntil } from '../support/crawl-support.ts';
import { createTestDatabase, type TestDatabase } from '../support/postgres.ts';

const PAGES = 60;
const SITES = ['moment-a', 'moment-b'];
const BATCH_PAGES = 10;
const CONCURRENCY = 4;

let origin: Origin;
let database: TestDatabase;
let dataDir: string;
beforeAll(async () => {
  await buildProgram();
  origin = await startOrigin();
  for (const site of SITES) origin.site(site, goodSite({ pages: PAGES, linksPerPage: 6, textBytes: 2000 }));
});
beforeEach(async () => {
  database = await createTestDatabase();
  dataDir = await temporaryDirectory();
  origin.forgetRequests();
  return () => database.drop();
});
afterAll(() => origin.close());

const seeds = (): string[] => SITES.map((site) => origin.hostUrl(site, '/'));
const allUrls = (): string[] =>
  SITES.flatMap((site) => Array.from({ length: PAGES }, (_, n) => origin.hostUrl(site, goodSitePath(n))));

function start(): CrawlProcess {
  return startCrawl(seeds(), {
    ...{ dataDir, databaseUrl: database.url, args: ['--concurrency', String(CONCURRENCY)] },
    env: { FORAGER_BATCH_PAGES: String(BATCH_PAGES) },
  });
}
const pagesWritten = async (): Promise<number> => (await readPageRows(database.db)).length;
const awaitPages = (count: number) =>
  waitUntil(async () => ((await pagesWritten()) >= count ? true : undefined));
const seenWaiting = (crawl: CrawlProcess) => awaitLockWait(database.db, `forager ${crawl.pid}`);

/** What the killed process had fetched and not committed: all that may be fetched again. */
async function uncommitted(): Promise<number> {
  const lost = countRequests(origin, SITES) - (await countLogged(database.db));
  expect(lost).toBeLessThanOrEqual(mostUncommitted(BATCH_PAGES, SITES.length * CONCURRENCY));
  return lost;
}

async function finish(mayRefetch: number): Promise<void> {
  const end = await start().ended;
  expect(end).toMatchObject({ code: 0, signal: null });
  expect(JSON.parse(end.stdout)).toMatchObject({ pages: PAGES * SITES.length, reason: 'complete' });
  const warcDirectory = path.join(dataDir, 'warc');
  await expectComplete(database.db, origin, { urls: allUrls(), sites: SITES, mayRefetch, warcDirectory });
}

describe('killed', () => {
  it('while it plants its seeds: they are planted by the next', async () => {
    const release = await holdLock(database.db, 'lock table urls in exclusive mode');
    const crawl = start();
    expect(await seenWaiting(crawl)).toContain('insert into urls');
    await crawl.kill();
    await release();
    expect(await pagesWritten()).toBe(0);
    await finish(0);
  });

  it('while it claims: the domain is free', async () => {
    await waitAt('domains', 'update', 'old.claimed_by is null and new.claimed_by is not null');
    const release = await holdLock(database.db, 'select pg_advisory_lock_shared(4711)');
    const crawl = start();
    expect(await seenWaiting(crawl)).toContain('with candidates as');
    await crawl.kill();
    await release();
    await database.db.query('select pg_advisory_unlock_all()');
    await finish(await uncommitted());
  });

  it('at the fence, before anything is written: nothing of the batch is there, its pages are due', async () => {
    const first = start();
    await awaitPages(20);
    const release = await holdLock(database.db, 'select from domains for update');
    await seenWaiting(first);
    await first.kill();
    await release();
    await finish(await uncommitted());
  });

  it('behind the fence, in the middle of writing: all of it is undone', async () => {
    const crawl = start();
    await awaitPages(20);
    const release = await holdLock(database.db, 'lock table pages in exclusive mode');
    expect(await seenWaiting(crawl)).toContain('insert into pages');
    await crawl.kill();
    await release();
    await finish(await uncommitted());
  });

  it('at the last statement of a commit: all of it is undone', async () => {
    const crawl = start();
    await awaitPages(20);
    const release = await holdLock(database.db, 'lock table crawl_runs in exclusive mode');
    expect(await seenWaiting(crawl)).toContain('update crawl_runs');
    await crawl.kill();
    await release();
    await finish(await uncommitted());
  });

  it('as soon as a commit can be seen: what was in it is not fetched again', async () => {
    const crawl = start();
    await awaitPages(1);
    await crawl.kill();
    await finish(await uncommitted());
  });

  it('while it gives a domain back: the next one finds nothing to do but that', async () => {
    await waitAt('domains', 'update', "new.status = 'exhausted'");
    const release = await holdLock(database.db, 'select pg_advisory_lock_shared(4711)');
    const crawl = start();
    await awaitPages(PAGES);
    // The server shows the first thousand characters of a statement.
    expect(await seenWaiting(crawl)).toContain('left_over');
    await crawl.kill();
    await release();
    await database.db.query('select pg_advisory_unlock_all()');
    await finish(await uncommitted());
  });

  it('before anything was committed: everything fetched so far is fetched again, and nothing is lost', async () => {
    const many = Array.from({ length: 30 }, (_, n) => `/seed/${n}`);
    origin.site('uncommitted', { pages: Object.fromEntries(many.map((path) => [path, htmlPage(path)])) });
    const urls = many.map((seed) => origin.hostUrl('uncommitted', seed));
    const patient = { FORAGER_BATCH_MS: '60000', FORAGER_BATCH_PAGES: '1000' };
    const crawl = startCrawl(urls, { dataDir, databaseUrl: database.url, env: patient });
    await waitUntil(() => (countRequests(origin, ['uncommitted']) >= 20 ? true : undefined));
    await crawl.kill();
    expect(await pagesWritten()).toBe(0);
    const mayRefetch = countRequests(origin, ['uncommitted']);
    expect((await startCrawl(urls, { dataDir, databaseUrl: database.url }).ended).code).toBe(0);
    const warcDirectory = path.join(dataDir, 'warc');
    await expectComplete(database.db, origin, { urls, sites: ['uncommitted'], mayRefetch, warcDirectory });
  });
});

/** Makes every such change wait for the advisory lock the test may hold. */
async function waitAt(table: string, event: string, when: string): Promise<void> {
  await database.execute(`create function wait_here() returns trigger language plpgsql as
    $$ begin perform pg_advisory_xact_lock(4711); return new; end $$`);
  await database.execute(
    `create trigger wait_here before ${event} on ${table} for each row when (${when}) execute function wait_here()`,
  );
}
