/** What is removed while workers work: nothing is lost that is named again, and every counter is right. */
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { deleteDomainJob } from '../../src/control/domains/delete-domain.ts';
import { findDomain } from '../../src/control/domains/find-domain.ts';
import { clearFrontierJob } from '../../src/control/frontier/clear-frontier.ts';
import type { JobContext } from '../../src/control/jobs/job-kind.ts';
import { inTransaction } from '../../src/platform/transaction.ts';
import { type Origin, startOrigin } from '../origin/origin.ts';
import { html, htmlPage } from '../origin/site.ts';
import { expectConsistent, readPagePaths } from '../support/crawl-rows.ts';
import { runTestCrawl, waitUntil } from '../support/crawl-support.ts';
import { runTestFleet, seedFleet } from '../support/fleet-run.ts';
import { createTestDatabase, type TestDatabase } from '../support/postgres.ts';

let origin: Origin;
let database: TestDatabase;
beforeAll(async () => {
  origin = await startOrigin();
});
beforeEach(async () => {
  origin.forgetRequests();
  database = await createTestDatabase();
  return () => database.drop();
});
afterAll(() => origin.close());

function contextFor<P>(params: P): JobContext<P> {
  return {
    ...{ db: database.db, params, actor: 'user:tester', doneBefore: 0 },
    portion: (work) => inTransaction(database.db, work),
    report: async () => undefined,
  };
}

const PAGES = Array.from({ length: 60 }, (_, n) => `/p${n}`);
const LISTS = PAGES.map((_, n) => `/list?colour=${n}`);

async function clearOrder(domain: string) {
  const { rows } = await database.db.query<{ time: string }>('select clock_timestamp()::text as time');
  const { id } = await findDomain(database.db, domain);
  return { domainId: id, domain, state: 'all' as const, before: rows[0]?.time ?? '', restMs: 0 };
}

it('a frontier that is cleared in the middle of a crawl: the worker stops there, and all that is seeded again arrives', async () => {
  const pages = Object.fromEntries(
    PAGES.map((path, n) => [path, htmlPage(path, [`/p${n + 1}`, `/p${n + 2}`, `/list?colour=${n}`])]),
  );
  origin.site('cleared', { pages: { '/': htmlPage('home', PAGES), '/list': htmlPage('list'), ...pages } });
  await seedFleet(database.db, [origin.hostUrl('cleared', '/')]);
  const crawl = runTestFleet({
    db: database.db,
    settings: { delayMs: 20, maxConcurrentPerDomain: 2, batchPages: 3 },
  });
  const { domain } = await waitUntil(async () => {
    const { rows } = await database.db.query<{ domain: string }>(
      'select domain from domains where pages_crawled >= 6',
    );
    return rows[0];
  });
  const result = await clearFrontierJob.run(contextFor(await clearOrder(domain)));
  expect(result).toMatchObject({ domains: 1, fencedWorkers: 1 });
  expect(result.removed).toBeGreaterThan(20);
  const all = ['/', '/list', ...PAGES, ...LISTS];
  await seedFleet(
    database.db,
    all.map((path) => origin.hostUrl('cleared', path)),
  );
  const { events } = await crawl;
  expect(events.filter(({ name }) => name === 'claim:lost')).toHaveLength(1);
  await runTestFleet({ db: database.db });
  expect(await readPagePaths(database.db)).toEqual(all.toSorted());
  await expectConsistent(database.db);
});

it('what is due again although it was read stays as it was read', async () => {
  origin.site('read', { pages: { '/': htmlPage('home', ['/a']), '/a': htmlPage('a') } });
  await seedFleet(database.db, [origin.hostUrl('read', '/')]);
  await runTestFleet({ db: database.db });
  await database.execute("update urls set state = 'never_crawled'");
  const order = await clearOrder(`read.localhost:${origin.port}`);
  expect(await clearFrontierJob.run(contextFor(order))).toMatchObject({ removed: 0, kept: 2 });
  await expectConsistent(database.db);
});

it('shapes of URLs get their budget back, so that what was cleared can be found again', async () => {
  origin.site('shapes', {
    pages: { '/': htmlPage('home', ['/list?colour=1', '/list?colour=2']), '/list': htmlPage('l') },
  });
  await seedFleet(database.db, [origin.hostUrl('shapes', '/')]);
  await runTestFleet({
    db: database.db,
    turnPages: 1,
    prepare: (worker, events) => events.on('url:visited', () => worker.stop()),
  });
  const admitted = async (): Promise<unknown> =>
    (await database.db.query('select template, admitted_count from url_templates')).rows;
  expect(await admitted()).toMatchObject([{ admitted_count: 2 }]);
  const order = await clearOrder(`shapes.localhost:${origin.port}`);
  expect(await clearFrontierJob.run(contextFor(order))).toMatchObject({ removed: 2 });
  expect(await admitted()).toMatchObject([{ admitted_count: 0 }]);
  await expectConsistent(database.db);
});

