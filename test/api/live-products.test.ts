/** Changes of products in the stream of events: each once, also of transactions that commit out of order. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type SeenProduct, upsertProducts } from '../../src/engine/products/upsert-products.ts';
import { inTransaction } from '../../src/platform/transaction.ts';
import { startTestServer, type TestServer } from '../support/api.ts';
import { type LiveSubscriber, subscribeTo } from '../support/live.ts';

let server: TestServer;
let reader: Readonly<Record<string, string>>;
const domains: number[] = [];
beforeAll(async () => {
  server = await startTestServer();
  reader = { authorization: `Bearer ${await server.keyOf('user')}` };
  for (const name of ['one.example', 'two.example']) {
    const { rows } = await server.database.execute<{ id: number }>(
      'insert into domains (domain, parent_domain, base_url) values ($1, $1, $2) returning id',
      [name, `https://${name}`],
    );
    domains.push(rows[0]?.id ?? 0);
  }
});
afterAll(() => server.close());

let minutes = 0;
function seen(domain: 0 | 1, page: number, price: string): SeenProduct {
  minutes += 1;
  return {
    ...{ domainId: domains[domain] ?? 0, url: `https://x.example/${page}`, urlHash: Buffer.from([page]) },
    ...{ source: 'generic', taskId: null, seenAt: new Date(Date.UTC(2026, 0, 1, 0, minutes)) },
    content: { name: `Product ${page}`, price, currency: 'EUR', availability: 'in_stock' },
  };
}
const write = (...all: SeenProduct[]) => inTransaction(server.database.db, (tx) => upsertProducts(tx, all));

const prices = ({ received }: LiveSubscriber) =>
  received.flatMap(({ event }) => (event.type === 'product' ? [event.changes.price?.[1]] : []));

test('a change is told, what is new or the same is not, and of other domains nothing where one is named', async () => {
  await write(seen(0, 1, '10'), seen(1, 2, '10'));
  const all = await subscribeTo(server.url, { query: { types: 'product' }, headers: reader });
  const one = await subscribeTo(server.url, {
    query: { types: 'product', domain: 'one.example' },
    headers: reader,
  });
  await write(seen(0, 1, '10'), seen(0, 3, '5'));
  await write(seen(0, 1, '9.99'), seen(1, 2, '11'));
  await write(seen(0, 1, '9'));
  await all.await('product', () => prices(all).length === 3);
  await one.await('product', () => prices(one).length === 2);
  expect(prices(all).toSorted()).toEqual(['11', '9', '9.99']);
  expect(prices(one)).toEqual(['9.99', '9']);
  expect(one.received.find(({ event }) => event.type === 'product')?.event).toMatchObject({
    ...{
      type: 'product',
      domain: 'one.example',
      url: 'https://x.example/1',
      name: 'Product 1',
      currency: 'EUR',
    },
    changes: { price: ['10', '9.99'] },
  });
});

test('a transaction that commits after later ones is not passed over', async () => {
  await write(seen(0, 4, '1'), seen(0, 5, '1'));
  const subscriber = await subscribeTo(server.url, { query: { types: 'product' }, headers: reader });
  await inTransaction(server.database.db, async (tx) => {
    await upsertProducts(tx, [seen(0, 4, '40')]);
    await write(seen(0, 5, '50'));
    await subscriber.await('product', () => prices(subscriber).length === 1);
  });
  await subscriber.await('product', () => prices(subscriber).length === 2);
  expect(prices(subscriber)).toEqual(['50', '40']);
});
