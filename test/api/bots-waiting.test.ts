/** Pulls that wait for work. */
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { startTestServer, type TestServer } from '../support/api.ts';
import { addTestBot, firstOf, lockOf, plantJobs } from '../support/test-bots.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.close());
beforeEach(async () => {
  await server.database.execute('delete from crawl_tasks');
  await server.database.execute('delete from bot_queues');
});
afterEach(() => untilWaiting(0));

async function untilWaiting(count: number): Promise<void> {
  const deadline = performance.now() + 10_000;
  while (server.parts.botDesk.waitingCount !== count) {
    if (performance.now() > deadline)
      throw new Error(`${server.parts.botDesk.waitingCount} wait, not ${count}`);
    await pause(5);
  }
}

const connectionsInUse = (): number => {
  const { totalCount, idleCount } = server.database.db.pool;
  return totalCount - idleCount;
};

test('a pull waits until there is a job, and holds no connection meanwhile', async () => {
  const bot = await addTestBot(server);
  const waiting = bot.pull({ wait_seconds: 30 });
  await untilWaiting(1);
  await expect.poll(connectionsInUse).toBe(0);
  await plantJobs(server.database, ['https://news.example/1']);
  expect((await waiting).jobs).toHaveLength(1);
});

test('room that is made in a full domain is news', async () => {
  await plantJobs(server.database, ['https://narrow.example/1', 'https://narrow.example/2']);
  await server.database.execute(
    "update domains set max_concurrent_requests = 1 where domain = 'narrow.example'",
  );
  const [one, other] = [await addTestBot(server), await addTestBot(server)];
  const job = firstOf((await one.pull()).jobs);
  const waiting = other.pull({ wait_seconds: 30 });
  await untilWaiting(1);
  await one.submit({ ...lockOf(job), success: false });
  expect((await waiting).jobs).toHaveLength(1);
});

test('a job whose time comes while somebody waits is given without news', async () => {
  await plantJobs(server.database, [{ url: 'https://soon.example/1', inSeconds: 1 }]);
  const bot = await addTestBot(server);
  expect((await bot.pull({ wait_seconds: 20 })).jobs).toHaveLength(1);
});

test('those that wait longest are served first, each job once', async () => {
  const bots = [await addTestBot(server), await addTestBot(server), await addTestBot(server)];
  const served: string[] = [];
  const pulls = [];
  for (const [index, bot] of bots.entries()) {
    pulls.push(
      bot.pull({ wait_seconds: 30, max_jobs: 1 }).then((answer) => {
        served.push(bot.botId);
        return answer;
      }),
    );
    await untilWaiting(index + 1);
  }
  await plantJobs(server.database, ['https://fair.example/1']);
  await untilWaiting(2);
  await plantJobs(server.database, ['https://fair.example/2']);
  await untilWaiting(1);
  await expect.poll(() => served.length).toBe(2);
  expect(served).toEqual(bots.slice(0, 2).map(({ botId }) => botId));
  await plantJobs(server.database, ['https://fair.example/3']);
  const answers = await Promise.all(pulls);
  expect(new Set(answers.flatMap(({ jobs }) => jobs.map(({ job_id }) => job_id))).size).toBe(3);
});

test('a bot for one domain does not stand in the way of those behind it', async () => {
  const narrow = await addTestBot(server, { domains: ['only.example'] });
  const wide = await addTestBot(server);
  const first = narrow.pull({ wait_seconds: 2 });
  await untilWaiting(1);
  const second = wide.pull({ wait_seconds: 30 });
  await untilWaiting(2);
  await plantJobs(server.database, ['https://another.example/1']);
  expect((await second).jobs).toHaveLength(1);
  const empty = await first;
  expect(empty.status).toBe(200);
  expect(empty.jobs).toEqual([]);
});

