import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { searchBehind } from '../../src/control/alerts/search-behind.ts';
import { checkSearch } from '../../src/control/doctor/check-search.ts';
import { loadConfig } from '../../src/platform/config.ts';
import { drainOutbox } from '../../src/search/elastic/drain-outbox.ts';
import { INDEX_KINDS } from '../../src/search/elastic/indexes.ts';
import { registerServer, unregisterServers } from '../../src/search/elastic/register.ts';
import { reindex } from '../../src/search/elastic/reindex.ts';
import { connectToServer, type SearchTransport } from '../../src/search/elastic/transport.ts';
import { openSearch } from '../../src/search/open-search.ts';
import { searchProducts } from '../../src/search/search.ts';
import { SearchServerError } from '../../src/search/search-server-error.ts';
import { ServerDuty } from '../../src/search/server-duty.ts';
import { serverName } from '../../src/search/server-name.ts';
import { readRejects, readSearchState } from '../../src/search/status/search-state.ts';
import { waitUntil } from '../support/crawl-support.ts';
import { createTestDatabase, type TestDatabase } from '../support/postgres.ts';
import { runForager } from '../support/run-cli.ts';
import { type SearchServerDouble, startSearchServerDouble } from '../support/search-server.ts';
import { plantProducts } from '../support/searchable.ts';

let database: TestDatabase;
let server: SearchServerDouble;
let transport: SearchTransport;
beforeEach(async () => {
  database = await createTestDatabase();
  server = await startSearchServerDouble('elasticsearch');
  transport = await connectToServer(server.url);
});
afterEach(async () => {
  await transport.close();
  await server.close();
  await database.drop();
});

const parts = () => ({ db: database.db, transport, prefix: '' });
const drain = () => drainOutbox(parts());
const build = async (): Promise<void> => {
  await registerServer(database.db, serverName({ searchUrl: server.url, searchPrefix: '' }));
  for (const kind of INDEX_KINDS) await reindex(parts(), kind);
};
const waiting = async (): Promise<number> => (await readSearchState(database.db)).outboxCount;
const namesThere = (): unknown[] =>
  [...server.documents('products').values()].map((doc) => doc.product_name).toSorted();
const makeDue = () => database.execute('update search_outbox set due_at = forager_now()');

