/** Two processes share the pages of one limited crawl; one is killed, and what it was promised is not lost. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { goodSite } from '../origin/good-site.ts';
import { type Origin, startOrigin } from '../origin/origin.ts';
import type { Handler } from '../origin/site.ts';
import { buildProgram, startCrawl } from '../support/crawl-process.ts';
import { expectConsistent } from '../support/crawl-rows.ts';
import { temporaryDirectory, waitUntil } from '../support/crawl-support.ts';
import { createTestDatabase, type TestDatabase } from '../support/postgres.ts';

const MAX_PAGES = 300;
const NAMES = ['north', 'south', 'east', 'west'];

/** The first pages are given at once; the others wait until both processes are at it. */
const GIVEN_AT_ONCE = 40;
let servedCount = 0;
let openTheRest: () => void = () => undefined;
const rest = new Promise<void>((resolve) => {
  openTheRest = resolve;
});

let origin: Origin;
let database: TestDatabase;
beforeAll(async () => {
  await buildProgram();
  origin = await startOrigin();
  database = await createTestDatabase();
  for (const name of NAMES) {
    const { pages } = goodSite({ pages: 200, linksPerPage: 8 });
    const late = Object.entries(pages).map(([path, body]) => {
      const handler: Handler = async ({ response }) => {
        servedCount += 1;
        if (servedCount > GIVEN_AT_ONCE) await rest;
        response.writeHead(200, { 'content-type': 'text/html' }).end(body);
      };
      return [path, handler] as const;
    });
    origin.site(name, { pages: Object.fromEntries(late) });
  }
});
afterAll(async () => {
  await origin.close();
  await database.drop();
});

it('the other one reads exactly the rest', async () => {
  const seeds = NAMES.map((name) => origin.hostUrl(name, '/'));
  const args = ['--max-pages', String(MAX_PAGES), '--no-bodies'];
  const env = { FORAGER_MAX_DOMAINS: '2' };
  const start = async () =>
    startCrawl(seeds, { args, env, dataDir: await temporaryDirectory(), databaseUrl: database.url });
  const [killed, survivor] = [await start(), await start()];
  // Both are at it, and something has been committed.
  await waitUntil(async () => {
    const { rows } = await database.db.query<{ holders: number; pages: number }>(
      `select (select count(distinct claimed_by)::int from domains) as holders,
              (select coalesce(sum(pages_count), 0)::int from crawl_run_domains) as pages`,
    );
    const [row] = rows;
    return row !== undefined && row.holders === 2 && row.pages > 20 ? row : undefined;
  });
  await killed.kill();
  openTheRest();
  const { code, stderr } = await survivor.ended;
  expect(stderr).not.toMatch(/Error/);
  expect(code).toBe(0);
  const { rows } = await database.db.query<{ pages: number; kept: number; logged: number }>(
    `select r.pages_count::int as pages, (select count(*)::int from pages) as kept,
            (select count(*)::int from crawl_log where outcome = 'page') as logged
       from crawl_runs r where r.id <> 0`,
  );
  expect(rows).toEqual([{ pages: MAX_PAGES, kept: MAX_PAGES, logged: MAX_PAGES }]);
  await expectConsistent(database.db);
});
