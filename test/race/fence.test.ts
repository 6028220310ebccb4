/** What a worker that lost a domain can still write about it: nothing. What it may write about others: all. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { resetDomain } from '../../src/control/domains/reset-domain.ts';
import { Batch } from '../../src/engine/ingest/batch.ts';
import { type CommitContext, commitBatch } from '../../src/engine/ingest/commit-batch.ts';
import type { Lease } from '../../src/engine/visit.ts';
import { goodSite } from '../origin/good-site.ts';
import { type Origin, startOrigin } from '../origin/origin.ts';
import { candidateOf, claimAs, plantDomains, visitOf } from '../support/crawl-claims.ts';
import { expectConsistent, readPageRows } from '../support/crawl-rows.ts';
import { runTestCrawl, testSettings } from '../support/crawl-support.ts';
import { createTestDatabase, type TestDatabase } from '../support/postgres.ts';

let origin: Origin;
let database: TestDatabase;
beforeAll(async () => {
  origin = await startOrigin();
});
beforeEach(async () => {
  database = await createTestDatabase();
  return () => database.drop();
});
afterAll(() => origin.close());

async function hashOf(lease: Lease): Promise<Buffer> {
  const { rows } = await database.db.query<{ url_hash: Buffer }>(
    'select url_hash from urls where domain_id = $1',
    [lease.domainId],
  );
  return rows[0]?.url_hash ?? Buffer.alloc(32);
}

/** Everything in the database that is about one domain. */
async function everythingAbout(domainId: number): Promise<unknown> {
  const tables = [
    'domains',
    'urls',
    'pages',
    'crawl_log',
    'crawl_run_domains',
    'domain_sitemaps',
    'url_templates',
  ];
  const found: Record<string, unknown> = {};
  for (const table of tables) {
    const key = table === 'domains' ? 'id' : 'domain_id';
    found[table] = (await database.db.query(`select * from ${table} where ${key} = $1`, [domainId])).rows;
  }
  return found;
}

async function makeBatch(leases: readonly Lease[]): Promise<Batch> {
  const batch = new Batch();
  for (const lease of leases) {
    const own = [candidateOf(`https://${lease.domain}/new`)];
    batch.addVisit(visitOf(lease, await hashOf(lease)), { own, foreign: new Map() });
    batch.addSitemap({
      ...{ lease, url: `https://${lease.domain}/sitemap.xml`, state: 'done', urlsCount: 1, note: undefined },
      children: [{ url: `https://${lease.domain}/more.xml`, nesting: 1 }],
    });
    batch.consecutiveErrors.set(lease.domainId, 7);
  }
  return batch;
}

const contextOf = (runId: number, workerId: string): CommitContext => ({
  ...{ db: database.db, runId, workerId, leaseMs: 60_000, maxRetries: 3, store: undefined, activeMs: 10 },
  refresh: testSettings.refresh,
});

