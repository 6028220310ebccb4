/** Locks that run out, are extended, taken away, or belong to somebody else by now. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { expireBotLocks } from '../../src/scheduler/expire-locks.ts';
import { startTestServer, type TestServer } from '../support/api.ts';
import { advance } from '../support/moving-clock.ts';
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

const FOUND = { success: true, price: '19.90', currency: 'eur' };
const URL_OF_JOB = 'https://example.com/product/1';

async function tick(): Promise<void> {
  const { db } = server.database;
  await expireBotLocks({ db } as Parameters<typeof expireBotLocks>[0]).run(() => false);
}

async function taskOf(id: number | undefined) {
  const { rows } = await server.database.db.query(
    'select status, retry_count, locked_by, locked_until, scheduled_at from crawl_tasks where id = $1',
    [id],
  );
  return rows[0] ?? {};
}

async function pullOne(maxRetries = 3) {
  const [id] = await plantJobs(server.database, [{ url: URL_OF_JOB, maxRetries }]);
  const bot = await addTestBot(server);
  return { id, bot, job: firstOf((await bot.pull()).jobs) };
}

describe('a lock that has run out', () => {
  test('is refused before anybody has noticed, and changes nothing', async () => {
    const { id, bot, job } = await pullOne();
    await advance(server.database, { seconds: 601 });
    for (const answer of [
      await bot.submit({ ...lockOf(job), ...FOUND }),
      await bot.submit({ job_id: job.job_id, ...FOUND }),
      await bot.extend(lockOf(job)),
    ]) {
      expect(answer.status).toBe(409);
      expect(answer.problem).toMatchObject({ code: 'lock-expired', success: false, error: 'lock_expired' });
    }
    expect(await taskOf(id)).toMatchObject({ status: 'locked', retry_count: 0 });
  });

  test('goes back within a tick at the cost of a retry, and is counted', async () => {
    const { id, bot, job } = await pullOne(1);
    await advance(server.database, { seconds: 601 });
    await tick();
    expect(await taskOf(id)).toMatchObject({ status: 'pending', retry_count: 1, locked_by: null });
    expect((await bot.submit({ ...lockOf(job), ...FOUND })).problem?.code).toBe('lock-expired');
    const again = firstOf((await bot.pull()).jobs);
    expect(again.retry_count).toBe(1);
    await advance(server.database, { seconds: 601 });
    await tick();
    expect(await taskOf(id)).toMatchObject({ status: 'expired', retry_count: 1 });
    const { rows } = await server.database.db.query(
      `select b.expired_count, sum(h.expired_count)::int as by_hours
         from bots b join bot_hours h on h.bot_id = b.id where b.bot_id = $1 group by b.id`,
      [bot.botId],
    );
    expect(rows).toEqual([{ expired_count: 2, by_hours: 2 }]);
  });

  test('never overwrites what a newer holder has or hands in', async () => {
    const { id, bot: late, job } = await pullOne();
    await advance(server.database, { seconds: 601 });
    await tick();
    const other = await addTestBot(server);
    const newer = firstOf((await other.pull()).jobs);
    expect(BigInt(newer.lock_token)).toBeGreaterThan(BigInt(job.lock_token));
    for (const token of [{ lock_token: job.lock_token }, {}, { lock_token: newer.lock_token }]) {
      expect((await late.submit({ job_id: job.job_id, ...token, ...FOUND })).problem?.code).toBe(
        'lock-expired',
      );
    }
    expect((await other.submit({ ...lockOf(newer), ...FOUND, price: 5 })).status).toBe(200);
    expect((await late.submit({ ...lockOf(job), ...FOUND })).problem?.code).toBe('lock-expired');
    const { rows } = await server.database.db.query(
      'select price::text, currency from crawl_results where task_id = $1',
      [id],
    );
    expect(rows).toEqual([{ price: '5.000000', currency: 'EUR' }]);
  });

  test('of the same bot: an older token is refused although the bot holds the job again', async () => {
    const { bot, job } = await pullOne();
    await advance(server.database, { seconds: 601 });
    await tick();
    const again = firstOf((await bot.pull()).jobs);
    expect((await bot.submit({ ...lockOf(job), ...FOUND })).problem?.code).toBe('lock-expired');
    expect((await bot.extend(lockOf(job))).problem?.code).toBe('lock-expired');
    expect((await bot.submit({ ...lockOf(again), ...FOUND })).status).toBe(200);
  });

  test('without a token, an earlier failure is not taken for the one that came too late', async () => {
    const { bot, job } = await pullOne();
    const failed = { job_id: job.job_id, success: false, error_msg: 'no price' };
    expect((await bot.submit(failed)).status).toBe(200);
    await advance(server.database, { seconds: 1 });
    firstOf((await bot.pull()).jobs);
    await advance(server.database, { seconds: 601 });
    expect((await bot.submit(failed)).problem?.code).toBe('lock-expired');
  });
});

describe('extending', () => {
  test('moves the end of the lock, which holds until then', async () => {
    const { id, bot, job } = await pullOne();
    await advance(server.database, { seconds: 500 });
    const { body } = await bot.extend({ ...lockOf(job), extend_seconds: 1000 });
    expect(body).toEqual({
      success: true,
      data: {
        job_id: job.job_id,
        lock_token: job.lock_token,
        locked_until: ((await taskOf(id)).locked_until as Date).toISOString(),
      },
    });
    await advance(server.database, { seconds: 900 });
    await tick();
    expect((await bot.submit({ ...lockOf(job), ...FOUND })).status).toBe(200);
  });

  test('a job is held for a day at most', async () => {
    const { bot, job } = await pullOne();
    const begun = Date.parse(job.locked_until) - 600_000;
    let until = 0;
    for (let hour = 0; hour < 26; hour += 1) {
      const { status, body } = await bot.extend({ ...lockOf(job), extend_seconds: 3600 });
      if (status !== 200) break;
      until = Date.parse((body as { data: { locked_until: string } }).data.locked_until);
      await advance(server.database, { minutes: 59 });
    }
    expect(until - begun).toBe(86_400_000);
  });
});

test('a job is locked as long as its policy says', async () => {
  await plantJobs(server.database, ['https://slow.example/other']);
  const { rows } = await server.database.execute<{ id: number }>(
    `insert into crawl_policies (domain_id, url, url_hash, frequency_hours, executor, timeout_minutes)
     select id, 'https://slow.example/', sha256('slow'), 24, 'bot', 45 from domains where domain = 'slow.example'
     returning id`,
  );
  await plantJobs(server.database, [
    { url: 'https://slow.example/', priority: 1, policyId: rows[0]?.id ?? 0 },
  ]);
  const { jobs } = await (await addTestBot(server)).pull({ max_jobs: 1 });
  expect(jobs).toMatchObject([{ timeout_seconds: 2700 }]);
  await server.database.execute('delete from crawl_policies');
});

test('a job that a person cancels is no longer the bot’s', async () => {
  const { id, bot, job } = await pullOne();
  const admin = await server.as('admin');
  expect((await admin.post(`/api/admin/tasks/${id}/pause`)).problem?.code).toBe('wrong-state');
  expect((await admin.post(`/api/admin/tasks/${id}/cancel`)).status).toBe(200);
  expect((await bot.submit({ ...lockOf(job), ...FOUND })).problem?.code).toBe('lock-expired');
  expect(await taskOf(id)).toMatchObject({ status: 'cancelled' });
});
