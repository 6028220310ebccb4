/** Words that grow when their accents are taken off must reach no tsvector: PostgreSQL does not look, and dies. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { now } from '../../src/platform/clock.ts';
import { searchPages, searchProducts } from '../../src/search/search.ts';
import { noteNewWords } from '../../src/search/words/note-words.ts';
import { suggest } from '../../src/search/words/suggest.ts';
import { type ApiClient, startTestServer, type TestServer } from '../support/api.ts';
import { plantPageTexts, plantProducts } from '../support/searchable.ts';

let server: TestServer;
let user: ApiClient;
beforeAll(async () => {
  server = await startTestServer();
  user = await server.as('user');
});
afterAll(() => server.close());

const LONG = [680, 1999].map((length) => 'Ⅷ'.repeat(length));

test.each(LONG)('what has one in it is stored, and found by its other words', async (long) => {
  const { database } = server;
  const [id = 0] = await plantProducts(database, [
    { name: `Sundial ${long}`, description: `Brass ${long} base`, brand: long, category: long, sku: long },
  ]);
  const [pageId = 0] = await plantPageTexts(database, [
    { title: `Dials ${long}`, text: `Gnomon ${long} end` },
  ]);
  expect((await noteNewWords(database.db, new Date(now().getTime() + 60_000))).count).toBe(1);
  for (const q of ['sundial', 'brass base']) {
    const { status, body } = await user.get('/api/products/search', { q });
    expect(status).toBe(200);
    expect((body as { hits: { product: { id: number } }[] }).hits.map(({ product }) => product.id)).toContain(
      id,
    );
  }
  for (const q of ['dials', 'gnomon end']) {
    const { status, body } = await user.get('/api/pages/search', { q });
    expect(status).toBe(200);
    expect((body as { hits: { pageId: number }[] }).hits.map((hit) => hit.pageId)).toContain(pageId);
  }
});

test('no single character grows so much that a word of those that are kept does not fit', async () => {
  const { rows } = await server.database.db.query<{ most: number }>(
    `select max(octet_length(unaccent(chr(n)))) as most from generate_series(1, 65535) as n
      where n not between 55296 and 57343`,
  );
  expect((rows[0]?.most ?? Number.POSITIVE_INFINITY) * 199).toBeLessThan(2047);
});

const ODD = [
  ...LONG,
  ...['Ⅷ'.repeat(199), 'Ⅷ'.repeat(200), 'x'.repeat(2000), 'word '.repeat(1000), '!?.,;:()&|<->'.repeat(150)],
  ...['the and of a to in '.repeat(100), `"${'Ⅷ'.repeat(300)}"`, `-${'Ⅷ'.repeat(300)} sundial`],
];
test.each(ODD)('%# is a query like any other', async (typed) => {
  const { db } = server.database;
  const order = { sort: 'relevance', order: 'desc', limit: 5 } as const;
  const products = await searchProducts({ db }, typed, { ...order, filters: {}, withFacets: true });
  const pages = await searchPages({ db }, typed, { ...order, domainId: undefined });
  expect(products.total).toBeGreaterThanOrEqual(products.hits.length);
  expect(pages.total).toBeGreaterThanOrEqual(pages.hits.length);
  expect((await suggest(db, typed, 5)).length).toBeLessThanOrEqual(5);
  const isLong = typed.trim().length > 200;
  for (const path of ['/api/products/search', '/api/pages/search']) {
    // 431: not even the address is read.
    expect(isLong ? [400, 431] : [200]).toContain((await user.get(path, { q: typed.trim() })).status);
    expect((await user.get(path, { q: typed.trim().slice(0, 200) })).status).toBe(200);
  }
  expect((await user.get('/api/products/suggest', { q: typed.slice(0, 100) })).status).toBe(200);
});
