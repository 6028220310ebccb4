import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { now } from '../../src/platform/clock.ts';
import { indexPages } from '../../src/search/pages/index-pages.ts';
import { noteNewWords } from '../../src/search/words/note-words.ts';
import { type Origin, startOrigin } from '../origin/origin.ts';
import { type ApiClient, startTestServer, type TestServer } from '../support/api.ts';
import { runTestCrawl } from '../support/crawl-support.ts';
import { runForager } from '../support/run-cli.ts';
import { plantProducts } from '../support/searchable.ts';

let server: TestServer;
let user: ApiClient;
let origin: Origin;
let dataDir: string;
beforeAll(async () => {
  origin = await startOrigin();
  dataDir = await mkdtemp(path.join(os.tmpdir(), 'forager-search-'));
  server = await startTestServer({ dataDir });
  user = await server.as('user');
  await plantProducts(server.database, [
    { name: 'Copper kettle', brand: 'Kettleworks', category: 'Kitchen', price: '49.90', rating: '4.5' },
    { name: 'Steel kettle', brand: 'Kettleworks', category: 'Kitchen', price: '29.90', rating: '3' },
    { name: 'Kétchup', brand: 'Red\u001b[31m & Co', category: 'Kitchen' },
    ...Array.from({ length: 30 }, (_, i) => ({ name: `Plate ${i}`, brand: 'Tessa', price: `${i + 1}` })),
  ]);
  await noteNewWords(server.database.db, new Date(now().getTime() + 60_000));
});
afterAll(async () => {
  await server.close();
  await origin.close();
  await rm(dataDir, { recursive: true, force: true });
});

interface Answer {
  readonly hits: { readonly product: { readonly id: number; readonly name: string } }[];
  readonly total: number;
  readonly nextCursor: string | null;
  readonly facets: unknown;
}
type Query = Readonly<Record<string, string | number>>;

async function search(query: Query): Promise<Answer> {
  const { status, body } = await user.get('/api/products/search', query);
  expect(status).toBe(200);
  return body as Answer;
}

describe('GET /api/products/search', () => {
  test('finds products with their snippets, facets and what was searched for', async () => {
    const body = await search({ q: 'kettles', sort: 'price', order: 'asc' });
    expect(body).toMatchObject({
      ...{ total: 2, isTotalExact: true, engine: 'postgresql', isDegraded: false, nextCursor: null },
      searchedFor: { query: 'kettles', isAnyWord: false, isCorrected: false },
      facets: { brand: [{ value: 'Kettleworks', count: 2 }] },
    });
    expect(body.hits).toMatchObject([
      {
        product: { name: 'Steel kettle', price: '29.9' },
        snippets: {
          name: [
            { text: 'Steel ', isHit: false },
            { text: 'kettle', isHit: true },
          ],
        },
      },
      { product: { name: 'Copper kettle' } },
    ]);
  });

  test('pages end where there are no more, and a cursor is none of another search', async () => {
    const names: string[] = [];
    let cursor: string | null = null;
    let first: string | null = null;
    do {
      const page: Answer = await search({ q: 'plate', limit: 7, ...(cursor === null ? {} : { cursor }) });
      expect(page.facets === null).toBe(cursor !== null);
      expect(page.total).toBe(30);
      names.push(...page.hits.map(({ product }) => product.name));
      cursor = page.nextCursor;
      first ??= cursor;
    } while (cursor !== null);
    expect(new Set(names).size).toBe(30);
    expect(names).toHaveLength(30);
    for (const other of [{ q: 'kettle' }, { q: 'plate', sort: 'price' }, { q: 'plate', brand: 'Tessa' }]) {
      const refused = await user.get('/api/products/search', { ...other, limit: 7, cursor: first ?? '' });
      expect(refused).toMatchObject({ status: 400, body: { code: 'bad-cursor' } });
    }
  });

  test.each([
    [{}, 400],
    [{ q: 'x'.repeat(201) }, 400],
    [{ q: 'a', limit: 0 }, 400],
    [{ q: 'a', limit: 101 }, 400],
    [{ q: 'a', sort: 'name' }, 400],
    [{ q: 'a', minPrice: '1e308' }, 400],
    [{ q: 'a', currency: 'euro' }, 400],
    [{ q: 'a', availability: 'maybe' }, 400],
    [{ q: 'a', availability: 'in_stock,maybe' }, 400],
    [{ q: 'a', minRating: '6' }, 400],
    [{ q: 'a', minPrice: '20', maxPrice: '10' }, 400],
    [{ q: 'a', isMissing: 'perhaps' }, 400],
    [{ q: 'a', cursor: 'nonsense' }, 400],
    [{ q: 'a', domain: 'unknown.example' }, 404],
    [{ q: 'a', what: 'else' }, 400],
  ])('%j is refused', async (query, status) => {
    expect((await user.get('/api/products/search', query as Query)).status).toBe(status);
  });

  test('nobody searches without an account', async () => {
    const anonymous = await server.as('anonymous');
    for (const path of ['/api/products/search', '/api/products/suggest', '/api/pages/search']) {
      expect((await anonymous.get(path, { q: 'a' })).status).toBe(401);
    }
  });
});

