/** Products on the command line: lists, one product, what has changed, and exports. */
import { createHash } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type SeenProduct, upsertProducts } from '../../src/engine/products/upsert-products.ts';
import { inTransaction } from '../../src/platform/transaction.ts';
import { createTestDatabase, type TestDatabase } from '../support/postgres.ts';
import { type CliRun, runForager, widestLine } from '../support/run-cli.ts';

let database: TestDatabase;
let ids: number[];
beforeAll(async () => {
  database = await createTestDatabase();
  await database.execute(
    `insert into domains (domain, parent_domain, base_url)
     select name, name, 'https://' || name from unnest(array['shop.example', 'other.example']) as name`,
  );
  ids = await write(
    seen(1, 'https://shop.example/spade', {
      ...{ name: 'Spade \u001b[31m=red', price: '20', categoryPath: ['Garden', 'Tools'], brand: 'Acme' },
      ...{ rating: '4.5', reviewCount: 12, imageUrls: ['https://shop.example/1.jpg'] },
      variants: [{ options: { color: 'green' }, price: '21' }],
    }),
    seen(1, 'https://shop.example/rake', {
      name: '=HYPERLINK("x")',
      price: '9999999999999.000001',
      currency: 'USD',
    }),
    seen(2, 'https://other.example/hose', { name: 'Hose', price: '5', availability: 'out_of_stock' }),
  );
  await write(seen(1, 'https://shop.example/spade', { price: '16', description: 'Long. '.repeat(500) }, 5));
});
afterAll(() => database.drop());

function seen(
  domainId: number,
  url: string,
  content: Partial<SeenProduct['content']>,
  minute = 0,
): SeenProduct {
  return {
    ...{ domainId, url, urlHash: hashOf(url), source: 'generic', taskId: null },
    seenAt: new Date(Date.UTC(2026, 0, 1, 12, minute)),
    content: { currency: 'EUR', availability: 'in_stock', ...content },
    notes: {
      ...{ parserName: 'generic', parserVersion: '3', verdict: 'valid', problems: [] },
      fields: { price: { source: 'json-ld', confidence: 0.9, evidence: '"price": "16\u001b[0m"' } },
    },
  };
}

const hashOf = (url: string): Buffer => createHash('sha256').update(url).digest();

async function write(...all: SeenProduct[]): Promise<number[]> {
  const done = await inTransaction(database.db, (tx) => upsertProducts(tx, all));
  return done.map(({ productId }) => productId);
}

const forager = (...args: readonly string[]): Promise<CliRun> =>
  runForager(args, { env: { DATABASE_URL: database.url, NO_COLOR: '1' } });

describe('product list', () => {
  test.each([
    [[], ['hose', 'rake', 'spade']],
    [
      ['--domain', 'shop.example', '--sort', 'price', '--order', 'asc'],
      ['spade', 'rake'],
    ],
    [['--category', 'garden', '--images', '--min-rating', '4'], ['spade']],
    [
      ['--max-price', '16.00', '--currency', 'eur'],
      ['hose', 'spade'],
    ],
    [['--availability', 'out_of_stock,limited'], ['hose']],
    [['--brand', 'ACME', '--changed-since', '1d', '--no-missing'], ['spade']],
    [['--missing'], []],
    [['--no-images'], ['hose', 'rake']],
  ])('%j', async (options, expected) => {
    const { code, stdout, stderr } = await forager('product', 'list', ...options, '--json');
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    const urls = stdout
      .split('\n')
      .filter(Boolean)
      .map((line) => (JSON.parse(line) as { url: string }).url);
    expect(urls.map((url) => url.split('/').at(-1))).toEqual(expected);
  });

  test('is a table with the price, its last move and the stock, and nothing that steers a terminal', async () => {
    const { stdout } = await forager('product', 'list');
    expect(stdout).toMatch(/spade .*16\.00 EUR +-20 % +yes +4\.5 +Acme/);
    expect(stdout).toContain('9999999999999.000001 USD');
    expect(stdout).not.toContain('\u001b');
    const narrow = await runForager(['product', 'list'], {
      env: { DATABASE_URL: database.url },
      columns: 70,
    });
    expect(widestLine(narrow.stdout), narrow.stdout).toBeLessThanOrEqual(70);
    expect(narrow.stdout).toMatch(/ID +NAME +PRICE/);
  });

  test('tells how to get the next, and what is wrong with an option', async () => {
    const { stderr } = await forager('product', 'list', '--limit', '2');
    expect(stderr).toContain(`--below ${ids[1]} `);
    expect((await forager('product', 'list', '--sort', 'price', '--limit', '2')).stderr).toContain(
      '--limit shows more',
    );
    for (const wrong of [
      ['--min-price', '1e5'],
      ['--min-rating', '6'],
      ['--currency', 'euro'],
      ['--availability', 'sold'],
      ['--sort', 'name'],
      ['--changed-since', 'yesterday'],
    ]) {
      expect((await forager('product', 'list', ...wrong)).code, wrong.join(' ')).toBe(2);
    }
  });
});