describe('the outbox', () => {
  test('without a search server nothing is written down', async () => {
    await plantProducts(database, [{ name: 'One' }]);
    expect(await waiting()).toBe(0);
    await build();
    await plantProducts(database, [{ name: 'Two' }]);
    expect(await waiting()).toBe(1);
    await unregisterServers(database.db);
    await plantProducts(database, [{ name: 'Three' }]);
    expect(await waiting()).toBe(0);
  });

  test('a product is in it once, and only for what can be searched for', async () => {
    await build();
    const [id = 0] = await plantProducts(database, [{ name: 'One' }]);
    await database.execute("update products set name = 'Other', updated_at = forager_now() where id = $1", [
      id,
    ]);
    expect(await waiting()).toBe(1);
    expect(await drain()).toBe(1);
    await database.execute('update products set last_seen_at = forager_now() where id = $1', [id]);
    expect(await waiting()).toBe(0);
    expect(namesThere()).toEqual(['Other']);
  });

  test('nothing is lost while the server is away, and searches are answered by PostgreSQL meanwhile', async () => {
    await build();
    server.mischief.isAway = true;
    await plantProducts(database, [{ name: 'Kettle' }, { name: 'Teapot' }]);
    await expect(drain()).rejects.toThrow(SearchServerError);
    expect(await waiting()).toBe(2);
    expect(await readSearchState(database.db)).toMatchObject({
      failure: expect.stringContaining('127.0.0.1'),
    });
    const search = openSearch({ db: database.db, config: loadConfig({ searchUrl: server.url }, {}) });
    const order = { sort: 'relevance', order: 'desc', limit: 5, filters: {}, withFacets: true } as const;
    const found = await searchProducts(search, 'kettle', order);
    expect(found).toMatchObject({ total: 1, isDegraded: true, engine: 'postgresql' });
    server.mischief.isAway = false;
    expect(await drain()).toBe(2);
    expect(await waiting()).toBe(0);
    expect(namesThere()).toEqual(['Kettle', 'Teapot']);
    expect((await readSearchState(database.db)).failure).toBeNull();
    await search.close();
  });

  test.each([429, 503, 500])('a whole bulk answered with %i is told again', async (status) => {
    await build();
    await plantProducts(database, [{ name: 'Kettle' }]);
    server.mischief.bulkStatuses.push(status);
    await expect(drain()).rejects.toThrow(SearchServerError);
    await drain();
    expect(namesThere()).toEqual(['Kettle']);
  });

  test('a bulk that is too large is sent in smaller ones, and what is too large alone is refused', async () => {
    await build();
    const [, huge = 0] = await plantProducts(database, [
      { name: 'Small' },
      { name: 'Huge', description: 'word '.repeat(1000) },
      { name: 'Little' },
    ]);
    server.mischief.mostBulkBytes = 1500;
    await drain();
    expect(namesThere()).toEqual(['Little', 'Small']);
    expect(await readRejects(database.db)).toMatchObject([
      { kind: 'product', key: huge, reason: expect.stringContaining('too large') },
    ]);
    expect(await waiting()).toBe(0);
  });

  test('single documents are told again or refused, and keep no others back', async () => {
    await build();
    const [busy = 0, odd = 0] = await plantProducts(database, [
      { name: 'Busy' },
      { name: 'Odd' },
      { name: 'Fine' },
    ]);
    server.mischief.itemErrors.set(String(busy), { status: 429, type: 'es_rejected_execution_exception' });
    server.mischief.itemErrors.set(String(odd), { status: 400, type: 'mapper_parsing_exception' });
    await drain();
    expect(namesThere()).toEqual(['Fine']);
    expect(await waiting()).toBe(1);
    expect(await readRejects(database.db)).toMatchObject([
      { key: odd, reason: 'mapper_parsing_exception: told to' },
    ]);
    server.mischief.itemErrors.clear();
    await makeDue();
    await database.execute("update products set name = 'Even', updated_at = forager_now() where id = $1", [
      odd,
    ]);
    await drain();
    expect(namesThere()).toEqual(['Busy', 'Even', 'Fine']);
    expect(await readRejects(database.db)).toEqual([]);
  });

  test('a late bulk never replaces something newer, and a change during a bulk is told after it', async () => {
    await build();
    const [id = 0] = await plantProducts(database, [{ name: 'First' }]);
    let late: Promise<number> | undefined;
    server.mischief.beforeBulk = async () => {
      server.mischief.beforeBulk = undefined;
      // While the bulk with "First" is under way, it changes, and another process tells the server first.
      await database.execute(
        "update products set name = 'Second', updated_at = forager_now() where id = $1",
        [id],
      );
      late = drain();
      await late;
    };
    await drain();
    expect(late).toBeDefined();
    expect(namesThere()).toEqual(['Second']);
    expect(await waiting()).toBe(0);
    await database.execute('delete from products where id = $1', [id]);
    await drain();
    expect(namesThere()).toEqual([]);
  });

  test('an alert tells when it grows old, and the doctor when the server is away', async () => {
    await build();
    const ground = { db: database.db, dataDir: undefined };
    await plantProducts(database, [{ name: 'Kettle' }]);
    expect(await searchBehind.find(ground)).toEqual([]);
    await database.execute("update search_outbox set queued_at = queued_at - interval '11 minutes'");
    expect(await searchBehind.find(ground)).toMatchObject([
      { message: expect.stringContaining('1 changes wait') },
    ]);
    const config = { searchUrl: server.url.replace('//', '//elastic:hunter2@'), searchPrefix: '' };
    await database.execute('update search_outbox set queued_at = forager_now()');
    expect(await checkSearch(database.db, config)).toMatchObject([{ state: 'ok' }]);
    expect(server.authorizations).toContain(`Basic ${Buffer.from('elastic:hunter2').toString('base64')}`);
    server.mischief.isAway = true;
    const checks = await checkSearch(database.db, config);
    expect(checks).toMatchObject([{ state: 'warning' }]);
    expect(JSON.stringify(checks)).not.toContain('hunter2');
  });
});

