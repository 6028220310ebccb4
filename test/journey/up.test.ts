/** `forager up` and `forager api` as a person runs them: real processes, started, asked, stopped, killed. */
import { once } from 'node:events';
import { connect, createServer } from 'node:net';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { type Origin, startOrigin } from '../origin/origin.ts';
import { buildProgram, startProgram } from '../support/crawl-process.ts';
import { temporaryDirectory, waitUntil } from '../support/crawl-support.ts';
import { fleetSite, fleetUrls, makeGate, pagesAsked, startWorker } from '../support/fleet.ts';
import { subscribeTo } from '../support/live.ts';
import { createTestDatabase } from '../support/postgres.ts';
import {
  type Caller,
  listPageUrls,
  logIn,
  logInFirst,
  type ServerProcess,
  startServerProcess,
} from '../support/server-process.ts';

const PAGES = 12;
const ENV = {
  FORAGER_ALLOW_PRIVATE: 'true',
  FORAGER_DELAY_MS: '0',
  FORAGER_READ_SITEMAPS: 'false',
  FORAGER_RATE_ADMIN: '100000',
  FORAGER_RATE_ANONYMOUS: '100000',
};

let origin: Origin;
beforeAll(async () => {
  await buildProgram();
  origin = await startOrigin();
});
afterAll(() => origin.close());

let sites = 0;
function plantSite(until?: () => Promise<void>): string {
  sites += 1;
  origin.site(`up-${sites}`, fleetSite({ pages: PAGES, ...(until === undefined ? {} : { until }) }));
  return `up-${sites}`;
}

const seed = async (caller: Caller, site: string): Promise<void> => {
  const answer = await caller.call('POST', '/api/frontier/seed', { urls: [origin.hostUrl(site, '/')] });
  expect(answer, JSON.stringify(answer.body)).toMatchObject({ body: { accepted: 1, refusedCount: 0 } });
};

const awaitPages = (caller: Caller, wanted: readonly string[]): Promise<true> =>
  waitUntil(async () => {
    const found = new Set(await listPageUrls(caller));
    return wanted.every((url) => found.has(url)) ? true : undefined;
  });

const stop = async ({ process }: ServerProcess): Promise<void> => {
  process.child.kill('SIGTERM');
  const end = await process.ended;
  expect(end, end.stderr).toMatchObject({ code: 0, signal: null });
};

