/** A backfill beside workers: what they find is not lost, what they hold is not touched, and nobody waits for ever. */
import { beforeEach, expect, it } from 'vitest';
import { backfill } from '../../src/control/backfill/backfill.ts';
import { admitIntoDomains } from '../../src/engine/frontier/admit-into-domains.ts';
import { addDomain, addUrl } from '../support/backfill-rows.ts';
import { candidateOf, claimAs } from '../support/crawl-claims.ts';
import { createTestDatabase, type TestDatabase } from '../support/postgres.ts';

let database: TestDatabase;
beforeEach(async () => {
  database = await createTestDatabase();
  return () => database.drop();
});

async function waitForLocks(count: number): Promise<void> {
  for (;;) {
    const { rows } = await database.db.query(
      "select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'",
    );
    if (rows.length >= count) return;
  }
}

it('a link into a domain that is being merged arrives in the one that is kept', async () => {
  const kept = await addDomain(database, 'www.a.example', { first_seen_at: '2026-01-01' });
  const merged = await addDomain(database, 'a.example', { first_seen_at: '2026-01-02' });
  await addUrl(database, merged, 'https://a.example/known');
  const holding = await database.db.pool.connect();
  try {
    await holding.query('begin read write');
    await holding.query('select from urls for update');
    // It holds both domains and waits for the URL.
    const filling = backfill(database.db);
    await waitForLocks(1);
    // The row it has found is gone when it gets to it.
    const admitting = admitIntoDomains(
      database.db,
      0,
      new Map([['a.example', [candidateOf('https://a.example/new')]]]),
      'link',
    );
    await waitForLocks(2);
    await holding.query('commit');
    expect(await admitting).toBe(1);
    expect((await filling).tally).toMatchObject({ merged: 1 });
  } finally {
    holding.release();
  }
  const { rows } = await database.db.query('select domain_id, url from urls order by url');
  expect(rows).toEqual([
    { domain_id: kept, url: 'https://a.example/known' },
    { domain_id: kept, url: 'https://a.example/new' },
  ]);
  const domains = await database.db.query('select id, domain, status, pages_discovered from domains');
  expect(domains.rows).toEqual([{ id: kept, domain: 'a.example', status: 'pending', pages_discovered: 2 }]);
});

it('a domain that is claimed between being found and being held is left to its worker', async () => {
  const id = await addDomain(database, 'WWW.a.example');
  await addUrl(database, id, 'https://a.example/', { state: 'never_crawled' });
  const holding = await database.db.pool.connect();
  try {
    await holding.query('begin read write');
    await holding.query(
      `update domains set claimed_by = 'w', claim_expires_at = now() + interval '1 hour', version = version + 1,
                          status = 'active', status_code = 'claimed', last_crawled_at = now()`,
    );
    const filling = backfill(database.db);
    await waitForLocks(1);
    await holding.query('commit');
    const { tally, validation } = await filling;
    expect(tally).toMatchObject({ renamed: 0, merged: 0 });
    expect([...tally.skipped.values()]).toEqual(['WWW.a.example']);
    expect(validation?.isWell).toBe(true);
  } finally {
    holding.release();
  }
  const { rows } = await database.db.query('select domain, claimed_by, version from domains');
  expect(rows).toEqual([{ domain: 'WWW.a.example', claimed_by: 'w', version: 1 }]);
});

it('two backfills, claims and links at once leave everything in order', async () => {
  for (let n = 0; n < 30; n += 1) {
    for (const [index, name] of [`www.d${n}.example`, `d${n}.example`, `D${n}.Example`].entries()) {
      const id = await addDomain(database, name, { first_seen_at: `2026-01-0${3 - index}` });
      for (const path of ['both', `own${index}`]) {
        await addUrl(database, id, `https://d${n}.example/${path}`, { state: 'never_crawled' });
      }
    }
    await addUrl(database, 5000 + n, `https://lost${n}.example/`);
  }
  let isOver = false;
  let found = 0;
  const linking = async (): Promise<void> => {
    while (!isOver) {
      found += 1;
      const into = Array.from({ length: 10 }, (_, k) => `d${(found * 7 + k) % 30}.example`);
      await admitIntoDomains(
        database.db,
        0,
        new Map(into.map((name) => [name, [candidateOf(`https://${name}/found/${found}`)]])),
        'link',
      );
    }
  };
  const claiming = async (): Promise<void> => {
    while (!isOver) {
      const leases = await claimAs(database.db, 0, 'w', { limit: 3 });
      await database.execute(
        `update domains set claimed_by = null, claim_expires_at = null, version = version + 1, last_crawled_at = now()
          where id = any($1)`,
        [leases.map(({ domainId }) => domainId)],
      );
    }
  };
  const others = [linking(), claiming()];
  const size = { domains: 7, rows: 20 };
  await Promise.all([backfill(database.db, { size }), backfill(database.db, { size })]);
  isOver = true;
  await Promise.all(others);
  const { tally, validation } = await backfill(database.db);
  expect(validation?.checks).toEqual({
    ...{ orphanUrls: 0, orphanPages: 0, orphanFetches: 0 },
    ...{ misnamedDomains: 0, misplacedRows: 0, disagreeingCounters: 0 },
  });
  expect(tally.skipped.size).toBe(0);
  const { rows } = await database.db.query(
    `select count(*)::int as count, count(distinct url)::int as urls,
            count(*) filter (where url like '%/found/%')::int as found from urls`,
  );
  const all = 30 * 4 + 30 + found * 10;
  expect(rows).toEqual([{ count: all, urls: all, found: found * 10 }]);
  expect((await database.db.query('select from domains')).rows).toHaveLength(60);
});
