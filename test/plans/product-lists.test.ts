/**
 * Lists of products on 200,000 of them in a few hundred shops, one of which has half of all: whatever filters come
 * together, and on whatever page, a request touches a bounded part of the table and of its indexes.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { listProductChanges } from '../../src/control/products/list-product-changes.ts';
import { listProducts, type ProductPlace } from '../../src/control/products/list-products.ts';
import type { ProductFilter, ProductSort } from '../../src/control/products/product-walks.ts';
import { readProduct } from '../../src/control/products/read-products.ts';
import type { Database } from '../../src/platform/database.ts';
import { explain, type PlanFacts } from '../support/crawl-plans.ts';
import { createTestDatabase, type TestDatabase } from '../support/postgres.ts';

const PRODUCTS = 200_000;
const SHOPS = 300;
const GIANT = 1;
/** Of few products, which are the oldest and the cheapest. */
const SMALL = 2;
const LIMIT = 50;
const LOOKED_AT = 2000;

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
  await database.execute(
    `insert into domains (domain, parent_domain, base_url)
     select n || '.example', n || '.example', 'https://' || n || '.example' from generate_series(1, ${SHOPS}) n`,
  );
  await database.execute(
    `insert into products (domain_id, url, url_hash, name, description, price, currency, availability, rating, brand,
                           category_path, category, image_urls, content_hash, source, missing_since, first_seen_at,
                           last_seen_at, updated_at)
     select case when n <= 200 then ${SMALL} when n % 2 = 0 then ${GIANT} else 3 + n % ${SHOPS - 3} end,
            'https://x.example/' || n, sha256(n::text::bytea), 'Product ' || n, 'words',
            (n % 50000) + 0.99, case when n % 4 = 0 then 'USD' else 'EUR' end,
            case when n % 5 = 0 then 'out_of_stock' else 'in_stock' end, (n % 500) / 100.0,
            case when n % 1000 = 7 then 'Rare' else 'Brand ' || n % 40 end,
            array['Garden', 'Tools', 'Kind ' || n % 500],
            case when n % 2000 = 3 then 'Garden > Rare > Kind ' || n else 'Garden > Tools > Kind ' || n % 500 end,
            case when n % 3 = 0 then '{}'::text[] else array['https://x.example/i' || n] end, '', 'generic',
            case when n % 5000 = 0 then now() end, now(), now(), timestamptz '2026-01-01' + n * interval '1 s'
       from generate_series(1, ${PRODUCTS}) n`,
  );
  await database.execute(
    `insert into price_points (product_id, at, price, currency, source)
     select p.id, now() - k * interval '1 hour', k, 'EUR', 'generic' from products p, generate_series(1, 2) k`,
  );
  await database.execute(
    `insert into product_events (product_id, domain_id, at, changes, source)
     select p.id, p.domain_id, p.updated_at,
            case when p.id % 10000 = 0 then '{"availability": [null, "in_stock"]}'::jsonb
                 else '{"price": ["1", "2"]}'::jsonb end, 'generic'
       from products p`,
  );
}, 600_000);
afterAll(() => database.drop());

/** The database as `work` uses it, each statement explained. */
async function watch<T>(work: (db: Database) => Promise<T>): Promise<{ result: T; plans: PlanFacts[] }> {
  const plans: PlanFacts[] = [];
  const query: Database['query'] = async (statement, values) => {
    plans.push(
      await explain(database, typeof statement === 'string' ? statement : statement.text, values ?? []),
    );
    return database.db.query(statement, values);
  };
  const result = await work({ ...database.db, query });
  return { result, plans };
}

function expectBounded(plans: readonly PlanFacts[], most: number): void {
  const texts = plans.map(({ text }) => text).join('\n');
  expect(
    plans.flatMap(({ scanned }) => scanned).filter((name) => /^product|^price/.test(name)),
    texts,
  ).toEqual([]);
  expect(
    plans.reduce((sum, { buffers }) => sum + buffers, 0),
    texts,
  ).toBeLessThan(most);
}

/** An entry of the index, the row, the name of its domain and the end of its history. */
const OF_A_PAGE = (LIMIT + 1) * 16 + 60;
/** And what is looked at on the way, counted or walked once before that. */
const OF_A_LOOK = OF_A_PAGE + 3 * 2 * LOOKED_AT;

const MIDDLE: Readonly<Record<ProductSort, ProductPlace>> = {
  id: { place: '100000', id: 100_000 },
  updatedAt: { place: '2026-01-02T03:46:40.000000Z', id: 100_000 },
  price: { place: '25000.99', id: 100_000 },
  rating: { place: '2.5', id: 100_000 },
};

const list = (filter: ProductFilter, sort: ProductSort, order: 'asc' | 'desc', after?: ProductPlace) =>
  watch((db) => listProducts(db, filter, { sort, order, after, limit: LIMIT }, LOOKED_AT));

