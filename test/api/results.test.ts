/** What bots have brought, and what is known of products by it, over HTTP. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type ApiAnswer, type ApiClient, startTestServer, type TestServer } from '../support/api.ts';
import { handIn, plantBot, plantBotTask } from '../support/bot-results.ts';

let server: TestServer;
let admin: ApiClient;
let user: ApiClient;
let botId: number;
beforeAll(async () => {
  server = await startTestServer();
  admin = await server.as('admin');
  user = await server.as('user');
  botId = await plantBot(server.database);
});
afterAll(() => server.close());
beforeEach(async () => {
  await server.database.execute('delete from domains');
});

interface Told {
  readonly id: number;
  readonly [field: string]: unknown;
}
interface Listed {
  readonly items: readonly Told[];
  readonly nextCursor: string | null;
}
const bodyOf = <T>(answer: ApiAnswer): T => {
  expect(answer.problem).toBeUndefined();
  return answer.body as T;
};
const minute = (n: number): Date => new Date(Date.UTC(2026, 0, 1, 12, n));

describe('GET /api/admin/tasks/:id/result', () => {
  test('tells what a bot has brought, exact to the digit', async () => {
    const task = await plantBotTask(server.database, 'https://shop.example/1');
    const { resultId, product } = await handIn(server.database, task, {
      ...{ botId, lockToken: '9007199254740993', price: '9999999999999.000001', currency: 'EUR' },
      ...{ parsedData: { colour: 'red' }, crawledAt: minute(1) },
    });
    const result = bodyOf<Told>(await admin.get(`/api/admin/tasks/${task.id}/result`));
    expect(result).toMatchObject({
      ...{ resultId, taskId: task.id, url: task.url, domain: 'shop.example', price: '9999999999999.000001' },
      ...{ currency: 'EUR', title: 'A kettle', inStock: true, parsedData: { colour: 'red' }, hasHtml: false },
      ...{ lockToken: '9007199254740993', crawledAt: minute(1).toISOString(), productId: product?.productId },
    });
    expect(result.botId).toMatch(/^bot-/);
  });

  test('tells nothing of the bot when that is gone', async () => {
    const task = await plantBotTask(server.database, 'https://shop.example/1');
    const gone = await plantBot(server.database);
    await handIn(server.database, task, { botId: gone, price: null });
    await server.database.execute('delete from bots where id = $1', [gone]);
    const result = bodyOf<Told>(await admin.get(`/api/admin/tasks/${task.id}/result`));
    expect(result).toMatchObject({ botId: null, price: null, productId: null });
  });

  test('says why there is none', async () => {
    const task = await plantBotTask(server.database, 'https://shop.example/1');
    const none = await admin.get(`/api/admin/tasks/${task.id}/result`);
    expect(none.problem).toMatchObject({ code: 'no-result', status: 404 });
    expect(none.problem?.detail).toContain('no bot has brought one');
    const ours = bodyOf<Told>(await admin.post('/api/admin/tasks', { url: 'https://shop.example/2' }));
    const { problem } = await admin.get(`/api/admin/tasks/${ours.id}/result`);
    expect(problem?.detail).toContain('not one that bots work on');
    expect((await admin.get('/api/admin/tasks/999999999/result')).problem?.code).toBe('unknown-task');
    expect((await admin.get('/api/admin/tasks/x/result')).problem?.code).toBe('invalid');
  });

  test('is for those who order tasks', async () => {
    expect((await server.client().get('/api/admin/tasks/1/result')).status).toBe(401);
    expect((await user.get('/api/admin/tasks/1/result')).status).toBe(403);
    expect((await (await server.as('bot')).get('/api/admin/tasks/1/result')).status).toBe(403);
  });
});

describe('GET /api/products', () => {
  async function plant(domain: string, count: number): Promise<number[]> {
    const ids: number[] = [];
    for (let n = 0; n < count; n += 1) {
      const task = await plantBotTask(server.database, `https://${domain}/${n}`);
      const { product } = await handIn(server.database, task, {
        botId,
        price: `${n}.50`,
        crawledAt: minute(n),
      });
      ids.push(product?.productId ?? 0);
    }
    return ids;
  }

  async function walk(query: Record<string, string | number>): Promise<number[]> {
    const seen: number[] = [];
    let cursor: string | null = null;
    do {
      const page: Listed = bodyOf(
        await user.get('/api/products', { ...query, ...(cursor ? { cursor } : {}) }),
      );
      seen.push(...page.items.map(({ id }) => id));
      cursor = page.nextCursor;
    } while (cursor !== null);
    return seen;
  }

  test('goes through all, or those of a domain, both ways, without a gap', async () => {
    const [a, b] = [await plant('a.example', 5), await plant('b.example', 4)];
    const [c] = [await plant('a.example', 0)];
    expect(await walk({ limit: 2, order: 'asc' })).toEqual([...a, ...b, ...c]);
    expect(await walk({ limit: 2 })).toEqual([...a, ...b].reverse());
    expect(await walk({ limit: 2, domain: 'a.example' })).toEqual(a.toReversed());
    expect(await walk({ limit: 3, domain: 'b.example', order: 'asc' })).toEqual(b);
    expect(await walk({ limit: 1, domain: 'a.example', order: 'asc' })).toEqual(a);
    const { items } = bodyOf<Listed>(
      await user.get('/api/products', { domain: 'a.example', order: 'asc', limit: 1 }),
    );
    expect(items).toMatchObject([
      {
        ...{
          url: 'https://a.example/0',
          domain: 'a.example',
          name: 'A kettle',
          price: '0.5',
          currency: 'USD',
        },
        ...{ availability: 'in_stock', source: 'bot', firstSeenAt: minute(0).toISOString() },
      },
    ]);
  });

  test('a domain that is not known is told', async () => {
    const { problem } = await user.get('/api/products', { domain: 'nowhere.example' });
    expect(problem?.code).toBe('unknown-domain');
  });

  test('is for whoever may read, not for bots', async () => {
    expect((await server.client().get('/api/products')).status).toBe(401);
    expect((await (await server.as('bot')).get('/api/products')).status).toBe(403);
  });
});

describe('GET /api/products/:id', () => {
  test('tells the history of its price, the latest first', async () => {
    const task = await plantBotTask(server.database, 'https://shop.example/1');
    let id = 0;
    for (const [n, price] of ['10', '10', '9.99', '12'].entries()) {
      const { product } = await handIn(server.database, task, {
        botId,
        price,
        crawledAt: minute(n),
        parsedData: { n: 1 },
      });
      id = product?.productId ?? 0;
    }
    expect(bodyOf<Told>(await user.get(`/api/products/${id}`))).toMatchObject({
      ...{ id, price: '12', data: { n: 1 }, lastSeenAt: minute(3).toISOString() },
      history: [
        {
          at: minute(3).toISOString(),
          price: '12',
          currency: 'USD',
          availability: 'in_stock',
          taskId: task.id,
        },
        { at: minute(2).toISOString(), price: '9.99' },
        { at: minute(0).toISOString(), price: '10' },
      ],
    });
  });

  test('one that is not there is told', async () => {
    const { problem } = await user.get('/api/products/999999999');
    expect(problem).toMatchObject({ code: 'unknown-product', status: 404 });
    expect(problem?.hint).toContain('GET /api/products');
    expect((await server.client().get('/api/products/1')).status).toBe(401);
  });
});
