/** Domains that have no row any more, rebuilt from the log, urls and pages. */
import { beforeEach, expect, it } from 'vitest';
import { backfill } from '../../src/control/backfill/backfill.ts';
import { addDomain, addFetch, addPage, addUrl, readEverything } from '../support/backfill-rows.ts';
import { createTestDatabase, type TestDatabase } from '../support/postgres.ts';

let database: TestDatabase;
beforeEach(async () => {
  database = await createTestDatabase();
  return () => database.drop();
});

async function readDomain(name: string): Promise<Record<string, unknown> | undefined> {
  return (await database.db.query('select * from domains where domain = $1', [name])).rows[0];
}

const at = (day: number): string => `2026-03-${String(day).padStart(2, '0')}T12:00:00Z`;

/** A site of 3 pages with 2 images each and a dead link, as a crawl leaves it, under an id that may have no row. */
async function addSite(id: number, origin: string): Promise<void> {
  for (const n of [1, 2, 3]) {
    await addUrl(database, id, `${origin}/${n}`, { depth: n, at: at(n), discoveredAt: at(1) });
    await addPage(database, id, `${origin}/${n}`, { depth: n, at: at(n), images: 2 });
    await addFetch(database, id, `${origin}/${n}`, { at: at(n) });
  }
  await addUrl(database, id, `${origin}/dead`, { state: 'failed', at: at(4), discoveredAt: at(1) });
  await addFetch(database, id, `${origin}/dead`, { status: 404, at: at(4) });
}

it('a deleted domain comes back with its counters, its rows and a time for its refresh', async () => {
  await addSite(77, 'https://www.shop.example');
  const { tally, validation } = await backfill(database.db);
  expect(tally).toMatchObject({
    rebuilt: 1,
    merged: 0,
    renamed: 0,
    moved: { urls: 4, pages: 3, fetches: 4 },
  });
  expect(validation?.isWell).toBe(true);
  expect(validation?.totals).toEqual({ inLog: 1, inTable: 1, fromBackfills: 1 });
  const row = await readDomain('shop.example');
  expect(row).toMatchObject({
    parent_domain: 'shop.example',
    base_url: 'https://www.shop.example',
    source: 'backfill_crawl_log',
    status: 'exhausted',
    status_code: 'all_done',
    pages_discovered: 4,
    pages_crawled: 3,
    images_found: 6,
    avg_images_per_page: 2,
    total_error_count: 1,
    error_rate: 0.25,
    crawl_depth_reached: 3,
    first_seen_at: new Date(at(1)),
    last_crawled_at: new Date(at(4)),
    next_crawl_after: new Date(at(18)),
    run_id: 0,
  });
  for (const table of ['urls', 'pages', 'crawl_log']) {
    const { rows } = await database.db.query(`select from ${table} where domain_id = $1`, [row?.id]);
    expect(rows).not.toHaveLength(0);
  }
});

it('a second run changes nothing at all', async () => {
  await addSite(77, 'https://www.shop.example');
  const other = await addDomain(database, 'WWW.Other.example', { pages_crawled: 9 });
  await addSite(other, 'http://other.example');
  await backfill(database.db);
  const before = await readEverything(database);
  const { tally } = await backfill(database.db);
  expect(tally).toMatchObject({ rebuilt: 0, merged: 0, renamed: 0, correctedDomains: 0, ratesWritten: 0 });
  expect(await readEverything(database)).toEqual(before);
});

