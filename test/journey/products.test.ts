/** From the pages of a crawl to products: what is written, what is counted, who is told, and what is left alone. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { resetDomain } from '../../src/control/domains/reset-domain.ts';
import type { ParserRegistry } from '../../src/engine/extract/registry.ts';
import { type Origin, startOrigin } from '../origin/origin.ts';
import { htmlPage } from '../origin/site.ts';
import { runTestCrawl } from '../support/crawl-support.ts';
import { createTestDatabase, type TestDatabase } from '../support/postgres.ts';
import { productPage, registryOf, type Told, toldParser, toldParsers } from '../support/told-products.ts';

let origin: Origin;
let database: TestDatabase;
beforeAll(async () => {
  origin = await startOrigin();
});
afterAll(() => origin.close());
beforeEach(async () => {
  database = await createTestDatabase();
  return () => database.drop();
});

const KETTLE: Told = {
  ...{ name: 'Kettle', price: '29.9', currency: 'EUR', availability: 'in_stock', listPrice: '35' },
  ...{ rating: '4.5', reviewCount: 12, brand: 'Acme', category: ['Kitchen', 'Kettles'], sku: 'K-1' },
  images: [{ url: 'http://img.example/k.png', alt: 'A kettle' }],
};

type Shop = Readonly<Record<string, Told | undefined | 'gone'>>;

function open(shop: Shop): void {
  const paths = Object.keys(shop);
  const pages = Object.fromEntries(
    Object.entries(shop).flatMap(([path, told]) => (told === 'gone' ? [] : [[path, productPage(told)]])),
  );
  origin.site('shop', { pages: { '/': htmlPage('Shop', paths), ...pages } });
}

async function crawl(parsers: ParserRegistry = toldParsers) {
  return runTestCrawl({ db: database.db, seeds: [origin.hostUrl('shop', '/')], parsers });
}

async function crawlAgain(parsers: ParserRegistry = toldParsers) {
  await resetDomain(database.db, origin.hostUrl('shop', '/'), {
    ...{ recrawl: true, actor: 'person:tester', requestTimeoutMs: 5000 },
  });
  return crawl(parsers);
}

interface ProductRow {
  readonly path: string;
  readonly [column: string]: unknown;
}

async function products(): Promise<ProductRow[]> {
  const { rows } = await database.db.query<ProductRow>(
    `select substring(url from '[^/]/(.*)$') as path, name, trim_scale(price)::text as price, currency, availability,
            trim_scale(list_price)::text as "listPrice", rating::text as rating, review_count as "reviewCount", brand,
            category, sku, image_urls as "imageUrls", fields, source, parser_version as version, verdict, problems,
            language, missing_since is not null as "isMissing", updated_at > first_seen_at as "wasUpdated"
       from products order by url`,
  );
  return rows;
}

const count = async (table: string): Promise<number> =>
  (await database.db.query<{ n: number }>(`select count(*)::int as n from ${table}`)).rows[0]?.n ?? 0;

async function parseHours() {
  const { rows } = await database.db.query(
    `select parser_name as parser, parser_version as version, sum(pages_count)::int as pages,
            sum(valid_count)::int as valid, sum(partial_count)::int as partial, sum(invalid_count)::int as invalid,
            sum(lost_count)::int as lost, sum(failed_count)::int as failed
       from parse_hours group by 1, 2 order by 1, 2`,
  );
  return rows;
}

async function errors() {
  return (await database.db.query('select category, code, message from error_logs order by id')).rows;
}

describe('a product on a page', () => {
  it('is kept with all that was found, where each part was found, and the first point of its history', async () => {
    open({ '/kettle': KETTLE, '/about': undefined });
    const { summary } = await crawl();
    const [kettle, ...others] = await products();
    expect(others).toEqual([]);
    expect(kettle).toMatchObject({
      ...{ path: expect.stringContaining('kettle'), name: 'Kettle', price: '29.9', currency: 'EUR' },
      ...{ availability: 'in_stock', listPrice: '35', rating: '4.50', reviewCount: 12, brand: 'Acme' },
      ...{ category: 'Kitchen > Kettles', sku: 'K-1', imageUrls: ['http://img.example/k.png'] },
      ...{ source: 'generic', version: '1', verdict: 'valid', language: 'en', isMissing: false },
    });
    expect(kettle?.fields).toMatchObject({
      price: { source: 'json-ld', confidence: 0.9, evidence: '29.9' },
    });
    expect(kettle?.fields).not.toHaveProperty('price.value');
    expect([await count('price_points'), await count('product_events')]).toEqual([1, 0]);
    expect(summary.products).toMatchObject({ new: 1 });
    const { rows } = await database.db.query('select products_found::int as found from domains');
    expect(rows).toEqual([{ found: 1 }]);
    expect(await parseHours()).toEqual([
      {
        parser: 'generic',
        version: '1',
        pages: expect.any(Number),
        valid: 1,
        partial: 0,
        invalid: 0,
        lost: 0,
        failed: 0,
      },
    ]);
  });

  it('that is seen again as it was moves nothing but the time it was last seen', async () => {
    open({ '/kettle': KETTLE });
    await crawl();
    const before = (await database.db.query('select *, xmin::text from products')).rows[0];
    await crawlAgain();
    const after = (await database.db.query('select *, xmin::text from products')).rows[0];
    expect(after).toMatchObject({ updated_at: before?.updated_at, content_hash: before?.content_hash });
    expect(after?.xmin).not.toBe(before?.xmin);
    expect([await count('price_points'), await count('product_events')]).toEqual([1, 0]);
  });

  it('whose price has changed has a point more, and an event that says what; one that changed otherwise has the event only', async () => {
    open({ '/kettle': KETTLE, '/pot': { ...KETTLE, name: 'Pot' } });
    await crawl();
    open({ '/kettle': { ...KETTLE, price: '27.5' }, '/pot': { ...KETTLE, name: 'Pot', reviewCount: 13 } });
    const { summary } = await crawlAgain();
    expect(summary.products).toMatchObject({ changed: 2 });
    const { rows: points } = await database.db.query(
      `select p.name, trim_scale(q.price)::text as price from price_points q join products p on p.id = q.product_id
        order by p.name, q.at`,
    );
    expect(points).toEqual([
      { name: 'Kettle', price: '29.9' },
      { name: 'Kettle', price: '27.5' },
      { name: 'Pot', price: '29.9' },
    ]);
    const { rows: events } = await database.db.query(
      `select p.name, e.changes from product_events e join products p on p.id = e.product_id order by p.name`,
    );
    expect(events).toEqual([
      { name: 'Kettle', changes: { price: ['29.9', '27.5'] } },
      { name: 'Pot', changes: { reviewCount: [12, 13] } },
    ]);
  });

  it('loses what its page does not say any more, but for the price of one that is sold out', async () => {
    open({ '/kettle': KETTLE });
    await crawl();
    open({ '/kettle': { name: 'Kettle', availability: 'out_of_stock' } });
    await crawlAgain();
    expect(await products()).toMatchObject([
      { availability: 'out_of_stock', price: '29.9', currency: 'EUR', brand: null, rating: null },
    ]);
  });
});

describe('a product that is not all there', () => {
  it('is kept as far as it was seen: what is missing stays as it was known', async () => {
    open({ '/kettle': KETTLE });
    await crawl();
    const problems = [{ field: 'price', code: 'missing', message: 'There is no price.' }] as const;
    open({ '/kettle': { verdict: 'partial', problems, name: 'Kettle II' } });
    await crawlAgain();
    expect(await products()).toMatchObject([
      { name: 'Kettle II', price: '29.9', brand: 'Acme', verdict: 'partial', problems },
    ]);
  });

  it('that cannot be right is counted, and changes nothing', async () => {
    open({ '/kettle': KETTLE });
    await crawl();
    const problems = [{ field: 'name', code: 'bad-format', message: 'The name is no name.' }] as const;
    open({ '/kettle': { ...KETTLE, verdict: 'invalid', problems, price: '1', name: 'undefined' } });
    const { summary } = await crawlAgain();
    expect(summary.products).toMatchObject({ invalid: 1 });
    expect(await products()).toMatchObject([{ name: 'Kettle', price: '29.9', verdict: 'valid' }]);
    expect(await parseHours()).toMatchObject([{ valid: 1, invalid: 1, lost: 0 }]);
    expect(await errors()).toEqual([
      { category: 'validation', code: 'product-invalid', message: 'parser generic 1: The name is no name.' },
    ]);
  });
});

describe('a product that is not there any more', () => {
  it('is missing from the day on which its page has none, counts against the parser, and may come back', async () => {
    open({ '/kettle': KETTLE });
    await crawl();
    open({ '/kettle': undefined });
    const { summary } = await crawlAgain();
    expect(summary.products).toMatchObject({ lost: 1 });
    expect(await products()).toMatchObject([{ name: 'Kettle', isMissing: true }]);
    expect(await parseHours()).toMatchObject([{ valid: 1, lost: 1 }]);
    open({ '/kettle': KETTLE });
    await crawlAgain();
    expect(await products()).toMatchObject([{ isMissing: false }]);
    expect(await count('price_points')).toBe(1);
    const { rows } = await database.db.query('select changes from product_events order by id');
    expect(rows.map(({ changes }) => changes)).toEqual([
      { isMissing: [false, true] },
      { isMissing: [true, false] },
    ]);
  });

  it('one that only a bot has seen is not missed by a parser', async () => {
    open({ '/kettle': KETTLE, '/pot': KETTLE });
    await crawl();
    await database.execute(`update products set parser_name = null, source = 'bot' where url like '%/pot'`);
    open({ '/kettle': undefined, '/pot': undefined });
    await crawlAgain();
    expect((await products()).map(({ isMissing }) => isMissing)).toEqual([true, false]);
  });
});

it('a product whose address leads elsewhere by now is missing', async () => {
  open({ '/kettle': KETTLE });
  await crawl();
  origin.site('shop', {
    pages: {
      '/': htmlPage('Shop', ['/kettle']),
      '/kettle': ({ response }) => void response.writeHead(301, { location: '/' }).end(),
    },
  });
  await crawlAgain();
  expect(await products()).toMatchObject([{ name: 'Kettle', isMissing: true }]);
  expect(await parseHours()).toMatchObject([{ lost: 0 }]);
});

it('a number without its currency is no price, whatever the currency was', async () => {
  open({ '/kettle': KETTLE });
  await crawl();
  open({ '/kettle': { verdict: 'partial', name: 'Kettle', price: '320' } });
  await crawlAgain();
  expect(await products()).toMatchObject([{ price: '29.9', currency: 'EUR', listPrice: '35' }]);
  expect(await count('price_points')).toBe(1);
});

describe('what the database does not take', () => {
  it('is cut where it is looked up by: a long brand, and a path of long levels', async () => {
    const level = (of: string): string => [...of.repeat(400)].sort(() => 0.5 - Math.random()).join('');
    open({
      '/kettle': {
        ...KETTLE,
        brand: level('äöü漢字'),
        category: Array.from({ length: 12 }, () => level('漢字仮名')),
      },
    });
    await crawl();
    expect(await products()).toMatchObject([{ name: 'Kettle', category: null }]);
  });

  it('is left out by itself: the others of its batch are written, and it is among the errors', async () => {
    open({ '/pot': { ...KETTLE, name: 'Pot' }, '/kettle': { ...KETTLE, currency: 'euro' } });
    const { end, summary } = await crawl();
    expect(end.reason).toBe('complete');
    expect(await products()).toMatchObject([{ name: 'Pot' }]);
    expect(summary.products).toMatchObject({ new: 1, failed: 1 });
    expect(await errors()).toMatchObject([
      {
        category: 'parse',
        code: 'product-unwritten',
        message: expect.stringContaining('products_currency_check'),
      },
    ]);
  });
});

describe('a parser', () => {
  it('that fails takes nothing down: the page is kept, the product stays, and it is counted', async () => {
    open({ '/kettle': KETTLE, '/pot': { ...KETTLE, name: 'Pot' } });
    await crawl();
    open({ '/kettle': { breaks: 'no such selector' }, '/pot': { ...KETTLE, name: 'Pot', price: '1' } });
    const { end, summary } = await crawlAgain();
    expect(end.reason).toBe('complete');
    expect(summary.products).toMatchObject({ failed: 1, changed: 1 });
    expect(await products()).toMatchObject([{ name: 'Kettle', isMissing: false }, { price: '1' }]);
    expect(await parseHours()).toMatchObject([{ failed: 1, lost: 0 }]);
    expect(await errors()).toEqual([
      { category: 'parse', code: 'parser-failed', message: 'parser generic 1: no such selector' },
    ]);
  });

  it('is the one that the domain names, and none where it names none', async () => {
    open({ '/kettle': KETTLE });
    const two = registryOf(toldParser(), toldParser('special', '7'));
    await crawl(two);
    await database.execute(`update domains set parser_name = 'special'`);
    await crawlAgain(two);
    expect(await products()).toMatchObject([{ source: 'special', version: '7' }]);
    await database.execute(`update domains set parser_name = 'none'`);
    open({ '/kettle': { ...KETTLE, price: '1' } });
    await crawlAgain(two);
    expect(await products()).toMatchObject([{ price: '29.9', isMissing: false }]);
  });

  it('that nobody has on this machine is counted as failing, and no other takes its place', async () => {
    open({ '/kettle': KETTLE });
    await crawl();
    await database.execute(`update domains set parser_name = 'absent'`);
    open({ '/kettle': { ...KETTLE, price: '1' } });
    await crawlAgain();
    expect(await products()).toMatchObject([{ price: '29.9', isMissing: false }]);
    expect(await parseHours()).toMatchObject([
      { parser: 'absent', failed: 2 },
      { parser: 'generic', failed: 0 },
    ]);
  });
});
