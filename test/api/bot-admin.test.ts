/** Bots as people see them: registering, watching, bounding and revoking them. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type ApiClient, startTestServer, type TestServer } from '../support/api.ts';
import { addTestBot, firstOf, lockOf, plantJobs, type TestBot } from '../support/test-bots.ts';

let server: TestServer;
let admin: ApiClient;
beforeAll(async () => {
  server = await startTestServer();
  admin = await server.as('admin');
});
afterAll(() => server.close());
beforeEach(async () => {
  await server.database.execute('delete from crawl_tasks');
  await server.database.execute('delete from bot_queues');
});

const FOUND = { success: true, price: 1, currency: 'USD' };
let names = 0;

async function create(more: object = {}): Promise<{ botId: string; token: string; client: ApiClient }> {
  names += 1;
  const botId = `made-${names}`;
  const { status, body } = await admin.post('/api/admin/bots', { botId, ...more });
  expect(status).toBe(201);
  const { token } = body as { token: string };
  return { botId, token, client: server.client({ authorization: `Bearer ${token}` }) };
}

async function actsOn(target: string): Promise<string[]> {
  const { rows } = await server.database.db.query<{ action: string }>(
    'select action from audit_log where target = $1 order by id',
    [target],
  );
  return rows.map(({ action }) => action);
}

describe('registering', () => {
  test('a bot gets a key that is shown once and works at once', async () => {
    const answer = await admin.post('/api/admin/bots', {
      ...{ bot_id: 'shop-bot', description: 'prices', domains: ['WWW.Shop.example', 'shop.example'] },
      ...{ max_locks: 5, max_jobs_per_hour: 100 },
    });
    expect(answer.status).toBe(201);
    expect(answer.headers.get('location')).toBe('/api/admin/bots/shop-bot');
    const { token, bot } = answer.body as { token: string; bot: object };
    expect(bot).toMatchObject({
      ...{ botId: 'shop-bot', description: 'prices', maxLocks: 5, maxJobsPerHour: 100, isRevoked: false },
      ...{ heldCount: 0, successRate: null, meanWorkMs: null, jobsCount: 0 },
    });
    const client = server.client({ authorization: `Bearer ${token}` });
    expect((await client.post('/api/crawl/pull', { bot_id: 'shop-bot' })).status).toBe(200);
    expect((await admin.get('/api/admin/bots/shop-bot')).text).not.toContain(token);
    expect((await admin.get('/api/admin/bots')).text).not.toContain(token);
    expect(await actsOn('shop-bot')).toEqual(['bot.create']);
  });

  test('a name is taken once, and what is no name or no domain is refused', async () => {
    const { botId } = await create();
    expect((await admin.post('/api/admin/bots', { botId })).problem?.code).toBe('bot-exists');
    expect((await admin.post('/api/admin/bots', { botId: 'a b' })).problem?.code).toBe('invalid');
    const bad = await admin.post('/api/admin/bots', { botId: 'other', domains: ['no domain'] });
    expect(bad.problem?.code).toBe('bad-domain');
  });

  test('it takes all that an administrator may', async () => {
    const manager = await server.as('admin', ['manage']);
    expect((await manager.post('/api/admin/bots', { botId: 'x' })).problem?.code).toBe('not-permitted');
    const limited = await addTestBot(server, { domains: ['only.example'] });
    const change = await manager.patch(`/api/admin/bots/${limited.botId}`, { domains: null });
    expect(change.problem).toMatchObject({
      code: 'not-permitted',
      detail: 'The key may not make or change a bot: it lacks "read", "crawl", "accounts".',
    });
    expect((await manager.get('/api/admin/bots')).status).toBe(200);
  });

  test('bots that are not there are not there', async () => {
    for (const answer of [
      await admin.get('/api/admin/bots/nobody'),
      await admin.patch('/api/admin/bots/nobody', { maxLocks: 1 }),
      await admin.post('/api/admin/bots/nobody/revoke'),
      await admin.post('/api/admin/bots/nobody/rotate-key'),
      await admin.get('/api/admin/bots/nobody/jobs'),
    ]) {
      expect(answer.problem?.code).toBe('unknown-bot');
    }
  });
});

test('what a bot may do is changed from its next pull on', async () => {
  const { botId, client } = await create({ domains: ['a.example'] });
  await plantJobs(server.database, ['https://b.example/1']);
  const pull = async (): Promise<number> =>
    ((await client.post('/api/crawl/pull', { bot_id: botId })).body as { data: { count: number } }).data
      .count;
  expect(await pull()).toBe(0);
  const { body } = await admin.patch(`/api/admin/bots/${botId}`, {
    ...{ domains: null, max_jobs_per_hour: 7, description: 'now everywhere' },
  });
  expect(body).toMatchObject({
    domains: null,
    maxJobsPerHour: 7,
    description: 'now everywhere',
    maxLocks: 100,
  });
  expect(await pull()).toBe(1);
  expect((await admin.patch(`/api/admin/bots/${botId}`, {})).problem?.code).toBe('invalid');
});

test('a new key ends those before, unless they are kept', async () => {
  const { botId, client } = await create();
  const renewed = await admin.post(`/api/admin/bots/${botId}/rotate-key`, { keeps_others: true });
  const second = server.client({
    authorization: `Bearer ${(renewed.body as { token: string }).token}`,
  });
  const pull = async (one: ApiClient) => (await one.post('/api/crawl/pull', { bot_id: botId })).status;
  expect([await pull(client), await pull(second)]).toEqual([200, 200]);
  expect((await admin.post(`/api/admin/bots/${botId}/rotate-key`)).status).toBe(200);
  expect([await pull(client), await pull(second)]).toEqual([401, 401]);
});

test('a key that is made for its name is one more of the bot’s', async () => {
  const { botId, client } = await create();
  const made = await admin.post('/api/admin/keys', { name: botId });
  expect(made.problem?.detail).toBeUndefined();
  const second = server.client({ authorization: `Bearer ${(made.body as { token: string }).token}` });
  for (const one of [client, second]) {
    expect((await one.post('/api/crawl/pull', { bot_id: botId })).status).toBe(200);
  }
  await admin.post(`/api/admin/bots/${botId}/revoke`);
  for (const one of [client, second]) {
    expect((await one.post('/api/crawl/pull', { bot_id: botId })).problem?.code).toBe('bot-revoked');
  }
  expect((await admin.post('/api/admin/keys', { name: botId })).problem?.code).toBe('bot-revoked');
});

describe('statistics', () => {
  test('of all it has done, hour by hour, and what it holds', async () => {
    const bot = await addTestBot(server);
    await plantJobs(
      server.database,
      Array.from({ length: 4 }, (_, n) => `https://s${n}.example/`),
    );
    const { jobs } = await bot.pull({ max_jobs: 4 });
    await bot.pull();
    const [one, two, three, four] = jobs;
    if (one === undefined || two === undefined || three === undefined) throw new Error('too few');
    await bot.submit({ ...lockOf(one), ...FOUND });
    await bot.submit({ ...lockOf(two), ...FOUND });
    await bot.submit({ ...lockOf(three), success: false });
    const { body } = await admin.get(`/api/admin/bots/${bot.botId}`);
    const details = body as { hours: object[]; meanWorkMs: number; pullsPerHour: number };
    expect(details).toMatchObject({
      ...{ pullsCount: 2, jobsCount: 4, successCount: 2, failuresCount: 1, expiredCount: 0, heldCount: 1 },
      successRate: 0.6667,
    });
    expect(details.meanWorkMs).toBeGreaterThanOrEqual(0);
    expect(details.hours).toHaveLength(24);
    // It is new: the hours before it was there do not count.
    expect([1, 2]).toContain(details.pullsPerHour);
    const { rows } = await server.database.db.query(
      `select sum(h.pulls_count)::int as pulls, sum(h.jobs_count)::int as jobs, sum(h.success_count)::int as done,
              sum(h.failures_count)::int as failed
         from bot_hours h join bots b on b.id = h.bot_id where b.bot_id = $1`,
      [bot.botId],
    );
    expect(rows).toEqual([{ pulls: 2, jobs: 4, done: 2, failed: 1 }]);

    const held = await admin.get(`/api/admin/bots/${bot.botId}/jobs`);
    expect(held.body).toMatchObject({
      items: [{ jobId: four?.job_id, url: four?.url, lockToken: four?.lock_token, retryCount: 0 }],
      nextCursor: null,
    });
    const [line] = (held.body as { items: { secondsLeft: number }[] }).items;
    expect(line?.secondsLeft).toBeGreaterThan(500);
  });

  test('lists come in pages, revoked ones apart', async () => {
    const bots = [await create(), await create(), await create()];
    await admin.post(`/api/admin/bots/${bots[1]?.botId}/revoke`);
    const seen: string[] = [];
    let cursor: string | null = null;
    do {
      const { body } = await admin.get('/api/admin/bots', {
        ...{ limit: 1, isRevoked: false },
        ...(cursor === null ? {} : { cursor }),
      });
      const page = body as { items: { botId: string }[]; nextCursor: string | null };
      seen.push(...page.items.map(({ botId }) => botId));
      cursor = page.nextCursor;
    } while (cursor !== null);
    expect(seen.slice(0, 2)).toEqual([bots[2]?.botId, bots[0]?.botId]);
    const { body } = await admin.get('/api/admin/bots', { isRevoked: true });
    expect((body as { items: { botId: string }[] }).items[0]?.botId).toBe(bots[1]?.botId);
  });
});

describe('revoking', () => {
  test('ends the keys at once, and gives the jobs back without costing a retry', async () => {
    const bot: TestBot = await addTestBot(server);
    await plantJobs(server.database, ['https://r1.example/', 'https://r2.example/']);
    const { jobs } = await bot.pull();
    expect(jobs).toHaveLength(2);
    const revoked = await admin.post(`/api/admin/bots/${bot.botId}/revoke`);
    expect(revoked.body).toMatchObject({ bot: { isRevoked: true, heldCount: 0 }, releasedCount: 2 });
    for (const answer of [await bot.pull(), await bot.submit({ ...lockOf(firstOf(jobs)), ...FOUND })]) {
      expect(answer.problem).toMatchObject({ code: 'bot-revoked', status: 403, success: false });
    }
    // Wherever it shows its key.
    const client = server.client({ authorization: `Bearer ${bot.key}` });
    expect((await client.get('/api/auth/me')).problem?.code).toBe('bot-revoked');
    const { rows } = await server.database.db.query(
      'select status, retry_count from crawl_tasks order by id',
    );
    expect(rows).toEqual([
      { status: 'pending', retry_count: 0 },
      { status: 'pending', retry_count: 0 },
    ]);
    expect((await (await addTestBot(server)).pull()).jobs).toHaveLength(2);
    expect((await admin.post(`/api/admin/bots/${bot.botId}/revoke`)).body).toMatchObject({
      releasedCount: 0,
    });
    expect((await admin.post(`/api/admin/bots/${bot.botId}/rotate-key`)).problem?.code).toBe('bot-revoked');
    expect(await actsOn(bot.botId)).toEqual(['bot.revoke']);
  });

  test('counts for what is handed in at the same moment', async () => {
    const bot = await addTestBot(server);
    const [id] = await plantJobs(server.database, ['https://r3.example/']);
    const job = firstOf((await bot.pull()).jobs);
    // As if the revocation came after the key was looked at.
    await server.database.execute('update bots set revoked_at = now() where bot_id = $1', [bot.botId]);
    await server.database.execute('update api_keys set bot_id = null where name = $1', [bot.botId]);
    const { submitResult } = await import('../../src/control/bots/submit-result.ts');
    const { rows } = await server.database.db.query<{ id: number }>('select id from bots where bot_id = $1', [
      bot.botId,
    ]);
    const identity = { id: rows[0]?.id ?? 0, botId: bot.botId, domains: null };
    const parts = { db: server.database.db, htmlKeeper: undefined };
    await expect(
      submitResult(parts, identity, { bot_id: bot.botId, ...lockOf(job), ...FOUND }),
    ).rejects.toMatchObject({ code: 'bot-revoked' });
    const { rows: tasks } = await server.database.db.query(
      'select t.status, r.id as result from crawl_tasks t left join crawl_results r on r.task_id = t.id where t.id = $1',
      [id],
    );
    expect(tasks).toEqual([{ status: 'locked', result: null }]);
  });
});

describe('taking a lock away', () => {
  test.each(['pending', 'expired'] as const)('the job is %s, and the bot has it no longer', async (to) => {
    const bot = await addTestBot(server);
    const [id] = await plantJobs(server.database, ['https://t1.example/']);
    const job = firstOf((await bot.pull()).jobs);
    const answer = await admin.post(`/api/admin/tasks/${id}/release-lock`, { to });
    expect(answer.body).toMatchObject({ changed: true, from: 'locked', task: { status: to, retryCount: 0 } });
    expect((await bot.submit({ ...lockOf(job), ...FOUND })).problem?.code).toBe('lock-expired');
    expect((await admin.post(`/api/admin/tasks/${id}/release-lock`, { to })).body).toMatchObject({
      changed: false,
    });
    expect((await actsOn(String(id))).filter((act) => act === 'task.release-lock')).toHaveLength(1);
  });

  test('there must be one', async () => {
    const [id] = await plantJobs(server.database, ['https://t2.example/']);
    await admin.post(`/api/admin/tasks/${id}/cancel`);
    expect((await admin.post(`/api/admin/tasks/${id}/release-lock`)).problem?.code).toBe('wrong-state');
    expect((await admin.post('/api/admin/tasks/999999/release-lock')).problem?.code).toBe('unknown-task');
  });
});
