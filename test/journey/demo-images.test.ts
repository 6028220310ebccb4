/** The demo shops with their images: the pictures of one are kept, those of the other are drawings that are refused. */
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { MOSS_AND_MARROW } from '../../src/demo/moss-and-marrow.ts';
import { stockShelves } from '../../src/demo/shop-catalogue.ts';
import type { ShopPlan } from '../../src/demo/shop-plan.ts';
import { type DemoWeb, startDemoWeb } from '../../src/demo/start-demo-web.ts';
import { TINKER_AND_SONS } from '../../src/demo/tinker-and-sons.ts';
import { openParsers } from '../../src/engine/extract/site/open-parsers.ts';
import { localBlobStore } from '../../src/engine/images/blob-store.ts';
import { type CrawlReport, runTestCrawl, temporaryDirectory } from '../support/crawl-support.ts';
import { createTestDatabase, type TestDatabase } from '../support/postgres.ts';

let demo: DemoWeb;
let database: TestDatabase;
beforeAll(async () => {
  demo = await startDemoWeb();
});
afterAll(() => demo.close());
beforeEach(async () => {
  database = await createTestDatabase();
  return () => database.drop();
});

async function crawl(plan: ShopPlan, imagesMode: 'products' | 'all'): Promise<CrawlReport> {
  const seed = demo.sites.find((site) => site.domain === plan.domain)?.url ?? '';
  return runTestCrawl({
    ...{ db: database.db, seeds: [seed], parsers: await openParsers() },
    blobs: localBlobStore(await temporaryDirectory()),
    settings: { imagesMode, readSitemaps: true, maxConcurrentPerDomain: 8 },
  });
}

/** What became of the images, by the folder they lie in. */
async function endings(): Promise<Record<string, number>> {
  const { rows } = await database.db.query<{ ending: string; count: number }>(
    `select substring(u.url from '^https?://[^/]+(/images/|/[^/]*$)') || ' ' || coalesce(u.refused_code, i.content_type)
              as ending, count(*)::int
       from image_urls u left join images i on i.id = u.image_id group by 1`,
  );
  return Object.fromEntries(rows.map(({ ending, count }) => [ending, count]));
}

const slugsOf = (plan: ShopPlan): string[] => [
  ...new Set(stockShelves(plan, 0).flatMap(({ products }) => products.map(({ slug }) => slug))),
];

it('Moss & Marrow: the image of each product, and no other', async () => {
  const { end, summary } = await crawl(MOSS_AND_MARROW, 'products');
  expect(end.reason).toBe('complete');
  const count = slugsOf(MOSS_AND_MARROW).length;
  expect(await endings()).toEqual({ '/images/ image/png': count });
  expect(summary.outcomes).toMatchObject({ image: count });
  expect(summary.outcomes['image-refused']).toBeUndefined();
  const { rows } = await database.db.query(
    `select count(*)::int as products,
            count(*) filter (where exists (select from image_provenance v join image_urls u on u.url_hash = v.image_url_hash
                                            where v.product_id = p.id and v.kind = 'primary' and u.image_id is not null))::int as pictured
       from products p`,
  );
  expect(rows[0]?.products).toBeGreaterThan(0);
  expect(rows[0]?.pictured).toBe(rows[0]?.products);
  const domains = await database.db.query('select images_stored, pages_crawled from domains');
  expect(domains.rows).toEqual([{ images_stored: count, pages_crawled: summary.pages }]);
});

it('Moss & Marrow: all images, of which the one that is drawn is refused', async () => {
  const { end } = await crawl(MOSS_AND_MARROW, 'all');
  expect(end.reason).toBe('complete');
  expect(await endings()).toEqual({
    '/images/ image/png': slugsOf(MOSS_AND_MARROW).length,
    '/favicon.svg svg': 1,
  });
});

it('Tinker & Sons: every image is a drawing, refused with a reason, and no error', async () => {
  const { end, summary } = await crawl(TINKER_AND_SONS, 'products');
  expect(end.reason).toBe('complete');
  const count = slugsOf(TINKER_AND_SONS).length;
  expect(await endings()).toEqual({ '/images/ svg': count });
  expect(summary.outcomes).toMatchObject({ 'image-refused': count });
  const { rows } = await database.db.query(
    `select (select count(*)::int from images) as images, (select images_stored from domains) as stored,
            (select count(*)::int from urls where is_image and state <> 'fetched') as unsettled,
            (select min(refused_reason) from image_urls) as reason`,
  );
  expect(rows[0]).toMatchObject({
    images: 0,
    stored: 0,
    unsettled: 0,
    reason: expect.stringContaining('SVG'),
  });
});
