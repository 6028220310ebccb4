/** Explicit orders on the same journey, under the same leases, before what was found. */
import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { redirectTo } from '../origin/behaviours/redirects.ts';
import { type Origin, startOrigin } from '../origin/origin.ts';
import { htmlPage } from '../origin/site.ts';
import { readDomainRows, readPageRows } from '../support/crawl-rows.ts';
import { runTestFleet, seedFleet } from '../support/fleet-run.ts';
import { createTestDatabase, type TestDatabase } from '../support/postgres.ts';
import { plantTasks, queuePending, readHistory, readTask, readTasks } from '../support/tasks.ts';

let origin: Origin;
let database: TestDatabase;
beforeAll(async () => {
  origin = await startOrigin();
});
beforeEach(async () => {
  database = await createTestDatabase();
  origin.forgetRequests();
  return () => database.drop();
});
afterAll(() => origin.close());

const pathsAsked = (site: string): string[] =>
  origin
    .requestsTo(site)
    .map(({ path }) => path)
    .filter((path) => path !== '/robots.txt');

/** A port nobody listens on. */
async function closedPort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}

describe('a task', () => {
  it('is fetched, parsed, stored and told as every state it passed', async () => {
    origin.site('one', { pages: { '/a': htmlPage('A', ['/b', '/c']) } });
    const [id] = await plantTasks(database.db, [origin.hostUrl('one', '/a')]);
    const report = await runTestFleet({ db: database.db });
    expect(report.end).toBe('idle');
    expect(await readTask(database.db, id)).toMatchObject({
      ...{ status: 'completed', http_status: 200, error_message: null, locked_by: null },
    });
    expect(await readHistory(database.db, id)).toEqual([
      ...['queued', 'crawling', 'downloaded', 'parsing', 'completed'],
    ]);
    expect((await readPageRows(database.db)).map(({ title }) => title)).toEqual(['A']);
  });

  it('is all that is asked of a domain that is there for its tasks only: no links, no sitemap', async () => {
    origin.site('only', {
      pages: { '/a': htmlPage('A', ['/b']), '/b': htmlPage('B'), '/sitemap.xml': htmlPage('no') },
    });
    await plantTasks(database.db, [origin.hostUrl('only', '/a')]);
    await runTestFleet({ db: database.db, settings: { readSitemaps: true } });
    expect(pathsAsked('only')).toEqual(['/a']);
    const { rows } = await database.db.query('select status, next_crawl_after from domains', []);
    expect(rows).toEqual([{ status: 'exhausted', next_crawl_after: null }]);
  });

  it('leads on from a domain that is explored, and goes before what was found there', async () => {
    origin.site('explored', {
      pages: {
        '/': htmlPage('Home', ['/x', '/y']),
        '/x': htmlPage('X'),
        '/y': htmlPage('Y'),
        '/t': htmlPage('T', ['/z']),
        '/z': htmlPage('Z'),
      },
    });
    await seedFleet(database.db, [origin.hostUrl('explored', '/')]);
    await plantTasks(database.db, [origin.hostUrl('explored', '/t')]);
    await runTestFleet({ db: database.db, settings: { maxConcurrentPerDomain: 1 } });
    expect(pathsAsked('explored')[0]).toBe('/t');
    expect(pathsAsked('explored').toSorted()).toEqual(['/', '/t', '/x', '/y', '/z']);
  });

  it('goes by priority, then by schedule', async () => {
    const paths = ['/p9', '/p5a', '/p5b', '/p1'];
    origin.site('order', { pages: Object.fromEntries(paths.map((path) => [path, htmlPage(path)])) });
    const priorities = [9, 5, 5, 1];
    await plantTasks(
      database.db,
      paths.map((path, index) => ({ url: origin.hostUrl('order', path), priority: priorities[index] ?? 5 })),
    );
    await runTestFleet({ db: database.db, settings: { maxConcurrentPerDomain: 1 } });
    expect(pathsAsked('order')).toEqual(['/p1', '/p5a', '/p5b', '/p9']);
  });

  it('is asked for once although its URL was found too', async () => {
    origin.site('both', { pages: { '/': htmlPage('Home', ['/t']), '/t': htmlPage('T') } });
    await seedFleet(database.db, [origin.hostUrl('both', '/'), origin.hostUrl('both', '/t')]);
    const [id] = await plantTasks(database.db, [origin.hostUrl('both', '/t')]);
    await runTestFleet({ db: database.db });
    expect(await readTask(database.db, id)).toMatchObject({ status: 'completed' });
    expect(pathsAsked('both').filter((path) => path === '/t')).toHaveLength(1);
  });
});

