/** Seeding by a real process that is killed, or stopped, in the middle of it. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { buildProgram, type CrawlProcess, startProgram } from '../support/crawl-process.ts';
import { waitUntil } from '../support/crawl-support.ts';
import { createTestDatabase, type TestDatabase } from '../support/postgres.ts';
import { startTestRedis } from '../support/redis.ts';

const SITES = 20_000;

let database: TestDatabase;
let directory: string;

beforeAll(async () => {
  await buildProgram();
  directory = await mkdtemp(path.join(os.tmpdir(), 'forager-seed-kill-'));
  const lines = Array.from({ length: SITES }, (_, n) => `${n + 1},s${n}.example\n`);
  await writeFile(path.join(directory, 'list.csv'), lines.join(''));
});
afterAll(() => rm(directory, { recursive: true, force: true }));
beforeEach(async () => {
  database = await createTestDatabase();
});

function start(args: readonly string[], env: Record<string, string> = {}): CrawlProcess {
  return startProgram(['seed', '--json', ...args], { dataDir: directory, databaseUrl: database.url, env });
}

async function count(): Promise<{ domains: number; whole: number; urls: number }> {
  const { rows } = await database.db.query<{ domains: number; whole: number; urls: number }>(
    `select count(*)::int as domains,
            count(*) filter (where pages_discovered = 1 and priority_computed_at is not null)::int as whole,
            (select count(*)::int from urls) as urls
       from domains`,
  );
  return rows[0] ?? { domains: 0, whole: 0, urls: 0 };
}

/** Until some of it can be seen, and not yet all of it. */
async function awaitSome(seeding: CrawlProcess): Promise<void> {
  await waitUntil(async () => (seeding.hasEnded() || (await count()).domains > 0 ? true : undefined));
  expect(seeding.hasEnded()).toBe(false);
}

describe('a list', () => {
  const list = (): string[] => ['--file', path.join(directory, 'list.csv')];

  it('whose loading is killed is there in whole batches, and loading it again completes it', async () => {
    const killed = start(list());
    await awaitSome(killed);
    await killed.kill();
    const some = await count();
    expect(some.domains).toBeLessThan(SITES);
    expect(some).toEqual({ domains: some.domains, whole: some.domains, urls: some.domains });
    const again = await start(list()).ended;
    expect(JSON.parse(again.stdout)).toMatchObject({
      lines: SITES,
      newDomains: SITES - some.domains,
      knownDomains: some.domains,
    });
    expect(await count()).toEqual({ domains: SITES, whole: SITES, urls: SITES });
  });

  it('whose loading is stopped says exactly what is there', async () => {
    const stopped = start(list());
    await awaitSome(stopped);
    stopped.child.kill('SIGINT');
    const { code, stdout } = await stopped.ended;
    expect(code).toBe(130);
    const { domains } = await count();
    expect(JSON.parse(stdout)).toMatchObject({ lines: domains, newUrls: domains, isStopped: true });
    expect(domains).toBeLessThan(SITES);
  });
});

it('a sorted set whose emptying is killed has lost nothing, and the next one empties it', async () => {
  const redis = await startTestRedis();
  const members = Array.from({ length: SITES / 2 }, (_, n) => [String(n + 1), `s${n}.example`]);
  await redis.ask('ZADD', 'start_urls', ...members.flat());
  const killed = start(['--redis'], { REDIS_URL: redis.url });
  await awaitSome(killed);
  await killed.kill();
  const { domains } = await count();
  const left = await redis.ask<string[]>('ZRANGE', 'start_urls', '0', '-1');
  expect(left.length + domains).toBeGreaterThanOrEqual(members.length);
  const known = await database.db.query<{ domain: string }>('select domain from domains');
  const found = new Set([...left, ...known.rows.map((row) => row.domain)]);
  expect(found.size).toBe(members.length);
  const again = await start(['--redis'], { REDIS_URL: redis.url }).ended;
  expect(again.code).toBe(0);
  expect(await count()).toEqual({
    domains: members.length,
    whole: members.length,
    urls: members.length,
  });
  expect(await redis.ask('EXISTS', 'start_urls')).toBe(0);
});
