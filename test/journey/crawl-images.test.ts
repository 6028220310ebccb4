/** Images on their way from a page to the blob store and into the tables: what is asked for, kept and refused. */
import { readdir } from 'node:fs/promises';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { resetDomain } from '../../src/control/domains/reset-domain.ts';
import type { Extraction } from '../../src/engine/extract/product-fields.ts';
import type { ParserRegistry } from '../../src/engine/extract/registry.ts';
import { type BlobStore, localBlobStore } from '../../src/engine/images/blob-store.ts';
import { type Origin, startOrigin } from '../origin/origin.ts';
import type { Handler, SitePages } from '../origin/site.ts';
import { type CrawlOrder, runTestCrawl, temporaryDirectory } from '../support/crawl-support.ts';
import { bombPng, noisyJpeg, picture, rawPng, SCRIPTED_SVG } from '../support/pictures.ts';
import { createTestDatabase, type TestDatabase } from '../support/postgres.ts';

let origin: Origin;
let database: TestDatabase;
let directory: string;
let blobs: BlobStore;
beforeAll(async () => {
  origin = await startOrigin();
});
beforeEach(async () => {
  database = await createTestDatabase();
  directory = await temporaryDirectory();
  blobs = localBlobStore(directory);
  origin.forgetRequests();
  return () => database.drop();
});
afterAll(() => origin.close());

function bytes(body: Buffer | string, type = 'image/png', headers: Record<string, string> = {}): Handler {
  return ({ request, response }) => {
    if (headers.etag !== undefined && request.headers['if-none-match'] === headers.etag) {
      response.writeHead(304).end();
      return;
    }
    response.writeHead(200, { 'content-type': type, ...headers }).end(body);
  };
}

function page(body: string, links: readonly string[] = []): string {
  const anchors = links.map((href) => `<a href="${href}">${href}</a>`).join(' ');
  return `<!doctype html><html lang="en"><title>A page</title><body>${body}<p>Some words.</p>${anchors}</body></html>`;
}

function crawl(site: string, order: Partial<CrawlOrder> = {}, start = '/') {
  return runTestCrawl({
    ...{ db: database.db, seeds: [origin.hostUrl(site, start)], blobs },
    ...order,
    settings: { imagesMode: 'all', ...order.settings },
  });
}

interface ImageRow {
  readonly url: string;
  readonly type: string | null;
  readonly size: string | null;
  readonly refused: string | null;
}

async function imageRows(): Promise<ImageRow[]> {
  const { rows } = await database.db.query<ImageRow>(
    `select u.url, i.content_type as type, i.width || 'x' || i.height as size, u.refused_code as refused
       from image_urls u left join images i on i.id = u.image_id order by u.url`,
  );
  return rows.map((row) => ({ ...row, url: new URL(row.url).pathname }));
}

async function counted(sql: string): Promise<number> {
  const { rows } = await database.db.query<{ count: number }>(sql);
  return rows[0]?.count ?? -1;
}

/** Takes `<i data-image=…>` for a product's images. */
const parsers: ParserRegistry = {
  names: ['generic'],
  find: () => ({
    name: 'generic',
    version: '1',
    extract: ({ html, baseUrl }): Extraction => {
      const urls = [...html.toString().matchAll(/<i data-image="([^"]+)"/g)].map(([, url = '']) => ({
        url: new URL(url, baseUrl).href,
      }));
      if (urls.length === 0)
        return { parser: 'generic', version: '1', verdict: 'none', problems: [], fields: {} };
      const found = <T>(value: T) => ({ value, source: 'json-ld' as const, confidence: 1 });
      return {
        ...{ parser: 'generic', version: '1', verdict: 'valid', problems: [] },
        fields: {
          ...{ name: found('A thing'), price: found('10'), currency: found('EUR') },
          images: found(urls),
        },
      };
    },
  }),
};