it('one whose fetches failed for the most part is blocked, for a reason and a while', async () => {
  for (const n of [1, 2, 3])
    await addFetch(database, 5, `http://no.example/${n}`, { status: 403, at: at(n) });
  await addFetch(database, 5, 'http://no.example/4', { at: at(4) });
  await addFetch(database, 6, 'http://slow.example/', { status: 429, at: at(1) });
  await addFetch(database, 7, 'http://down.example/', { status: 503, outcome: 'server-error', at: at(1) });
  await backfill(database.db);
  expect(await readDomain('no.example')).toMatchObject({
    status: 'blocked',
    status_code: 'forbidden',
    block_reason_code: 'forbidden',
    block_reason: '3 of 4 fetches in the log were answered with status 400 or above',
    first_blocked_at: new Date(at(4)),
    next_crawl_after: new Date(at(18)),
    total_error_count: 3,
  });
  expect(await readDomain('slow.example')).toMatchObject({ block_reason_code: 'rate_limited' });
  expect(await readDomain('down.example')).toMatchObject({ block_reason_code: 'server_errors' });
});

it('one with URLs that were never read is pending, by a legal move', async () => {
  await addSite(77, 'https://shop.example');
  await addUrl(database, 77, 'https://shop.example/due', { state: 'never_crawled' });
  await addUrl(database, 78, 'https://new.example/', { state: 'never_crawled' });
  await backfill(database.db);
  expect(await readDomain('shop.example')).toMatchObject({
    status: 'pending',
    status_code: 'new_urls',
    next_crawl_after: null,
  });
  expect(await readDomain('new.example')).toMatchObject({ status: 'pending', status_code: 'seeded' });
  const { rows } = await database.db.query('select from_status, to_status, code, actor from domain_events');
  expect(rows).toEqual([
    { from_status: 'exhausted', to_status: 'pending', code: 'new_urls', actor: 'db backfill' },
  ]);
});

it('rows that hang on a domain that is not theirs go home, and both are counted anew', async () => {
  const right = await addDomain(database, 'right.example', { pages_discovered: 1 });
  const wrong = await addDomain(database, 'wrong.example', { pages_discovered: 9, pages_crawled: 7 });
  await addSite(wrong, 'https://www.right.example');
  await addUrl(database, right, 'https://www.right.example/1', {
    state: 'never_crawled',
    isSeed: true,
    depth: 0,
  });
  await addUrl(database, wrong, 'https://wrong.example/', {});
  await addUrl(database, wrong, 'http://made.example:8080/', {});
  await database.execute(
    `insert into domain_robots (domain_id, origin, access, expires_at)
     values ($1, 'https://www.right.example', 'allow-all', now()), ($1, 'https://wrong.example', 'parse', now())`,
    [wrong],
  );
  const { tally, validation } = await backfill(database.db);
  expect(validation?.isWell).toBe(true);
  expect(tally).toMatchObject({ rebuilt: 1, moved: { urls: 5, pages: 3, fetches: 4, duplicateUrls: 1 } });
  expect(await readDomain('right.example')).toMatchObject({ pages_discovered: 4, pages_crawled: 3 });
  expect(await readDomain('wrong.example')).toMatchObject({ pages_discovered: 1, pages_crawled: 0 });
  expect(await readDomain('made.example:8080')).toMatchObject({
    pages_discovered: 1,
    base_url: 'http://made.example:8080',
  });
  // The one that was read is kept, and knows that it was a seed.
  const { rows } = await database.db.query(
    "select state, is_seed, depth from urls where url = 'https://www.right.example/1'",
  );
  expect(rows).toEqual([{ state: 'fetched', is_seed: true, depth: 0 }]);
  const robots = await database.db.query('select domain_id, origin from domain_robots order by origin');
  expect(robots.rows).toEqual([
    { domain_id: wrong, origin: 'https://wrong.example' },
    { domain_id: right, origin: 'https://www.right.example' },
  ]);
});

it('whoever held a lease that has run out can write nothing more where rows were moved away', async () => {
  const lease = { claimed_by: 'w', claim_expires_at: new Date(Date.now() - 1000), version: 3 };
  const from = await addDomain(database, 'wrong.example', {
    ...lease,
    status: 'active',
    status_code: 'claimed',
  });
  await addDomain(database, 'still.example', { ...lease, status: 'active', status_code: 'claimed' });
  await addUrl(database, from, 'https://right.example/');
  await backfill(database.db);
  expect(await readDomain('wrong.example')).toMatchObject({ claimed_by: null, version: 4 });
  expect(await readDomain('still.example')).toMatchObject({ claimed_by: 'w', version: 3 });
});

