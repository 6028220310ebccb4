/** The demo shops crawled twice, with a new price list between: exactly what has changed is told, and nothing else. */
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { resetDomain } from '../../src/control/domains/reset-domain.ts';
import { MOSS_AND_MARROW } from '../../src/demo/moss-and-marrow.ts';
import { stockShelves } from '../../src/demo/shop-catalogue.ts';
import type { Availability, Product, ShopPlan } from '../../src/demo/shop-plan.ts';
import { type DemoWeb, startDemoWeb } from '../../src/demo/start-demo-web.ts';
import { TINKER_AND_SONS } from '../../src/demo/tinker-and-sons.ts';
import { openParsers } from '../../src/engine/extract/site/open-parsers.ts';
import { runTestCrawl } from '../support/crawl-support.ts';
import { createTestDatabase, type TestDatabase } from '../support/postgres.ts';

let demo: DemoWeb;
let database: TestDatabase;
beforeAll(async () => {
  demo = await startDemoWeb();
});
afterAll(() => demo.close());
beforeEach(async () => {
  database = await createTestDatabase();
  return () => database.drop();
});

const PLANS = [TINKER_AND_SONS, MOSS_AND_MARROW];
const STOCK: Readonly<Record<Availability, string>> = {
  ...{ InStock: 'in_stock', OutOfStock: 'out_of_stock', PreOrder: 'preorder' },
};

interface Offer {
  readonly domain: string;
  readonly name: string;
  readonly price: string;
  readonly currency: string;
  readonly availability: string;
}

function offers(list: number): Offer[] {
  const offer = (plan: ShopPlan, product: Product): Offer => ({
    ...{ domain: plan.domain, name: product.name, currency: plan.currency },
    price: (product.pricePence / 100).toFixed(2).replace(/\.?0+$/, ''),
    availability: STOCK[product.availability],
  });
  return PLANS.flatMap((plan) =>
    stockShelves(plan, list).flatMap(({ products }) => products.map((product) => offer(plan, product))),
  );
}

const keyOf = ({ domain, name }: Pick<Offer, 'domain' | 'name'>): string => `${domain} ${name}`;

/** Each product once, as its own address has it. */
async function known(): Promise<Offer[]> {
  const { rows } = await database.db.query<Offer>(
    `select regexp_replace(d.domain, ':.*', '') as domain, p.name, trim_scale(p.price)::text as price, p.currency, p.availability
       from products p join domains d on d.id = p.domain_id where p.url ~ '/p/[^/]+$'`,
  );
  return rows;
}

const inOrder = (rows: readonly Offer[]): Offer[] => rows.toSorted((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1));

it.each(['generic', 'site'] as const)('by their %s parsers', async (kind) => {
  demo.usePriceList(0);
  const seeds = PLANS.map(({ domain }) => demo.sites.find((site) => site.domain === domain)?.url ?? '');
  const parsers = await openParsers();
  const crawl = () =>
    runTestCrawl({
      db: database.db,
      seeds,
      parsers,
      settings: { readSitemaps: true, maxConcurrentPerDomain: 8 },
    });
  if (kind === 'site') {
    await runTestCrawl({ db: database.db, seeds, parsers, maxPages: 2 });
    await database.execute(`update domains set parser_name = regexp_replace(domain, '[.]localhost.*', '')`);
  }
  const first = await crawl();
  expect(first.summary.products.new).toBeGreaterThan(0);
  expect(inOrder(await known())).toEqual(inOrder(offers(0)));

  demo.usePriceList(1);
  for (const url of seeds) {
    await resetDomain(database.db, url, { recrawl: true, actor: 'person:tester', requestTimeoutMs: 5000 });
  }
  await crawl();
  expect(inOrder(await known())).toEqual(inOrder(offers(1)));

  const before = new Map(offers(0).map((offer) => [keyOf(offer), offer]));
  const expected = offers(1).flatMap((after) => {
    const old = before.get(keyOf(after));
    if (old === undefined) throw new Error(`${after.name} is new`);
    const changes = {
      ...(old.price !== after.price && { price: [old.price, after.price] }),
      ...(old.availability !== after.availability && {
        availability: [old.availability, after.availability],
      }),
    };
    return Object.keys(changes).length === 0 ? [] : [{ key: keyOf(after), changes }];
  });
  expect(expected.length).toBeGreaterThan(10);
  // Some are sold under two addresses; each is a product of its own, and changes with the other.
  const { rows: events } = await database.db.query<{ key: string; changes: unknown }>(
    `select distinct regexp_replace(d.domain, ':.*', '') || ' ' || p.name as key, e.changes
       from product_events e join products p on p.id = e.product_id join domains d on d.id = p.domain_id order by 1`,
  );
  expect(events).toEqual(expected.toSorted((a, b) => (a.key < b.key ? -1 : 1)));
  const { rows: counts } = await database.db.query(
    `select count(*)::int as products, (select count(*)::int from product_events) as events,
            (select count(*)::int from price_points) as points,
            count(*) filter (where updated_at > first_seen_at + interval '1 microsecond'
                             and exists (select from product_events e where e.product_id = products.id))::int as moved
       from products`,
  );
  const { products = 0, events: told = 0, points, moved } = counts[0] ?? {};
  expect(points).toBe(Number(products) + Number(told));
  expect(moved).toBe(told);
});
