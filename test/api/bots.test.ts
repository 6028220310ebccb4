/** Bots pull work and hand it in: the shapes of the older interface, and every rule of it. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
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

const PRODUCT = 'https://example.com/product/123';
const FOUND = { success: true, price: 99.99, currency: 'USD', title: 'Product Name', in_stock: true };

async function statusOf(id: number | undefined): Promise<string | undefined> {
  const { rows } = await server.database.db.query<{ status: string }>(
    'select status from crawl_tasks where id = $1',
    [id],
  );
  return rows[0]?.status;
}

describe('the examples of the older interface', () => {
  test('a job is pulled and its result handed in', async () => {
    const [id] = await plantJobs(server.database, [{ url: PRODUCT, priority: 10 }]);
    const bot = await addTestBot(server);
    const pulled = await bot.pull({ max_jobs: 1 });
    expect(pulled.status).toBe(200);
    expect(pulled.body).toEqual({
      success: true,
      data: {
        jobs: [
          {
            job_id: expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/),
            task_id: id,
            url: PRODUCT,
            domain: 'example.com',
            priority: 10,
            max_retries: 3,
            retry_count: 0,
            timeout_seconds: 600,
            locked_until: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
            lock_token: expect.stringMatching(/^\d+$/),
            wanted: 'price',
            user_agent: null,
            crawl_delay_seconds: null,
          },
        ],
        count: 1,
        skipped: 0,
        retry_after_seconds: null,
      },
    });
    expect(await statusOf(id)).toBe('locked');
    const job = firstOf(pulled.jobs);
    const submitted = await bot.submit({ job_id: job.job_id, ...FOUND });
    expect(submitted.status).toBe(200);
    expect(submitted.body).toEqual({
      success: true,
      data: {
        result_id: expect.stringMatching(/^[0-9a-f-]{36}$/),
        job_id: job.job_id,
        status: 'done',
        price: 99.99,
        currency: 'USD',
        policy_next_run: null,
      },
    });
    expect(await statusOf(id)).toBe('completed');
  });

  test('a failure is tried again, and fails when no retries are left', async () => {
    const [id] = await plantJobs(server.database, [{ url: PRODUCT, maxRetries: 1 }]);
    const bot = await addTestBot(server);
    const job = firstOf((await bot.pull()).jobs);
    const failed = { job_id: job.job_id, success: false, error_msg: 'Timeout: page did not load' };
    expect((await bot.submit(failed)).body).toEqual({
      success: true,
      data: {
        job_id: job.job_id,
        status: 'pending',
        retry_count: 1,
        max_retries: 1,
        message: 'Job marked for retry',
      },
    });
    expect(await statusOf(id)).toBe('pending');
    expect(firstOf((await bot.pull()).jobs).retry_count).toBe(1);
    expect((await bot.submit(failed)).body).toEqual({
      success: true,
      data: {
        job_id: job.job_id,
        status: 'failed',
        retry_count: 1,
        max_retries: 1,
        message: 'Job failed: no retries are left',
        policy_next_run: null,
      },
    });
    expect(await statusOf(id)).toBe('failed');
  });

  test('the lock can be extended', async () => {
    await plantJobs(server.database, [PRODUCT]);
    const bot = await addTestBot(server);
    const job = firstOf((await bot.pull()).jobs);
    const extended = await bot.extend({ ...lockOf(job), extend_seconds: 3600 });
    const { data } = extended.body as { data: { locked_until: string } };
    expect(Date.parse(data.locked_until)).toBeGreaterThan(Date.parse(job.locked_until));
  });
});
