/** Through which proxy something was fetched is told wherever fetches are listed. */
import { beforeEach, expect, test } from 'vitest';
import { readPage } from '../../src/control/pages/read-page.ts';
import { addDomain, addFetch, addPage, addUrl, hashOf } from '../support/backfill-rows.ts';
import { createTestDatabase, type TestDatabase } from '../support/postgres.ts';
import { type CliRun, runForager } from '../support/run-cli.ts';

const URL_1 = 'https://a.example/1';

let database: TestDatabase;
beforeEach(async () => {
  database = await createTestDatabase();
  const domain = await addDomain(database, 'a.example', { last_crawled_at: new Date() });
  await addUrl(database, domain, URL_1);
  await addPage(database, domain, URL_1);
  for (const at of [new Date(Date.now() - 2000), new Date(Date.now() - 1000)]) {
    await addFetch(database, domain, URL_1, { at: at.toISOString() });
  }
  await database.execute(
    'update crawl_log set proxy_id = 7 where fetched_at = (select max(fetched_at) from crawl_log)',
  );
  await database.execute(
    `insert into crawl_tasks (domain_id, url, url_hash, status, http_status, proxy_id)
     values ($1, $2, $3, 'completed', 200, 7)`,
    [domain, URL_1, hashOf(URL_1)],
  );
  return () => database.drop();
});

const forager = (...args: readonly string[]): Promise<CliRun> =>
  runForager(args, { env: { DATABASE_URL: database.url, NO_COLOR: '1' } });

test('the export of the log has a column for it', async () => {
  expect((await forager('export', 'log')).json()).toMatchObject([{ proxy: null }, { proxy: 7 }]);
  const [head, ...rows] = (await forager('export', 'log', '--format', 'csv')).stdout.trim().split(/\r?\n/);
  const column = head?.split(',').indexOf('proxy') ?? -1;
  expect(rows.map((row) => row.split(',')[column])).toEqual(['', '7']);
});

test('a domain, a page and a URL tell it of their last fetches, a task of its own', async () => {
  const log = [{ proxyId: 7 }, { proxyId: null }];
  expect((await forager('domain', 'info', 'a.example', '--json')).json()).toMatchObject([{ log }]);
  expect((await forager('domain', 'info', 'a.example')).stdout).toContain('page 200 through proxy 7  ');
  expect((await forager('explain', URL_1, '--json')).json()).toMatchObject([{ log }]);
  expect((await forager('explain', URL_1)).stdout).toContain(' ms through proxy 7');
  expect(await readPage(database.db, 1)).toMatchObject({ log });
  expect((await forager('task', 'show', '1', '--json')).json()).toMatchObject([{ proxyId: 7 }]);
  expect((await forager('task', 'show', '1')).stdout).toContain('status 200 through proxy 7');
});
