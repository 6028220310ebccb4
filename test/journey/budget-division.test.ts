/** The pages of a limited crawl: divided among its domains, handed on where they are not needed, never exceeded. */
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { goodSite } from '../origin/good-site.ts';
import { type Origin, startOrigin } from '../origin/origin.ts';
import { type Handler, htmlPage, type SiteDefinition } from '../origin/site.ts';
import { expectConsistent } from '../support/crawl-rows.ts';
import { type CrawlOrder, runTestCrawl } from '../support/crawl-support.ts';
import { seedFleet } from '../support/fleet-run.ts';
import { createTestDatabase, type TestDatabase } from '../support/postgres.ts';

let origin: Origin;
let database: TestDatabase;
beforeAll(async () => {
  origin = await startOrigin();
});
afterEach(() => database.drop());
afterAll(() => origin.close());

const site = (pages: number): SiteDefinition => goodSite({ pages, linksPerPage: 8 });
/** The same, each answer a little later. */
function slow(definition: SiteDefinition, delayMs: number): SiteDefinition {
  const pages = Object.entries(definition.pages).map(([path, body]) => {
    const handler: Handler = async ({ response }) => {
      await new Promise((resolve) => setTimeout(resolve, delayMs));
      response.writeHead(200, { 'content-type': 'text/html' }).end(body);
    };
    return [path, handler] as const;
  });
  return { pages: Object.fromEntries(pages) };
}

async function crawl(names: readonly string[], order: Partial<CrawlOrder>) {
  database = await createTestDatabase();
  origin.forgetRequests();
  const seeds = names.map((name) => origin.hostUrl(name, '/'));
  const report = await runTestCrawl({ db: database.db, seeds, ...order });
  return { ...report, pages: await readPages() };
}

async function readPages(): Promise<Record<string, number>> {
  const { rows } = await database.db.query<{ name: string; pages: number }>(
    `select split_part(d.domain, '.', 1) as name, m.pages_count::int as pages
       from crawl_run_domains m join domains d on d.id = m.domain_id order by 1`,
  );
  return Object.fromEntries(rows.map(({ name, pages }) => [name, pages]));
}

const requestedPages = (): number => origin.requests.filter(({ path }) => path !== '/robots.txt').length;
const total = (pages: Record<string, number>): number => Object.values(pages).reduce((sum, n) => sum + n, 0);

describe('the limit of a crawl', () => {
  it('of a hundred pages over fifty domains is two for each, for the fast and the slow alike', async () => {
    const names = Array.from({ length: 50 }, (_, n) => `even${n}`);
    for (const [n, name] of names.entries()) origin.site(name, n % 2 === 0 ? site(9) : slow(site(9), 60));
    const { end, pages } = await crawl(names, { maxPages: 100 });
    expect(end.reason).toBe('budget');
    expect(new Set(Object.values(pages))).toEqual(new Set([2]));
    expect(Object.keys(pages)).toHaveLength(50);
    expect(requestedPages()).toBe(100);
    await expectConsistent(database.db);
  });

  it('with fewer pages than domains is one page for as many as there are', async () => {
    const names = Array.from({ length: 20 }, (_, n) => `scarce${n}`);
    for (const name of names) origin.site(name, site(9));
    const { pages } = await crawl(names, { maxPages: 7 });
    expect(Object.values(pages).filter((count) => count === 1)).toHaveLength(7);
    expect(total(pages)).toBe(7);
    expect(requestedPages()).toBe(7);
  });

  it('comes round again where one domain has no use for its part', async () => {
    origin.site('small', site(3));
    origin.site('large', site(60));
    const { end, pages } = await crawl(['small', 'large'], { maxPages: 20 });
    expect(end.reason).toBe('budget');
    expect(pages).toEqual({ small: 3, large: 17 });
  });

  it('that is larger than all there is ends with everything read', async () => {
    origin.site('small', site(3));
    origin.site('large', site(60));
    const { end, pages } = await crawl(['small', 'large'], { maxPages: 500 });
    expect(end.reason).toBe('complete');
    expect(pages).toEqual({ small: 3, large: 60 });
  });

  it('has a part for domains that are found later', async () => {
    const hub = site(400);
    const links = [...Array.from({ length: 8 }, (_, n) => `/page/${n + 1}`), origin.hostUrl('late', '/')];
    origin.site('hub', { pages: { ...hub.pages, '/': htmlPage('Hub', links) } });
    origin.site('late', site(400));
    const { end, pages } = await crawl(['hub'], { maxPages: 200, scope: 'any' });
    expect(end.reason).toBe('budget');
    expect(total(pages)).toBe(200);
    expect(pages.late).toBeGreaterThanOrEqual(25);
    expect(pages.hub).toBeGreaterThanOrEqual(100);
    expect(requestedPages()).toBe(200);
  });

  it('is not held by a domain that has asked for rest', async () => {
    const resting: Handler = ({ response }) =>
      void response.writeHead(429, { 'retry-after': '120' }).end('later');
    const links = Array.from({ length: 30 }, (_, n) => `/page/${n}`);
    origin.site('tired', { pages: { '/': htmlPage('Tired', links), '/page/*': resting } });
    origin.site('fresh', site(60));
    const { end, pages } = await crawl(['tired', 'fresh'], { maxPages: 40 });
    expect(end.reason).toBe('budget');
    expect(pages).toEqual({ tired: 1, fresh: 39 });
  });

  it('may all go to the first domain where budgets are not divided, and is not exceeded either', async () => {
    for (const name of ['greedy', 'meek', 'patient']) origin.site(name, site(60));
    const settings = { isBudgetFair: false };
    const { end, pages } = await crawl(['greedy', 'meek', 'patient'], { maxPages: 30, settings });
    expect(end.reason).toBe('budget');
    expect(total(pages)).toBe(30);
    expect(Math.max(...Object.values(pages))).toBe(30);
    expect(requestedPages()).toBe(30);
  });

  it('goes on where it was with a larger one, and adds no page with the same', async () => {
    for (const name of ['first', 'second']) origin.site(name, site(60));
    await crawl(['first', 'second'], { maxPages: 20 });
    const seeds = ['first', 'second'].map((name) => origin.hostUrl(name, '/'));
    const same = await runTestCrawl({ db: database.db, seeds, maxPages: 20 });
    expect(same.end).toMatchObject({ reason: 'budget', isResumed: true });
    expect(total(await readPages())).toBe(20);
    await runTestCrawl({ db: database.db, seeds, maxPages: 50 });
    expect(await readPages()).toEqual({ first: 25, second: 25 });
  });
});