it('two ids that were one domain become one again', async () => {
  await addSite(70, 'https://www.shop.example');
  await addSite(90, 'https://shop.example');
  await addSite(91, 'https://www.shop.example');
  const { tally, validation } = await backfill(database.db);
  expect(tally).toMatchObject({ rebuilt: 1, moved: { duplicateUrls: 4, duplicatePages: 3 } });
  expect(validation?.isWell).toBe(true);
  expect(await readDomain('shop.example')).toMatchObject({ pages_discovered: 8, pages_crawled: 6 });
});

it('the runs a rebuilt domain was part of know it again, and an unfinished one has it in its queue', async () => {
  await database.execute(
    `insert into crawl_runs (crawl_key, settings, status, finished_at)
     values ('\\x01', '{}', 'finished', now()), ('\\x02', '{}', 'interrupted', null)`,
  );
  await addFetch(database, 5, 'http://a.example/', { runId: 1 });
  await addFetch(database, 5, 'http://a.example/x', { runId: 2 });
  await addFetch(database, 5, 'http://a.example/y', { runId: 2, status: 404 });
  await addFetch(database, 6, 'http://b.example/', { runId: 1 });
  await addFetch(database, 6, 'http://b.example/', { runId: 99 });
  await backfill(database.db);
  const { rows } = await database.db.query(
    `select d.domain, m.run_id, m.pages_count, m.fetches_count, m.errors_count, m.bytes_count
       from crawl_run_domains m join domains d on d.id = m.domain_id order by 1, 2`,
  );
  expect(rows).toEqual([
    { domain: 'a.example', run_id: 1, pages_count: 1, fetches_count: 1, errors_count: 0, bytes_count: 10 },
    { domain: 'a.example', run_id: 2, pages_count: 1, fetches_count: 2, errors_count: 1, bytes_count: 20 },
    { domain: 'b.example', run_id: 1, pages_count: 1, fetches_count: 1, errors_count: 0, bytes_count: 10 },
  ]);
  expect(await readDomain('a.example')).toMatchObject({ run_id: 2, last_crawl_run_id: 2 });
  expect(await readDomain('b.example')).toMatchObject({ run_id: 0, last_crawl_run_id: 1 });
});

it('a host of which no domain can be made is told, and its rows fail the check', async () => {
  const id = await addDomain(database, 'a.example');
  await database.execute(
    `insert into urls (domain_id, url_hash, url, depth, priority) values
       (99, '\\x01', 'http://exa mple/', 0, 1), (${id}, '\\x02', 'http://exa mple/', 0, 1)`,
  );
  const { tally, validation } = await backfill(database.db);
  expect([...tally.nameless]).toEqual(['exa mple']);
  expect(validation).toMatchObject({ isWell: false, checks: { orphanUrls: 1, misplacedRows: 0 } });
});

it('a dry run says what would be done and does nothing', async () => {
  await addSite(70, 'https://www.shop.example');
  await addSite(90, 'https://shop.example');
  await addDomain(database, 'WWW.a.example');
  await addDomain(database, 'a.example', { pages_crawled: 50 });
  await addDomain(database, 'B.example');
  const before = await readEverything(database);
  const { tally, validation } = await backfill(database.db, { isDryRun: true });
  expect(tally).toMatchObject({
    ...{ rebuilt: 1, merged: 1, renamed: 1, correctedDomains: 1 },
    moved: { urls: 8, pages: 6, fetches: 8 },
    largest: [{ domain: 'a.example', counter: 'pagesCrawled', before: 50, after: 0 }],
  });
  expect(validation).toMatchObject({
    isWell: false,
    checks: { orphanUrls: 8, orphanPages: 6, orphanFetches: 8, misnamedDomains: 2, disagreeingCounters: 1 },
  });
  expect(await readEverything(database)).toEqual(before);
});