describe('what went wrong', () => {
  it('is tried again after 1, 2 and 4 minutes and fails for good after that', async () => {
    origin.site('broken', { pages: { '/a': ({ response }) => void response.writeHead(500).end('no') } });
    const [id] = await plantTasks(database.db, [origin.hostUrl('broken', '/a')]);
    const waits: number[] = [];
    for (let attempt = 1; attempt <= 3; attempt += 1) {
      await runTestFleet({ db: database.db });
      const task = await readTask(database.db, id);
      expect(task).toMatchObject({ status: 'pending', retry_count: attempt, http_status: 500 });
      waits.push(Math.round(task.wait_seconds / 60));
      await queuePending(database.db);
    }
    expect(waits).toEqual([1, 2, 4]);
    await runTestFleet({ db: database.db });
    expect(await readTask(database.db, id)).toMatchObject({
      ...{ status: 'failed', retry_count: 3, error_message: 'server error (status 500)' },
      move_reason: 'server error (status 500); 4 attempts made',
    });
    const { rows } = await database.db.query<{ category: string; attempt: number }>(
      'select category, attempt from error_logs where task_id = $1 order by id',
      [id],
    );
    expect(rows).toEqual([1, 2, 3, 4].map((attempt) => ({ category: 'http', attempt })));
    expect(pathsAsked('broken')).toEqual(['/a', '/a', '/a', '/a']);
  });

  it('fails at once where another attempt would change nothing', async () => {
    origin.site('gone', {
      pages: { '/robots.txt': 'User-agent: *\nDisallow: /secret', '/secret': htmlPage('S') },
    });
    const [missing, forbidden] = await plantTasks(database.db, [
      origin.hostUrl('gone', '/nothing'),
      origin.hostUrl('gone', '/secret'),
    ]);
    await runTestFleet({ db: database.db });
    expect(await readTask(database.db, missing)).toMatchObject({ status: 'failed', http_status: 404 });
    expect(await readTask(database.db, forbidden)).toMatchObject({
      ...{ status: 'failed', error_message: 'disallowed by robots.txt' },
    });
    const { rows } = await database.db.query('select task_id, category from error_logs order by task_id', []);
    expect(rows).toEqual([
      { task_id: missing, category: 'http' },
      { task_id: forbidden, category: 'robots' },
    ]);
    // One page that is forbidden says nothing about the others.
    expect(await readDomainRows(database.db)).toMatchObject([{ status: 'exhausted' }]);
  });

  it('names the domain that cannot be reached, and does not close it for its other tasks', async () => {
    const [id] = await plantTasks(database.db, [`http://nowhere.localhost:${await closedPort()}/a`]);
    await runTestFleet({ db: database.db, settings: { maxHoldMs: 1000 } });
    expect(await readTask(database.db, id)).toMatchObject({ status: 'pending', retry_count: 1 });
    expect(await readDomainRows(database.db)).toMatchObject([{ status: 'active' }]);
  });

  it('costs nothing when the domain asks to slow down', async () => {
    let asked = 0;
    origin.site('slow', {
      pages: {
        '/a': ({ response }) => {
          asked += 1;
          if (asked === 1) return void response.writeHead(429, { 'retry-after': '1' }).end();
          response.writeHead(200, { 'content-type': 'text/html' }).end(htmlPage('A'));
        },
      },
    });
    const [id] = await plantTasks(database.db, [origin.hostUrl('slow', '/a')]);
    await runTestFleet({ db: database.db });
    expect(await readTask(database.db, id)).toMatchObject({ status: 'completed', retry_count: 0 });
    expect(asked).toBe(2);
    expect(await readHistory(database.db, id)).toEqual([
      ...['queued', 'crawling', 'queued', 'crawling', 'downloaded', 'parsing', 'completed'],
    ]);
  });
});

