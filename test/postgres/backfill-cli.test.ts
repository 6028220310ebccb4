/** `forager db backfill` as a person or a script meets it. */
import { beforeEach, expect, it } from 'vitest';
import { addDomain, addFetch, addPage, addUrl, readEverything } from '../support/backfill-rows.ts';
import { createTestDatabase, type TestDatabase } from '../support/postgres.ts';
import { runForager } from '../support/run-cli.ts';

let database: TestDatabase;
beforeEach(async () => {
  database = await createTestDatabase();
  return () => database.drop();
});

const run = (...args: string[]) =>
  runForager(['db', 'backfill', ...args], { env: { DATABASE_URL: database.url } });

/** One domain lost, one spelt twice, one with a wrong counter. */
async function addDisorder(): Promise<void> {
  await addUrl(database, 900, 'https://lost.example/');
  await addPage(database, 900, 'https://lost.example/', { images: 2 });
  await addFetch(database, 900, 'https://lost.example/');
  await addDomain(database, 'www.twice.example');
  await addDomain(database, 'twice.example');
  await addDomain(database, 'wrong.example', { pages_crawled: 4321 });
}

it('puts the tables in order and says so', async () => {
  await addDisorder();
  const { code, stdout } = await run();
  expect(code).toBe(0);
  expect(stdout).toMatch(/domains merged +1 /);
  expect(stdout).toMatch(/domains rebuilt +1 /);
  expect(stdout).toMatch(/URLs moved +1 /);
  expect(stdout).toMatch(/wrong\.example +pages crawled +4,321 +0/);
  expect(stdout).toContain('1 in the log, 3 in the table, 1 of them from backfills');
  expect(stdout).toContain('✓ every counter is what the tables say');
  expect(stdout).toContain('All is in order.');
  const again = await run();
  expect(again.stdout).toContain('✓ Nothing: the domains are what the tables say.');
});

it('with --dry-run says what it would do, writes nothing and is no failure', async () => {
  await addDisorder();
  const before = await readEverything(database);
  const { code, stdout } = await run('--dry-run');
  expect(code).toBe(0);
  expect(stdout).toContain('A dry run: nothing was written.');
  expect(stdout).toContain('URLs without a domain: 1');
  expect(await readEverything(database)).toEqual(before);
});

it('with --json gives one object', async () => {
  await addDisorder();
  const report = (await run('--json')).json();
  expect(report).toMatchObject([
    {
      ...{ isDryRun: false, isComplete: true, isWell: true, rebuilt: 1, merged: 1, renamed: 0 },
      moved: { urls: 1, pages: 1, fetches: 1 },
      corrected: { domains: 1, byCounter: { pagesCrawled: 1 } },
      totals: { inLog: 1, inTable: 3, fromBackfills: 1 },
      checks: { orphanUrls: 0, misnamedDomains: 0, disagreeingCounters: 0 },
      skippedLeased: [],
    },
  ]);
});

it('fails if a check does, and what a name holds cannot steer the terminal', async () => {
  await addDomain(database, 'no\u001b[31m host');
  const { code, stdout } = await run();
  expect(code).toBe(1);
  expect(stdout).toContain('no host can be made of: no [31m host');
  expect(stdout).toContain('✗ names that are not canonical: 1');
  expect(stdout).not.toContain('\u001b');
  expect((await run('--json')).code).toBe(1);
});

it('has nothing to do in an empty database', async () => {
  const { code, stdout } = await run();
  expect(code).toBe(0);
  expect(stdout).toContain('0 in the log, 0 in the table');
});
