/** Images and the ends of a crawl: on other hosts, behind a limit of pages, tried again, and pages taken for images. */
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { type BlobStore, localBlobStore } from '../../src/engine/images/blob-store.ts';
import { type Origin, startOrigin } from '../origin/origin.ts';
import type { Handler } from '../origin/site.ts';
import { runTestCrawl, temporaryDirectory } from '../support/crawl-support.ts';
import { picture } from '../support/pictures.ts';
import { createTestDatabase, type TestDatabase } from '../support/postgres.ts';

let origin: Origin;
let database: TestDatabase;
let blobs: BlobStore;
beforeAll(async () => {
  origin = await startOrigin();
});
beforeEach(async () => {
  database = await createTestDatabase();
  blobs = localBlobStore(await temporaryDirectory());
  return () => database.drop();
});
afterAll(() => origin.close());

const SHELF = Array.from({ length: 12 }, (_, n) => `/p${n}`);

const page = (body: string, links: readonly string[] = []): string =>
  `<!doctype html><title>A page</title>${body}${links.map((href) => `<a href="${href}">${href}</a>`).join(' ')}`;

const png =
  (bytes: Buffer): Handler =>
  ({ response }) =>
    void response.writeHead(200, { 'content-type': 'image/png' }).end(bytes);

async function pictures(shade = 0): Promise<Record<string, Handler>> {
  const entries = SHELF.map(
    async (path, n) => [`${path}.png`, png(await picture(20 + n, 20, shade))] as const,
  );
  return Object.fromEntries(await Promise.all(entries));
}

function crawl(maxPages?: number, start = '/', imagesMode: 'all' | 'off' = 'all') {
  const seeds = [origin.hostUrl('shop', start)];
  return runTestCrawl({
    ...{ db: database.db, seeds, blobs, settings: { imagesMode } },
    ...(maxPages !== undefined && { maxPages }),
  });
}

async function images(): Promise<{ stored: number; waiting: number }> {
  const { rows } = await database.db.query<{ stored: number; waiting: number }>(
    `select (select count(*)::int from image_urls where image_id is not null) as stored,
            (select count(*)::int from urls where is_image and state = 'never_crawled') as waiting`,
  );
  return rows[0] ?? { stored: -1, waiting: -1 };
}

it('on another host are there when a crawl has had its pages, all of those it has read', async () => {
  origin.site('cdn', { pages: await pictures() });
  const shown = (path: string): string => `<img src="${origin.hostUrl('cdn', `${path}.png`)}">`;
  origin.site('shop', {
    pages: {
      '/': page('', SHELF),
      ...Object.fromEntries(SHELF.map((path) => [path, page(shown(path))])),
    },
  });
  const first = await crawl(6);
  expect(first.end.reason).toBe('budget');
  expect(first.summary.pages).toBe(6);
  expect(await images()).toEqual({ stored: 5, waiting: 0 });
  const second = await crawl(9);
  expect(second.summary.pages).toBe(9);
  expect(await images()).toEqual({ stored: 8, waiting: 0 });
  const asked = origin.requestsTo('cdn').map(({ path }) => path);
  expect(new Set(asked).size).toBe(asked.length);
});

it('that failed for the moment are tried again before a limited crawl ends', async () => {
  const bytes = await picture(30, 30);
  const flaky: Handler = (exchange) =>
    exchange.visit > 1 ? png(bytes)(exchange) : void exchange.response.writeHead(500).end('not now');
  origin.site('shop', {
    pages: { '/': page('<img src="/a.png">', ['/next']), '/a.png': flaky, '/next': page('') },
  });
  const { end, summary } = await crawl(1);
  expect(end.reason).toBe('budget');
  expect(summary.pages).toBe(1);
  expect(await images()).toEqual({ stored: 1, waiting: 0 });
});

it('what is shown as an image and linked to as a page is a page, unless it is called like an image', async () => {
  const bytes = await picture(25, 25);
  origin.site('shop', {
    pages: {
      '/': page('<img src="/real"><img src="/big.png">', ['/real', '/big.png']),
      '/real': page('', ['/deep']),
      '/big.png': png(bytes),
      '/deep': page(''),
    },
  });
  const { summary } = await crawl();
  expect(summary.outcomes).toEqual({ page: 3, image: 1 });
  const { rows } = await database.db.query('select pages_discovered::int, pages_crawled::int from domains');
  expect(rows).toEqual([{ pages_discovered: 3, pages_crawled: 3 }]);
});

it('a page that was taken for an image is read when somebody names it', async () => {
  origin.site('shop', {
    pages: { '/': page('<img src="/real">'), '/real': page('', ['/deep']), '/deep': page('') },
  });
  const first = await crawl();
  expect(first.summary.outcomes).toEqual({ page: 1, 'image-refused': 1 });
  const second = await crawl(undefined, '/real', 'off');
  expect(second.summary.outcomes).toEqual({ page: 2 });
});