describe('redirects', () => {
  it('lead on within the domain, as part of the task', async () => {
    origin.site('moved', { pages: { '/old': redirectTo('/new'), '/new': htmlPage('New') } });
    const [id] = await plantTasks(database.db, [origin.hostUrl('moved', '/old')]);
    await runTestFleet({ db: database.db });
    expect(await readTask(database.db, id)).toMatchObject({
      ...{ status: 'completed', http_status: 200, final_url: origin.hostUrl('moved', '/new') },
    });
    expect((await readPageRows(database.db)).map(({ title }) => title)).toEqual(['New']);
  });

  it('lead to another domain as a task of that domain', async () => {
    origin.site('from', { pages: { '/old': redirectTo(origin.hostUrl('to', '/new')) } });
    origin.site('to', { pages: { '/new': htmlPage('New', ['/more']), '/more': htmlPage('More') } });
    const [id] = await plantTasks(database.db, [origin.hostUrl('from', '/old')]);
    await runTestFleet({ db: database.db });
    await queuePending(database.db);
    await runTestFleet({ db: database.db });
    const [first, second] = await readTasks(database.db);
    expect(first).toMatchObject({ status: 'completed', final_url: origin.hostUrl('to', '/new') });
    expect(second).toMatchObject({ status: 'completed', parent_task_id: id, http_status: 200 });
    expect(pathsAsked('to')).toEqual(['/new']);
  });

  it('lead nowhere where a task makes no domain known', async () => {
    origin.site('known', { pages: { '/old': redirectTo(origin.hostUrl('unknown', '/new')) } });
    origin.site('unknown', { pages: { '/new': htmlPage('New') } });
    const [id] = await plantTasks(database.db, [origin.hostUrl('known', '/old')]);
    await runTestFleet({ db: database.db, settings: { mayAddTaskDomains: false } });
    expect(await readTask(database.db, id)).toMatchObject({
      ...{ status: 'failed', final_url: origin.hostUrl('unknown', '/new') },
      error_message: `redirected to ${origin.hostUrl('unknown', '/new')}, of a domain that is not known here`,
    });
    expect(await readDomainRows(database.db)).toHaveLength(1);
  });

  it('that go round in a circle fail', async () => {
    origin.site('circle', { pages: { '/a': redirectTo('/b'), '/b': redirectTo('/a') } });
    const [id] = await plantTasks(database.db, [origin.hostUrl('circle', '/a')]);
    await runTestFleet({ db: database.db });
    expect(await readTask(database.db, id)).toMatchObject({ status: 'failed' });
    expect(pathsAsked('circle').length).toBeLessThanOrEqual(6);
  });
});

describe('the pages a page names', () => {
  it('become tasks, as deep as was asked for, each once', async () => {
    origin.site('tree', {
      pages: {
        '/': htmlPage('Root', ['/a', '/b', '/a', 'http://elsewhere.example/']),
        '/a': htmlPage('A', ['/', '/a/1']),
        '/b': htmlPage('B', []),
        '/a/1': htmlPage('A1', ['/a/1/2']),
      },
    });
    const [root] = await plantTasks(database.db, [{ url: origin.hostUrl('tree', '/'), followDepth: 2 }]);
    for (let round = 0; round < 3; round += 1) {
      await runTestFleet({ db: database.db });
      await queuePending(database.db);
    }
    const tasks = await readTasks(database.db);
    expect(tasks.map(({ url }) => new URL(url).pathname)).toEqual(['/', '/a', '/b', '/a/1']);
    expect(tasks.every(({ status }) => status === 'completed')).toBe(true);
    expect(tasks.slice(1, 3).map((task) => task.parent_task_id)).toEqual([root, root]);
    expect(pathsAsked('tree')).toHaveLength(4);
  });
});