it('a domain that is removed while a worker lives that remembers its links is crawled anew when it is seeded again', async () => {
  let finish = (): void => undefined;
  const held = new Promise<void>((resolve) => {
    finish = resolve;
  });
  origin.site('slow', {
    pages: {
      '/': async (exchange) => {
        await held;
        html(() => htmlPage('at last'))(exchange);
      },
    },
  });
  origin.site('again', {
    pages: { '/': htmlPage('home', ['/a', '/b']), '/a': htmlPage('a'), '/b': htmlPage('b') },
  });
  await seedFleet(database.db, [origin.hostUrl('slow', '/'), origin.hostUrl('again', '/')]);
  const crawl = runTestFleet({ db: database.db });
  const name = `again.localhost:${origin.port}`;
  const isExhausted = async (): Promise<true | undefined> => {
    const { rows } = await database.db.query<{ domain: string }>(
      "select domain from domains where domain = $1 and status = 'exhausted' and pages_crawled > 0",
      [name],
    );
    return rows.length === 1 ? true : undefined;
  };
  await waitUntil(isExhausted);
  const { id } = await findDomain(database.db, name);
  const removed = await deleteDomainJob.run(contextFor({ domainId: id, domain: name, restMs: 0 }));
  expect(removed).toMatchObject({ urls: 3, pages: 3, fetches: 3 });
  await seedFleet(database.db, [origin.hostUrl('again', '/')]);
  await waitUntil(isExhausted);
  finish();
  await crawl;
  const { rows } = await database.db.query('select pages_crawled from domains where domain = $1', [name]);
  expect(rows).toEqual([{ pages_crawled: 3 }]);
  await expectConsistent(database.db);
});

it('a domain that is removed from under its worker is gone, and the worker goes on with the others', async () => {
  origin.site('doomed', {
    pages: { '/': htmlPage('home', PAGES), ...Object.fromEntries(PAGES.map((p) => [p, htmlPage(p)])) },
  });
  origin.site('other', {
    pages: { '/': htmlPage('home', PAGES), ...Object.fromEntries(PAGES.map((p) => [p, htmlPage(p)])) },
  });
  await seedFleet(database.db, [origin.hostUrl('doomed', '/'), origin.hostUrl('other', '/')]);
  const crawl = runTestFleet({
    db: database.db,
    settings: { delayMs: 20, maxConcurrentPerDomain: 2, batchPages: 3 },
  });
  const name = `doomed.localhost:${origin.port}`;
  await waitUntil(async () => {
    const { rows } = await database.db.query('select from domains where domain = $1 and pages_crawled >= 6', [
      name,
    ]);
    return rows.length === 1 ? true : undefined;
  });
  const { id } = await findDomain(database.db, name);
  await deleteDomainJob.run(contextFor({ domainId: id, domain: name, restMs: 0 }));
  expect((await crawl).end).toBe('idle');
  const { rows } = await database.db.query('select domain, pages_crawled from domains');
  expect(rows).toEqual([{ domain: `other.localhost:${origin.port}`, pages_crawled: 61 }]);
  for (const table of ['urls', 'pages', 'crawl_log', 'domain_robots', 'crawl_run_domains']) {
    expect((await database.db.query(`select from ${table} where domain_id = $1`, [id])).rowCount).toBe(0);
  }
  await expectConsistent(database.db);
});

it.each([1, 2, 3, 4, 5, 6, 7, 8, 9])(
  'a removal that ends after %i reports leaves counters that say what the rows say',
  async (reports) => {
    const links = [...PAGES, ...LISTS];
    const pages = { '/': htmlPage('home', links), '/list': htmlPage('list'), '/p1': htmlPage('p1') };
    origin.site('half', { pages });
    origin.site('whole', { pages });
    const seeds = ['half', 'whole'].map((site) => origin.hostUrl(site, '/'));
    await runTestCrawl({ db: database.db, seeds });
    const name = `half.localhost:${origin.port}`;
    const { id } = await findDomain(database.db, name);
    const ended = new Error('no further');
    let told = 0;
    const context = {
      ...contextFor({ domainId: id, domain: name, restMs: 0 }),
      report: async () => {
        told += 1;
        if (told === reports) throw ended;
      },
    };
    const read = async (): Promise<unknown[]> =>
      (
        await database.db.query(
          `select d.domain, (select count(*)::int from pages p where p.domain_id = d.id) as pages,
                (select count(*)::int from urls u where u.domain_id = d.id) as urls,
                (select count(*)::int from crawl_log l where l.domain_id = d.id) as fetches,
                (select count(*)::int from urls u where u.domain_id = d.id and not u.is_seed and u.url like '%colour%')
                  = (select coalesce(sum(t.admitted_count), 0) from url_templates t where t.domain_id = d.id)
                  as "areShapesRight"
           from domains d order by d.domain`,
        )
      ).rows;
    const before = await read();
    expect(before).toMatchObject([{ areShapesRight: true }, { areShapesRight: true }]);
    if (reports < 9) await expect(deleteDomainJob.run(context)).rejects.toBe(ended);
    else await deleteDomainJob.run(context);
    await expectConsistent(database.db);
    const after = await read();
    // Tasks go first, then pages, the log, errors, traces, products, what went through proxies, and URLs.
    const noLog = { pages: 0, fetches: 0 };
    const left = [{}, { pages: 0 }, noLog, noLog, noLog, noLog, noLog, { ...noLog, urls: 0 }][reports - 1];
    expect(after).toMatchObject(
      left === undefined ? [before[1]] : [{ domain: name, areShapesRight: true, ...left }, before[1]],
    );
    const { rows } = await database.db.query(
      'select pages_count, fetches_count, errors_count, bytes_count from crawl_runs where id > 0',
    );
    const sums = await database.db.query(
      `select sum(pages_count)::int as pages_count, sum(fetches_count)::int as fetches_count,
            sum(errors_count)::int as errors_count, sum(bytes_count)::int as bytes_count from crawl_run_domains`,
    );
    expect(rows).toEqual(sums.rows);
  },
);