describe('forager up', () => {
  it('prints a password once, crawls what is seeded over the API, tells of it, and ends well', async () => {
    const place = { dataDir: await temporaryDirectory(), env: ENV };
    const first = await startServerProcess(['up'], place);
    const admin = await logInFirst(first);
    const live = await subscribeTo(first.url, { headers: { cookie: admin.cookie } });
    const site = plantSite();
    await seed(admin, site);
    await live.await('domain', ({ to }) => to === 'active');
    await live.await('domain', ({ to }) => to === 'exhausted');
    await live.await('rates', ({ pages, workers }) => pages === PAGES && workers === 1);
    expect(await listPageUrls(admin)).toEqual(fleetUrls(origin, [site], PAGES));
    first.process.child.kill('SIGTERM');
    await live.closed;
    expect(live.received.at(-1)?.event).toMatchObject({ type: 'end', reason: 'shutdown' });
    const end = await first.process.ended;
    expect(end, end.stderr).toMatchObject({ code: 0, signal: null });
    // Neither the password nor the cookie is in the log.
    expect(end.stderr).not.toContain(first.firstAdmin?.password);
    expect(end.stderr).not.toContain(admin.cookie.split('=')[1]);
    for (const line of end.stderr.trim().split('\n')) expect(() => JSON.parse(line), line).not.toThrow();

    const second = await startServerProcess(['up'], place);
    expect(second).not.toHaveProperty('firstAdmin');
    const { username = '', password = '' } = first.firstAdmin ?? {};
    expect(await listPageUrls(await logIn(second.url, username, password))).toHaveLength(PAGES);
    await stop(second);
  });

  it('killed in mid-crawl and started again, it has every page', async () => {
    const place = { dataDir: await temporaryDirectory(), env: ENV };
    const gate = makeGate();
    onTestFinished(gate.open);
    const [quick, slow] = [plantSite(), plantSite(gate.opened)];
    const first = await startServerProcess(['up'], place);
    const admin = await logInFirst(first);
    await seed(admin, quick);
    await seed(admin, slow);
    await awaitPages(admin, fleetUrls(origin, [quick], 1));
    await waitUntil(() => (pagesAsked(origin, slow).length > 1 ? true : undefined));
    await first.process.kill();
    gate.open();
    const second = await startServerProcess(['up'], place);
    const { username = '', password = '' } = first.firstAdmin ?? {};
    const again = await logIn(second.url, username, password);
    await awaitPages(again, fleetUrls(origin, [quick, slow], PAGES));
    expect(await listPageUrls(again)).toEqual(fleetUrls(origin, [quick, slow], PAGES));
    await stop(second);
  });

  it('ends at once at the second signal, however long what is in flight takes', async () => {
    const gate = makeGate();
    onTestFinished(gate.open);
    const site = plantSite(gate.opened);
    const database = await createTestDatabase();
    onTestFinished(() => database.drop());
    const place = { dataDir: await temporaryDirectory(), databaseUrl: database.url, env: ENV };
    const server = await startServerProcess(['up'], place);
    const admin = await logInFirst(server);
    await seed(admin, site);
    await waitUntil(() => (pagesAsked(origin, site).length > 1 ? true : undefined));
    server.process.child.kill('SIGTERM');
    await waitUntil(() => (server.log().some(({ msg }) => msg === 'stopping') ? true : undefined));
    // The worker still waits for its page, and the server answers meanwhile.
    expect((await admin.call('GET', '/api/auth/me')).status).toBe(200);
    server.process.child.kill('SIGTERM');
    expect(await server.process.ended).toMatchObject({ code: 130 });
  });

  it('goes on serving when its worker fails, and starts the worker again', async () => {
    const database = await createTestDatabase();
    onTestFinished(() => database.drop());
    await database.execute('alter table upkeep_jobs rename to mislaid');
    const place = { dataDir: await temporaryDirectory(), databaseUrl: database.url, env: ENV };
    const server = await startServerProcess(['up'], place);
    const admin = await logInFirst(server);
    await waitUntil(() =>
      server.log().some(({ level, msg }) => level === 50 && /^the worker /.test(String(msg)))
        ? true
        : undefined,
    );
    expect((await admin.call('GET', '/api/auth/me')).status).toBe(200);
    const health = await admin.call('GET', '/health');
    expect(health.body).toMatchObject({ status: 'degraded', notes: [expect.stringContaining('worker')] });
    await database.execute('alter table mislaid rename to upkeep_jobs');
    const site = plantSite();
    await seed(admin, site);
    await awaitPages(admin, fleetUrls(origin, [site], PAGES));
    expect((await admin.call('GET', '/health')).body).toMatchObject({ notes: [] });
    await stop(server);
  });

  it('with --demo it crawls its own small web and may reach nothing else that is private', async () => {
    const { FORAGER_ALLOW_PRIVATE: _, ...careful } = ENV;
    const server = await startServerProcess(['up', '--demo'], {
      dataDir: await temporaryDirectory(),
      env: careful,
    });
    const admin = await logInFirst(server);
    await waitUntil(async () => ((await listPageUrls(admin)).length > 20 ? true : undefined));
    const urls = await listPageUrls(admin);
    expect(urls.every((url) => /^http:\/\/[\w-]+\.localhost:\d+\//.test(url))).toBe(true);
    const site = plantSite();
    const answer = await admin.call('POST', '/api/frontier/seed', { urls: [origin.hostUrl(site, '/')] });
    expect(answer.status).toBe(422);
    const own = await admin.call('POST', '/api/frontier/seed', { urls: [new URL('/', urls[0]).href] });
    expect(own).toMatchObject({ status: 200, body: { accepted: 1 } });
    await stop(server);
    expect(origin.requestsTo(site)).toEqual([]);
  });
});

describe('forager api', () => {
  it('says which port is taken and how to choose another', async () => {
    const blocker = createServer();
    await new Promise<void>((resolve) => blocker.listen(0, '127.0.0.1', resolve));
    onTestFinished(() => void blocker.close());
    const address = blocker.address();
    const port = typeof address === 'object' && address !== null ? address.port : 0;
    const database = await createTestDatabase();
    onTestFinished(() => database.drop());
    const place = { dataDir: await temporaryDirectory(), databaseUrl: database.url };
    for (const command of ['api', 'up']) {
      const end = await startProgram([command, '--port', String(port)], place).ended;
      expect(end).toMatchObject({ code: 1, stdout: '' });
      expect(end.stderr).toContain(`Port ${port} of 127.0.0.1 is taken`);
      expect(end.stderr).toContain('FORAGER_PORT');
    }
    // Nobody was made an administrator with a password that was never shown.
    expect((await database.db.query('select from users')).rowCount).toBe(0);
  });

  it('answers the request that is under way when it is asked to stop, and takes no other', async () => {
    const database = await createTestDatabase();
    onTestFinished(() => database.drop());
    const place = { dataDir: await temporaryDirectory(), databaseUrl: database.url, env: ENV };
    const server = await startServerProcess(['api'], place);
    const { port } = new URL(server.url);
    const body = JSON.stringify(server.firstAdmin && { ...server.firstAdmin, hours: undefined });
    const socket = connect(Number(port), '127.0.0.1');
    let answer = '';
    socket.on('data', (data) => (answer += data.toString()));
    const closed = once(socket, 'close');
    socket.write(
      `POST /api/auth/login HTTP/1.1\r\nhost: 127.0.0.1\r\ncontent-type: application/json\r\n` +
        `content-length: ${body.length}\r\n\r\n${body.slice(0, 10)}`,
    );
    // Another connection's answer comes after the server has read what was written before.
    await fetch(new URL('/health', server.url));
    server.process.child.kill('SIGTERM');
    await waitUntil(() => (server.log().some(({ msg }) => msg === 'stopping') ? true : undefined));
    await waitUntil(() =>
      fetch(new URL('/health', server.url)).then(
        () => undefined,
        () => true,
      ),
    );
    socket.write(body.slice(10));
    await closed;
    expect(answer).toMatch(/^HTTP\/1\.1 200 /);
    expect(await server.process.ended).toMatchObject({ code: 0 });
  });

  it('goes on without a Redis that is not there, and says so once', async () => {
    const database = await createTestDatabase();
    onTestFinished(() => database.drop());
    const env = { ...ENV, REDIS_URL: 'redis://127.0.0.1:1' };
    const place = { dataDir: await temporaryDirectory(), databaseUrl: database.url, env };
    const server = await startServerProcess(['api'], place);
    const warnings = () =>
      server.log().filter(({ msg }) => String(msg).startsWith('Redis cannot be reached'));
    await waitUntil(() => (warnings().length > 0 ? true : undefined));
    expect(await (await fetch(new URL('/health', server.url))).json()).toMatchObject({ status: 'degraded' });
    await stop(server);
    expect(warnings()).toHaveLength(1);
  });

  it('two of them and a worker, each a process of its own: both tell of what the worker does', async () => {
    const database = await createTestDatabase();
    onTestFinished(() => database.drop());
    const place = { dataDir: await temporaryDirectory(), databaseUrl: database.url, env: ENV };
    const servers = await Promise.all([
      startServerProcess(['api'], place),
      startServerProcess(['api'], place),
    ]);
    const [one, other] = servers;
    // One of them has made the administrator, and only that one knows the password.
    const told = servers.filter(({ firstAdmin }) => firstAdmin !== undefined);
    expect(told).toHaveLength(1);
    const { username = '', password = '' } = told[0]?.firstAdmin ?? {};
    const admin = await logIn(one.url, username, password);
    const headers = { cookie: admin.cookie };
    const subscribers = [
      await subscribeTo(one.url, { headers, query: { types: 'domain,worker' } }),
      await subscribeTo(other.url, { headers, query: { types: 'domain,worker' } }),
    ];
    const worker = startWorker(place, ['--id', 'elsewhere']);
    for (const subscriber of subscribers) {
      await subscriber.await('worker', ({ id, change }) => id === 'elsewhere' && change === 'appeared');
    }
    const site = plantSite();
    await seed(admin, site);
    for (const subscriber of subscribers) {
      await subscriber.await('domain', ({ to }) => to === 'exhausted');
      const moves = subscriber.received.flatMap(({ event }) => (event.type === 'domain' ? [event] : []));
      expect(moves.map(({ from, to }) => `${from} ${to}`)).toEqual(['pending active', 'active exhausted']);
      expect(moves.every(({ actor }) => actor === 'elsewhere')).toBe(true);
    }
    worker.child.kill('SIGKILL');
    await worker.ended;
    await stop(one);
    await stop(other);
  });

  it('warns when passwords would go over the network for everybody to read', async () => {
    const database = await createTestDatabase();
    onTestFinished(() => database.drop());
    const place = { dataDir: await temporaryDirectory(), databaseUrl: database.url };
    const open = await startServerProcess(['api', '--host', '0.0.0.0'], place);
    expect(open.log().find(({ level }) => level === 40)?.msg).toContain('without https');
    await stop(open);
    const env = { FORAGER_PUBLIC_URL: 'https://forager.example' };
    const proxied = await startServerProcess(['api', '--host', '0.0.0.0'], { ...place, env });
    expect(proxied.url).toBe('https://forager.example');
    expect(proxied.log().find(({ level }) => level === 40)).toBeUndefined();
    await stop(proxied);
  });
});
