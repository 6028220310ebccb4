/** Counters counted anew: from urls and pages always, from the log as far as it reaches. */
import { beforeEach, describe, expect, it } from 'vitest';
import { backfill } from '../../src/control/backfill/backfill.ts';
import { addDomain, addFetch, addPage, addUrl } from '../support/backfill-rows.ts';
import { createTestDatabase, type TestDatabase } from '../support/postgres.ts';

let database: TestDatabase;
let id: number;
beforeEach(async () => {
  database = await createTestDatabase();
  return () => database.drop();
});

async function readDomain(): Promise<Record<string, unknown> | undefined> {
  return (await database.db.query('select * from domains where id = $1', [id])).rows[0];
}

it('counters that say something else than the tables are corrected, with rates and score', async () => {
  id = await addDomain(database, 'a.example', {
    ...{
      pages_discovered: 1,
      pages_crawled: 500,
      images_found: 3,
      crawl_depth_reached: 9,
      total_error_count: 40,
    },
    ...{ images_stored: 4, last_crawled_at: '2026-04-01T00:00:00Z' },
  });
  await addUrl(database, id, 'http://a.example/', { discoveredAt: '2025-12-24T00:00:00Z' });
  await addUrl(database, id, 'http://a.example/1');
  await addPage(database, id, 'http://a.example/', { images: 4, depth: 2 });
  await addPage(database, id, 'http://a.example/1', { images: 2 });
  await addFetch(database, id, 'http://a.example/', { status: 404, at: '2025-12-24T00:00:00Z' });
  await addFetch(database, id, 'http://a.example/', { status: 301, outcome: 'redirect' });
  const { tally, validation } = await backfill(database.db);
  expect(validation?.isWell).toBe(true);
  expect(tally).toMatchObject({
    correctedDomains: 1,
    corrections: { pagesDiscovered: 1, pagesCrawled: 1, imagesFound: 1, depth: 1, errors: 1, firstSeenAt: 1 },
    largest: [
      { domain: 'a.example', counter: 'pagesCrawled', before: 500, after: 2 },
      { domain: 'a.example', counter: 'errors', before: 40, after: 1 },
      { counter: 'depth' },
      { counter: 'imagesFound' },
      { counter: 'pagesDiscovered' },
    ],
    ratesWritten: 1,
  });
  const row = await readDomain();
  expect(row).toMatchObject({
    ...{
      pages_discovered: 2,
      pages_crawled: 2,
      images_found: 6,
      crawl_depth_reached: 2,
      total_error_count: 1,
    },
    ...{ image_yield_rate: 2, avg_images_per_page: 3, error_rate: 1 / 3 },
    first_seen_at: new Date('2025-12-24T00:00:00Z'),
    // The end of a visit is later than its last fetch: a last moment is never moved back.
    last_crawled_at: new Date('2026-04-01T00:00:00Z'),
  });
  const { rows } = await database.db.query('select score from domain_priorities where id = $1', [id]);
  expect(row?.priority_score).toBe(rows[0]?.score);
});

describe('errors, which only the log knows of', () => {
  const day = (n: number): string => `2026-03-0${n}T00:00:00Z`;

  it('are not lowered where days of the log were dropped', async () => {
    await database.execute(
      "create table crawl_log_20260302 partition of crawl_log for values from ('2026-03-02') to ('2026-03-03')",
    );
    id = await addDomain(database, 'a.example', { first_seen_at: day(1), total_error_count: 3 });
    await addFetch(database, id, 'http://a.example/1', { status: 500, at: day(2) });
    await addFetch(database, id, 'http://a.example/2', { status: 500, at: '2026-03-02T01:00:00Z' });
    await addFetch(database, id, 'http://a.example/3', { status: 500, at: day(4) });
    await database.execute('drop table crawl_log_20260302');
    const { tally, validation } = await backfill(database.db);
    expect(tally.corrections.errors).toBe(0);
    expect(validation?.isWell).toBe(true);
    expect(await readDomain()).toMatchObject({ total_error_count: 3 });
  });

  it('are raised by a log that knows of more, however far it reaches', async () => {
    id = await addDomain(database, 'a.example', { first_seen_at: day(1), total_error_count: 1 });
    for (const n of [4, 5])
      await addFetch(database, id, `http://a.example/${n}`, { status: 500, at: day(n) });
    await backfill(database.db);
    expect(await readDomain()).toMatchObject({ total_error_count: 2 });
  });

  it('are lowered where the log reaches back to the day the domain was first seen', async () => {
    id = await addDomain(database, 'a.example', {
      first_seen_at: '2026-03-04T09:00:00Z',
      total_error_count: 9,
    });
    await addFetch(database, id, 'http://a.example/', { status: 500, at: '2026-03-04T10:00:00Z' });
    await backfill(database.db);
    expect(await readDomain()).toMatchObject({ total_error_count: 1 });
  });

  it('are left alone where there is no log', async () => {
    id = await addDomain(database, 'a.example', { total_error_count: 9 });
    await backfill(database.db);
    expect(await readDomain()).toMatchObject({ total_error_count: 9 });
  });

  it('that a reset forgave stay forgiven', async () => {
    id = await addDomain(database, 'a.example', {
      first_seen_at: day(1),
      status: 'blocked',
      total_error_count: 2,
    });
    await addFetch(database, id, 'http://a.example/', { status: 500, at: day(1) });
    await addFetch(database, id, 'http://a.example/', { status: 500, at: day(2) });
    await database.execute(
      "update domains set status = 'pending', status_code = 'reset', total_error_count = 0",
    );
    await addFetch(database, id, 'http://a.example/', {
      status: 500,
      at: new Date(Date.now() + 1000).toISOString(),
    });
    await backfill(database.db);
    expect(await readDomain()).toMatchObject({ total_error_count: 1 });
  });
});