const SORTS = ['id', 'updatedAt', 'price', 'rating'] as const;
const EXACT: readonly [string, ProductFilter, readonly ProductSort[]][] = [
  ['all', {}, SORTS],
  ['of the giant', { domainId: GIANT }, ['id']],
  ['of a small shop, at the far end', { domainId: SMALL }, ['id']],
  ['of a brand', { brand: 'BRAND 9' }, ['id']],
  ['of a range of prices', { minPrice: '20', maxPrice: '40000.5' }, ['price']],
  ['rated well', { minRating: '1.5' }, ['rating']],
  ['changed since', { changedSince: new Date('2026-01-02T00:00:00Z') }, ['updatedAt']],
];
const LOOKED_FOR: readonly [string, ProductFilter][] = [
  ['of the giant', { domainId: GIANT }],
  ['of a small shop', { domainId: SMALL }],
  ['of a small shop and a brand', { domainId: SMALL, brand: 'brand 9' }],
  ['of a rare brand', { brand: 'rare', currency: 'EUR' }],
  ['of a large category', { category: 'garden > tools' }],
  ['of a rare category', { category: 'garden > RARE', minRating: '1' }],
  ['lost', { isMissing: true }],
  ['not lost, in stock, with images', { isMissing: false, availability: ['in_stock'], hasImage: true }],
  ['of a narrow range of prices', { minPrice: '100', maxPrice: '110' }],
  ['changed lately', { changedSince: new Date('2026-01-03T07:33:00Z') }],
  ['that there are none of', { currency: 'XXX', minRating: '4.9', hasImage: false }],
];

describe.each(['without statistics', 'with statistics'])('%s', (title) => {
  beforeAll(async () => {
    if (title === 'with statistics') await database.execute('analyze');
  });

  describe.each(['asc', 'desc'] as const)('%s', (order) => {
    it.each(EXACT.flatMap(([name, filter, sorts]) => sorts.map((sort) => [name, sort, filter] as const)))(
      'products %s by %s cost what is shown, on the first page and in the middle',
      async (_name, sort, filter) => {
        for (const after of [undefined, MIDDLE[sort]]) {
          const { plans } = await list(filter, sort, order, after);
          expectBounded(plans, OF_A_PAGE);
        }
      },
    );

    it.each(LOOKED_FOR.flatMap(([name, filter]) => SORTS.map((sort) => [name, sort, filter] as const)))(
      'products %s by %s cost a bounded look',
      async (_name, sort, filter) => {
        for (const after of [undefined, MIDDLE[sort]]) {
          const { plans } = await list(filter, sort, order, after);
          expectBounded(plans, OF_A_LOOK);
        }
      },
    );
  });

  it.each([
    ['all', {}, OF_A_PAGE],
    ['of the giant', { domainId: GIANT }, OF_A_PAGE],
    ['of a small shop since long', { domainId: SMALL, since: new Date('2025-01-01') }, OF_A_PAGE],
    ['of the rare field', { field: 'availability' }, OF_A_LOOK],
    ['of a field that never changes', { field: 'rating', domainId: GIANT }, OF_A_LOOK],
  ])('changes %s cost what is shown or a bounded look', async (_name, filter, most) => {
    for (const after of [undefined, { atText: '2026-01-02T03:46:40.000000Z', id: 100_000 }]) {
      const { plans } = await watch((db) => listProductChanges(db, filter, after, LIMIT, LOOKED_AT));
      expectBounded(plans, most);
    }
  });

  it('one product costs what is told of it', async () => {
    const { result, plans } = await watch((db) => readProduct(db, 1000));
    expect(result).toMatchObject({ id: 1000, history: [{}, {}], changes: [{}] });
    expectBounded(plans, 200);
  });
});

describe('what is found', () => {
  const expected = async (condition: string, key: string, order: string): Promise<number[]> => {
    const { rows } = await database.db.query<{ id: number }>(
      `select id from products where ${condition} and ${key} is not null order by ${key} ${order}, id ${order}`,
    );
    return rows.map(({ id }) => id);
  };
  const CASES: readonly [ProductFilter, string, ProductSort, string][] = [
    [{ domainId: SMALL }, `domain_id = ${SMALL}`, 'price', 'price'],
    [{ brand: 'rare' }, "lower(brand) = 'rare'", 'rating', 'rating'],
    [
      { category: 'Garden > Rare', currency: 'EUR' },
      "category like 'Garden > Rare >%' and currency = 'EUR'",
      'id',
      'id',
    ],
    [
      { isMissing: true, currency: 'USD' },
      "missing_since is not null and currency = 'USD'",
      'updatedAt',
      'updated_at',
    ],
    [
      { minPrice: '1000', maxPrice: '1100', minRating: '0.9', hasImage: true },
      'price between 1000 and 1100 and rating >= 0.9 and image_urls <> array[]::text[]',
      'price',
      'price',
    ],
    [
      { minRating: '4.8', currency: 'USD', hasImage: false, availability: ['out_of_stock', 'limited'] },
      "rating >= 4.8 and currency = 'USD' and image_urls = '{}' and availability in ('out_of_stock', 'limited')",
      'id',
      'id',
    ],
    [
      { domainId: GIANT, category: 'garden > tools', minRating: '4.98', hasImage: true },
      `domain_id = ${GIANT} and rating >= 4.98 and image_urls <> '{}'`,
      'updatedAt',
      'updated_at',
    ],
  ];

  it.each(CASES)(
    'is all that fits %j, page by page, in order and once',
    async (filter, condition, sort, key) => {
      for (const order of ['asc', 'desc'] as const) {
        const found: number[] = [];
        let after: ProductPlace | undefined;
        do {
          const page = await listProducts(
            database.db,
            filter,
            { sort, order, after, limit: LIMIT },
            LOOKED_AT,
          );
          found.push(...page.products.map(({ id }) => id));
          after = page.next;
        } while (after !== undefined);
        const wanted = await expected(condition, key, order);
        expect(wanted.length).toBeGreaterThan(0);
        expect(found).toEqual(wanted);
      }
    },
  );
});
