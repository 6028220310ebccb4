/** A domain is in one queue at a time: that of the standing order, or that of one crawl. */
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { goodSite } from '../origin/good-site.ts';
import { type Origin, startOrigin } from '../origin/origin.ts';
import { type Handler, htmlPage, type SiteDefinition } from '../origin/site.ts';
import { expectConsistent } from '../support/crawl-rows.ts';
import { runTestCrawl, stopAfterPages, temporaryDirectory, waitUntil } from '../support/crawl-support.ts';
import { readState } from '../support/domain-history.ts';
import { runTestFleet, seedFleet } from '../support/fleet-run.ts';
import { advance } from '../support/moving-clock.ts';
import { createTestDatabase, type TestDatabase } from '../support/postgres.ts';
import { runForager } from '../support/run-cli.ts';

let origin: Origin;
let database: TestDatabase;
beforeAll(async () => {
  origin = await startOrigin();
});
beforeEach(async () => {
  database = await createTestDatabase();
  origin.forgetRequests();
});
afterEach(() => database.drop());
afterAll(() => origin.close());

const asked = (): string[] =>
  origin.requests.map(({ path }) => path).filter((path) => path !== '/robots.txt');
const seed = (): string => origin.hostUrl('site', '/');
const state = () => readState(database.db, 'site');

/** Each answer takes a moment, so that there is a middle to be met in. */
function slow({ pages }: SiteDefinition, answerMs = 10): SiteDefinition {
  const late = Object.entries(pages).map(([path, body]) => {
    const handler: Handler = async ({ response }) => {
      await new Promise((resolve) => setTimeout(resolve, answerMs));
      response.writeHead(200, { 'content-type': 'text/html' }).end(body);
    };
    return [path, handler] as const;
  });
  return { pages: Object.fromEntries(late) };
}

/** Pages read under each run, in the order of the runs. */
async function pagesOfRuns(): Promise<number[]> {
  const { rows } = await database.db.query<{ pages: number }>(
    "select count(*)::int as pages from crawl_log where outcome = 'page' group by run_id order by run_id",
  );
  return rows.map(({ pages }) => pages);
}

describe('a crawl of a domain that the fleet is at work on', () => {
  it('has it from the next commit on; afterwards it is the fleet’s again, with the rules of the crawl', async () => {
    origin.site('site', slow(goodSite({ pages: 120, linksPerPage: 8 }), 80));
    await seedFleet(database.db, [seed()]);
    const fleet = runTestFleet({ db: database.db, settings: { maxConcurrentPerDomain: 2, batchPages: 5 } });
    await waitUntil(() => (asked().length > 20 ? true : undefined));
    const crawled = await runForager(
      [
        ...['crawl', seed(), '--scope', 'domain', '--exclude', '/secret', '--max-depth', '9'],
        ...['--delay', '0', '--allow-private', '--no-sitemaps', '--no-bodies', '--json'],
        ...['--data-dir', await temporaryDirectory()],
      ],
      { env: { DATABASE_URL: database.url } },
    );
    expect(crawled.code).toBe(0);
    expect((await fleet).end).toBe('idle');
    const [byFleet = 0, byCrawl = 0] = await pagesOfRuns();
    expect(byFleet).toBeGreaterThan(0);
    expect(byCrawl).toBeGreaterThan(0);
    expect(crawled.json()[0]).toMatchObject({ reason: 'complete', pages: byCrawl });
    // Nothing was asked for twice, whoever asked.
    expect(byFleet + byCrawl).toBe(120);
    expect(asked()).toHaveLength(120);
    expect(await state()).toMatchObject({ status: 'exhausted', runId: 0, claimedBy: null, pages: 120 });
    const { rows } = await database.db.query('select scope, include, exclude, max_depth from domains');
    expect(rows).toEqual([{ scope: 'domain', include: [], exclude: ['\\/secret'], max_depth: 9 }]);
    await expectConsistent(database.db);
  });

  it('leaves its rules to whoever reads the domain again', async () => {
    const pages = {
      '/': htmlPage('Home', ['/open']),
      '/open': htmlPage('Open'),
      '/secret': htmlPage('Secret'),
    };
    origin.site('site', { pages });
    const args = ['--exclude', '/secret', '--delay', '0', '--allow-private', '--no-sitemaps', '--no-bodies'];
    const dataDir = await temporaryDirectory();
    const env = { DATABASE_URL: database.url };
    await runForager(['crawl', seed(), ...args, '--data-dir', dataDir], { env });
    origin.site('site', {
      pages: { ...pages, '/': htmlPage('Home', ['/open', '/secret', '/new']), '/new': htmlPage('New') },
    });
    await advance(database, { days: 14, minutes: 10 });
    origin.forgetRequests();
    await runTestFleet({ db: database.db });
    expect(asked().sort()).toEqual(['/', '/new', '/open']);
  });
});