describe('images of pages', () => {
  it('are not asked for unless somebody wants them', async () => {
    origin.site('plain', {
      pages: { '/': page('<img src="/a.png">'), '/a.png': bytes(await picture(40, 40)) },
    });
    await crawl('plain', { settings: { imagesMode: 'off' } });
    expect(origin.requestsTo('plain', '/a.png')).toHaveLength(0);
    expect(await counted('select count(*)::int as count from urls where is_image')).toBe(0);
  });

  it('are fetched, read, kept under their hash, and remembered with where they were seen', async () => {
    const large = await picture(800, 600);
    origin.site('shop', {
      pages: {
        '/': page(
          '<img src="/a.png" alt="A red thing"><img srcset="/s.png 320w, /l.png 800w" src="/s.png">',
          ['/2'],
        ),
        '/2': page('<img src="/a.png">'),
        '/a.png': bytes(await picture(64, 48), 'text/plain'),
        '/l.png': bytes(large),
        '/s.png': bytes(await picture(32, 24)),
      },
    });
    const { summary } = await crawl('shop');
    expect(summary.pages).toBe(2);
    expect(await imageRows()).toEqual([
      { url: '/a.png', type: 'image/png', size: '64x48', refused: null },
      { url: '/l.png', type: 'image/png', size: '800x600', refused: null },
    ]);
    const { rows } = await database.db.query(
      `select p.url as page, v.position, v.alt, v.kind, v.discovery_type, v.image_url as image
         from image_provenance v join pages p on (p.domain_id, p.url_hash) = (v.page_domain_id, v.page_url_hash)
        order by page, v.position`,
    );
    const at = (pathname: string) => origin.hostUrl('shop', pathname);
    expect(rows).toEqual([
      {
        page: at('/'),
        position: 0,
        alt: 'A red thing',
        kind: 'page',
        discovery_type: 'discovery',
        image: at('/a.png'),
      },
      {
        page: at('/'),
        position: 1,
        alt: null,
        kind: 'page',
        discovery_type: 'discovery',
        image: at('/l.png'),
      },
      {
        page: at('/2'),
        position: 0,
        alt: null,
        kind: 'page',
        discovery_type: 'discovery',
        image: at('/a.png'),
      },
    ]);
    const files = (await readdir(directory, { recursive: true })).filter((name) => /[0-9a-f]{64}/.test(name));
    expect(files.filter((name) => name.endsWith('.thumb.webp'))).toHaveLength(1);
    expect(files).toHaveLength(3);
    const domain = await database.db.query(
      'select pages_crawled, pages_discovered, images_stored from domains order by id',
    );
    expect(domain.rows).toEqual([{ pages_crawled: 2, pages_discovered: 2, images_stored: 2 }]);
    expect(await counted('select count(*)::int as count from pages')).toBe(2);
  });

  it('of products only, where only those are wanted, the first of them as the main one', async () => {
    origin.site('shop', {
      pages: {
        '/': page('<i data-image="/main.png"></i><i data-image="/side.png"></i><img src="/logo.png">'),
        '/main.png': bytes(await picture(300, 300, 1)),
        '/side.png': bytes(await picture(300, 300, 2)),
        '/logo.png': bytes(await picture(50, 50, 3)),
      },
    });
    await crawl('shop', { parsers, settings: { imagesMode: 'products' } });
    expect((await imageRows()).map(({ url }) => url)).toEqual(['/main.png', '/side.png']);
    const { rows } = await database.db.query(
      `select v.kind, v.position, p.name from image_provenance v join products p on p.id = v.product_id order by position`,
    );
    expect(rows).toEqual([
      { kind: 'primary', position: 0, name: 'A thing' },
      { kind: 'gallery', position: 1, name: 'A thing' },
    ]);
    expect(origin.requestsTo('shop', '/logo.png')).toHaveLength(0);
  });

  it('of the same bytes are one image with two addresses', async () => {
    const same = await picture(100, 100);
    origin.site('shop', {
      pages: {
        '/': page('<img src="/a.png"><img src="/b.png">'),
        '/a.png': bytes(same),
        '/b.png': bytes(same),
      },
    });
    await crawl('shop');
    expect(await counted('select count(*)::int as count from images')).toBe(1);
    expect(await counted('select count(*)::int as count from image_urls where image_id is not null')).toBe(2);
  });

  it('that somebody linked to as if they were pages are fetched as what they are', async () => {
    origin.site('shop', {
      pages: {
        '/': page('', ['/big.png', '/2']),
        '/2': page('<img src="/big.png">', ['/big.png']),
        '/big.png': bytes(await picture(400, 400)),
      },
    });
    await crawl('shop', { settings: { maxConcurrentPerDomain: 1 } });
    expect(await imageRows()).toEqual([
      { url: '/big.png', type: 'image/png', size: '400x400', refused: null },
    ]);
  });
});

