/** Many claimers at once: a domain has one holder at a time, and none is left behind. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  claimDomains,
  freeGoneClaims,
  releaseDomain,
  renewLeases,
} from '../../src/engine/claim/claim-domains.ts';
import { LeaseKeeper } from '../../src/engine/claim/lease-keeper.ts';
import { createWorkerId } from '../../src/engine/claim/worker-identity.ts';
import { EngineEvents } from '../../src/engine/events.ts';
import { loadConfig } from '../../src/platform/config.ts';
import { type Database, openDatabase } from '../../src/platform/database.ts';
import { claimAs, plantDomains } from '../support/crawl-claims.ts';
import { readDomainRows } from '../support/crawl-rows.ts';
import { testSettings } from '../support/crawl-support.ts';
import { createTestDatabase, type TestDatabase } from '../support/postgres.ts';

const CLAIMERS = 8;
const DOMAINS = 200;
const exhausted = { status: 'exhausted', code: undefined, reason: undefined, restMs: 1000 } as const;
const active = { status: 'active', code: undefined, reason: undefined, restMs: undefined } as const;

let database: TestDatabase;
let pools: Database[];
beforeAll(async () => {
  database = await createTestDatabase();
  const config = loadConfig({ databaseUrl: database.url, databasePoolSize: 2 }, {});
  pools = await Promise.all(Array.from({ length: CLAIMERS }, () => openDatabase(config)));
});
afterAll(async () => {
  await Promise.all(pools.map((pool) => pool.close()));
  await database.drop();
});

describe(`${CLAIMERS} claimers and ${DOMAINS} domains`, () => {
  it('claim every domain exactly once', async () => {
    const runId = await plantDomains(database, DOMAINS);
    const claimed = await Promise.all(
      pools.map(async (pool, index) => {
        const mine: number[] = [];
        for (;;) {
          const leases = await claimAs(pool, runId, `worker-${index}`, { limit: 3 });
          if (leases.length === 0) return mine;
          mine.push(...leases.map(({ domainId }) => domainId));
        }
      }),
    );
    const all = claimed.flat();
    expect(all).toHaveLength(DOMAINS);
    expect(new Set(all).size).toBe(DOMAINS);
    const holders = await database.db.query<{ claimed_by: string; count: number }>(
      'select claimed_by, count(*)::int as count from domains where claimed_by is not null group by claimed_by',
    );
    const counts = Object.fromEntries(holders.rows.map((row) => [row.claimed_by, row.count]));
    for (const [index, mine] of claimed.entries()) expect(counts[`worker-${index}`] ?? 0).toBe(mine.length);
    await database.execute('delete from domains');
  });

  it('never hold a domain two at a time while they take and give back, and every epoch is new', async () => {
    const runId = await plantDomains(database, 12);
    const holders = new Map<number, string>();
    const epochs = new Set<string>();
    const overlaps: string[] = [];
    await Promise.all(
      pools.map(async (pool, index) => {
        const workerId = `worker-${index}`;
        for (let round = 0; round < 15; round += 1) {
          for (const lease of await claimAs(pool, runId, workerId, { limit: 2 })) {
            const other = holders.get(lease.domainId);
            if (other !== undefined) overlaps.push(`${lease.domain}: ${other} and ${workerId}`);
            holders.set(lease.domainId, workerId);
            epochs.add(`${lease.domainId}@${lease.version}`);
            await pool.query('select 1');
            holders.delete(lease.domainId);
            expect(await releaseDomain(pool, workerId, lease, active)).toBe('active');
          }
        }
      }),
    );
    expect(overlaps).toEqual([]);
    const { rows } = await database.db.query<{ epochs: number }>(
      'select sum(version)::int as epochs from domains',
    );
    // A claim and a release each raise the epoch.
    expect(rows[0]?.epochs).toBe(epochs.size * 2);
    await database.execute('delete from domains');
  });

  it('take over what expired, once, and only that', async () => {
    const runId = await plantDomains(database, 40);
    const [first = database.db] = pools;
    await claimAs(first, runId, 'sleeper', { limit: 20, leaseMs: 1 });
    await claimAs(first, runId, 'awake', { limit: 20, leaseMs: 60_000 });
    await database.execute(
      "update domains set claim_expires_at = now() - interval '1 s' where claimed_by = 'sleeper'",
    );
    const taken = await Promise.all(pools.map((pool, i) => claimAs(pool, runId, `w${i}`, { limit: 40 })));
    expect(taken.flat()).toHaveLength(20);
    const rows = await readDomainRows(database.db);
    expect(rows.filter(({ claimed_by }) => claimed_by === 'awake')).toHaveLength(20);
    await database.execute('delete from domains');
  });
});

describe('a fenced worker', () => {
  it('changes nothing by releasing, renews nothing, and learns that it lost the domain', async () => {
    const runId = await plantDomains(database, 1);
    const [lease] = await claimAs(database.db, runId, 'A');
    if (lease === undefined) throw new Error('nothing was claimed');
    await database.execute("update domains set claim_expires_at = now() - interval '1 s'");
    const [taken] = await claimAs(database.db, runId, 'B');
    expect(taken?.version).toBeGreaterThan(lease.version);
    const before = await database.db.query('select * from domains');
    expect(await releaseDomain(database.db, 'A', lease, exhausted)).toBeUndefined();
    expect(await renewLeases(database.db, 'A', [lease], 60_000)).toEqual(new Map());
    // Its own name does not help under an epoch that has passed.
    expect(
      await releaseDomain(database.db, 'B', { ...lease, domainId: lease.domainId }, exhausted),
    ).toBeUndefined();
    expect((await database.db.query('select * from domains')).rows).toEqual(before.rows);
    await database.execute('delete from domains');
  });
});

describe('what a killed process left', () => {
  it('is freed at once, its epoch raised, while a living neighbour keeps what it holds', async () => {
    const runId = await plantDomains(database, 3);
    const own = createWorkerId();
    // The highest pid there can be, and a worker of another machine.
    const gone = own.replace(/:\d+:/, ':4194303:');
    const living = own.replace(/:\d+:[^:]+:/, `:${process.ppid}:-:`);
    const [dead] = await claimAs(database.db, runId, gone);
    await claimAs(database.db, runId, living);
    await claimAs(database.db, runId, `elsewhere:${process.pid}:x:abc`);
    expect(await freeGoneClaims(database.db)).toBe(1);
    const rows = await readDomainRows(database.db);
    const freed = rows.find(({ domain }) => domain === dead?.domain);
    expect(freed).toMatchObject({ claimed_by: null, version: (dead?.version ?? 0) + 1 });
    expect(rows.filter(({ claimed_by }) => claimed_by !== null)).toHaveLength(2);
    await database.execute('delete from domains');
  });
});

describe('the time since anybody spoke to a domain', () => {
  /** Claims the one domain, as somebody who last wrote about it an hour ago, and lets `end` end that. */
  async function idleAfter(end: (workerId: string) => Promise<void>): Promise<number | null> {
    const [pool] = pools as [Database];
    const runId = await plantDomains(database, 1);
    const workerId = createWorkerId();
    await claimAs(pool, runId, workerId);
    await database.execute("update domains set last_crawled_at = now() - interval '1 hour'");
    await end(workerId);
    const request = { runId, workerId: 'next', leaseMs: 60_000, limit: 1, excluded: [] };
    const bounds = { maxPagesPerDomain: undefined, turnPages: undefined, isFair: true };
    const [claimed] = await claimDomains(pool, { ...request, ...bounds, order: 'score' });
    await database.execute('delete from domains');
    return claimed?.idle_ms ?? null;
  }
  const MINUTE_MS = 60_000;

  it('begins anew when a lease ran out, whose holder may have spoken since it last wrote', async () => {
    const idleMs = await idleAfter(async () => {
      await database.execute("update domains set claim_expires_at = now() - interval '1 second'");
    });
    expect(idleMs).toBeLessThan(MINUTE_MS);
  });

  it('begins anew when a dead worker is found out', async () => {
    const idleMs = await idleAfter(async (workerId) => {
      const dead = workerId.replace(/:\d+:/, ':4194999:');
      await database.execute('update domains set claimed_by = $1', [dead]);
      expect(await freeGoneClaims(database.db)).toBe(1);
    });
    expect(idleMs).toBeLessThan(MINUTE_MS);
  });

  it('begins anew when a domain is given back, whose robots.txt may be all that was read', async () => {
    const idleMs = await idleAfter(async (workerId) => {
      const { rows } = await database.db.query<{ id: number; version: number }>(
        'select id, version from domains',
      );
      const lease = {
        domainId: rows[0]?.id ?? 0,
        domain: '',
        parentDomain: '',
        version: rows[0]?.version ?? 0,
      };
      expect(await releaseDomain(database.db, workerId, lease, active)).toBe('active');
    });
    expect(idleMs).toBeLessThan(MINUTE_MS);
  });
});

describe('a worker that slept longer than its leases last', () => {
  it('is in doubt until a renewal has shown which domains it still holds', async () => {
    const [pool, other] = pools as [Database, Database];
    const runId = await plantDomains(database, 2);
    const settings = { ...testSettings, leaseMs: 200 };
    const limits = { isRunLimited: false, maxPagesPerDomain: undefined, turnPages: undefined };
    const parts = { db: pool, workerId: 'sleeper', runId, settings, limits, givenUp: new Set<number>() };
    const keeper = new LeaseKeeper({ ...parts, events: new EngineEvents() });
    const sessions = (await keeper.claim(2)).map(({ session }) => session);
    expect(sessions).toHaveLength(2);
    await expect.poll(() => keeper.isInDoubt).toBe(true);
    await database.execute("update domains set claim_expires_at = now() - interval '1 s'");
    const [taken] = await claimAs(other, runId, 'other', { limit: 1 });
    const { lost } = await keeper.renewInTime(sessions);
    expect(lost.map(({ lease }) => lease.domainId)).toContain(taken?.domainId);
    expect(keeper.isInDoubt).toBe(false);
    await database.execute('delete from domains');
  });
});
