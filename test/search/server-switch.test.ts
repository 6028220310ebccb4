import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { checkSearch } from '../../src/control/doctor/check-search.ts';
import { loadConfig } from '../../src/platform/config.ts';
import { drainOutbox } from '../../src/search/elastic/drain-outbox.ts';
import { keepVersionsAhead } from '../../src/search/elastic/register.ts';
import { connectToServer } from '../../src/search/elastic/transport.ts';
import { openSearch } from '../../src/search/open-search.ts';
import { searchProducts } from '../../src/search/search.ts';
import { ServerDuty } from '../../src/search/server-duty.ts';
import { serverName } from '../../src/search/server-name.ts';
import { readSearchState } from '../../src/search/status/search-state.ts';
import { waitUntil } from '../support/crawl-support.ts';
import { createTestDatabase, type TestDatabase } from '../support/postgres.ts';
import { runForager } from '../support/run-cli.ts';
import { type SearchServerDouble, startSearchServerDouble } from '../support/search-server.ts';
import { plantProducts } from '../support/searchable.ts';

let database: TestDatabase;
let server: SearchServerDouble;
beforeEach(async () => {
  database = await createTestDatabase();
  server = await startSearchServerDouble('opensearch');
});
afterEach(async () => {
  await server.close();
  await database.drop();
});

const names = (of: SearchServerDouble) =>
  [...of.documents('products').values()].map((doc) => doc.product_name).toSorted();
/** A scheduler with that server, until both of its indexes are built. */
async function schedule(of: SearchServerDouble): Promise<void> {
  const config = loadConfig({ searchUrl: of.url }, {});
  const duty = new ServerDuty({ db: database.db, config, warn: () => undefined, everyMs: 20, longestMs: 50 });
  duty.start();
  const name = serverName(config);
  await waitUntil(async () => {
    const state = await readSearchState(database.db);
    return state.server === name && state.isBuilt === true ? true : undefined;
  });
  await duty.stop();
}
const find = async (q: string) => {
  const search = openSearch({ db: database.db, config: loadConfig({ searchUrl: server.url }, {}) });
  const order = { sort: 'relevance', order: 'desc', limit: 5, filters: {}, withFacets: false } as const;
  const found = await searchProducts(search, q, order);
  await search.close();
  return found;
};
const cli = (env: Readonly<Record<string, string>>, ...args: string[]) =>
  runForager(args, { env: { DATABASE_URL: database.url, ...env } });

test('a server that was left for another is built anew when it is come back to', async () => {
  const other = await startSearchServerDouble('elasticsearch');
  await plantProducts(database, [{ name: 'Kettle' }]);
  await schedule(server);
  await schedule(other);
  await database.execute("update products set name = 'Teapot', updated_at = forager_now()");
  // Its old index is there, and knows nothing of that: PostgreSQL answers.
  expect(await find('teapot')).toMatchObject({ total: 1, isDegraded: true });
  await schedule(server);
  expect(names(server)).toEqual(['Teapot']);
  expect(await find('teapot')).toMatchObject({ total: 1, isDegraded: false, engine: 'opensearch' });
  expect((await cli({}, 'search', 'forget')).code).toBe(0);
  await database.execute("update products set name = 'Cup', updated_at = forager_now()");
  await schedule(server);
  expect(names(server)).toEqual(['Cup']);
  await other.close();
});

test('versions are those of the clock: after the database was put back, changes are not taken for old ones', async () => {
  const [id = 0] = await plantProducts(database, [{ name: 'Kettle' }]);
  await schedule(server);
  const transport = await connectToServer(server.url);
  const drain = () => drainOutbox({ db: database.db, transport, prefix: '' });
  const rename = (name: string) =>
    database.execute('update products set name = $1, updated_at = forager_now()', [name]);
  await rename('Teapot');
  await drain();
  const told = server.version('products', id) ?? 0;
  await database.execute("select setval('search_versions', 5)");
  await keepVersionsAhead(database.db);
  await rename('Cup');
  await drain();
  expect(server.version('products', id)).toBeGreaterThan(told);
  expect(names(server)).toEqual(['Cup']);
  await transport.close();
});

test('a server is called by its URL and its prefix, without its password', () => {
  const searchUrl = 'https://elastic:hunter2@search.example:9200/path/';
  expect(serverName({ searchUrl, searchPrefix: '' })).toBe('https://search.example:9200/path');
  expect(serverName({ searchUrl, searchPrefix: 'a-' })).toBe('https://search.example:9200/path (a-)');
});

test('a URL that leads nowhere is registered by nobody, and everybody says so', async () => {
  const web = createServer((_request, response) => void response.end('<h1>Welcome</h1>'));
  await new Promise<void>((done) => web.listen(0, '127.0.0.1', done));
  const SEARCH_URL = `http://127.0.0.1:${(web.address() as AddressInfo).port}`;
  const warnings: string[] = [];
  const warn = (sentence: string, error?: unknown): void => void warnings.push(`${sentence} ${error}`);
  const config = loadConfig({ searchUrl: SEARCH_URL }, {});
  const duty = new ServerDuty({ db: database.db, config, warn, everyMs: 20, longestMs: 50 });
  duty.start();
  await waitUntil(() => (warnings.length > 0 ? true : undefined));
  await duty.stop();
  expect(warnings[0]).toContain('this is no Elasticsearch or OpenSearch');
  expect((await cli({ SEARCH_URL }, 'search', 'reindex')).code).toBe(1);
  expect((await readSearchState(database.db)).server).toBeNull();
  const status = (await cli({ SEARCH_URL }, 'search', 'status')).stdout;
  expect(status).toContain('PostgreSQL');
  expect(status).toContain('this is no Elasticsearch or OpenSearch');
  expect(await checkSearch(database.db, config)).toMatchObject([{ state: 'warning' }]);
  await new Promise((done) => web.close(done));
});

test('the doctor says one thing, and it is true', async () => {
  const of = async (searchUrl?: string) => checkSearch(database.db, { searchUrl, searchPrefix: '' });
  expect(await of()).toEqual([]);
  expect(await of(server.url)).toMatchObject([
    { state: 'warning', message: expect.stringContaining('never told of anything') },
  ]);
  await schedule(server);
  expect(await of(server.url)).toMatchObject([{ state: 'ok' }]);
  expect(await of()).toMatchObject([{ state: 'warning', fix: expect.stringContaining('search forget') }]);
  const other = await startSearchServerDouble('elasticsearch');
  expect(await of(other.url)).toMatchObject([
    { state: 'warning', message: expect.stringContaining(server.url) },
  ]);
  const status = await cli({ SEARCH_URL: other.url }, 'search', 'status');
  expect(status.stdout).toContain(server.url);
  expect(status.stdout).toContain(other.url);
  expect(status.stdout).toContain('PostgreSQL');
  expect((await cli({ SEARCH_URL: server.url }, 'search', 'status')).stdout).toContain(
    'opensearch 0.0.0-double',
  );
  await other.close();
});

test('what there is is counted, also where the database has never counted it', async () => {
  await plantProducts(database, [{ name: 'Kettle' }, { name: 'Cup' }]);
  expect(await readSearchState(database.db)).toMatchObject({ products: 2, pages: 0 });
  expect((await cli({}, 'search', 'status')).stdout).not.toContain('about');
});
