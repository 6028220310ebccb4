/** What a bot is to bring, and what it has brought, on the command line. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { handIn, plantBot, plantBotTask } from '../support/bot-results.ts';
import { createTestDatabase, type TestDatabase } from '../support/postgres.ts';
import { type CliRun, runForager, widestLine } from '../support/run-cli.ts';

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

test('what a bot has brought is shown with its task, and what is known of the product by itself', async () => {
  const task = await plantBotTask(database, 'https://shop.example/kettle');
  const botId = await plantBot(database);
  const { product } = await handIn(database, task, {
    botId,
    price: '10',
    crawledAt: new Date('2026-01-01T00:00:00Z'),
  });
  await handIn(database, task, {
    ...{ botId, price: '9.99', currency: 'EUR', inStock: false, title: 'Kettle \u001b[31mred' },
    parsedData: { colour: 'blue' },
  });
  const shown = await forager('task', 'show', String(task.id));
  expect(shown.stdout).toMatch(/Result\n\s+brought\s+by bot-/);
  expect(shown.stdout).toMatch(/price\s+9\.99 EUR/);
  expect(shown.stdout).toContain('{"colour":"blue"}');
  expect(shown.stdout).not.toContain('\u001b');
  const json = await forager('task', 'show', String(task.id), '--json');
  expect(json.json()).toMatchObject([
    { id: task.id, result: { price: '9.99', productId: product?.productId } },
  ]);

  const id = String(product?.productId);
  const list = await forager('product', 'list', '--domain', 'shop.example');
  expect(list).toMatchObject({ code: 0, stderr: '' });
  expect(list.stdout).toMatch(new RegExp(`https://shop\\.example/kettle\\s+${id}\\s.*9\\.99 EUR`));
  expect((await forager('product', 'list', '--below', id, '--json')).json()).toEqual([]);
  const one = await forager('product', 'show', id);
  expect(one.stdout).toMatch(/2026-01-01.*\s10\.00 USD\s+yes\s+bot/);
  expect(one.stdout).not.toContain('\u001b');
  expect((await forager('product', 'show', id, '--json')).json()).toMatchObject([
    {
      name: 'Kettle \u001b[31mred',
      history: [{ price: '9.99', availability: 'out_of_stock' }, { price: '10' }],
    },
  ]);
  const unknown = await forager('product', 'show', '999999999');
  expect(unknown).toMatchObject({ code: 1, stdout: '' });
});

test('a price has two decimals at least, and the lists of products fit the terminal', async () => {
  const task = await plantBotTask(database, `https://long.example/${'a-page-of-a-product/'.repeat(6)}`);
  const { product } = await handIn(database, task, {
    ...{ botId: await plantBot(database), price: '7.10', currency: 'EUR', title: 'Kettle '.repeat(20) },
  });
  const id = String(product?.productId);
  expect((await forager('product', 'show', id)).stdout).toMatch(/price +7\.10 EUR\n/);
  const list = await runForager(['product', 'list'], { env: { DATABASE_URL: database.url }, columns: 80 });
  expect(list.stdout).toContain('7.10 EUR');
  expect(widestLine(list.stdout), list.stdout).toBeLessThanOrEqual(80);
});
