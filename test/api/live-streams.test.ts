/** The streams themselves: how many, for whom, how they end, and what they do without a database. */
import { once } from 'node:events';
import { request as httpRequest, type IncomingMessage } from 'node:http';
import pg from 'pg';
import { describe, expect, type MockInstance, onTestFinished, test, vi } from 'vitest';
import { LiveStreams, MOST_STREAMS_OF_ACCOUNT } from '../../src/api/live-streams.ts';
import { createServer } from '../../src/api/server.ts';
import { hashKeyToken } from '../../src/control/access/secrets.ts';
import { startTestServer, type TestServer } from '../support/api.ts';
import { waitUntil } from '../support/crawl-support.ts';
import { type LiveSubscriber, subscribeTo } from '../support/live.ts';

async function startServer(): Promise<TestServer> {
  const server = await startTestServer();
  let closing: Promise<void> | undefined;
  const close = (): Promise<void> => {
    closing ??= server.close();
    return closing;
  };
  onTestFinished(close);
  return { ...server, close };
}

const bearer = (key: string) => ({ authorization: `Bearer ${key}` });

async function subscribeAs(server: TestServer, key: string): Promise<LiveSubscriber> {
  return subscribeTo(server.url, { headers: bearer(key) });
}

/** Of the statements that have one. */
function namesOf(asked: MockInstance<TestServer['database']['db']['query']>): string[] {
  return asked.mock.calls.map(([statement]) => (typeof statement === 'string' ? '' : statement.name));
}

const awaitCount = (server: TestServer, count: number) =>
  waitUntil(() => (server.parts.live.count === count ? true : undefined));

describe('the end of a stream', () => {
  test('comes with a last word when the server stops, which does not wait for its readers', async () => {
    const server = await startServer();
    const key = await server.keyOf('user');
    const subscribers = [await subscribeAs(server, key), await subscribeAs(server, key)];
    await server.close();
    for (const subscriber of subscribers) {
      await subscriber.closed;
      expect(subscriber.received.at(-1)?.event).toMatchObject({ type: 'end', reason: 'shutdown' });
    }
  });

  test.each([
    ['its key is revoked', 'update api_keys set revoked_at = now() where key_hash = $1'],
    ['its key has ended', "update api_keys set expires_at = now() - interval '1 s' where key_hash = $1"],
    ['its key loses the right', "update api_keys set scopes = '{}' where key_hash = $1"],
    [
      'its owner is disabled',
      'update users set is_enabled = false where id = (select user_id from api_keys where key_hash = $1)',
    ],
  ])('comes when %s; others read on', async (_why, sql) => {
    const server = await startServer();
    const [key, other] = [await server.keyOf('user'), await server.keyOf('admin')];
    const [subscriber, bystander] = [await subscribeAs(server, key), await subscribeAs(server, other)];
    await server.parts.live.beat();
    await server.database.execute(sql, [hashKeyToken(key)]);
    await server.parts.live.beat();
    await subscriber.closed;
    expect(subscriber.received.at(-1)?.event).toMatchObject({ type: 'end', reason: 'not-permitted' });
    await bystander.await('rates');
    expect(server.parts.live.count).toBe(1);
    expect(bystander.comments.length).toBeGreaterThan(0);
  });

  test('frees its place when the reader hangs up, and the database is left alone when the last one has', async () => {
    const server = await startServer();
    const subscriber = await subscribeAs(server, await server.keyOf('user'));
    subscriber.hangUp();
    await awaitCount(server, 0);
    const asked = vi.spyOn(server.database.db, 'query');
    await new Promise((resolve) => setTimeout(resolve, 800));
    expect(namesOf(asked)).not.toContain('read-moves');
    const again = await subscribeAs(server, await server.keyOf('user'));
    await again.await('rates');
    expect(namesOf(asked)).toContain('read-moves');
  });
});

test('signs of life come by themselves', async () => {
  const server = await startServer();
  const { db, figures } = server.parts;
  const live = new LiveStreams({ db, figures, beatMs: 20 });
  const app = await createServer(
    { ...server.parts, live },
    { level: 'silent', stream: { write: () => true } },
  );
  onTestFinished(() => app.close());
  const url = await app.listen({ host: '127.0.0.1', port: 0 });
  const subscriber = await subscribeTo(url, { headers: bearer(await server.keyOf('user')) });
  await waitUntil(() => (subscriber.comments.length > 3 ? true : undefined));
  await live.close();
});

