/** A crawl that is asked to stop, loses its database, or finds its disk full. */
import { execFile } from 'node:child_process';
import path from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { status } from '../origin/behaviours/statuses.ts';
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
import {
  awaitLockWait,
  buildProgram,
  joinEmbedded,
  startCrawl,
  startProgram,
} from '../support/crawl-process.ts';
import { expectConsistent, readDomainRows, readPageRows } from '../support/crawl-rows.ts';
import { runTestCrawl, temporaryDirectory, waitUntil } from '../support/crawl-support.ts';
import { createTestDatabase, type TestDatabase } from '../support/postgres.ts';

const PAGES = 200;
let origin: Origin;
let database: TestDatabase;
let dataDir: string;
beforeAll(async () => {
  await buildProgram();
  origin = await startOrigin();
  for (const name of ['site', 'other']) {
    origin.site(name, goodSite({ pages: PAGES, linksPerPage: 6, textBytes: 2000 }));
  }
});
beforeEach(async () => {
  database = await createTestDatabase();
  dataDir = await temporaryDirectory();
  origin.forgetRequests();
  return () => database.drop();
});
afterAll(() => origin.close());

const urlsOf = (site: string): string[] =>
  Array.from({ length: PAGES }, (_, n) => origin.hostUrl(site, goodSitePath(n)));
const awaitRequests = (count: number, site = 'site') =>
  waitUntil(() => (countRequests(origin, [site]) >= count ? true : undefined));

describe('Ctrl-C', () => {
  it('ends the crawl cleanly: exit code 130, no lease left, it says how to go on, and going on works', async () => {
    const seeds = [origin.hostUrl('site', '/')];
    const crawl = startProgram(['crawl', ...seeds, '--allow-private', '--delay', '0.01', '--no-sitemaps'], {
      dataDir,
      databaseUrl: database.url,
    });
    await awaitRequests(30);
    crawl.child.kill('SIGINT');
    const end = await crawl.ended;
    expect(end).toMatchObject({ code: 130, signal: null });
    expect(`${end.stdout}${end.stderr}`).toMatch(/same command/i);
    await expectConsistent(database.db);
    expect(await countLogged(database.db)).toBe(countRequests(origin, ['site']));
    const next = await startCrawl(seeds, { dataDir, databaseUrl: database.url }).ended;
    expect(JSON.parse(next.stdout)).toMatchObject({ pages: PAGES, isResumed: true, reason: 'complete' });
    expect(countRequests(origin, ['site'])).toBe(PAGES);
    await expectConsistent(database.db);
  });

  it('does not wait for servers that hang or ask for hours of rest', async () => {
    origin.site('hanging', { pages: { '/': htmlPage('Home', ['/hang']), '/hang': () => {} } });
    origin.site('resting', { pages: { '/': status(429, { 'retry-after': '500' }) } });
    origin.site('silent', { pages: {}, robots: status(503, { 'retry-after': '500' }) });
    const seeds = ['hanging', 'resting', 'silent'].map((name) => origin.hostUrl(name, '/'));
    const crawl = startCrawl(seeds, { dataDir, databaseUrl: database.url });
    for (const [site, asked] of [
      ['hanging', '/hang'],
      ['resting', '/'],
      ['silent', '/robots.txt'],
    ]) {
      await origin.waitForRequest((request) => request.site === site && request.path === asked);
    }
    crawl.child.kill('SIGTERM');
    expect(await crawl.ended).toMatchObject({ code: 130 });
    expect((await readDomainRows(database.db)).filter(({ claimed_by }) => claimed_by !== null)).toEqual([]);
  });
});