describe('GET /api/products/suggest', () => {
  test('gives brands, categories and names that begin so, whatever the accents and the case', async () => {
    const { status, body } = await user.get('/api/products/suggest', { q: 'KET' });
    expect(status).toBe(200);
    expect(body).toEqual({
      suggestions: [
        { kind: 'brand', text: 'Kettleworks', count: 2 },
        { kind: 'product', text: 'Kétchup', count: 1 },
      ],
    });
    expect((await user.get('/api/products/suggest', { q: 'k', limit: 1 })).body).toEqual({
      suggestions: [{ kind: 'category', text: 'Kitchen', count: 3 }],
    });
  });

  test.each(['', ' ', '%', '_', '\\', "'", '%%%%', 'kettlework%'])(
    '%j suggests nothing, and is no error',
    async (q) => {
      expect(await user.get('/api/products/suggest', { q })).toMatchObject({
        status: 200,
        body: { suggestions: [] },
      });
    },
  );
});

describe('GET /api/pages/search', () => {
  const index = (): Promise<number> =>
    indexPages({ db: server.database.db, warcDirectory: path.join(dataDir, 'warc') });
  const find = async (q: string): Promise<{ total: number; hits: { url: string }[] }> =>
    (await user.get('/api/pages/search', { q })).body as { total: number; hits: { url: string }[] };

  test('finds pages by their article once it was taken from the kept body, and not those that ask not to be', async () => {
    const text =
      'The quick brown zebra jumps over the lazy gardener, and nobody knows why it does so. '.repeat(5);
    const article = `<html lang="en"><title>On zebras</title><nav>Elephants</nav><article><p>${text}</p></article>`;
    origin.site('zebras', {
      pages: {
        '/': `${article}<a href="/hidden">x</a>`,
        '/hidden': `<meta name="robots" content="noindex"><title>Hidden zebras</title><p>${text}</p>`,
      },
    });
    const url = origin.hostUrl('zebras', '/');
    await runTestCrawl({ db: server.database.db, seeds: [url], warcDirectory: path.join(dataDir, 'warc') });
    expect(await find('zebra')).toMatchObject({ total: 0, waiting: { pages: 1 } });
    expect(await index()).toBe(1);
    expect(await index()).toBe(0);
    expect(await find('zebra')).toMatchObject({
      total: 1,
      hits: [
        { url: url, title: 'On zebras', snippet: expect.arrayContaining([{ text: 'zebra', isHit: true }]) },
      ],
    });
    expect((await find('zebr')).total).toBe(0);
    // The same text under another title.
    const hashOf = async () =>
      (
        await server.database.execute<{ hash: Buffer }>(
          'select content_hash as hash from pages where url = $1',
          [url],
        )
      ).rows[0]?.hash;
    const before = await hashOf();
    const renamed = article.replace('On zebras', 'Concerning quaggas');
    origin.site('zebras', { pages: { '/': `${renamed}<a href="/hidden">x</a>` } });
    await server.database.execute('delete from urls');
    await runTestCrawl({ db: server.database.db, seeds: [url], warcDirectory: path.join(dataDir, 'warc') });
    expect(await hashOf()).toEqual(before);
    expect(await index()).toBe(1);
    expect(await find('quaggas')).toMatchObject({ total: 1 });
    await server.database.execute('update pages set gone_at = forager_now() where url = $1', [url]);
    expect((await find('zebra')).hits).toEqual([]);
    expect(await index()).toBe(1);
    expect((await find('zebra')).total).toBe(0);
  });
});

