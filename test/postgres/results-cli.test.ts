/** What a bot is to bring, and what it has brought, on the command line. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../support/postgres.ts';
import { type CliRun, runForager } from '../support/run-cli.ts';

let database: TestDatabase;
let directory: string;
beforeAll(async () => {
  database = await createTestDatabase();
  directory = mkdtempSync(path.join(os.tmpdir(), 'forager-cli-results-'));
});
afterAll(async () => {
  rmSync(directory, { recursive: true });
  await database.drop();
});

const forager = (...args: readonly string[]): Promise<CliRun> =>
  runForager(args, { env: { DATABASE_URL: database.url, NO_COLOR: '1' } });

test('--wanted says what a bot is to bring; a line of a file may say otherwise', async () => {
  const one = await forager(
    'task',
    'submit',
    'https://a.example/1',
    '--executor',
    'bot',
    '--wanted',
    'page',
    '--json',
  );
  expect(one.json()).toMatchObject([{ executor: 'bot', wanted: 'page' }]);
  const shown = await forager('task', 'show', String(one.json()[0]?.id));
  expect(shown.stdout).toContain('a bot, which is to bring the page');
  const file = path.join(directory, 'orders.csv');
  writeFileSync(file, 'url,wanted\nhttps://a.example/2,any\nhttps://a.example/3,\n');
  expect(
    (await forager('task', 'submit', '--file', file, '--executor', 'bot', '--wanted', 'data')).code,
  ).toBe(0);
  const { rows } = await database.db.query<{ wanted: string; executor: string }>(
    'select wanted, executor from crawl_tasks order by id',
  );
  expect(rows).toEqual(['page', 'any', 'data'].map((wanted) => ({ wanted, executor: 'bot' })));
  const bad = await forager('task', 'submit', 'https://a.example/4', '--wanted', 'everything');
  expect(bad).toMatchObject({ code: 2 });
  expect(bad.stderr).toContain('price, page, data, any');
});

test('--wanted of a policy is told, and can be set', async () => {
  const page = 'https://a.example/p';
  const made = await forager(
    'policy',
    'add',
    page,
    '--every',
    '6h',
    '--executor',
    'bot',
    '--wanted',
    'any',
    '--json',
  );
  expect(made.json()).toMatchObject([{ wanted: 'any' }]);
  const id = String(made.json()[0]?.id);
  expect((await forager('policy', 'set', id, '--wanted', 'page')).code).toBe(0);
  expect((await forager('policy', 'show', id)).stdout).toMatch(/wanted of a bot\s+page/);
});
