import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { crawlKey, endRun, openRun, readRemaining } from '../../src/engine/run/run-record.ts';
import { plantDomains } from '../support/crawl-claims.ts';
import { createTestDatabase, type TestDatabase } from '../support/postgres.ts';

const identity = {
  seeds: ['http://a.example/', 'http://b.example/'],
  scope: 'host',
  include: [],
  exclude: [],
};
const limits = { maxPages: undefined, maxPagesPerDomain: undefined };

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

describe('crawlKey', () => {
  it('is the same for the same crawl, whatever the order in which it was said', () => {
    const turned = { ...identity, seeds: [...identity.seeds].reverse() };
    expect(crawlKey(turned)).toEqual(crawlKey(identity));
  });

  it.each([
    { ...identity, seeds: ['http://a.example/'] },
    { ...identity, scope: 'domain' },
    { ...identity, include: ['/x/'] },
    { ...identity, exclude: ['/x/'] },
  ])('is another for another crawl: %o', (other) => {
    expect(crawlKey(other)).not.toEqual(crawlKey(identity));
  });
});

describe('a run', () => {
  it('is resumed under new limits until it is finished, then begun anew', async () => {
    const first = await openRun(database.db, identity, limits);
    expect(first).toMatchObject({ isResumed: false, pagesCount: 0 });
    await endRun(database.db, first.id, 'interrupted', 'stopped');
    const second = await openRun(database.db, identity, { ...limits, maxPages: 5 });
    expect(second).toMatchObject({ id: first.id, isResumed: true });
    await endRun(database.db, first.id, 'finished', 'complete');
    // Whoever comes late does not undo the end.
    await endRun(database.db, first.id, 'interrupted', 'stopped');
    const { rows } = await database.db.query(
      'select status::text, end_reason, max_pages from crawl_runs where id > 0',
    );
    expect(rows).toEqual([{ status: 'finished', end_reason: 'complete', max_pages: 5 }]);
    const third = await openRun(database.db, identity, limits);
    expect(third.isResumed).toBe(false);
    expect(third.id).not.toBe(first.id);
  });

  it('is one, however many processes begin it at once', async () => {
    const other = { ...identity, seeds: ['http://race.example/'] };
    const runs = await Promise.all([1, 2, 3, 4, 5].map(() => openRun(database.db, other, limits)));
    expect(new Set(runs.map(({ id }) => id)).size).toBe(1);
    expect(runs.filter(({ isResumed }) => !isResumed)).toHaveLength(1);
  });

  it('tells what is left: to be claimed, in other hands, at rest, and not what is over or given up', async () => {
    const runId = await plantDomains(database, 7);
    const set = (name: string, change: string) =>
      database.execute(`update domains set ${change} where domain = $1`, [name]);
    await set(
      'd1.example',
      "claimed_by = 'x', claim_expires_at = now() + interval '1 min', status = 'active', status_code = 'claimed'",
    );
    await set(
      'd2.example',
      "claimed_by = 'x', claim_expires_at = now() - interval '1 min', status = 'active', status_code = 'claimed'",
    );
    await set('d3.example', "next_crawl_after = now() + interval '1 hour'");
    await set('d4.example', "status = 'active', status_code = 'claimed'");
    await set('d4.example', "status = 'exhausted', status_code = 'all_done'");
    await set('d5.example', 'is_active = false');
    const { rows } = await database.db.query<{ id: number }>(
      "select id from domains where domain = 'd6.example'",
    );
    const remaining = await readRemaining(
      database.db,
      runId,
      { maxPagesPerDomain: undefined, isFair: true },
      rows.map(({ id }) => id),
    );
    expect(remaining).toMatchObject({ claimable_count: 2, claimed_count: 1, resting_count: 1 });
    expect(remaining.resting_until?.getTime()).toBeGreaterThan(Date.now());
    await database.execute('update crawl_run_domains set pages_count = 3 where run_id = $1', [runId]);
    expect(await readRemaining(database.db, runId, { maxPagesPerDomain: 3, isFair: true }, [])).toMatchObject(
      {
        claimable_count: 0,
        resting_count: 0,
      },
    );
  });
});