describe('too many', () => {
  test('streams of one account are refused, those of another are not', async () => {
    const server = await startServer();
    const key = await server.keyOf('user');
    const streams: LiveSubscriber[] = [];
    for (let n = 0; n < MOST_STREAMS_OF_ACCOUNT; n += 1) streams.push(await subscribeAs(server, key));
    const refused = await server.client(bearer(key)).get('/api/events');
    expect(refused).toMatchObject({ status: 429, problem: { code: 'rate-limited' } });
    expect(refused.headers.get('retry-after')).toBe('30');
    await subscribeAs(server, await server.keyOf('user'));
    streams[0]?.hangUp();
    await awaitCount(server, MOST_STREAMS_OF_ACCOUNT);
    await subscribeAs(server, key);
  });

  test('events for a reader who does not read: it is dropped, and the others are not kept waiting', async () => {
    const server = await startServer();
    const key = await server.keyOf('user');
    const slow = await openUnread(`${server.url}/api/events?types=domain`, bearer(key));
    const quick = await subscribeAs(server, key);
    const { rows } = await server.database.execute<{ id: number }>(
      "insert into domains (domain, parent_domain, base_url) values ('a.example', 'a.example', '') returning id",
    );
    // Much more than the sockets between the two can hold.
    const flood = async (round: number): Promise<void> => {
      await server.database.execute(
        `insert into domain_events (domain_id, from_status, to_status, code, reason)
         select $1, 'pending', 'active', $2, repeat('x', 300) from generate_series(1, 500)`,
        [rows[0]?.id, `flood-${round}`],
      );
      await quick.await('domain', ({ code }) => code === `flood-${round}`);
    };
    for (let round = 1; server.parts.live.count === 2; round += 1) await flood(round);
    slow.resume();
    const [error] = (await once(slow, 'error')) as [NodeJS.ErrnoException];
    expect(error.code).toBe('ECONNRESET');
    await quick.await('rates');
  });
});

describe('a database that goes away', () => {
  test('is told of, and so is its return; what happened in between arrives', async () => {
    const server = await startServer();
    const { execute } = server.database;
    const subscriber = await subscribeAs(server, await server.keyOf('user'));
    const { rows } = await execute<{ id: number }>(
      "insert into domains (domain, parent_domain, base_url) values ('a.example', 'a.example', '') returning id",
    );
    const { writer, comeBack } = await loseDatabase(server);
    await subscriber.await('database', ({ status }) => status === 'lost');
    const move = "update domains set status = 'active', status_code = 'claimed' where id = $1";
    await writer.query(move, [rows[0]?.id]);
    await comeBack();
    await subscriber.await('database', ({ status }) => status === 'back');
    await subscriber.await('domain', ({ to }) => to === 'active');
    const status = subscriber.received.flatMap(({ event }) =>
      event.type === 'database' ? [event.status] : [],
    );
    expect(status).toEqual(['lost', 'back']);
  });

  test('and comes back as an older copy of itself: what happens there is told, under numbers that were told before', async () => {
    const server = await startServer();
    const { execute } = server.database;
    const record = "insert into audit_log (actor, action, target) values ('user:anna', 'domain.reset', $1)";
    const subscriber = await subscribeAs(server, await server.keyOf('user'));
    for (const target of ['first.example', 'second.example']) await execute(record, [target]);
    await subscriber.await('act', ({ target }) => target === 'second.example');
    const { writer, comeBack } = await loseDatabase(server);
    await subscriber.await('database', ({ status }) => status === 'lost');
    await writer.query('truncate audit_log restart identity');
    await comeBack();
    await subscriber.await('database', ({ status }) => status === 'back');
    await execute(record, ['third.example']);
    await subscriber.await('act', ({ target }) => target === 'third.example');
  });
});

/** Nobody gets in any more, except whoever is in already and goes on writing. */
async function loseDatabase({ database }: TestServer) {
  const writer = await connect(database.url);
  const outsider = await connect(new URL('/postgres', database.url).href);
  const name = new URL(database.url).pathname.slice(1);
  const [{ pid } = { pid: 0 }] = (await writer.query('select pg_backend_pid() as pid')).rows;
  await outsider.query(`alter database ${name} with allow_connections false`);
  await outsider.query(
    'select pg_terminate_backend(pid) from pg_stat_activity where datname = $1 and pid <> $2',
    [name, pid],
  );
  const comeBack = () => outsider.query(`alter database ${name} with allow_connections true`);
  return { writer, comeBack };
}

async function connect(url: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  onTestFinished(() => client.end());
  return client;
}

/** An answer of which nothing is read. */
async function openUnread(url: string, headers: Record<string, string>): Promise<IncomingMessage> {
  const request = httpRequest(url, { headers });
  request.end();
  const [response] = (await once(request, 'response')) as [IncomingMessage];
  response.pause();
  onTestFinished(() => void request.destroy());
  return response;
}
