/** URLs that arrive at the worst moment: none is lost, and nobody waits for ever. */

import type pg from 'pg';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { releaseDomain } from '../../src/engine/claim/claim-domains.ts';
import { admitIntoDomains } from '../../src/engine/frontier/admit-into-domains.ts';
import type { Candidate } from '../../src/engine/visit.ts';
import { candidateOf, claimAs, plantDomains } from '../support/crawl-claims.ts';
import { awaitLockWait } from '../support/crawl-process.ts';
import { readDomainRows, readUrlRows } from '../support/crawl-rows.ts';
import { createTestDatabase, type TestDatabase } from '../support/postgres.ts';

const exhausted = { status: 'exhausted', code: undefined, reason: undefined, restMs: 86_400_000 } as const;
let database: TestDatabase;
const open = new Set<pg.PoolClient>();
beforeEach(async () => {
  database = await createTestDatabase();
  return async () => {
    for (const client of open) client.release(true);
    open.clear();
    await database.drop();
  };
});
afterAll(() => expect(open.size).toBe(0));

/** A transaction of the test's own, left open in the middle. */
async function begin(): Promise<pg.PoolClient> {
  const client = await database.db.pool.connect();
  open.add(client);
  await client.query('begin read write');
  return client;
}
const waiting = () => awaitLockWait(database.db, 'forager');

describe('a domain that is given back as exhausted', () => {
  it('stays due when a URL was admitted just before, in a transaction it had to wait for', async () => {
    const runId = await plantDomains(database, 1);
    const [lease] = await claimAs(database.db, runId, 'A');
    if (lease === undefined) throw new Error('nothing was claimed');
    await database.execute("update urls set state = 'fetched'");
    const admitting = await begin();
    await admitting.query('select from domains where id = $1 for update', [lease.domainId]);
    await admitting.query(
      "insert into urls (domain_id, url_hash, url, depth, priority) values ($1, '\\x01', 'https://d1.example/late', 1, 2)",
      [lease.domainId],
    );
    const releasing = releaseDomain(database.db, 'A', lease, exhausted);
    await waiting();
    await admitting.query('commit');
    expect(await releasing).toBe('active');
    expect(await claimAs(database.db, runId, 'B')).toHaveLength(1);
  });

  it('stays due, and does not rest, when a URL is waiting in it', async () => {
    const runId = await plantDomains(database, 1);
    const [lease] = await claimAs(database.db, runId, 'A');
    if (lease === undefined) throw new Error('nothing was claimed');
    expect(await releaseDomain(database.db, 'A', lease, exhausted)).toBe('active');
    expect(await readDomainRows(database.db)).toMatchObject([{ status: 'active', is_resting: false }]);
  });

  it('stays due when what waits in it is a retry', async () => {
    const runId = await plantDomains(database, 1);
    const [lease] = await claimAs(database.db, runId, 'A');
    if (lease === undefined) throw new Error('nothing was claimed');
    await database.execute("update urls set retry_at = now() + interval '1 min'");
    expect(await releaseDomain(database.db, 'A', lease, exhausted)).toBe('active');
  });

  it('is woken when a URL is admitted after it', async () => {
    const runId = await plantDomains(database, 1);
    const [lease] = await claimAs(database.db, runId, 'A');
    if (lease === undefined) throw new Error('nothing was claimed');
    await database.execute("update urls set state = 'fetched'");
    expect(await releaseDomain(database.db, 'A', lease, exhausted)).toBe('exhausted');
    const found = new Map([[lease.domain, [candidateOf('https://d1.example/new')]]]);
    expect(await admitIntoDomains(database.db, runId, found, 'link')).toBe(1);
    expect(await readDomainRows(database.db)).toMatchObject([{ status: 'pending', is_resting: false }]);
    // The same again wakes nobody.
    expect(await admitIntoDomains(database.db, runId, found, 'link')).toBe(0);
  });
});

describe('a domain that two workers discover at once', () => {
  it('takes the URLs of both, also of the one that had to wait for the other', async () => {
    const runId = await plantDomains(database, 1);
    const first = await begin();
    await first.query(
      "insert into domains (domain, parent_domain, base_url) values ('new.example', 'new.example', 'https://new.example')",
    );
    const found = new Map([['new.example', [candidateOf('https://new.example/second')]]]);
    const admitting = admitIntoDomains(database.db, runId, found, 'link');
    await waiting();
    await first.query('commit');
    expect(await admitting).toBe(1);
    const urls = (await readUrlRows(database.db)).map(({ url }) => url);
    expect(urls).toContain('https://new.example/second');
  });

  it('a worker that finds a link into a domain and the one that holds it do not wait for each other', async () => {
    const runId = await plantDomains(database, 1);
    const [lease] = await claimAs(database.db, runId, 'A');
    // The holder commits: it has locked its domain and is about to add the very URL the other has found.
    const holder = await begin();
    await holder.query("set local deadlock_timeout = '10ms'");
    await holder.query('select from domains where id = $1 for update', [lease?.domainId]);
    const candidate = candidateOf('https://d1.example/both');
    const admitting = admitIntoDomains(database.db, runId, new Map([['d1.example', [candidate]]]), 'link');
    await waiting();
    await holder.query(
      'insert into urls (domain_id, url_hash, url, depth, priority) values ($1, $2, $3, 1, 2) on conflict do nothing',
      [lease?.domainId, candidate.hash, candidate.url],
    );
    await holder.query('commit');
    expect(await admitting).toBe(0);
    expect((await readUrlRows(database.db)).map(({ url }) => url)).toContain(candidate.url);
  });

  it('workers that find links into the same domains in any order neither lose one nor block each other', async () => {
    const runId = await plantDomains(database, 30);
    const names = Array.from({ length: 40 }, (_, n) => `d${n + 1}.example`);
    const finds = (worker: number): Map<string, Candidate[]> => {
      const order = [...names].sort((a, b) => hash(a + worker) - hash(b + worker));
      const shared = (name: string) => Array.from({ length: 5 }, (_, n) => `https://${name}/shared/${n}`);
      return new Map(
        order.map((name) => [
          name,
          [...shared(name), `https://${name}/by/${worker}`]
            .sort((a, b) => hash(a + worker) - hash(b + worker))
            .map(candidateOf),
        ]),
      );
    };
    const workers = [1, 2, 3, 4, 5, 6];
    const added = await Promise.all(
      workers.map((worker) => admitIntoDomains(database.db, runId, finds(worker), 'link')),
    );
    expect(added.reduce((sum, count) => sum + count, 0)).toBe(40 * (5 + workers.length));
    const { rows } = await database.db.query(
      'select domain from domains d where pages_discovered <> (select count(*) from urls u where u.domain_id = d.id)',
    );
    expect(rows).toEqual([]);
  });
});

function hash(text: string): number {
  let sum = 0;
  for (const character of text) sum = (sum * 31 + character.charCodeAt(0)) % 65_521;
  return sum;
}
