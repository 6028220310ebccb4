/** What must hold after any number of kills, and the means to kill at a chosen moment. */
import { readdir } from 'node:fs/promises';
import path from 'node:path';
import type pg from 'pg';
import { expect, onTestFinished } from 'vitest';
import type { Database, Queryable } from '../../src/platform/database.ts';
import type { Origin } from '../origin/origin.ts';
import { readWithWarcio } from '../unit/archive-fixture.ts';
import { expectConsistent, expectFiguresExact, readBodies, readPageRows } from './crawl-rows.ts';

/**
 * The most a process can have fetched and not committed: a batch on its way to the database and one being filled,
 * each as large as a slow commit lets it grow, and what is in flight beside them.
 */
export function mostUncommitted(batchPages: number, inFlight: number): number {
  const largestBatch = 6 * batchPages + inFlight;
  return 2 * largestBatch;
}

/** Page requests that reached these sites so far. */
export function countRequests(origin: Origin, sites: readonly string[]): number {
  return origin.requests.filter(({ site, path }) => sites.includes(site) && path !== '/robots.txt').length;
}

export async function countLogged(db: Queryable): Promise<number> {
  const { rows } = await db.query<{ count: number }>('select count(*)::int as count from crawl_log');
  return rows[0]?.count ?? 0;
}

/** Every page of these sites is there once, refetched at most as often as `mayRefetch`, its body readable. */
export async function expectComplete(
  db: Database,
  origin: Origin,
  facts: { urls: readonly string[]; sites: readonly string[]; mayRefetch: number; warcDirectory: string },
): Promise<void> {
  await expectConsistent(db);
  await expectFiguresExact(db);
  const rows = await readPageRows(db);
  expect(rows.map(({ url }) => url)).toEqual([...facts.urls].sort());
  const asked = countRequests(origin, facts.sites);
  expect(asked).toBeGreaterThanOrEqual(facts.urls.length);
  expect(asked - facts.urls.length).toBeLessThanOrEqual(facts.mayRefetch);
  const bodies = await readBodies(db, facts.warcDirectory);
  expect(bodies.size).toBe(facts.urls.length);
  const segments = (await readdir(facts.warcDirectory)).filter((name) => name.endsWith('.warc.gz'));
  expect(segments.length).toBeGreaterThan(0);
  for (const segment of segments) await readWithWarcio(path.join(facts.warcDirectory, segment));
}

/** A transaction of the test's own that holds a lock until it is let go. */
export async function holdLock(db: Database, statement: string): Promise<() => Promise<void>> {
  const client: pg.PoolClient = await db.pool.connect();
  let isHeld = true;
  const release = async (): Promise<void> => {
    if (!isHeld) return;
    isHeld = false;
    await client.query('rollback');
    client.release();
  };
  onTestFinished(release);
  await client.query('begin read write');
  await client.query(statement);
  return release;
}
