/** Many who have seen the same products at the same time: nobody waits for ever, and the history is one story. */
import { createHash } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type SeenProduct, upsertProducts } from '../../src/engine/products/upsert-products.ts';
import { inTransaction } from '../../src/platform/transaction.ts';
import { createTestDatabase, type TestDatabase } from '../support/postgres.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
  await database.execute(
    `insert into domains (domain, parent_domain, base_url, source)
     select d, d, 'https://' || d, 'seed' from unnest('{a.example,b.example}'::text[]) as d`,
  );
});
afterAll(() => database.drop());

const PRODUCTS = 40;
const SIGHTINGS = 60;

function seen(number: number, price: number, seenAt: Date): SeenProduct {
  const url = `https://x.example/${number}`;
  return {
    ...{ domainId: 1 + (number % 2), url, urlHash: createHash('sha256').update(url).digest() },
    content: { name: `Product ${number}`, price: String(price), currency: 'EUR' },
    ...{ source: 'bot', taskId: null, seenAt },
  };
}

/** The same numbers in every run. */
function draws(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return state / 2_147_483_648;
  };
}

it('in whatever order they name them, all are written, and each change of a price is one point', async () => {
  const draw = draws(7);
  const startedAt = Date.now() - 3_600_000;
  const lots = Array.from({ length: SIGHTINGS }, (_, number) =>
    Array.from({ length: PRODUCTS }, (__, product) => product)
      .filter(() => draw() < 0.6)
      .sort(() => draw() - 0.5)
      .map((product) => seen(product, 10 + Math.floor(draw() * 3), new Date(startedAt + number * 1000))),
  );
  const kinds = (
    await Promise.all(lots.map((lot) => inTransaction(database.db, (tx) => upsertProducts(tx, lot))))
  ).flat();
  expect(kinds).toHaveLength(lots.flat().length);
  const count = (kind: string): number => kinds.filter((each) => each.kind === kind).length;
  expect(count('new')).toBe(PRODUCTS);
  const { rows } = await database.db.query<Record<string, number>>(
    `select (select count(*)::int from products) as products, (select count(*)::int from price_points) as points,
            (select count(*)::int from product_events) as events,
            (select count(*)::int from (select price, lag(price) over (partition by product_id order by at) as before
                                          from price_points) as p where price = before) as repeated,
            (select count(*)::int from products p
              where p.price <> (select q.price from price_points q where q.product_id = p.id order by q.at desc limit 1))
              as astray`,
  );
  expect(rows[0]).toEqual({
    ...{ products: PRODUCTS, points: PRODUCTS + count('changed'), events: count('changed') },
    ...{ repeated: 0, astray: 0 },
  });
  // What was seen last is what is known, whoever came last.
  const last = new Map(lots.flat().map(({ url, content }) => [url, content.price]));
  const { rows: known } = await database.db.query<{ url: string; price: string }>(
    'select url, trim_scale(price)::text as price from products',
  );
  expect(new Map(known.map(({ url, price }) => [url, price]))).toEqual(last);
});