test('a client that hangs up waits no longer, and no job is locked for it', async () => {
  const bot = await addTestBot(server);
  const gone = new AbortController();
  const request = fetch(`${server.url}/api/crawl/pull`, {
    method: 'POST',
    headers: { authorization: `Bearer ${bot.key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ bot_id: bot.botId, wait_seconds: 30 }),
    signal: gone.signal,
  });
  await untilWaiting(1);
  gone.abort();
  await expect(request).rejects.toThrow();
  await untilWaiting(0);
  const [id] = await plantJobs(server.database, ['https://gone.example/1']);
  expect(firstOf((await (await addTestBot(server)).pull()).jobs).task_id).toBe(id);
});

test('a bot that is revoked while it waits gets nothing', async () => {
  const bot = await addTestBot(server);
  const waiting = bot.pull({ wait_seconds: 30 });
  await untilWaiting(1);
  await (await server.as('admin')).post(`/api/admin/bots/${bot.botId}/revoke`);
  await plantJobs(server.database, ['https://revoked.example/1']);
  expect((await waiting).problem?.code).toBe('bot-revoked');
});

test('a key that ends while its bot waits gets nothing, and neither does one that was replaced', async () => {
  const admin = await server.as('admin');
  for (const end of ['expired', 'rotated'] as const) {
    const bot = await addTestBot(server);
    const waiting = bot.pull({ wait_seconds: 30 });
    await untilWaiting(1);
    if (end === 'rotated') await admin.post(`/api/admin/bots/${bot.botId}/rotate-key`);
    else
      await server.database.execute('update api_keys set expires_at = forager_now() where name = $1', [
        bot.botId,
      ]);
    const [id] = await plantJobs(server.database, [`https://${end}.example/1`]);
    expect((await waiting).problem, end).toMatchObject({ status: 401, code: 'bad-key' });
    const { rows } = await server.database.execute('select status from crawl_tasks where id = $1', [id]);
    expect(rows).toEqual([{ status: 'pending' }]);
    await server.database.execute('delete from crawl_tasks');
    await server.database.execute('delete from bot_queues');
  }
});

test('a bot that waits gets no job of a domain it may not work on any more', async () => {
  const bot = await addTestBot(server, { domains: ['before.example', 'after.example'] });
  const waiting = bot.pull({ wait_seconds: 30 });
  await untilWaiting(1);
  const admin = await server.as('admin');
  expect((await admin.patch(`/api/admin/bots/${bot.botId}`, { domains: ['after.example'] })).status).toBe(
    200,
  );
  await plantJobs(server.database, ['https://before.example/1', 'https://after.example/1']);
  expect((await waiting).jobs.map(({ domain }) => domain)).toEqual(['after.example']);
});

test('those that wait for other domains do nothing when a job comes', async () => {
  const others = await Promise.all(
    Array.from({ length: 30 }, (_, n) => addTestBot(server, { domains: [`other-${n}.example`] })),
  );
  const gone = new AbortController();
  const idle = others.map((bot) =>
    fetch(`${server.url}/api/crawl/pull`, {
      method: 'POST',
      headers: { authorization: `Bearer ${bot.key}`, 'content-type': 'application/json' },
      body: JSON.stringify({ bot_id: bot.botId, wait_seconds: 30 }),
      signal: gone.signal,
    }).catch(() => undefined),
  );
  await untilWaiting(others.length);
  const right = await addTestBot(server, { domains: ['right.example'] });
  const waiting = right.pull({ wait_seconds: 30 });
  await untilWaiting(others.length + 1);
  const pulledAt = async (): Promise<unknown> =>
    (
      await server.database.execute(
        'select bot_id, last_pull_at from bots where bot_id = any($1) order by bot_id',
        [others.map(({ botId }) => botId)],
      )
    ).rows;
  const before = await pulledAt();
  await plantJobs(server.database, ['https://right.example/1']);
  expect((await waiting).jobs).toHaveLength(1);
  expect(await pulledAt()).toEqual(before);
  gone.abort();
  await Promise.all(idle);
});

test('a domain that is switched on gives its jobs to those that wait', async () => {
  await plantJobs(server.database, ['https://off.example/1']);
  await server.database.execute("update domains set is_active = false where domain = 'off.example'");
  const bot = await addTestBot(server);
  const waiting = bot.pull({ wait_seconds: 30 });
  await untilWaiting(1);
  await server.database.execute("update domains set is_active = true where domain = 'off.example'");
  expect((await waiting).jobs).toHaveLength(1);
});

test('a server that stops answers those that wait', async () => {
  const other = await startTestServer();
  try {
    const bot = await addTestBot(other);
    const waiting = bot.pull({ wait_seconds: 30 });
    const deadline = performance.now() + 10_000;
    while (other.parts.botDesk.waitingCount === 0 && performance.now() < deadline) await pause(5);
    other.parts.botDesk.endAll();
    expect((await waiting).jobs).toEqual([]);
    // Nobody waits any more.
    expect((await bot.pull({ wait_seconds: 30 })).jobs).toEqual([]);
  } finally {
    await other.close();
  }
});
