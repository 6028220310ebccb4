/** Pages are purged while workers read: counters and rows say the same, and whatever is to come back comes back. */
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import type { Job } from '../../src/control/jobs/job.ts';
import { startJobRunner } from '../../src/control/jobs/job-runner.ts';
import { readJob } from '../../src/control/jobs/read-jobs.ts';
import { orderPurge, type PurgeOrder } from '../../src/control/pages/purge-pages.ts';
import { inTransaction } from '../../src/platform/transaction.ts';
import { cacheable } from '../origin/behaviours/caching.ts';
import { type Origin, startOrigin } from '../origin/origin.ts';
import { type Handler, htmlPage } from '../origin/site.ts';
import { readPagePaths } from '../support/crawl-rows.ts';
import { runTestCrawl, waitUntil } from '../support/crawl-support.ts';
import { runTestFleet, seedFleet } from '../support/fleet-run.ts';
import { advance } from '../support/moving-clock.ts';
import { plantPages } from '../support/planted-pages.ts';
import { createTestDatabase, type TestDatabase } from '../support/postgres.ts';

let origin: Origin;
let database: TestDatabase;
beforeAll(async () => {
  origin = await startOrigin();
});
beforeEach(async () => {
  database = await createTestDatabase();
  const runner = startJobRunner(database.db);
  return async () => {
    await runner.stop();
    await database.drop();
  };
});
afterAll(() => origin.close());

async function purge(order: PurgeOrder): Promise<Job> {
  const { id } = await orderPurge(database.db, order, { name: 'user:anna' });
  return waitUntil(async () => {
    const job = await readJob(database.db, id);
    if (job.finishedAt === null) return undefined;
    expect(job).toMatchObject({ state: 'done', error: null });
    return job;
  });
}

async function expectCountersToAgree(): Promise<void> {
  const domains = await database.db.query(
    `select d.domain, d.pages_crawled, d.images_found, d.pages_discovered, p.pages, p.images, m.pages as run_pages
       from domains d,
            lateral (select count(*) as pages, coalesce(sum(images_count), 0) as images
                       from pages where domain_id = d.id) as p,
            lateral (select coalesce(sum(pages_count), 0) as pages
                       from crawl_run_domains where domain_id = d.id) as m
      where d.pages_crawled <> p.pages or d.images_found <> p.images or m.pages <> p.pages
         or d.pages_discovered <> (select count(*) from urls u where u.domain_id = d.id)`,
  );
  expect(domains.rows).toEqual([]);
  const runs = await database.db.query(
    `select r.id, r.pages_count, sum(m.pages_count) from crawl_runs r join crawl_run_domains m on m.run_id = r.id
      where r.id > 0 group by r.id having r.pages_count <> sum(m.pages_count)`,
  );
  expect(runs.rows).toEqual([]);
}

const PAGES = 60;
const SITES = ['alpha', 'beta', 'gamma'];

function serveSites(): void {
  const links = Array.from({ length: PAGES }, (_, n) => `/page/${n}`);
  const image = '<img src="/a.png"><img src="/b.png">';
  for (const site of SITES) {
    origin.site(site, {
      pages: { '/': htmlPage('Home', links, image), '/page/*': htmlPage('Page', [], image) },
    });
  }
}

it('a crawl and purges at the same time leave counters that say what there is, and every page comes back', async () => {
  serveSites();
  let isOver = false;
  const settings = { maxConcurrentPerDomain: 2, batchPages: 3 };
  const crawl = runTestCrawl({
    ...{ db: database.db, settings, seeds: SITES.map((site) => origin.hostUrl(site, '/')) },
  }).finally(() => {
    isOver = true;
  });
  let purged = 0;
  for (let round = 0; !isOver || round < 3; round += 1) {
    const job = await purge({ status: 200, recrawl: true });
    // Every page so often would never end: each round leaves the crawl more time than the one before.
    purged += job.done;
    await new Promise((resolve) => setTimeout(resolve, 20 * round));
  }
  await crawl;
  expect(purged).toBeGreaterThan(0);
  await runTestFleet({ db: database.db, settings });
  const paths = await readPagePaths(database.db);
  expect(paths).toHaveLength(SITES.length * (PAGES + 1));
  await expectCountersToAgree();
});

it('without recrawl, what is read while pages are purged is purged or stays, and is counted as what it is', async () => {
  serveSites();
  let isOver = false;
  const settings = { maxConcurrentPerDomain: 2, batchPages: 3 };
  const crawl = runTestCrawl({
    ...{ db: database.db, settings, seeds: SITES.map((site) => origin.hostUrl(site, '/')) },
  }).finally(() => {
    isOver = true;
  });
  let purged = 0;
  while (!isOver) purged += (await purge({ recrawl: false, isAllMeant: true })).done;
  await crawl;
  const left = (await readPagePaths(database.db)).length;
  expect(purged + left).toBe(SITES.length * (PAGES + 1));
  await expectCountersToAgree();
});

it('a page that is purged while its site says that it has not changed is read again', async () => {
  let purging: Promise<unknown> | undefined;
  const answer = cacheable(htmlPage('Page'), { etag: '"1"' });
  const page: Handler = async (exchange) => {
    if (exchange.request.headers['if-none-match'] !== undefined) {
      purging ??= purge({ recrawl: false, isAllMeant: true });
      await purging;
    }
    await answer(exchange);
  };
  origin.site('unchanged', { pages: { '/': page } });
  await seedFleet(database.db, [origin.hostUrl('unchanged', '/')]);
  await runTestFleet({ db: database.db });
  await advance(database, { days: 14, minutes: 10 });
  await runTestFleet({ db: database.db });
  expect(purging).toBeDefined();
  // A refresh of its own, or the one it was found in: in the end the page is here.
  await advance(database, { days: 1 });
  await runTestFleet({ db: database.db });
  expect(await readPagePaths(database.db)).toEqual(['/']);
});

it('a purge that waits for a domain holds none of its pages: whoever has the domain can write about them', async () => {
  const [id] = await plantPages(database, [{ domain: 'held.example', pages: 20 }]);
  const purging = await inTransaction(database.db, async (tx) => {
    await tx.query('select from domains where id = $1 for update', [id]);
    const job = purge({ domain: 'held.example', recrawl: true });
    await waitUntil(async () => {
      // Not in this transaction, which would see the same picture every time.
      const { rows } = await database.db.query(
        "select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'",
      );
      return rows[0];
    });
    for (const table of ['pages', 'urls']) {
      const { rows } = await tx.query(`select from ${table} where domain_id = $1 for update nowait`, [id]);
      expect(rows).toHaveLength(20);
    }
    return { job };
  });
  expect((await purging.job).done).toBe(20);
  await expectCountersToAgree();
});
