/** What a bot's result becomes: one result of its task, a product, its history, and news for whoever wants them. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { DEEPEST_DATA, MOST_DATA_BYTES } from '../../src/control/results/clean-content.ts';
import { inTransaction } from '../../src/platform/transaction.ts';
import {
  handIn,
  handInWithin,
  plantBot,
  plantBotTask,
  readHistory,
  readProduct,
} from '../support/bot-results.ts';
import { createTestDatabase, type TestDatabase } from '../support/postgres.ts';
import { addWebhook } from '../support/webhook-rows.ts';

let database: TestDatabase;
let botId: number;
let count = 0;

beforeAll(async () => {
  database = await createTestDatabase();
  botId = await plantBot(database);
  await addWebhook(database, 'http://127.0.0.1:18080/hook', ['product.changed']);
});
afterAll(() => database.drop());
beforeEach(async () => {
  await database.execute('delete from webhook_deliveries');
});

const minute = (n: number): Date => new Date(Date.UTC(2026, 0, 1, 12, n));
function newTask() {
  count += 1;
  return plantBotTask(database, `https://shop.example/item-${count}`);
}

async function readEvents(): Promise<Record<string, unknown>[]> {
  const { rows } = await database.db.query<{ payload: { type: string; data: Record<string, unknown> } }>(
    "select payload from webhook_deliveries where event = 'product.changed' order by id",
  );
  return rows.map(({ payload }) => payload.data);
}

async function readResults(taskId: number) {
  const { rows } = await database.db.query<{
    id: string;
    lock_token: number;
    price: string | null;
    title: string | null;
    parsed_data: unknown;
    crawled_at: Date;
  }>('select *, trim_scale(price)::text as price from crawl_results where task_id = $1', [taskId]);
  return rows;
}

describe('the result of a task', () => {
  it('is one, and the one of the last lock', async () => {
    const task = await newTask();
    const first = await handIn(database, task, {
      botId,
      lockToken: '1000',
      price: '10',
      crawledAt: minute(1),
    });
    const second = await handIn(database, task, {
      botId,
      lockToken: '1001',
      price: '11',
      crawledAt: minute(2),
    });
    const late = await handIn(database, task, { botId, lockToken: '999', price: '12', crawledAt: minute(3) });
    const same = await handIn(database, task, {
      botId,
      lockToken: '1001',
      price: '13',
      crawledAt: minute(4),
    });
    expect(new Set([first, second, late, same].map(({ resultId }) => resultId)).size).toBe(1);
    expect(await readResults(task.id)).toMatchObject([
      { lock_token: 1001, price: '11', crawled_at: minute(2) },
    ]);
    // What is not the result is no news either.
    expect([late.product, same.product]).toEqual([undefined, undefined]);
    const history = await readHistory(database.db, first.product?.productId);
    expect(history.map(({ price }) => price)).toEqual(['10', '11']);
  });

  it.each([
    ['an earlier lock', '2000', '1999', '20'],
    ['a later lock', '2001', '2002', '21'],
  ])(
    'goes by the lock, also where one of %s comes while the other is being written',
    async (_, first, second, price) => {
      const task = await newTask();
      let other: ReturnType<typeof handIn> | undefined;
      const written = await inTransaction(database.db, async (tx) => {
        const result = await handInWithin(tx, task, {
          botId,
          lockToken: first,
          price: '20',
          crawledAt: minute(1),
        });
        other = handIn(database, task, { botId, lockToken: second, price: '21', crawledAt: minute(2) });
        await untilBlocked();
        return result;
      });
      expect((await other)?.resultId).toBe(written.resultId);
      expect(await readResults(task.id)).toMatchObject([{ price }]);
      expect(await readProduct(database.db, written.product?.productId)).toMatchObject({ price });
    },
  );

  it('is kept without a product where it has no price, or none with a currency', async () => {
    const before = await database.db.query('select id from products');
    for (const missing of [{ price: null }, { currency: null }, { price: null, currency: null }]) {
      const task = await newTask();
      const { product } = await handIn(database, task, { botId, ...missing });
      expect(product).toBeUndefined();
      expect(await readResults(task.id)).toHaveLength(1);
    }
    expect((await database.db.query('select id from products')).rowCount).toBe(before.rowCount);
  });

  it('goes with its task, and the product stays', async () => {
    const task = await newTask();
    const { product } = await handIn(database, task, { botId });
    await database.execute('delete from crawl_tasks where id = $1', [task.id]);
    expect(await readResults(task.id)).toEqual([]);
    expect(await readProduct(database.db, product?.productId)).toMatchObject({ price: '99.99' });
  });
});

describe('the history of a product', () => {
  it('has a point at first, and exactly where price, currency or availability change', async () => {
    const task = await newTask();
    const see = (n: number, changes: object) =>
      handIn(database, task, { botId, crawledAt: minute(n), ...changes });
    const kinds: unknown[] = [];
    let productId: number | undefined;
    for (const [n, changes] of [
      { price: '10.00' },
      { price: '10' },
      { price: '10.0', title: 'A better kettle' },
      { price: '10', title: 'A better kettle', parsedData: { colour: 'red', size: { w: 1, h: 2 } } },
      { price: '10', title: 'A better kettle', parsedData: { size: { h: 2, w: 1 }, colour: 'red' } },
      { price: '9.99', title: 'A better kettle' },
      { price: '9.99', currency: 'eur', title: 'A better kettle' },
      { price: '9.99', currency: 'EUR', inStock: false },
      { price: '9.99', currency: 'EUR', inStock: null, title: null, parsedData: null },
      { price: '10', currency: 'EUR', inStock: true },
    ].entries()) {
      const { product } = await see(n, changes);
      kinds.push(product?.kind);
      productId = product?.productId;
    }
    expect(kinds).toEqual([
      ...['new', 'unchanged', 'changed', 'changed', 'unchanged', 'changed', 'changed', 'changed'],
      ...['unchanged', 'changed'],
    ]);
    expect(await readHistory(database.db, productId)).toEqual([
      { at: minute(0), price: '10', currency: 'USD', availability: 'in_stock' },
      { at: minute(5), price: '9.99', currency: 'USD', availability: 'in_stock' },
      { at: minute(6), price: '9.99', currency: 'EUR', availability: 'in_stock' },
      { at: minute(7), price: '9.99', currency: 'EUR', availability: 'out_of_stock' },
      { at: minute(9), price: '10', currency: 'EUR', availability: 'in_stock' },
    ]);
    expect(await readProduct(database.db, productId)).toMatchObject({
      ...{ name: 'A kettle', price: '10', data: { colour: 'red', size: { h: 2, w: 1 } } },
      ...{ first_seen_at: minute(0), last_seen_at: minute(9) },
    });
    const events = await readEvents();
    expect(events.map(({ price, before }) => [(before as { price: string }).price, price])).toEqual([
      ...[
        ['10', '10'],
        ['10', '10'],
        ['10', '9.99'],
        ['9.99', '9.99'],
        ['9.99', '9.99'],
        ['9.99', '10'],
      ],
    ]);
    expect(events[2]).toEqual({
      ...{ productId, url: task.url, domain: 'shop.example', name: 'A better kettle', price: '9.99' },
      ...{ currency: 'USD', availability: 'in_stock', source: 'bot', taskId: task.id },
      before: { name: 'A better kettle', price: '10', currency: 'USD', availability: 'in_stock' },
      changes: { price: ['10', '9.99'] },
      seenAt: expect.stringContaining('2026-01-01T12:05:00'),
    });
  });

  it('moves updated_at only when something has changed', async () => {
    const task = await newTask();
    const { product } = await handIn(database, task, { botId, crawledAt: minute(0) });
    const first = await readProduct(database.db, product?.productId);
    await handIn(database, task, { botId, crawledAt: minute(1) });
    const second = await readProduct(database.db, product?.productId);
    expect(second).toEqual({ ...first, last_seen_at: minute(1) });
    await handIn(database, task, { botId, crawledAt: minute(2), title: 'Another' });
    const third = await readProduct(database.db, product?.productId);
    expect(third.updated_at.getTime()).toBeGreaterThan(second.updated_at.getTime());
  });

  it('leaves out what is older than what is known; the result itself is kept', async () => {
    const [newer, older] = [await newTask(), await newTask()];
    const seen = await handIn(database, newer, { botId, price: '20', crawledAt: minute(10) });
    // Another task for the same page, worked on by a bot that was slow.
    const page = { ...older, url: newer.url, url_hash: newer.url_hash };
    const late = await handIn(database, page, { botId, price: '15', crawledAt: minute(5) });
    expect(late.product).toEqual({ kind: 'outdated', productId: seen.product?.productId });
    expect(await readResults(older.id)).toMatchObject([{ price: '15', crawled_at: minute(5) }]);
    expect(await readProduct(database.db, seen.product?.productId)).toMatchObject({
      ...{ price: '20', last_seen_at: minute(10), task_id: newer.id },
    });
    expect(await readHistory(database.db, seen.product?.productId)).toHaveLength(1);
    expect(await readEvents()).toEqual([]);
  });

  it('takes two of one moment in the order in which they came', async () => {
    const task = await newTask();
    const seen = await handIn(database, task, { botId, price: '20', crawledAt: minute(0) });
    for (const price of ['21', '20', '20'])
      await handIn(database, task, { botId, price, crawledAt: minute(0) });
    const history = await readHistory(database.db, seen.product?.productId);
    expect(history.map(({ price }) => price)).toEqual(['20', '21', '20']);
  });

  it('takes a moment that has not come yet for now: a wrong clock silences nobody', async () => {
    const task = await newTask();
    const ahead = new Date('2999-01-01T00:00:00Z');
    const first = await handIn(database, task, { botId, price: '1', crawledAt: ahead });
    const { last_seen_at: seenAt } = await readProduct(database.db, first.product?.productId);
    expect(Math.abs(seenAt.getTime() - Date.now())).toBeLessThan(600_000);
    const [result] = await readResults(task.id);
    expect(result?.crawled_at).toEqual(seenAt);
    const second = await handIn(database, task, {
      botId,
      price: '2',
      crawledAt: new Date(Date.now() + 3600_000),
    });
    expect(second.product?.kind).toBe('changed');
  });

  it('is whole when many hand in the same product at the same time, on connections of their own', async () => {
    const page = await newTask();
    const tasks = [];
    for (let n = 0; n < 24; n += 1)
      tasks.push({ ...(await newTask()), url: page.url, url_hash: page.url_hash });
    const results = await Promise.all(
      tasks.map((task, n) =>
        handIn(database, task, { botId, price: String(100 + (n % 3)), crawledAt: minute(n) }),
      ),
    );
    const ids = new Set(results.map(({ product }) => product?.productId));
    expect(ids.size).toBe(1);
    const kinds = results.map(({ product }) => product?.kind);
    expect(kinds.filter((kind) => kind === 'new')).toHaveLength(1);
    const [productId] = [...ids];
    const history = await readHistory(database.db, productId);
    expect(history).toHaveLength(kinds.filter((kind) => kind === 'new' || kind === 'changed').length);
    for (const [n, point] of history.entries()) expect(point.price).not.toBe(history[n - 1]?.price);
    const product = await readProduct(database.db, productId);
    // The last one that was seen counts, whoever came last.
    expect(product).toMatchObject({ price: String(100 + (23 % 3)), last_seen_at: minute(23) });
    expect(history.at(-1)?.price).toBe(product.price);
    const events = await readEvents();
    expect(events).toHaveLength(history.length - 1);
  });

  it('waits for whoever is adding the product, and goes on from what that one has left', async () => {
    const page = await newTask();
    const other = { ...(await newTask()), url: page.url, url_hash: page.url_hash };
    let second: ReturnType<typeof handIn> | undefined;
    await inTransaction(database.db, async (tx) => {
      await handInWithin(tx, page, { botId, price: '1', crawledAt: minute(0) });
      second = handIn(database, other, { botId, price: '2', crawledAt: minute(1) });
      await untilBlocked();
    });
    const { product } = (await second) ?? {};
    expect(product?.kind).toBe('changed');
    expect((await readHistory(database.db, product?.productId)).map(({ price }) => price)).toEqual([
      '1',
      '2',
    ]);
  });

  it('has nothing of a result that was undone', async () => {
    const task = await newTask();
    const undone = inTransaction(database.db, async (tx) => {
      await handInWithin(tx, task, { botId });
      throw new Error('undone');
    });
    await expect(undone).rejects.toThrow('undone');
    expect(await readResults(task.id)).toEqual([]);
    const { product } = await handIn(database, task, { botId });
    expect(product?.kind).toBe('new');
  });
});

describe('what is handed in', () => {
  it.each(['99.99', '0.1', '0.000001', '1234567890123', '9999999999999.999999', '0'])(
    'is kept to the digit: %s',
    async (price) => {
      const task = await newTask();
      const { product } = await handIn(database, task, { botId, price });
      expect(await readProduct(database.db, product?.productId)).toMatchObject({ price });
      expect(await readResults(task.id)).toMatchObject([{ price }]);
      expect(await readHistory(database.db, product?.productId)).toMatchObject([{ price }]);
    },
  );

  it('is cleaned of what PostgreSQL does not take', async () => {
    const task = await newTask();
    const { product } = await handIn(database, task, {
      botId,
      title: ' a\u0000b\n c\ud800d \u{1f600} ',
      parsedData: { 'k\u0000ey': ['\udc00x', { deep: 'n\u0000ul' }], __proto__x: 1, ok: '\u{1f600}' },
    });
    expect(await readProduct(database.db, product?.productId)).toMatchObject({
      name: 'ab c\ufffdd \u{1f600}',
      data: { key: ['\ufffdx', { deep: 'nul' }], __proto__x: 1, ok: '\u{1f600}' },
    });
  });

  it('keeps a key called __proto__ as a key', async () => {
    const task = await newTask();
    const parsedData = JSON.parse('{"__proto__": {"isAdmin": true}, "constructor": 1}') as Record<
      string,
      unknown
    >;
    await handIn(database, task, { botId, parsedData });
    const { rows } = await database.db.query<{ text: string }>(
      'select parsed_data::text as text from crawl_results where task_id = $1',
      [task.id],
    );
    expect(rows[0]?.text).toBe('{"__proto__": {"isAdmin": true}, "constructor": 1}');
    expect(({} as { isAdmin?: boolean }).isAdmin).toBeUndefined();
  });

  it('is refused where it is too large or too deep, and nothing is written', async () => {
    const task = await newTask();
    const large = { text: 'x'.repeat(MOST_DATA_BYTES) };
    let deep: Record<string, unknown> = {};
    for (let n = 0; n < DEEPEST_DATA; n += 1) deep = { deep };
    for (const parsedData of [large, deep]) {
      await expect(handIn(database, task, { botId, parsedData })).rejects.toMatchObject({ code: 'invalid' });
    }
    for (const bad of [{ price: 'x' }, { price: '-1' }, { price: '1e99' }, { currency: 'DOLLAR' }]) {
      await expect(handIn(database, task, { botId, ...bad })).rejects.toMatchObject({ code: 'invalid' });
    }
    expect(await readResults(task.id)).toEqual([]);
    await handIn(database, task, { botId, parsedData: deep.deep as Record<string, unknown> });
  });
});

async function untilBlocked(): Promise<void> {
  const deadline = Date.now() + 10_000;
  while (Date.now() < deadline) {
    const { rowCount } = await database.db.query(
      "select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'",
    );
    if (rowCount > 0) return;
  }
  throw new Error('nobody waits');
}
