/** Products of bodies that are parsed apart from their fetch, and parsed again. */
import path from 'node:path';
import { beforeEach, expect, it } from 'vitest';
import { temporaryDirectory } from '../support/crawl-support.ts';
import { parseAll, plantKept, restartParsing } from '../support/parsers.ts';
import { createTestDatabase, type TestDatabase } from '../support/postgres.ts';
import { productPage, registryOf, type Told, toldParser, toldParsers } from '../support/told-products.ts';

let database: TestDatabase;
let directory: string;
beforeEach(async () => {
  database = await createTestDatabase();
  directory = path.join(await temporaryDirectory(), 'warc');
  return () => database.drop();
});

const KETTLE: Told = { name: 'Kettle', price: '29.9', currency: 'EUR', availability: 'in_stock' };
const URL = 'http://kept.example/kettle';

const plant = (told: Told, fetchedAt = new Date()): Promise<readonly number[]> =>
  plantKept(database, directory, [{ url: URL, html: productPage(told), fetchedAt }]);

async function products() {
  const { rows } = await database.db.query(
    `select p.name, trim_scale(p.price)::text as price, p.source, p.parser_version as version, p.task_id::int as "taskId",
            d.products_found::int as found, (select count(*)::int from price_points) as points,
            (select count(*)::int from product_events) as events
       from products p join domains d on d.id = p.domain_id`,
  );
  return rows;
}

it('a body that was left to a parser gives its product, with the task it was ordered by', async () => {
  const [taskId] = await plant(KETTLE);
  await parseAll(database.db, directory, { parsers: toldParsers });
  expect(await products()).toEqual([
    {
      name: 'Kettle',
      price: '29.9',
      source: 'generic',
      version: '1',
      taskId,
      found: 1,
      points: 1,
      events: 0,
    },
  ]);
});

it('the same body read by a new version of the parser brings what that one sees', async () => {
  const ids = await plant(KETTLE);
  await parseAll(database.db, directory, { parsers: toldParsers });
  const sharper = toldParser('generic', '2');
  const parsers = registryOf({
    ...sharper,
    extract: (page) => {
      const extraction = sharper.extract(page);
      const price = { value: '19.9', source: 'heuristic', confidence: 0.5 } as const;
      return { ...extraction, fields: { ...extraction.fields, price } };
    },
  });
  await restartParsing(database, ids);
  await parseAll(database.db, directory, { parsers });
  expect(await products()).toMatchObject([{ price: '19.9', version: '2', found: 1, points: 2, events: 1 }]);
});

it('a body that is older than what a bot has seen since changes nothing', async () => {
  const ids = await plant(KETTLE);
  await parseAll(database.db, directory, { parsers: toldParsers });
  await database.execute(
    `update products set price = 5, source = 'bot', last_seen_at = forager_now() + interval '1 minute'`,
  );
  await restartParsing(database, ids);
  await parseAll(database.db, directory, { parsers: toldParsers });
  expect(await products()).toMatchObject([{ price: '5', points: 1, events: 0 }]);
});

it('without a product in it, it says so of one that was there', async () => {
  await plant(KETTLE, new Date(Date.now() - 60_000));
  await parseAll(database.db, directory, { parsers: toldParsers });
  await plantKept(database, directory, [{ url: URL, html: productPage(undefined) }]);
  await parseAll(database.db, directory, { parsers: toldParsers });
  const { rows } = await database.db.query(
    `select missing_since is not null as missing, (select sum(lost_count)::int from parse_hours) as lost from products`,
  );
  expect(rows).toEqual([{ missing: true, lost: 1 }]);
});
