/** Scores of domains: what they are made of, who gets one, and that keeping them up to date is in nobody's way. */
import { beforeEach, expect, it } from 'vitest';
import { reprioritize } from '../../src/engine/schedule/reprioritize.ts';
import { createTestDatabase, type TestDatabase } from '../support/postgres.ts';

let database: TestDatabase;
beforeEach(async () => {
  database = await createTestDatabase();
  return () => database.drop();
});

async function addDomain(name: string, columns: Readonly<Record<string, unknown>> = {}): Promise<void> {
  const all = { domain: name, parent_domain: name, base_url: `http://${name}`, ...columns };
  const marks = Object.keys(all).map((_, index) => `$${index + 1}`);
  await database.execute(
    `insert into domains (${Object.keys(all).join(', ')}) values (${marks.join(', ')})`,
    Object.values(all),
  );
}

async function readDomain(name: string): Promise<Record<string, unknown>> {
  const { rows } = await database.db.query('select *, xmin::text as writer from domains where domain = $1', [
    name,
  ]);
  return rows[0] ?? {};
}

const passTime = (span: string) =>
  database.execute(`create or replace function forager_now() returns timestamptz language sql stable
                    return now() + interval '${span}'`);

it('writes yields, error rate and the sum of what speaks for and against a domain', async () => {
  await addDomain('a.example', {
    ...{ seed_rank: 1000, pages_discovered: 160, pages_crawled: 60, images_found: 90, images_stored: 30 },
    ...{ products_found: 15, total_error_count: 20, last_crawled_at: new Date(Date.now() - 10 * 86_400_000) },
  });
  expect(await reprioritize(database.db)).toBe(1);
  expect(await readDomain('a.example')).toMatchObject({
    image_yield_rate: 0.5,
    product_yield_rate: 0.25,
    avg_images_per_page: 1.5,
    error_rate: 0.25,
    // rank 500, images 500, products 250, remaining 200, errors -125, ten days 50
    priority_score: 1375,
    priority_computed_at: expect.any(Date),
  });
});

it('gives no points for a rank to a domain that has none, and all of them to the first', async () => {
  await addDomain('first.example', { seed_rank: 1 });
  await addDomain('unranked.example');
  await reprioritize(database.db);
  expect(await readDomain('first.example')).toMatchObject({ priority_score: 1000, image_yield_rate: null });
  expect(await readDomain('unranked.example')).toMatchObject({ priority_score: 0, error_rate: null });
});

it('counts a product found as much as an image stored', async () => {
  await addDomain('images.example', { pages_discovered: 10, pages_crawled: 10, images_stored: 7 });
  await addDomain('products.example', { pages_discovered: 10, pages_crawled: 10, products_found: 7 });
  await reprioritize(database.db);
  const [images, products] = [await readDomain('images.example'), await readDomain('products.example')];
  expect(images.priority_score).toBe(700);
  expect(products.priority_score).toBe(700);
});

it('leaves blocked and unreachable domains the score they had', async () => {
  await addDomain('blocked.example', { status: 'blocked', seed_rank: 1, priority_score: 7 });
  await addDomain('dead.example', { status: 'unreachable', seed_rank: 1, priority_score: 8 });
  await addDomain('done.example', { status: 'exhausted', seed_rank: 1 });
  expect(await reprioritize(database.db)).toBe(1);
  expect(await readDomain('blocked.example')).toMatchObject({
    priority_score: 7,
    priority_computed_at: null,
  });
  expect(await readDomain('dead.example')).toMatchObject({ priority_score: 8, priority_computed_at: null });
  expect(await readDomain('done.example')).toMatchObject({ priority_score: 1000 });
});

it('writes only rows that change or were never computed', async () => {
  await addDomain('still.example', { last_crawled_at: new Date() });
  await addDomain('moving.example', { last_crawled_at: new Date() });
  expect(await reprioritize(database.db)).toBe(2);
  const before = await readDomain('still.example');
  await database.execute(
    "update domains set images_stored = 3, pages_crawled = 1 where domain = 'moving.example'",
  );
  expect(await reprioritize(database.db)).toBe(1);
  expect((await readDomain('still.example')).writer).toBe(before.writer);
  expect(await readDomain('moving.example')).toMatchObject({ image_yield_rate: 3 });
});

it('raises what nobody has visited for long as time passes', async () => {
  await addDomain('old.example', { last_crawled_at: new Date() });
  await reprioritize(database.db);
  await passTime('30 days');
  expect(await reprioritize(database.db)).toBe(1);
  expect(await readDomain('old.example')).toMatchObject({ priority_score: 150 });
  await passTime('10 years');
  await reprioritize(database.db);
  expect(await readDomain('old.example')).toMatchObject({ priority_score: 1825 });
});

it('works on the domains named and no other', async () => {
  for (const name of ['a.example', 'b.example', 'c.example']) await addDomain(name, { seed_rank: 1 });
  expect(await reprioritize(database.db, [2, 3, 99])).toBe(2);
  expect(await readDomain('a.example')).toMatchObject({ priority_score: 0 });
  expect(await reprioritize(database.db, [])).toBe(0);
});

it('passes over what somebody else has locked, and does not wait for them', async () => {
  for (const name of ['a.example', 'b.example', 'c.example']) await addDomain(name, { seed_rank: 1 });
  const commit = await database.db.pool.connect();
  try {
    await commit.query("begin read write; select from domains where domain = 'b.example' for update");
    // Would wait for ever if it waited: nobody ends the other transaction.
    expect(await reprioritize(database.db)).toBe(2);
    expect(await readDomain('b.example')).toMatchObject({ priority_computed_at: null });
    expect(await readDomain('c.example')).toMatchObject({ priority_score: 1000 });
  } finally {
    await commit.query('rollback');
    commit.release();
  }
  expect(await reprioritize(database.db)).toBe(1);
});

it('reaches every domain, however many slices that takes', async () => {
  await database.execute(`
    insert into domains (domain, parent_domain, base_url, seed_rank)
    select 'd' || n, 'd' || n, 'http://d' || n, n from generate_series(1, 2500) n`);
  expect(await reprioritize(database.db)).toBe(2500);
  const { rows } = await database.db.query(
    'select count(*)::int from domains d join domain_priorities p using (id) where d.priority_score <> p.score',
  );
  expect(rows).toEqual([{ count: 0 }]);
});
