/** A sighting of a product costs what one product costs. */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { explain } from '../support/crawl-plans.ts';
import { createTestDatabase, type TestDatabase } from '../support/postgres.ts';

const PRODUCTS = 60_000;
const folder = path.resolve(import.meta.dirname, '../../src/control');
const read = (file: string): string => readFileSync(path.join(folder, file), 'utf8');
const readEngine = (file: string): string => read(`../engine/${file}`);

let database: TestDatabase;
let small: number;
beforeAll(async () => {
  database = await createTestDatabase();
  // One domain has nearly all; another has few, and those are the oldest.
  await database.execute(`
    insert into domains (domain, parent_domain, base_url)
    select n || '.example', n || '.example', 'https://' || n || '.example' from generate_series(1, 2) n;
    insert into products (domain_id, url, url_hash, price, currency, content_hash, source)
    select case when n <= 100 then (select min(id) from domains) else (select max(id) from domains) end,
           'https://x.example/' || n, sha256(n::text::bytea), n, 'USD', '', 'bot'
      from generate_series(1, ${PRODUCTS}) n;
    insert into price_points (product_id, at, price, currency, source)
    select p.id, now() - k * interval '1 hour', k, 'USD', 'bot' from products p, generate_series(1, 3) k;
    insert into price_points (product_id, at, price, currency, source)
    select (select max(id) from products), now() - k * interval '1 day', k, 'USD', 'bot' from generate_series(10, 20000) k`);
  await database.execute('analyze products');
  await database.execute('analyze price_points');
  small = (await database.db.query<{ id: number }>('select min(id) as id from domains')).rows[0]?.id ?? 0;
}, 180_000);
afterAll(() => database.drop());

describe.each([true, false])('with a generic plan: %s', (isGeneric) => {
  it('a product that is seen, and the end of a long history', async () => {
    const { rows } = await database.db.query<{ hash: string; last: number }>(
      "select sha256('7'::bytea)::text as hash, (select max(id) from products) as last",
    );
    const at = new Date().toISOString();
    const place = [[small], [rows[0]?.hash], [at]];
    const seen = await explain(database, readEngine('products/lock-products.sql'), place, { isGeneric });
    expect(
      seen.scanned.filter((table) => table === 'products'),
      seen.text,
    ).toEqual([]);
    expect(seen.buffers, seen.text).toBeLessThan(30);
    const line = {
      ...{
        id: rows[0]?.last,
        url: 'https://x.example/',
        name: 'name',
        price: '1',
        currency: 'USD',
        data: {},
      },
      ...{
        category_path: [],
        image_urls: [],
        variants: [],
        content_hash: '\\x00',
        source: 'bot',
        seen_at: at,
      },
      ...{ changes: {}, before: {}, is_offer: true },
    };
    const values = [JSON.stringify([line])];
    const changed = await explain(database, readEngine('products/change-products.sql'), values, {
      isGeneric,
    });
    expect(changed.scanned.filter((table) => table === 'products' || table === 'price_points')).toEqual([]);
    expect(changed.buffers, changed.text).toBeLessThan(200);
    const history = await explain(database, read('products/read-history.sql'), [rows[0]?.last, 1000, null], {
      isGeneric,
    });
    expect(history.scanned, history.text).toEqual([]);
    expect(history.buffers, history.text).toBeLessThan(1100);
  });
});