describe('forager product search and page search', () => {
  const run = (...args: string[]) =>
    runForager(args, { env: { DATABASE_URL: server.database.url, FORAGER_DATA_DIR: dataDir } });

  test('prints hits, and the codes of a hostile name do not reach the terminal', async () => {
    const found = await run('product', 'search', 'copper', 'kettle');
    expect(found).toMatchObject({ code: 0, stdout: expect.stringContaining('Copper kettle  49.90 EUR') });
    expect(found.stderr).toContain('1 products');
    expect((await run('product', 'search', 'ketchup')).stdout).not.toContain('\u001b');
    const [hit] = (await run('product', 'search', 'coper', 'kettel', '--json')).json();
    expect(hit).toMatchObject({ product: { name: 'Copper kettle' } });
    expect((await run('product', 'search', 'xyzzyx')).stderr).toContain('No products found.');
    expect((await run('product', 'search', 'a', '--min-price', 'x')).code).toBe(2);
  });

  test('filters are those of the list, and wrong ones are refused', async () => {
    await plantProducts(server.database, [
      { name: 'Vanished ladle', category: 'Kitchen > Spoons', price: '5', isMissing: true },
      { name: 'Wooden ladle', category: 'Kitchen > Spoons', price: '6', availability: 'in_stock' },
    ]);
    const all = await run('product', 'search', 'ladle', '--category', 'kitchen', '--sort', 'price');
    expect(all.stdout).toContain('Vanished ladle  5.00 EUR  lost');
    expect(all.stdout).toContain('Wooden ladle  6.00 EUR  stock: yes');
    expect((await run('product', 'search', 'ladle', '--no-missing')).stdout).not.toContain('Vanished');
    expect((await run('product', 'search', 'ladle', '--missing')).stdout).not.toContain('Wooden');
    const stock = ['--availability', 'in_stock,limited'];
    expect((await run('product', 'search', 'ladle', ...stock, '--json')).json()).toHaveLength(1);
    for (const wrong of [
      ['--currency', 'euro'],
      ['--availability', 'maybe'],
      ['--min-rating', '7'],
      ['--min-price', '9', '--max-price', '8'],
    ]) {
      expect((await run('product', 'search', 'ladle', ...wrong)).code).toBe(2);
      expect((await run('product', 'list', ...wrong)).code).toBe(2);
    }
    await server.database.execute("delete from products where name like '%ladle'");
  });

  test('--cursor leads to the next page, and is none of another search', async () => {
    const names: string[] = [];
    let next: string[] = [];
    let cursor: string | undefined;
    do {
      const hits = (await run('product', 'search', 'plate', '--limit', '12', '--json', ...next)).json() as {
        product: { name: string };
        nextCursor?: string;
      }[];
      names.push(...hits.map(({ product }) => product.name));
      const last = hits.at(-1)?.nextCursor;
      cursor ??= last;
      next = last === undefined ? [] : ['--cursor', last];
    } while (next.length > 0);
    expect(names).toHaveLength(30);
    expect(new Set(names).size).toBe(30);
    expect((await run('product', 'search', 'kettle', '--cursor', cursor ?? '')).code).toBe(2);
    expect((await run('page', 'search', 'plate', '--cursor', 'nonsense')).code).toBe(2);
    const told = (await run('product', 'search', 'plate', '--limit', '12')).stderr;
    expect(told).toContain(`--cursor ${cursor}`);
  });

  test('what waits is told where nothing is found', async () => {
    await plantProducts(server.database, [{ name: 'Corkscrew' }]);
    const before = await run('product', 'search', 'corkscrw');
    expect(before.stderr).toContain('of 1 products cannot be searched yet: forager search index');
    expect((await user.get('/api/products/search', { q: 'corkscrw' })).body).toMatchObject({
      waiting: { products: 1 },
    });
    expect((await user.get('/api/products/search', { q: 'corkscrew' })).body).toMatchObject({
      waiting: null,
    });
    await server.database.execute(
      "update products set updated_at = forager_now() + interval '1 minute' where name = 'Corkscrew'",
    );
    await noteNewWords(server.database.db, new Date(now().getTime() + 120_000));
    expect((await run('product', 'search', 'corkscrw')).stdout).toContain('Corkscrew');
  });

  test('after a crawl from the command line its pages are found', async () => {
    const text = 'Nobody has ever counted the okapis of this forest, though many people tried. '.repeat(5);
    origin.site('okapis', { pages: { '/': `<title>Okapis</title><article><p>${text}</p></article>` } });
    const crawled = await run(
      'crawl',
      origin.hostUrl('okapis', '/'),
      '--delay',
      '0',
      '--allow-private',
      '--json',
    );
    expect(crawled.code).toBe(0);
    expect((await run('page', 'search', 'okapis')).stderr).toContain('1 pages');
  });

  test('search status and index work by hand', async () => {
    expect((await run('search', 'index', '--json')).json()).toEqual([{ products: 0, pages: 0 }]);
    expect((await run('search', 'status', '--json')).json()[0]).toMatchObject({
      server: null,
      pagesWaiting: 0,
    });
    expect((await run('search', 'status')).code).toBe(0);
    expect((await run('page', 'search', 'nothing', 'there')).stderr).toContain('No pages found.');
  });
});