describe('a crawl that was stopped', () => {
  it('keeps its domains: a worker leaves them alone until somebody goes on with it', async () => {
    origin.site('site', slow(goodSite({ pages: 40, linksPerPage: 8 })));
    const first = await runTestCrawl({ db: database.db, seeds: [seed()], prepare: stopAfterPages(5) });
    expect(first.end.reason).toBe('stopped');
    expect(await state()).toMatchObject({ status: 'active', runId: first.end.runId });
    const count = asked().length;
    await runTestFleet({ db: database.db });
    await advance(database, { days: 30 });
    await runTestFleet({ db: database.db });
    expect(asked()).toHaveLength(count);
    const second = await runTestCrawl({ db: database.db, seeds: [seed()] });
    expect(second.end).toMatchObject({ reason: 'complete', isResumed: true });
    expect(await state()).toMatchObject({ status: 'exhausted', runId: 0, pages: 40 });
    expect(new Set(asked()).size).toBe(40);
  });

  it('gives way to another crawl of the same domain, and goes on with what is left of it', async () => {
    origin.site('site', slow(goodSite({ pages: 40, linksPerPage: 8 })));
    const first = { db: database.db, seeds: [seed()] };
    await runTestCrawl({ ...first, prepare: stopAfterPages(5) });
    const other = await runTestCrawl({ db: database.db, seeds: [seed()], exclude: [/nothing-of-the-kind/] });
    expect(other.end.reason).toBe('complete');
    expect(await state()).toMatchObject({ status: 'exhausted', runId: 0, pages: 40 });
    const again = await runTestCrawl(first);
    expect(again.end).toMatchObject({ reason: 'complete', isResumed: true });
    expect(await state()).toMatchObject({ status: 'exhausted', runId: 0, pages: 40 });
    await expectConsistent(database.db);
  });
});

describe('two crawls of one domain at once', () => {
  it('take it one after the other, and ask for nothing twice', async () => {
    origin.site('site', slow(goodSite({ pages: 60, linksPerPage: 8 })));
    const first = runTestCrawl({ db: database.db, seeds: [seed()] });
    await waitUntil(() => (asked().length > 5 ? true : undefined));
    const second = runTestCrawl({ db: database.db, seeds: [seed()], exclude: [/nothing-of-the-kind/] });
    const [a, b] = await Promise.all([first, second]);
    expect(a.end.runId).not.toBe(b.end.runId);
    expect([a.end.reason, b.end.reason]).toEqual(['complete', 'complete']);
    expect(a.summary.pages + b.summary.pages).toBe(60);
    expect(b.events.some(({ name }) => name === 'claim:waiting')).toBe(true);
    expect(asked()).toHaveLength(60);
    expect(await state()).toMatchObject({ status: 'exhausted', runId: 0, claimedBy: null });
    await expectConsistent(database.db);
  });

  it('the second has it as soon as nobody is at work on the first any more', async () => {
    origin.site('site', slow(goodSite({ pages: 20, linksPerPage: 8 })));
    const first = await runTestCrawl({ db: database.db, seeds: [seed()], prepare: stopAfterPages(3) });
    // Killed rather than stopped: its run says that it is running, and says nothing more.
    await database.execute(
      "update crawl_runs set status = 'running', updated_at = forager_now() where id = $1",
      [first.end.runId],
    );
    await advance(database, { minutes: 3 });
    const second = await runTestCrawl({ db: database.db, seeds: [seed()], exclude: [/nothing-of-the-kind/] });
    expect(second.end.reason).toBe('complete');
    expect(await state()).toMatchObject({ status: 'exhausted', runId: 0, pages: 20 });
  });
});