describe('a reindex', () => {
  test('changes meanwhile are in the new index, and the old one goes in the same moment', async () => {
    await plantProducts(database, [{ name: 'Old' }]);
    await build();
    const before = server.indexNames();
    const [changed = 0] = await plantProducts(database, [{ name: 'Before' }, { name: 'Deleted' }]);
    await drain();
    let isFirst = true;
    server.mischief.beforeBulk = async () => {
      if (!isFirst) return;
      isFirst = false;
      // The copies are read already.
      await database.execute("update products set name = 'After', updated_at = forager_now() where id = $1", [
        changed,
      ]);
      await database.execute("delete from products where name = 'Deleted'");
      await drain();
    };
    const report = await reindex(parts(), 'product');
    expect(report).toMatchObject({ copied: 3, rejected: 0 });
    expect(namesThere()).toEqual(['After', 'Old']);
    expect(server.indexNames()).toHaveLength(2);
    expect(server.indexNames()).not.toContain(before.find((name) => name.startsWith('products-')));
  });

  test('interrupted it goes on where it was, and two at once are refused', async () => {
    await registerServer(database.db, serverName({ searchUrl: server.url, searchPrefix: '' }));
    await plantProducts(
      database,
      Array.from({ length: 3 }, (_, i) => ({ name: `Product ${i}` })),
    );
    server.mischief.bulkStatuses.push(400);
    await expect(reindex(parts(), 'product')).rejects.toThrow(SearchServerError);
    const [begun] = server.indexNames();
    server.mischief.beforeBulk = async () => {
      server.mischief.beforeBulk = undefined;
      await expect(reindex(parts(), 'product')).rejects.toMatchObject({ code: 'search-reindexing' });
    };
    expect(await reindex(parts(), 'product')).toMatchObject({ index: begun, copied: 3 });
    expect(namesThere()).toHaveLength(3);
  });

  test('a busy server is given time', async () => {
    await registerServer(database.db, serverName({ searchUrl: server.url, searchPrefix: '' }));
    await plantProducts(database, [{ name: 'Kettle' }]);
    server.mischief.bulkStatuses.push(429);
    expect(await reindex(parts(), 'product')).toMatchObject({ copied: 1 });
    expect(namesThere()).toEqual(['Kettle']);
  });

  test('by hand it tells what it did', async () => {
    await plantProducts(database, [{ name: 'Kettle' }]);
    const env = { DATABASE_URL: database.url, SEARCH_URL: server.url };
    const run = await runForager(['search', 'reindex', '--json'], { env });
    expect(run.json()).toMatchObject([
      { kind: 'product', copied: 1 },
      { kind: 'page', copied: 0 },
    ]);
    expect((await runForager(['search', 'status'], { env })).stdout).toContain('to be told');
    expect((await runForager(['search', 'forget'], { env })).code).toBe(2);
    expect((await runForager(['search', 'forget'], { env: { DATABASE_URL: database.url } })).code).toBe(0);
    expect((await runForager(['search', 'reindex'], { env: { DATABASE_URL: database.url } })).code).toBe(2);
  });
});

test('a scheduler registers the server, builds its indexes and tells it of every change', async () => {
  await plantProducts(database, [{ name: 'Old' }]);
  const warnings: string[] = [];
  const config = loadConfig({ searchUrl: server.url }, {});
  const warn = (sentence: string): void => void warnings.push(sentence);
  server.mischief.isAway = true;
  const duty = new ServerDuty({ db: database.db, config, warn, everyMs: 20, longestMs: 50 });
  duty.start();
  await waitUntil(() => (warnings.length > 0 ? true : undefined));
  await plantProducts(database, [{ name: 'Meanwhile' }]);
  server.mischief.isAway = false;
  await waitUntil(() => (namesThere().length === 2 ? true : undefined));
  await plantProducts(database, [{ name: 'Later' }]);
  await waitUntil(() => (namesThere().length === 3 ? true : undefined));
  await duty.stop();
  expect(namesThere()).toEqual(['Later', 'Meanwhile', 'Old']);
});