describe('where images lie', () => {
  it('on another host they are fetched under its own robots.txt, and nothing else of it is', async () => {
    const image = bytes(await picture(90, 90));
    origin.site('shop', {
      pages: {
        '/': page(
          `<img src="${origin.hostUrl('cdn.other', '/good/a.png')}"><img src="${origin.hostUrl('cdn.other', '/private/b.png')}">`,
        ),
      },
    });
    origin.site('cdn.other', {
      robots: 'User-agent: *\nDisallow: /private/\n',
      pages: {
        '/good/a.png': image,
        '/private/b.png': image,
        '/sitemap.xml': bytes('<urlset><url><loc>/page</loc></url></urlset>', 'application/xml'),
        '/': page('A CDN'),
      },
    });
    const { end } = await crawl('shop', { settings: { readSitemaps: true } });
    expect(end.reason).toBe('complete');
    expect(origin.requestsTo('cdn.other').map((request) => request.path)).toEqual([
      '/robots.txt',
      '/good/a.png',
    ]);
    const { rows } = await database.db.query(
      'select domain, source, pages_discovered, pages_crawled, images_stored, status from domains order by id',
    );
    expect(rows).toMatchObject([
      { pages_discovered: 1, pages_crawled: 1, images_stored: 1 },
      { source: 'image', pages_discovered: 0, pages_crawled: 0, images_stored: 0, status: 'exhausted' },
    ]);
  });

  it('a page that names many hosts makes domains of a few of them', async () => {
    const shown = Array.from(
      { length: 40 },
      (_, n) => `<img src="${origin.hostUrl(`cdn${n}.other`, '/a.png')}">`,
    );
    origin.site('shop', { pages: { '/': page(shown.join('')) } });
    for (const n of shown.keys())
      origin.site(`cdn${n}.other`, { pages: { '/a.png': bytes(await picture(9, 9, n)) } });
    const { summary, end } = await crawl('shop');
    expect(end.reason).toBe('complete');
    expect(await counted(`select count(*)::int as count from domains where source = 'image'`)).toBe(5);
    expect(await counted('select count(*)::int as count from image_provenance')).toBe(5);
    expect(summary.skipped).toMatchObject({ 'image-hosts': 35 });
  });

  it('excluded by a pattern they are not asked for', async () => {
    origin.site('shop', {
      pages: { '/': page('<img src="/no/a.png">'), '/no/a.png': bytes(await picture(9, 9)) },
    });
    await crawl('shop', { exclude: [/\/no\//] });
    expect(origin.requestsTo('shop', '/no/a.png')).toHaveLength(0);
  });

  it('moved, they are found where they have gone, with the pages that show them', async () => {
    origin.site('shop', {
      pages: {
        '/': page('<img src="/old.png">'),
        '/old.png': ({ response }) => void response.writeHead(301, { location: '/new.png' }).end(),
        '/new.png': bytes(await picture(70, 70)),
      },
    });
    await crawl('shop');
    expect(
      await counted(
        `select count(*)::int as count from image_provenance v join image_urls u on u.url_hash = v.image_url_hash
          where u.image_id is not null`,
      ),
    ).toBe(1);
    expect(await counted('select images_stored as count from domains')).toBe(1);
  });
});

describe('what is no image worth keeping', () => {
  it('is refused with a reason, and nothing of it is stored', async () => {
    const jpeg = await noisyJpeg(300, 300);
    const pages: SitePages = {
      '/bomb.png': bytes(rawPng(60_000, 60_000, Buffer.from([0x78, 0x9c, 3, 0, 0, 0, 0, 1]))),
      '/unfolds.png': bytes(bombPng(9000)),
      '/script.svg': bytes(SCRIPTED_SVG, 'image/svg+xml'),
      '/script.png': bytes(SCRIPTED_SVG, 'image/png'),
      '/page.png': bytes('<!doctype html><title>Hi</title><a href="/hidden">x</a>', 'image/png'),
      '/cut.jpg': bytes(jpeg.subarray(0, jpeg.length >> 1), 'image/jpeg'),
      '/dot.gif': bytes(Buffer.from('R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7', 'base64')),
      '/none.png': bytes(''),
      '/large.png': bytes(Buffer.alloc(300_000, 1)),
    };
    const shown = Object.keys(pages).map((src) => `<img src="${src}">`);
    const others = [
      '<img src="data:image/gif;base64,R0lGODlhAQABAAAAACw=">',
      '<img src="/count.gif" width="1" height=1>',
      '<img src="ftp://files.example/x.png">',
    ];
    origin.site('shop', { pages: { ...pages, '/': page([...shown, ...others].join('')) } });
    const { summary } = await crawl('shop', { settings: { maxImageBytes: 200_000 } });
    expect(Object.fromEntries((await imageRows()).map(({ url, refused }) => [url, refused]))).toEqual({
      '/bomb.png': 'too-many-pixels',
      '/unfolds.png': 'too-many-pixels',
      '/script.svg': 'svg',
      '/script.png': 'svg',
      '/page.png': 'not-an-image',
      '/cut.jpg': 'corrupt',
      '/dot.gif': 'empty',
      '/none.png': 'empty',
      '/large.png': 'too-large',
    });
    expect(await counted('select count(*)::int as count from images')).toBe(0);
    expect(await readdir(directory)).toEqual([]);
    expect(origin.requestsTo('shop', '/hidden')).toHaveLength(0);
    expect(origin.requestsTo('shop', '/count.gif')).toHaveLength(0);
    expect(summary.skipped).toMatchObject({ 'image-data': 1, 'image-pixel': 1 });
    expect(summary.outcomes).toMatchObject({ 'image-refused': 9 });
    expect(summary.errors).toBe(0);
  });

  it('beyond so many of a page is not asked for', async () => {
    const image = bytes(await picture(20, 20));
    const sources = Array.from({ length: 8 }, (_, number) => `/${number}.png`);
    origin.site('shop', {
      pages: { '/': page(sources.map((src) => `<img src="${src}">`).join('')), '/*': image },
    });
    const { summary } = await crawl('shop', { settings: { maxImagesPerPage: 5 } });
    expect(await imageRows()).toHaveLength(5);
    expect(summary.skipped).toMatchObject({ 'image-limit': 3 });
  });
});

describe('a limited crawl', () => {
  it('still fetches the images of the pages it has read, and they are no pages of it', async () => {
    const image = bytes(await picture(20, 20));
    const pages: SitePages = { '/image/*': image };
    for (let number = 0; number < 30; number += 1) {
      pages[number === 0 ? '/' : `/${number}`] = page(
        `<img src="/image/${number}.png"><img src="/image/${number}b.png">`,
        [`/${number + 1}`, `/${number + 2}`, `/${number + 3}`],
      );
    }
    origin.site('shop', { pages });
    const { summary, end } = await crawl('shop', { maxPages: 6 });
    expect(end.reason).toBe('budget');
    expect(summary.pages).toBe(6);
    expect(await counted('select count(*)::int as count from image_urls where image_id is not null')).toBe(
      12,
    );
    expect(await counted('select images_stored as count from domains')).toBe(12);
  });
});

describe('images that are asked for again', () => {
  it('are seen again when nothing has changed, and replaced when something has; what a page no longer shows stays known', async () => {
    let isLater = false;
    const [first, second, third] = [
      await picture(50, 50, 1),
      await picture(50, 50, 2),
      await picture(50, 50, 3),
    ];
    const same = bytes(first, 'image/png', { etag: '"same"' });
    const before = bytes(second);
    const after = bytes(third);
    origin.site('shop', {
      pages: {
        '/': ({ response }) =>
          void response
            .writeHead(200, { 'content-type': 'text/html' })
            .end(
              isLater
                ? page('<p>Now</p><img src="/same.png">')
                : page('<img src="/same.png"><img src="/new.png">'),
            ),
        '/same.png': same,
        '/new.png': (exchange) => (isLater ? after : before)(exchange),
      },
    });
    await crawl('shop');
    isLater = true;
    await database.execute(
      `update urls set next_crawl_at = now() - interval '1 hour', last_crawled_at = now() - interval '20 days'`,
    );
    await database.execute(
      `update domains set status = 'pending', status_code = 'refresh_due', is_refreshing = true, next_crawl_after = null`,
    );
    await database.execute(
      `update images set first_seen_at = now() - interval '20 days', last_seen_at = now() - interval '20 days'`,
    );
    await database.execute(
      `update image_provenance set first_seen_at = now() - interval '20 days', last_seen_at = now() - interval '20 days'`,
    );
    const { summary } = await crawl('shop');
    expect(summary.outcomes).toMatchObject({ page: 1, image: 1, 'not-modified': 1 });
    const { rows } = await database.db.query(
      `select i.content_type as type, i.last_seen_at > now() - interval '1 day' as is_fresh,
              exists (select from image_urls u where u.image_id = i.id) as is_there
         from images i order by i.id`,
    );
    expect(rows).toHaveLength(3);
    expect(rows.filter((row) => row.is_there)).toHaveLength(2);
    expect(rows.filter((row) => row.is_fresh)).toHaveLength(2);
    const places = await database.db.query(
      `select image_url as url, last_seen_at > now() - interval '1 day' as is_fresh from image_provenance order by 1`,
    );
    expect(places.rows).toEqual([
      { url: origin.hostUrl('shop', '/new.png'), is_fresh: false },
      { url: origin.hostUrl('shop', '/same.png'), is_fresh: true },
    ]);
    expect(await counted('select images_stored as count from domains')).toBe(2);
  });

  it('a page that says it has not changed shows what it showed when it was last read, and nothing else', async () => {
    let version = 1;
    const at = (): string => `"${version}"`;
    const image = bytes(await picture(50, 50));
    origin.site('shop', {
      pages: {
        '/': ({ request, response }) => {
          if (request.headers['if-none-match'] === at()) {
            response.writeHead(304).end();
            return;
          }
          const shown =
            version === 1 ? '<img src="/kept.png"><img src="/left.png">' : '<img src="/kept.png">';
          response.writeHead(200, { 'content-type': 'text/html', etag: at() }).end(page(shown));
        },
        '/*': image,
      },
    });
    const seenDaysAgo = async (): Promise<Record<string, number>> => {
      const { rows } = await database.db.query<{ url: string; days: number }>(
        `select image_url as url, round(extract(epoch from now() - last_seen_at) / 86400)::int as days
           from image_provenance`,
      );
      return Object.fromEntries(rows.map(({ url, days }) => [new URL(url).pathname, days]));
    };
    const again = async (mode: 'all' | 'off' = 'all') => {
      // Everything that was seen was seen ten days earlier.
      await database.execute(`update image_provenance set last_seen_at = last_seen_at - interval '10 days'`);
      await database.execute(`update pages set crawled_at = crawled_at - interval '10 days'`);
      await database.execute(
        `update urls set next_crawl_at = now() - interval '1 hour', last_crawled_at = now() - interval '10 days'
          where not is_image`,
      );
      await database.execute(
        `update domains set status = 'pending', status_code = 'refresh_due', is_refreshing = true, images_mode = $1,
                next_crawl_after = null`,
        [mode],
      );
      return (await crawl('shop')).summary.outcomes;
    };
    await crawl('shop');
    expect(await seenDaysAgo()).toEqual({ '/kept.png': 0, '/left.png': 0 });
    expect(await again()).toEqual({ 'not-modified': 1 });
    expect(await seenDaysAgo()).toEqual({ '/kept.png': 0, '/left.png': 0 });
    version = 2;
    expect(await again()).toEqual({ page: 1 });
    expect(await seenDaysAgo()).toEqual({ '/kept.png': 0, '/left.png': 10 });
    expect(await again()).toEqual({ 'not-modified': 1 });
    expect(await seenDaysAgo()).toEqual({ '/kept.png': 0, '/left.png': 20 });
    expect(await again('off')).toEqual({ 'not-modified': 1 });
    expect(await seenDaysAgo()).toEqual({ '/kept.png': 10, '/left.png': 30 });
  });

  it('wanted only after their pages were read, they are found when everything is asked for again', async () => {
    const image = bytes(await picture(50, 50));
    const html = Buffer.from(page('<img src="/a.png">'));
    origin.site('shop', { pages: { '/': bytes(html, 'text/html', { etag: '"same"' }), '/a.png': image } });
    await crawl('shop', { settings: { imagesMode: 'off' } });
    const again = async () => {
      await resetDomain(database.db, new URL(origin.hostUrl('shop', '/')).host, {
        ...{ recrawl: true, actor: 'person:tester', requestTimeoutMs: 5000 },
      });
      return (await crawl('shop', { settings: { imagesMode: 'off' } })).summary.outcomes;
    };
    expect(await again()).toEqual({ 'not-modified': 1 });
    await database.execute(`update domains set images_mode = 'all'`);
    expect(await again()).toEqual({ page: 1, image: 1 });
    expect(await counted('select images_stored as count from domains')).toBe(1);
    expect(await again()).toEqual({ 'not-modified': 1, image: 1 });
  });
});