describe('a database that goes away', () => {
  it('for a moment, again and again, costs time and nothing else', async () => {
    const seeds = ['site', 'other'].map((name) => origin.hostUrl(name, '/'));
    const crawl = startCrawl(seeds, {
      dataDir,
      databaseUrl: database.url,
      env: { FORAGER_BATCH_PAGES: '10' },
    });
    let mayRefetch = 0;
    for (let cut = 1; cut <= 4; cut += 1) {
      const wanted = countRequests(origin, ['site', 'other']) + 25;
      await waitUntil(() =>
        countRequests(origin, ['site', 'other']) >= wanted || crawl.hasEnded() ? true : undefined,
      );
      await database.execute(
        'select pg_terminate_backend(pid) from pg_stat_activity where application_name like $1',
        [`forager ${crawl.pid}%`],
      );
      // At most what was uncommitted when the connections broke is fetched again.
      mayRefetch += mostUncommitted(10, 10);
    }
    const end = await crawl.ended;
    expect(end, end.stderr).toMatchObject({ code: 0 });
    await expectComplete(database.db, origin, {
      ...{ urls: [...urlsOf('site'), ...urlsOf('other')], sites: ['site', 'other'], mayRefetch },
      warcDirectory: path.join(dataDir, 'warc'),
    });
  });

  it('before the crawl has claimed anything, or while it reads robots.txt, does not cost the domain', async () => {
    origin.site('shaky', goodSite({ pages: 30, linksPerPage: 5 }));
    const moments = [
      {
        statement: 'insert into urls',
        release: await holdLock(database.db, 'lock table urls in exclusive mode'),
      },
      {
        statement: 'insert into domain_robots',
        release: await holdLock(database.db, 'lock table domain_robots in exclusive mode'),
      },
    ];
    const crawling = runTestCrawl({ db: database.db, seeds: [origin.hostUrl('shaky', '/')] });
    for (const { statement, release } of moments) {
      // The connection breaks in the middle of the statement: nobody knows whether it was done.
      expect(await awaitLockWait(database.db, 'forager')).toContain(statement);
      await database.execute(
        "select pg_terminate_backend(pid) from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()",
      );
      await release();
    }
    const { end, summary, events } = await crawling;
    expect(events.map(({ name }) => name)).toContain('database:lost');
    expect(end.reason).toBe('complete');
    expect(summary.pages).toBe(30);
    await expectConsistent(database.db);
  });

  it('with the whole server, killed and brought back by the crawl itself', async () => {
    const seeds = [origin.hostUrl('site', '/')];
    const crawl = startCrawl(seeds, { dataDir, args: ['--delay', '0.01'] });
    await awaitRequests(60);
    const pid = await findPostmaster();
    process.kill(pid, 'SIGKILL');
    const end = await crawl.ended;
    expect(end, end.stderr).toMatchObject({ code: 0 });
    expect(JSON.parse(end.stdout)).toMatchObject({ pages: PAGES, reason: 'complete' });
    const db = await joinEmbedded(dataDir);
    const rows = await readPageRows(db);
    expect(rows.map(({ url }) => url)).toEqual(urlsOf('site').sort());
    await expectConsistent(db);
  });

  async function findPostmaster(): Promise<number> {
    const { stdout } = await promisify(execFile)('ps', ['-eo', 'pid,args']);
    // Every server of this data directory names it on its command line; its children do not.
    const line = stdout.split('\n').find((row) => row.includes(dataDir) && /postgres.* -D/.test(row));
    return Number(line?.trim().split(/\s+/)[0] ?? Number.NaN);
  }
});

describe('a full disk', () => {
  it('for the page bodies ends the crawl with one clear sentence and exit code 1, and it goes on afterwards', async () => {
    const seeds = [origin.hostUrl('site', '/')];
    const limited = ['bash', '-c', 'ulimit -f 64 && exec "$@"', 'limited'];
    const end = await startCrawl(seeds, { dataDir, databaseUrl: database.url, through: limited }).ended;
    expect(end).toMatchObject({ code: 1, signal: null });
    expect(end.stderr).toMatch(/Page bodies cannot be written to .*ulimit/s);
    expect(end.stderr).not.toMatch(/\n\s+at /);
    expect((await readDomainRows(database.db)).filter(({ claimed_by }) => claimed_by !== null)).toEqual([]);
    expect(await readPageRows(database.db)).not.toHaveLength(PAGES);
    const next = await startCrawl(seeds, { dataDir, databaseUrl: database.url }).ended;
    expect(JSON.parse(next.stdout)).toMatchObject({ pages: PAGES, isResumed: true, reason: 'complete' });
    await expectComplete(database.db, origin, {
      ...{ urls: urlsOf('site'), sites: ['site'], mayRefetch: mostUncommitted(250, 5) },
      warcDirectory: path.join(dataDir, 'warc'),
    });
  });
});