describe("a domain's own limit", () => {
  it('holds in a crawl, beside others that have none, where budgets are divided', async () => {
    for (const name of ['bounded', 'free']) origin.site(name, site(20));
    database = await createTestDatabase();
    const seeds = ['bounded', 'free'].map((name) => origin.hostUrl(name, '/'));
    await seedFleet(database.db, seeds);
    await database.execute("update domains set max_pages_per_run = 5 where domain like 'bounded.%'");
    const { end } = await runTestCrawl({ db: database.db, seeds });
    expect(end.reason).toBe('budget');
    expect(await readPages()).toEqual({ bounded: 5, free: 20 });
    const again = await runTestCrawl({ db: database.db, seeds, settings: { isBudgetFair: false } });
    expect(again.end).toMatchObject({ reason: 'complete', isResumed: true });
    expect(await readPages()).toEqual({ bounded: 20, free: 20 });
  });

  it('does not keep what a limited crawl has from the others', async () => {
    for (const name of ['bounded', 'free']) origin.site(name, site(60));
    database = await createTestDatabase();
    const seeds = ['bounded', 'free'].map((name) => origin.hostUrl(name, '/'));
    await seedFleet(database.db, seeds);
    await database.execute("update domains set max_pages_per_run = 5 where domain like 'bounded.%'");
    const { end } = await runTestCrawl({ db: database.db, seeds, maxPages: 40 });
    expect(end.reason).toBe('budget');
    expect(await readPages()).toEqual({ bounded: 5, free: 35 });
  });
});

describe('two processes on one limited crawl', () => {
  it('together read exactly as many pages as were allowed', async () => {
    const names = Array.from({ length: 6 }, (_, n) => `shared${n}`);
    for (const name of names) origin.site(name, slow(site(80), 3));
    database = await createTestDatabase();
    origin.forgetRequests();
    const seeds = names.map((name) => origin.hostUrl(name, '/'));
    const order = { db: database.db, seeds, maxPages: 150, settings: { maxDomains: 3, batchPages: 7 } };
    const [a, b] = await Promise.all([runTestCrawl(order), runTestCrawl(order)]);
    expect(a.end.runId).toBe(b.end.runId);
    expect([a.end.reason, b.end.reason]).toEqual(['budget', 'budget']);
    const pages = await readPages();
    expect(total(pages)).toBe(150);
    expect(requestedPages()).toBe(150);
    expect(Object.values(pages).every((count) => count > 0)).toBe(true);
    await expectConsistent(database.db);
  });
});