describe('a commit', () => {
  it('writes nothing at all about a domain that was taken over, and everything about the others', async () => {
    const runId = await plantDomains(database, 3);
    const leases = await claimAs(database.db, runId, 'A', { limit: 3 });
    const [lost, ...kept] = leases;
    if (lost === undefined) throw new Error('nothing was claimed');
    await database.execute("update domains set claim_expires_at = now() - interval '1 s' where id = $1", [
      lost.domainId,
    ]);
    expect(await claimAs(database.db, runId, 'B')).toMatchObject([{ domainId: lost.domainId }]);
    const before = await everythingAbout(lost.domainId);

    const result = await commitBatch(await makeBatch(leases), contextOf(runId, 'A'));

    expect([...result.lost]).toEqual([lost]);
    expect(await everythingAbout(lost.domainId)).toEqual(before);
    const pages = await readPageRows(database.db);
    expect(pages.map(({ url }) => url)).toEqual(kept.map(({ domain }) => `https://${domain}/`).sort());
    const run = await database.db.query('select pages_count, fetches_count from crawl_runs where id = $1', [
      runId,
    ]);
    expect(run.rows).toEqual([{ pages_count: 2, fetches_count: 2 }]);
    const tallies = await database.db.query('select tally, count from crawl_run_tallies order by tally');
    expect(tallies.rows).toEqual([
      { tally: 'outcome:page', count: 2 },
      { tally: 'status:200', count: 2 },
    ]);
    await database.execute('update domains set claimed_by = null');
    await expectConsistent(database.db);
  });

  it('writes nothing that was found under an earlier lease of a domain the worker has claimed again', async () => {
    const runId = await plantDomains(database, 1);
    const [first] = await claimAs(database.db, runId, 'A');
    if (first === undefined) throw new Error('nothing was claimed');
    await database.execute("update domains set claim_expires_at = now() - interval '1 s'");
    const [second] = await claimAs(database.db, runId, 'A');
    if (second === undefined) throw new Error('nothing was claimed again');
    const batch = await makeBatch([first]);
    batch.addFound(second, { own: [candidateOf('https://d1.example/later')], foreign: new Map() });
    const result = await commitBatch(batch, contextOf(runId, 'A'));
    expect([...result.lost]).toEqual([first]);
    expect(await readPageRows(database.db)).toEqual([]);
    const { rows } = await database.db.query<{ url: string }>('select url from urls order by url');
    expect(rows.map(({ url }) => url)).toEqual(['https://d1.example/', 'https://d1.example/later']);
  });

  it('under a takeover in the very middle of it is all or nothing', async () => {
    const runId = await plantDomains(database, 2);
    const leases = await claimAs(database.db, runId, 'A', { limit: 2 });
    const [stolen] = leases;
    // Somebody else holds the row, takes the domain over and only then lets the commit see it.
    const thief = await database.db.pool.connect();
    await thief.query('begin read write');
    await thief.query("update domains set claimed_by = 'B', version = version + 1 where id = $1", [
      stolen?.domainId,
    ]);
    const committing = commitBatch(await makeBatch(leases), contextOf(runId, 'A'));
    await expect
      .poll(async () => (await database.db.query(WAITING_FOR_A_LOCK)).rowCount, {
        timeout: 20_000,
        interval: 10,
      })
      .toBe(1);
    await thief.query('commit');
    thief.release();
    const result = await committing;
    expect([...result.lost]).toEqual([stolen]);
    expect(await readPageRows(database.db)).toHaveLength(1);
  });
});

const WAITING_FOR_A_LOCK = `select from pg_stat_activity
  where datname = current_database() and wait_event_type = 'Lock'`;

describe('a crawl', () => {
  it('whose domain is reset while it is at it loses the lease, claims again, and ends with every page once', async () => {
    origin.site('reset', goodSite({ pages: 120, linksPerPage: 8 }));
    let resetting: Promise<unknown> | undefined;
    const { end, summary, events } = await runTestCrawl({
      db: database.db,
      seeds: [origin.hostUrl('reset', '/')],
      prepare: (_crawl, engineEvents) => {
        engineEvents.on('batch:committed', () => {
          resetting ??= resetDomain(database.db, `reset.localhost:${origin.port}`, {
            recrawl: false,
            actor: 'person:tester',
            requestTimeoutMs: 5000,
          });
        });
      },
    });
    await resetting;
    expect(end.reason).toBe('complete');
    expect(events.filter(({ name }) => name === 'claim:lost')).toHaveLength(1);
    expect(summary.pages).toBe(120);
    await expectConsistent(database.db);
  });

  it('whose lease expires under it writes every page once all the same', async () => {
    origin.site('expired', goodSite({ pages: 120, linksPerPage: 8 }));
    let meddling: Promise<unknown> | undefined;
    const { end, summary } = await runTestCrawl({
      db: database.db,
      seeds: [origin.hostUrl('expired', '/')],
      prepare: (_crawl, engineEvents) => {
        engineEvents.on('batch:committed', () => {
          meddling ??= database.execute(
            "update domains set claimed_by = 'thief', version = version + 1, claim_expires_at = now() where domain like 'expired%'",
          );
        });
      },
    });
    await meddling;
    expect(end.reason).toBe('complete');
    expect(summary.pages).toBe(120);
    await expectConsistent(database.db);
  });
});