describe('a page that is followed', () => {
  it('is read whole although it has not changed, also when the order is given again', async () => {
    const etag = '"1"';
    origin.site('unchanged', {
      pages: {
        '/robots.txt': 'User-agent: *\nDisallow: /no',
        '/': ({ request, response }) => {
          if (request.headers['if-none-match'] === etag) return void response.writeHead(304).end();
          response.writeHead(200, { 'content-type': 'text/html', etag }).end(htmlPage('Home', ['/a', '/no']));
        },
        '/a': htmlPage('A'),
      },
    });
    const [first] = await plantTasks(database.db, [origin.hostUrl('unchanged', '/')]);
    await runTestFleet({ db: database.db });
    expect(await readTask(database.db, first)).toMatchObject({ status: 'completed' });
    const [id] = await plantTasks(database.db, [{ url: origin.hostUrl('unchanged', '/'), followDepth: 1 }]);
    for (let order = 1; order <= 2; order += 1) {
      await runTestFleet({ db: database.db });
      await queuePending(database.db);
      await runTestFleet({ db: database.db });
      const children = (await readTasks(database.db)).filter((task) => task.parent_task_id === id);
      expect(children.map(({ url, status }) => [new URL(url).pathname, status])).toEqual(
        new Array(order).fill(['/a', 'completed']),
      );
      await database.execute(
        `update crawl_tasks set status = 'pending', moved_by = 'person' where id = ${id}`,
      );
      await queuePending(database.db);
    }
  });
});

describe('a page that names the address that led to it', () => {
  it('makes no task of it', async () => {
    origin.site('round', {
      pages: { '/': redirectTo('/v2/'), '/v2/': htmlPage('Home', ['/', '/v2/', '/a']), '/a': htmlPage('A') },
    });
    await plantTasks(database.db, [{ url: origin.hostUrl('round', '/'), followDepth: 3 }]);
    for (let round = 0; round < 2; round += 1) {
      await runTestFleet({ db: database.db });
      await queuePending(database.db);
    }
    const paths = (await readTasks(database.db)).map(({ url }) => new URL(url).pathname);
    expect(paths).toEqual(['/', '/a']);
  });
});

describe('a task in somebody’s hands', () => {
  it.each(['paused', 'cancelled'] as const)('stays %s when that happens during its fetch', async (status) => {
    origin.site(`${status}-midway`, {
      pages: {
        '/a': async ({ response }) => {
          await database.execute(`update crawl_tasks set status = '${status}', moved_by = 'person'`);
          response.writeHead(200, { 'content-type': 'text/html' }).end(htmlPage('A'));
        },
      },
    });
    const [id] = await plantTasks(database.db, [origin.hostUrl(`${status}-midway`, '/a')]);
    await runTestFleet({ db: database.db });
    expect(await readTask(database.db, id)).toMatchObject({ status });
    expect(await readHistory(database.db, id)).toEqual(['queued', 'crawling', status]);
    // What was read is kept all the same.
    expect(await readPageRows(database.db)).toHaveLength(1);
  });

  it('is given back when its worker stops, and done by the next one', async () => {
    const pages = Array.from({ length: 30 }, (_, n) => `/${n}`);
    origin.site('stops', { pages: Object.fromEntries(pages.map((path) => [path, htmlPage(path)])) });
    await plantTasks(
      database.db,
      pages.map((path) => origin.hostUrl('stops', path)),
    );
    let visited = 0;
    await runTestFleet({
      db: database.db,
      settings: { maxConcurrentPerDomain: 1 },
      prepare: (worker, events) => {
        events.on('url:visited', () => {
          visited += 1;
          if (visited === 5) worker.stop();
        });
      },
    });
    const states = (await readTasks(database.db)).map((task) => task.status);
    expect(new Set(states)).toEqual(new Set(['completed', 'queued']));
    await runTestFleet({ db: database.db });
    expect((await readTasks(database.db)).every((task) => task.status === 'completed')).toBe(true);
    expect(pathsAsked('stops').toSorted()).toEqual(pages.toSorted());
  });
});
