/**
 * Searches of 200,000 products: however many have the words, the first page and the fiftieth touch a bounded part of
 * the table and of its indexes.
 */
import type pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { searchProducts } from '../../src/search/postgres/search-products.ts';
import { MOST_COUNTED, MOST_RANKED, type SearchPlace } from '../../src/search/search-engine.ts';
import { parseSearchQuery } from '../../src/search/search-query.ts';
import { explain, type PlanFacts } from '../support/crawl-plans.ts';
import { createTestDatabase, type TestDatabase } from '../support/postgres.ts';

const PRODUCTS = 200_000;
const LIMIT = 20;
const PAGES = 50;

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
  await database.execute(
    `insert into domains (domain, parent_domain, base_url)
     select n || '.example', n || '.example', 'https://' || n || '.example' from generate_series(1, 100) n`,
  );
  // Indexes are made of what is there in a fraction of the time that entry by entry takes.
  const { rows: indexes } = await database.db.query<{ name: string; definition: string }>(
    `select indexname as name, indexdef as definition from pg_indexes i
      where tablename = 'products'
        and not exists (select from pg_constraint where conindid = format('%I', i.indexname)::regclass)`,
  );
  for (const { name } of indexes) await database.execute(`drop index ${name}`);
  await database.execute(
    `insert into products (domain_id, url, url_hash, name, description, price, currency, brand, language,
                           content_hash, source, updated_at)
     select 1 + n % 100, 'https://x.example/' || n, sha256(n::text::bytea),
            case when n % 3 = 0 then 'Lamp ' else 'Chair ' end || case when n % 500 = 0 then 'rare ' else '' end || n,
            'made of wood', (n % 50000) + 0.99, 'EUR', 'Brand ' || n % 40, 'en', '', 'generic',
            timestamptz '2026-01-01' + n * interval '1 s'
       from generate_series(1, ${PRODUCTS}) n`,
  );
  for (const { definition } of indexes) await database.execute(definition);
  await database.execute('analyze products');
}, 600_000);
afterAll(() => database.drop());

/** As the program does it, each statement explained. */
async function watch(typed: string, sort: 'relevance' | 'price', after: SearchPlace | undefined) {
  const plans: PlanFacts[] = [];
  const pool = {
    connect: async () => {
      const client = await database.db.pool.connect();
      const query = async (statement: string | pg.QueryConfig, values?: readonly unknown[]) => {
        const text = typeof statement === 'string' ? statement : statement.text;
        const given = values ?? (typeof statement === 'string' ? undefined : statement.values);
        if (given !== undefined)
          plans.push(await explain(database, text, given, { first: 'set local enable_seqscan = off' }));
        return client.query(statement as string, values as unknown[]);
      };
      return { query, release: (error?: boolean) => client.release(error) };
    },
  };
  const found = await searchProducts({ pool: pool as unknown as pg.Pool } as never, {
    ...{ query: parseSearchQuery(typed), isAnyWord: false, filters: {}, sort, order: 'desc', after },
    ...{ limit: LIMIT, withTotal: after === undefined, withFacets: after === undefined },
  });
  return { found, plans };
}

/** Entries of the index, and a block for each row that is ranked, of either kind, and for each that is counted. */
const OF_A_PAGE = 2 * MOST_RANKED + 2000;

test.each([
  ['a third of all', 'lamp', 'relevance'],
  ['all of them by their descriptions', 'wood', 'relevance'],
  ['few', 'rare lamp', 'relevance'],
  ['a third of all', 'lamp', 'price'],
] as const)(
  'what %s have (%s, by %s) costs a bounded look on page 1 and on page 50',
  async (_, typed, sort) => {
    let after: SearchPlace | undefined;
    for (let page = 1; page <= PAGES; page += page === 1 ? 1 : 24) {
      const { found, plans } = await watch(typed, sort, after);
      const texts = plans.map(({ text }) => text).join('\n');
      expect(plans.length).toBeGreaterThan(1);
      expect(
        plans.flatMap(({ scanned }) => scanned).filter((name) => name === 'products'),
        texts,
      ).toEqual([]);
      const buffers = plans.reduce((sum, plan) => sum + plan.buffers, 0);
      expect(buffers, texts).toBeLessThan(OF_A_PAGE + (after === undefined ? MOST_COUNTED + 1000 : 0));
      after = found.hits.at(-1)?.place;
      // On to where the next page that is looked at begins.
      for (let i = 0; page > 1 && i < 23 && after !== undefined; i += 1) {
        const next = await searchProducts(database.db, {
          ...{ query: parseSearchQuery(typed), isAnyWord: false, filters: {}, sort, order: 'desc', after },
          ...{ limit: LIMIT, withTotal: false, withFacets: false },
        });
        after = next.hits.at(-1)?.place;
      }
      if (after === undefined) break;
    }
  },
  120_000,
);
