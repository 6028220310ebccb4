/** What one site of the standing order can do to another: nothing. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Origin, startOrigin } from '../origin/origin.ts';
import { htmlPage } from '../origin/site.ts';
import { readDomainRow, readPagePaths } from '../support/crawl-rows.ts';
import { runTestFleet, seedFleet } from '../support/fleet-run.ts';
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

const asked = (site: string) =>
  origin
    .requestsTo(site)
    .map(({ path }) => path)
    .filter((path) => path !== '/robots.txt')
    .sort();

it('links that one site may not follow are still followed where they belong', async () => {
  const absolute = (path: string) => origin.hostUrl('victim', path);
  const links = ['/x', '/y', '/z'].map(absolute);
  const base = `<base href="${absolute('/')}"><a href="/w">w</a><a href="v">v</a>`;
  origin.site('stranger', {
    pages: { '/': htmlPage('Stranger', [...links, '/based']), '/based': `<title>b</title>${base}` },
  });
  origin.site('victim', {
    pages: {
      '/': htmlPage('Victim', [...links, '/late']),
      '/late': htmlPage('Late', ['/w', 'v']),
      ...Object.fromEntries(['/x', '/y', '/z', '/w', '/v'].map((path) => [path, htmlPage(path)])),
    },
  });
  await seedFleet(database.db, [origin.hostUrl('stranger', '/'), absolute('/')]);
  // One worker, one memory of links, one domain at a time: the stranger speaks first.
  await database.execute("update domains set priority_score = 1000 where domain like 'stranger%'");
  await runTestFleet({ db: database.db, settings: { maxDomains: 1 } });
  expect(asked('victim')).toEqual(['/', '/late', '/v', '/w', '/x', '/y', '/z']);
});

it('a seed that moves elsewhere takes itself there, and nothing else of its site', async () => {
  const target = origin.hostUrl('moved-to', '/');
  const junk = Array.from({ length: 20 }, (_, n) => origin.hostUrl('moved-to', `/junk?n=${n}`));
  origin.site('mover', {
    robots: `Sitemap: ${origin.hostUrl('mover', '/sitemap.xml')}\n`,
    pages: {
      '/': ({ response }) => void response.writeHead(302, { location: target }).end(),
      '/sitemap.xml': `<urlset><url><loc>${origin.hostUrl('mover', '/list')}</loc></url></urlset>`,
      '/list': htmlPage('List', junk),
    },
  });
  origin.site('moved-to', { pages: { '/': htmlPage('Here', ['/about']), '/about': htmlPage('About') } });
  await seedFleet(database.db, [origin.hostUrl('mover', '/')]);
  await runTestFleet({ db: database.db, settings: { readSitemaps: true } });
  expect(asked('moved-to').filter((path) => path !== '/sitemap.xml')).toEqual(['/', '/about']);
  expect(await readPagePaths(database.db)).toContain('/list');
  expect((await readDomainRow(database.db, 'moved-to'))?.status).toBe('exhausted');
});
