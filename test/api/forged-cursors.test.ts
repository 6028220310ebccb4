/** Cursors that nobody was given: a page or a refusal comes of them, and never a mistake of ours. */
import { createHash } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { makeRoutes } from '../../src/api/routes.ts';
import type { ServerParts } from '../../src/api/server-parts.ts';
import { type ApiAnswer, type ApiClient, startTestServer, type TestServer } from '../support/api.ts';
import { enter } from '../support/people.ts';
import { NASTY_TEXTS } from '../support/random-values.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
  const { status } = await (await server.as('admin')).post('/api/frontier/seed', {
    urls: ['https://site-0.example/', 'https://site-1.example/'],
  });
  expect(status).toBeLessThan(300);
  await (await server.as('admin')).post('/api/admin/tasks', { url: 'https://site-0.example/' });
  await (await server.as('admin')).post('/api/admin/bots', { botId: '1' });
  await (await server.as('admin')).post('/api/admin/webhooks', {
    ...{ url: 'https://hooks.example/', events: ['task.failed'] },
  });
  await server.database.execute(
    `insert into products (domain_id, url, url_hash, content_hash, source)
     select min(id), 'https://site-0.example/p', '\\x01', '', 'bot' from domains`,
  );
});
afterAll(() => server.close());

/** Cursors of a search are of that search alone. */
function searchName(list: string, sort: string): string {
  const query = JSON.stringify({ q: 'a', sort, order: 'desc' });
  return `${list}:${createHash('sha256').update(query).digest('base64url').slice(0, 16)}`;
}

function searchPlace(key: string): readonly unknown[] {
  return ['postgresql', key, 5, 'a', false, false, 1, true];
}

/** Of every list the names of its cursors, and a position that could be one. */
const CURSORS: Readonly<
  Record<string, readonly [query: string, list: string, position: readonly unknown[]][]>
> = {
  listUsers: [['', 'users', ['anna']]],
  listKeys: [['', 'keys', [5]]],
  listAudit: [['', 'audit', ['2020-01-01T00:00:00.000000Z', 5]]],
  listSessions: [['', 'sessions', [5]]],
  listOwnKeys: [['', 'own keys', [5]]],
  listJobs: [['', 'jobs', [5]]],
  listRuns: [['', 'runs', [5]]],
  listAlerts: [['', 'alerts', [5]]],
  listErrors: [['', 'errors', ['2020-01-01T00:00:00.000000Z', 5]]],
  listDeadLetters: [['', 'dead-letters', [5]]],
  listWebhooks: [['', 'webhooks', [5]]],
  listWebhookDeliveries: [['', 'webhook-deliveries:1', [5]]],
  listBots: [['', 'bots', [5]]],
  listBotJobs: [['', 'bot-jobs:1', [5]]],
  listProxies: [['', 'proxies', [5]]],
  listProxyHealth: [['', 'proxy-health', [5]]],
  listDomainProxies: [['', 'pool:1', [5, 5]]],
  listTasks: [
    ['order=asc', 'tasks:asc', [5]],
    ['order=desc', 'tasks:desc', [5]],
  ],
  listTaskEvents: [['', 'task-events:1', [5]]],
  listPolicies: (['asc', 'desc'] as const).flatMap((order): [string, string, readonly unknown[]][] => [
    [`sort=id&order=${order}`, `policies:id:${order}`, [5]],
    [`sort=nextRun&order=${order}`, `policies:nextRun:${order}`, ['2020-01-01T00:00:00.000000Z', 5]],
  ]),
  listBatches: [['', 'batches', [5]]],
  listPages: [
    ['order=asc', 'pages:asc', [5]],
    ['order=desc', 'pages:desc', [5]],
  ],
  listImages: [
    ['', 'images', [5]],
    ['domain=site-0.example', 'images:domain', ['ab'.repeat(32)]],
  ],
  listRefusedImages: [['', 'images:refused', ['2020-01-01T00:00:00.000000Z', 5, 'ab'.repeat(32)]]],
  listProducts: (['asc', 'desc'] as const).flatMap((order): [string, string, readonly unknown[]][] => [
    [`sort=id&order=${order}`, `products:id:${order}`, ['5', 5]],
    [`sort=updatedAt&order=${order}`, `products:updatedAt:${order}`, ['2020-01-01T00:00:00.000000Z', 5]],
    [`sort=price&order=${order}`, `products:price:${order}`, ['19.99', 5]],
    [`sort=rating&order=${order}`, `products:rating:${order}`, ['4.5', 5]],
    [`sort=price&order=${order}&minPrice=1&maxPrice=9`, `products:price:${order}`, ['5', 5]],
    [`sort=id&order=${order}&domain=site-0.example&hasImage=true`, `products:id:${order}`, ['5', 5]],
  ]),
  searchProducts: [
    ['q=a', searchName('product-search', 'relevance'), searchPlace('0.5')],
    ['q=a&sort=price', searchName('product-search', 'price'), searchPlace('19.99')],
    [
      'q=a&sort=updatedAt',
      searchName('product-search', 'updatedAt'),
      searchPlace('2020-01-01T00:00:00.000000Z'),
    ],
  ],
  searchPages: [
    ['q=a', searchName('page-search', 'relevance'), searchPlace('1e-20')],
    [
      'q=a&sort=crawledAt',
      searchName('page-search', 'crawledAt'),
      searchPlace('2020-01-01T00:00:00.000000Z'),
    ],
  ],
  listProductChanges: [
    ['', 'product-changes', ['2020-01-01T00:00:00.000000Z', 5]],
    ['field=price', 'product-changes', ['2020-01-01T00:00:00.000000Z', 5]],
  ],
  listProductHistory: [['', 'product-history:1', ['2020-01-01T00:00:00.000000Z']]],
  listDomains: (['asc', 'desc'] as const).flatMap((order) => [
    [`sort=domain&order=${order}`, `domains:domain:${order}`, ['a.example']],
    ...['priority', 'pagesCrawled', 'pagesDiscovered', 'errors', 'lastCrawled', 'nextCrawl'].map(
      (sort): [string, string, readonly unknown[]] => [
        ...([`sort=${sort}&order=${order}`, `domains:${sort}:${order}`, ['5', 5]] as const),
      ],
    ),
  ]),
  listDomainEvents: [['', 'domain-events:1', [5]]],
  listFrontierUrls: ['due', 'waiting', 'fetched', 'failed', 'blocked', 'all'].map((state) => [
    ...([`state=${state}`, `urls:${state}`, [1, 'ab', 1, 0, 5, 5]] as const),
  ]),
};
const lists = makeRoutes({} as ServerParts)
  .map(({ endpoint }) => endpoint)
  .filter((endpoint) =>
    Object.hasOwn((endpoint.query as { shape?: object } | undefined)?.shape ?? {}, 'cursor'),
  );
