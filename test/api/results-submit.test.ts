/** From a bot's submission to the product, its history, the webhook, the kept page and the page that is parsed of it. */
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type ApiAnswer, type ApiClient, startTestServer, type TestServer } from '../support/api.ts';
import { parseAll } from '../support/parsers.ts';
import { addTestBot, firstOf, lockOf, plantJobs, type TestBot } from '../support/test-bots.ts';
import { addWebhook } from '../support/webhook-rows.ts';

let server: TestServer;
let admin: ApiClient;
let bot: TestBot;
let dataDir: string;
beforeAll(async () => {
  dataDir = mkdtempSync(path.join(os.tmpdir(), 'forager-submitted-'));
  server = await startTestServer({ dataDir });
  admin = await server.as('admin');
  bot = await addTestBot(server);
  await addWebhook(server.database, 'http://127.0.0.1:18080/hook', ['product.changed']);
});
afterAll(async () => {
  await server.close();
  rmSync(dataDir, { recursive: true });
});
beforeEach(async () => {
  await server.database.execute('delete from domains');
  await server.database.execute('delete from pages');
  await server.database.execute('delete from webhook_deliveries');
});

const PAGE = 'https://shop.example/kettle';
const FOUND = { success: true, price: 99.99, currency: 'usd', title: 'Kettle', in_stock: true };
const bodyOf = <T>(answer: ApiAnswer): T => {
  expect(answer.problem).toBeUndefined();
  return answer.body as T;
};

async function bring(
  changes: object,
  wanted: 'price' | 'page' | 'data' | 'any' = 'price',
  by = server,
  from = bot,
) {
  const [id = 0] = await plantJobs(by.database, [{ url: PAGE, wanted }]);
  const job = firstOf((await from.pull()).jobs);
  const answer = await from.submit({ ...lockOf(job), ...FOUND, ...changes });
  return { id, job, answer };
}
const resultOf = async (id: number) =>
  bodyOf<Record<string, unknown>>(await admin.get(`/api/admin/tasks/${id}/result`));

describe('what a bot hands in', () => {
  test('is a product with its history, and news when it is another', async () => {
    const ids: number[] = [];
    for (const price of [99.99, '99.990', 0.1 + 0.2, 1e-7 + 10]) ids.push((await bring({ price })).id);
    const results = await Promise.all(ids.map(async (id) => (await resultOf(id)).price));
    expect(results).toEqual(['99.99', '99.99', '0.3', '10']);
    const productId = (await resultOf(ids[0] ?? 0)).productId as number;
    const product = bodyOf<{ history: { price: string }[] }>(await admin.get(`/api/products/${productId}`));
    expect(product).toMatchObject({ price: '10', currency: 'USD', availability: 'in_stock', url: PAGE });
    expect(product.history.map(({ price }) => price)).toEqual(['10', '0.3', '99.99']);
    const { rows } = await server.database.db.query<{ data: { price: string; before: { price: string } } }>(
      "select payload->'data' as data from webhook_deliveries where event = 'product.changed' order by id",
    );
    expect(rows.map(({ data }) => [data.before.price, data.price])).toEqual([
      ['99.99', '0.3'],
      ['0.3', '10'],
    ]);
  });

  test('handed in twice is one result, one product and one point', async () => {
    const { id, job, answer } = await bring({});
    const again = await bot.submit({ ...lockOf(job), ...FOUND });
    expect(again.body).toEqual(answer.body);
    const { productId } = await resultOf(id);
    const product = bodyOf<{ history: unknown[] }>(await admin.get(`/api/products/${productId as number}`));
    expect(product.history).toHaveLength(1);
  });

  test('with data that is too large or too deep is refused, and can be handed in smaller', async () => {
    const [id = 0] = await plantJobs(server.database, [PAGE]);
    const job = firstOf((await bot.pull()).jobs);
    let deep: object = {};
    for (let n = 0; n < 40; n += 1) deep = { deep };
    for (const parsed_data of [{ text: 'x'.repeat(300_000) }, deep]) {
      const refused = await bot.submit({ ...lockOf(job), ...FOUND, parsed_data });
      expect(refused.status).toBe(400);
      expect(refused.body).toMatchObject({ success: false, error: 'validation_error' });
    }
    bodyOf(await bot.submit({ ...lockOf(job), ...FOUND, parsed_data: { text: 'x' } }));
    expect(await resultOf(id)).toMatchObject({ parsedData: { text: 'x' } });
  });
});

