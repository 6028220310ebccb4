/** A site crawled a second time after a reset: asked conditionally, counted once. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { resetDomain } from '../../src/control/domains/reset-domain.ts';
import { cacheable } from '../origin/behaviours/caching.ts';
import { type Origin, startOrigin } from '../origin/origin.ts';
import { htmlPage } from '../origin/site.ts';
import { readPageRows } from '../support/crawl-rows.ts';
import { runTestCrawl } from '../support/crawl-support.ts';
import { createTestDatabase, type TestDatabase } from '../support/postgres.ts';

let origin: Origin;
let database: TestDatabase;
beforeAll(async () => {
  origin = await startOrigin();
  database = await createTestDatabase();
});
afterAll(async () => {
  await origin.close();
  await database.drop();
});

it('unchanged pages answer 304 and stay, a changed one is replaced, and neither is counted again', async () => {
  const home = cacheable(htmlPage('Home', ['/same', '/changing']), { etag: '"home"' });
  const same = cacheable(htmlPage('Same'), { lastModified: 'Sun, 15 Nov 2026 07:00:00 GMT' });
  const site = (title: string) => ({
    pages: { '/': home, '/same': same, '/changing': cacheable(htmlPage(title), { etag: `"${title}"` }) },
  });
  const seeds = [origin.hostUrl('again', '/')];
  origin.site('again', site('Before'));
  await runTestCrawl({ db: database.db, seeds });
  origin.site('again', site('After'));
  await resetDomain(database.db, seeds[0] ?? '', {
    recrawl: true,
    actor: 'person:tester',
    requestTimeoutMs: 5000,
  });
  const { end, summary } = await runTestCrawl({ db: database.db, seeds });
  expect(end.reason).toBe('complete');
  expect(summary.statusCodes).toEqual({ 200: 1, 304: 2 });
  const titles = (await readPageRows(database.db)).map(({ title }) => title);
  expect(titles.sort()).toEqual(['After', 'Home', 'Same']);
  const { rows } = await database.db.query(
    'select pages_crawled::int, (select count(*)::int from pages) as pages from domains',
  );
  expect(rows).toEqual([{ pages_crawled: 3, pages: 3 }]);
});