const FORGED: readonly unknown[] = [
  ...[null, true, -1, 0, 1.5, 32_768, 2 ** 31, 2 ** 53 - 1, -(2 ** 53) + 1, 2 ** 63, [], {}, [[]]],
  ...['0000-01-01T00:00:00.000000Z', '0001-01-01T00:00:00.000000Z', '9999-12-31T23:59:59.999999Z'],
  ...['2020-02-30T00:00:00.000000Z', '9223372036854775807', '-9223372036854775808', '9223372036854775808'],
  ...['infinity', 'f'.repeat(128), 'f'.repeat(127), ...NASTY_TEXTS.map((text) => text.slice(0, 300))],
];

test('every list has its cursors forged', () => {
  expect(Object.keys(CURSORS).sort()).toEqual(lists.map(({ name }) => name).sort());
});

describe.each(lists.map((place) => [place.name, place] as const))('forged cursors of %s', (name, place) => {
  // Lists of one's own are for people.
  const clientFor = async (): Promise<ApiClient> =>
    place.path.startsWith('/api/auth/') ? (await enter(server, 'admin')).client : server.as('admin');
  const path = place.path.replace(':domain', 'site-0.example').replace(':id', '1').replace(':botId', '1');

  test.each(CURSORS[name] ?? [])('%s %s: a page or a refusal', async (query, list, position) => {
    const client = await clientFor();
    const ask = (forged: readonly unknown[]): Promise<ApiAnswer> => {
      const cursor = Buffer.from(JSON.stringify(forged)).toString('base64url');
      return client.get(`${path}?${query}`, { cursor });
    };
    // It is the right name and the right form: what is changed below is looked at.
    expect((await ask([list, ...position])).status).toBe(200);
    for (const index of position.keys()) {
      for (const evil of FORGED) {
        const { status, problem } = await ask([list, ...position.with(index, evil)]);
        const what = JSON.stringify([list, ...position.with(index, evil)]);
        expect(status === 200 ? 'a page' : problem?.code, what).toMatch(/^(?:a page|bad-cursor|invalid)$/);
      }
    }
    expect((await ask([list, ...position, 1])).problem?.code).toBe('bad-cursor');
    expect((await ask([`${list}\u0000`, ...position])).problem?.code).toBe('bad-cursor');
  });
});