describe('a page that a bot hands in', () => {
  const raw_html = `<!doctype html><title>A kettle – 99,99 €</title><p>${'Text. '.repeat(300)}</p>`;

  test('is kept, and parsed again by restart-parsing as a page of our own', async () => {
    const { id } = await bring({ raw_html, http_status: 200, final_url: `${PAGE}?ref=1` }, 'page');
    expect(await resultOf(id)).toMatchObject({ hasHtml: true });
    expect(bodyOf(await admin.get(`/api/admin/tasks/${id}`))).toMatchObject({
      hasBody: true,
      status: 'completed',
    });
    bodyOf(await admin.post(`/api/admin/tasks/${id}/restart-parsing`));
    await parseAll(server.database.db, path.join(dataDir, 'warc'));
    expect(bodyOf(await admin.get(`/api/admin/tasks/${id}`))).toMatchObject({
      ...{ status: 'completed', errorMessage: null },
    });
    const { items } = bodyOf<{ items: { id: number }[] }>(await admin.get('/api/pages'));
    expect(items).toMatchObject([{ url: PAGE, title: 'A kettle – 99,99 €', charset: 'utf-8', status: 200 }]);
    const text = bodyOf(await admin.get(`/api/pages/${items[0]?.id}/text`));
    expect(text).toMatchObject({ text: expect.stringContaining('Text. Text.') });
    // The result is what the bot brought, whatever was parsed since.
    expect(await resultOf(id)).toMatchObject({ price: '99.99', hasHtml: true });
  });

  test('is not written where it would be refused', async () => {
    const before = sizeOf(dataDir);
    const { answer } = await bring({ raw_html, lock_token: '1' }, 'page');
    expect(answer.status).toBe(409);
    expect(sizeOf(dataDir)).toBe(before);
  });

  test('is accepted and not kept where the server keeps none', async () => {
    const other = await startTestServer({ dataDir: `${dataDir}-none`, keepBodies: false });
    try {
      const { id, answer } = await bring({ raw_html }, 'page', other, await addTestBot(other));
      bodyOf(answer);
      const client = await other.as('admin');
      const result = bodyOf(await client.get(`/api/admin/tasks/${id}/result`));
      expect(result).toMatchObject({ hasHtml: false, price: '99.99' });
      const refused = await client.post(`/api/admin/tasks/${id}/restart-parsing`);
      expect(refused.problem?.code).toBe('no-stored-body');
    } finally {
      await other.close();
    }
  });

  test('is not lost while the archive cannot be written: the lock stays, and it is handed in again', async () => {
    const blocked = `${dataDir}-blocked`;
    writeFileSync(blocked, 'in the way');
    const other = await startTestServer({ dataDir: blocked });
    try {
      const from = await addTestBot(other);
      const { id, job, answer } = await bring({ raw_html }, 'page', other, from);
      expect(answer.status).toBe(503);
      expect(answer.body).toMatchObject({ success: false, error: 'archive_unavailable' });
      rmSync(blocked);
      bodyOf(await from.submit({ ...lockOf(job), ...FOUND, raw_html }));
      const result = bodyOf(await (await other.as('admin')).get(`/api/admin/tasks/${id}/result`));
      expect(result).toMatchObject({ hasHtml: true });
    } finally {
      await other.close();
      rmSync(blocked, { recursive: true, force: true });
    }
  });
});

function sizeOf(directory: string): number {
  return readdirSync(directory, { recursive: true }).length;
}