test('product show tells where each field was read and how the price went, by number and by URL', async () => {
  for (const which of [String(ids[0]), 'https://shop.example/spade']) {
    const { code, stdout } = await forager('product', 'show', which);
    expect(code).toBe(0);
    expect(stdout).toMatch(/category +Garden > Tools/);
    expect(stdout).toMatch(/rating +4\.5 of 5 \(12 reviews\)/);
    expect(stdout).toMatch(/^ +price +json-ld +90 % +"price": "16/m);
    expect(stdout).toMatch(/color green +- +21\.00 EUR/);
    expect(stdout).toContain('https://shop.example/1.jpg');
    expect(stdout).toContain('Prices  █▁');
    expect(stdout).toMatch(/16\.00 EUR +yes +generic +-20 %/);
    expect(stdout).toMatch(/price +20 → 16/);
    expect(stdout).toMatch(/description +– → Long\./);
    expect(stdout).not.toContain('\u001b');
  }
  const [json] = (await forager('product', 'show', String(ids[0]), '--json')).json();
  expect(json).toMatchObject({
    history: [{ price: '16' }, { price: '20' }],
    fields: { price: { confidence: 0.9 } },
  });
  expect(await forager('product', 'show', 'https://shop.example/none')).toMatchObject({
    code: 1,
    stdout: '',
  });
});

test('product changes tells what has changed', async () => {
  const { stdout } = await forager('product', 'changes', '--since', '1d');
  expect(stdout).toMatch(/spade .* price +20\.00 → 16\.00 EUR {2}-20 %/);
  expect(stdout).toMatch(/spade .* description +– → Long\./);
  expect(stdout).not.toContain('\u001b');
  expect((await forager('product', 'changes', '--domain', 'other.example')).stdout).toBe('No changes.\n');
  expect((await forager('product', 'changes', '--field', 'price', '--json')).json()).toMatchObject([
    {
      url: 'https://shop.example/spade',
      changes: { price: ['20', '16'], description: [null, expect.stringMatching(/^(?:Long\. ){50}…$/)] },
    },
  ]);
  expect((await forager('product', 'changes', '--field', 'data')).code).toBe(2);
  const narrow = await runForager(['product', 'changes'], {
    env: { DATABASE_URL: database.url },
    columns: 80,
  });
  expect(widestLine(narrow.stdout), narrow.stdout).toBeLessThanOrEqual(80);
  expect(narrow.stdout).toMatch(/NAME +AT +FIELD +CHANGE/);
});

describe('export', () => {
  test('products: prices as text, and nothing that a spreadsheet runs', async () => {
    const rows = (await forager('export', 'products')).json();
    expect(rows).toMatchObject([
      {
        url: 'https://shop.example/spade',
        price: '16',
        category: 'Garden > Tools',
        rating: 4.5,
        parser: 'generic',
      },
      { price: '9999999999999.000001', name: '=HYPERLINK("x")' },
      { availability: 'out_of_stock', domain: 'other.example' },
    ]);
    expect((await forager('export', 'products', '--domain', 'other.example')).json()).toHaveLength(1);
    expect((await forager('export', 'products', '--since', '2900-01-01')).stdout).toBe('');
    const { stdout } = await forager('export', 'products', '--format', 'csv');
    expect(stdout).toContain(`"'=HYPERLINK(""x"")"`);
    expect(stdout).toContain(',9999999999999.000001,');
  });

  test('prices: each change of an offer, in order, however many portions it takes', async () => {
    const rows = (await forager('export', 'prices')).json();
    expect(rows).toMatchObject([
      { url: 'https://shop.example/spade', price: '20', at: '2026-01-01T12:00:00.000Z' },
      { url: 'https://shop.example/spade', price: '16', availability: 'in_stock' },
      { price: '9999999999999.000001', currency: 'USD' },
      { price: '5' },
    ]);
    expect(rows[0]).not.toHaveProperty('atText');
    await database.execute(
      `insert into price_points (product_id, at, price, currency, source)
       select $1, timestamptz '2020-01-01' + n * interval '1 microsecond', n, 'EUR', 'bot'
         from generate_series(1, 2500) n`,
      [ids[2]],
    );
    const { stdout } = await forager('export', 'prices', '--domain', 'other.example');
    const prices = stdout
      .split('\n')
      .filter(Boolean)
      .map((line) => Number((JSON.parse(line) as { price: string }).price));
    expect(prices).toEqual([...Array.from({ length: 2500 }, (_, n) => n + 1), 5]);
    const all = await forager('export', 'prices');
    expect(all.stdout.split('\n').filter(Boolean)).toHaveLength(2504);
    const since = await forager('export', 'prices', '--since', '2026-01-01');
    expect(since.stdout.split('\n').filter(Boolean)).toHaveLength(4);
  });
});
