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

describe('who may pull', () => {
  test('nobody but bots, and only under the name of the key', async () => {
    const body = { bot_id: 'bot-001' };
    const asked = async (role: 'anonymous' | 'user' | 'admin' | 'bot') =>
      (await (await server.as(role)).post('/api/crawl/pull', body)).problem?.code;
    expect(await asked('anonymous')).toBe('not-logged-in');
    expect(await asked('user')).toBe('not-permitted');
    expect(await asked('admin')).toBe('not-permitted');
    // The key of a bot that is not registered.
    expect(await asked('bot')).toBe('wrong-bot');
  });

  test('another name is refused in the same words, whether there is such a bot or not', async () => {
    const [id] = await plantJobs(server.database, [PRODUCT]);
    const [one, other] = [await addTestBot(server), await addTestBot(server)];
    const job = firstOf((await one.pull()).jobs);
    const details = [];
    for (const bot_id of [one.botId, 'nobody']) {
      for (const answer of [
        await other.pull({ bot_id }),
        await other.submit({ bot_id, ...lockOf(job), ...FOUND }),
        await other.submit({ bot_id, job_id: '123456', ...FOUND }),
        await other.extend({ bot_id, ...lockOf(job) }),
      ]) {
        expect(answer.status).toBe(403);
        details.push(answer.problem?.detail);
        expect(answer.problem).toMatchObject({ code: 'wrong-bot', success: false, error: 'wrong_bot' });
      }
    }
    expect(new Set(details).size).toBe(1);
    expect(await statusOf(id)).toBe('locked');
  });
});

describe('what a request must look like', () => {
  test.each([
    ['pull', {}, 'body.bot_id'],
    ['pull', { bot_id: 'a b' }, 'body.bot_id'],
    ['pull', { bot_id: 'x', max_jobs: 0 }, 'body.max_jobs'],
    ['pull', { bot_id: 'x', max_jobs: 101 }, 'body.max_jobs'],
    ['pull', { bot_id: 'x', wait_seconds: 31 }, 'body.wait_seconds'],
    ['submit', { bot_id: 'x', success: true }, 'body.job_id'],
    ['submit', { bot_id: 'x', job_id: '7' }, 'body.success'],
    ['submit', { bot_id: 'x', job_id: '7', success: true, price: -1 }, 'body.price'],
    ['submit', { bot_id: 'x', job_id: '7', success: true, price: 1, currency: 'EURO' }, 'body.currency'],
    ['extend', { bot_id: 'x', job_id: '7', extend_seconds: 0 }, 'body.extend_seconds'],
    ['extend', { bot_id: 'x', job_id: 'seven' }, 'body.job_id'],
  ])('%s %j: the field is named', async (path, body, field) => {
    const client = await server.as('bot');
    const { status, problem } = await client.post(`/api/crawl/${path}`, body);
    expect(status).toBe(400);
    expect(problem).toMatchObject({ code: 'invalid', success: false, error: 'validation_error' });
    expect(problem?.errors?.map(({ path: place }) => place)).toContain(field);
  });

  test('a name of a domain that is none is refused, naming the field', async () => {
    const bot = await addTestBot(server);
    const { problem } = await bot.pull({ domain: 'not a domain' });
    expect(problem).toMatchObject({ code: 'invalid', error: 'validation_error' });
    expect(problem?.detail).toContain('body.domain');
  });

  test('a trailing slash is accepted, and what is no JSON is refused in the words of bots', async () => {
    const bot = await addTestBot(server);
    const client = server.client({ authorization: `Bearer ${bot.key}` });
    expect((await client.post('/api/crawl/pull/', { bot_id: bot.botId })).status).toBe(200);
    const broken = await client.request('POST', '/api/crawl/submit/', { body: '{"bot_id":' });
    expect(broken.problem).toMatchObject({ code: 'bad-json', success: false, error: 'bad_json' });
  });
});

describe('which jobs are given', () => {
  test('the most urgent first, then one of each domain, of each those that wait longest', async () => {
    await plantJobs(server.database, [
      { url: 'https://a.example/late', priority: 5, inSeconds: -10 },
      { url: 'https://a.example/early', priority: 5, inSeconds: -20 },
      { url: 'https://b.example/x', priority: 5, inSeconds: -5 },
      { url: 'https://b.example/urgent', priority: 1 },
    ]);
    const bot = await addTestBot(server);
    const { jobs, skipped } = await bot.pull();
    expect(jobs.map(({ url }) => url)).toEqual([
      'https://b.example/urgent',
      'https://a.example/early',
      'https://b.example/x',
      'https://a.example/late',
    ]);
    expect(skipped).toBe(0);
  });

  test('domains take turns', async () => {
    await plantJobs(
      server.database,
      ['a', 'b', 'c'].flatMap((name) => [1, 2].map((n) => `https://${name}.example/${n}`)),
    );
    const bot = await addTestBot(server);
    const domains: string[] = [];
    for (let n = 0; n < 6; n += 1) domains.push(firstOf((await bot.pull({ max_jobs: 1 })).jobs).domain);
    expect(new Set(domains.slice(0, 3)).size).toBe(3);
    expect(new Set(domains.slice(3)).size).toBe(3);
  });

  test('only of the domain that is asked for; of one that nobody knows there are none', async () => {
    await plantJobs(server.database, ['https://a.example/1', 'https://b.example/1']);
    const bot = await addTestBot(server);
    const { jobs } = await bot.pull({ domain: 'B.example' });
    expect(jobs.map(({ domain }) => domain)).toEqual(['b.example']);
    const unknown = await bot.pull({ domain: 'unknown.example' });
    expect(unknown.status).toBe(200);
    expect(unknown.jobs).toEqual([]);
  });

  test('only of the domains the bot may work on, and their subdomains', async () => {
    await plantJobs(server.database, [
      ...['https://a.example/1', 'https://shop.a.example/1'],
      ...['https://nota.example/1', 'https://b.example/1'],
    ]);
    const bot = await addTestBot(server, { domains: ['a.example'] });
    const { jobs } = await bot.pull();
    expect(jobs.map(({ domain }) => domain).sort()).toEqual(['a.example', 'shop.a.example']);
    expect((await bot.pull({ domain: 'b.example' })).problem).toMatchObject({
      ...{ code: 'bot-domain-refused', status: 403, error: 'bot_domain_refused' },
    });
  });

  test('none whose time has not come, whose parent is not done, or that are ours', async () => {
    const [parent] = await plantJobs(server.database, [{ url: 'https://a.example/later', inSeconds: 20 }]);
    const [child] = await plantJobs(server.database, ['https://a.example/child']);
    await server.database.execute(
      'update crawl_tasks set parent_task_id = $1, is_waiting = true where id = $2',
      [parent, child],
    );
    await plantJobs(server.database, ['https://a.example/ours']);
    await server.database.execute(
      "update crawl_tasks set executor = 'forager' where url = 'https://a.example/ours'",
    );
    const bot = await addTestBot(server);
    const answer = await bot.pull();
    expect(answer.jobs).toEqual([]);
    expect(answer.skipped).toBe(0);
    expect(answer.retryAfterSeconds).toBeGreaterThan(15);
    expect(answer.retryAfterSeconds).toBeLessThanOrEqual(20);
    expect(answer.headers.get('retry-after')).toBe(String(answer.retryAfterSeconds));
  });

  test.each([
    ['is switched off', 'is_active = false', 0],
    [
      'is in its maintenance window',
      "maintenance_start = (forager_now() at time zone 'UTC')::time - interval '1 h', maintenance_end = (forager_now() at time zone 'UTC')::time + interval '1 h'",
      0,
    ],
    ['is to be left alone for a while', "next_crawl_after = forager_now() + interval '1 h'", 0],
    [
      'waits for a proxy of ours',
      "next_crawl_after = forager_now() + interval '1 h', block_reason_code = 'no_proxy'",
      1,
    ],
  ])('of a domain that %s', async (_title, change, count) => {
    await plantJobs(server.database, ['https://resting.example/1']);
    await server.database.execute(
      `update domains set is_active = true, maintenance_start = null, maintenance_end = null,
                          next_crawl_after = null, block_reason_code = null where domain = 'resting.example'`,
    );
    await server.database.execute(`update domains set ${change} where domain = 'resting.example'`);
    const bot = await addTestBot(server);
    const answer = await bot.pull();
    expect(answer.jobs).toHaveLength(count);
    if (count === 0) expect(answer.retryAfterSeconds).toBeGreaterThan(1);
  });

  test('at most as many of a domain as may be under way; the others are counted as skipped', async () => {
    await plantJobs(
      server.database,
      Array.from({ length: 7 }, (_, n) => `https://full.example/${n}`),
    );
    await server.database.execute(
      "update domains set max_concurrent_requests = 3 where domain = 'full.example'",
    );
    const [one, other] = [await addTestBot(server), await addTestBot(server)];
    const first = await one.pull();
    expect(first.jobs).toHaveLength(3);
    expect(first.skipped).toBe(4);
    const second = await other.pull();
    expect(second.jobs).toEqual([]);
    expect(second.skipped).toBe(4);
    expect(second.retryAfterSeconds).toBeLessThanOrEqual(5);
    // What is handed in makes room at once.
    await one.submit({ ...lockOf(firstOf(first.jobs)), ...FOUND });
    expect((await other.pull()).jobs).toHaveLength(1);
  });

  test('nothing at all: an empty answer that says when to ask again', async () => {
    const bot = await addTestBot(server);
    const answer = await bot.pull();
    expect(answer.body).toEqual({
      success: true,
      data: { jobs: [], count: 0, skipped: 0, retry_after_seconds: 10 },
    });
  });

  test('no more than the bot may hold, and none when it holds as many', async () => {
    await plantJobs(
      server.database,
      Array.from({ length: 5 }, (_, n) => `https://h${n}.example/`),
    );
    const bot = await addTestBot(server, { maxLocks: 2 });
    const { jobs } = await bot.pull();
    expect(jobs).toHaveLength(2);
    const refused = await bot.pull();
    expect(refused.status).toBe(429);
    expect(refused.problem).toMatchObject({ code: 'bot-quota', success: false, error: 'bot_quota' });
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
    await bot.submit({ ...lockOf(firstOf(jobs)), ...FOUND });
    expect((await bot.pull()).jobs).toHaveLength(1);
  });

  test('no more in an hour than the bot may have', async () => {
    await plantJobs(
      server.database,
      Array.from({ length: 5 }, (_, n) => `https://q${n}.example/`),
    );
    const bot = await addTestBot(server, { maxJobsPerHour: 3 });
    expect((await bot.pull({ max_jobs: 2 })).jobs).toHaveLength(2);
    expect((await bot.pull({ max_jobs: 2 })).jobs).toHaveLength(1);
    const refused = await bot.pull();
    expect(refused.problem?.code).toBe('bot-quota');
    expect(Number(refused.headers.get('retry-after'))).toBeLessThanOrEqual(3600);
  });
});

describe('what is handed in', () => {
  const pullOne = async (wanted: 'price' | 'page' | 'data' | 'any' = 'price') => {
    const [id] = await plantJobs(server.database, [{ url: PRODUCT, wanted }]);
    const bot = await addTestBot(server);
    return { id, bot, job: firstOf((await bot.pull()).jobs) };
  };

  test.each([
    ['price', { currency: 'USD' }, 'body.price'],
    ['price', { price: 1 }, 'body.currency'],
    ['page', { price: 1, currency: 'USD' }, 'body.raw_html'],
    ['page', { raw_html: '  ' }, 'body.raw_html'],
    ['data', { parsed_data: {} }, 'body.parsed_data'],
  ] as const)('a job that wants %s refuses %j and stays locked', async (wanted, content, field) => {
    const { id, bot, job } = await pullOne(wanted);
    const { status, problem } = await bot.submit({ ...lockOf(job), success: true, ...content });
    expect(status).toBe(400);
    expect(problem).toMatchObject({ code: 'invalid', error: 'validation_error', errors: [{ path: field }] });
    expect(await statusOf(id)).toBe('locked');
  });

  test.each([
    ['data', { parsed_data: { sku: 'x' } }],
    ['any', {}],
    ['page', { raw_html: '<!doctype html><title>Moss</title>', http_status: 200 }],
  ] as const)('a job that wants %s takes %j', async (wanted, content) => {
    const { id, bot, job } = await pullOne(wanted);
    const { body } = await bot.submit({ ...lockOf(job), success: true, ...content });
    expect(body).toMatchObject({ success: true, data: { status: 'done', price: null } });
    expect(await statusOf(id)).toBe('completed');
  });

  test('the page is kept, and what the fetch brought is told of the task', async () => {
    const { id, bot, job } = await pullOne();
    await bot.submit({
      ...{ ...lockOf(job), ...FOUND, raw_html: '<!doctype html><title>Moss</title>', http_status: 203 },
      ...{ final_url: 'https://example.com/moved', response_time_ms: 123, parsed_data: { sku: 'M-1' } },
    });
    const { rows } = await server.database.db.query(
      `select t.http_status, t.final_url, t.response_time_ms, t.segment_id is not null as kept, r.has_html,
              r.price::text, r.currency, r.title, r.in_stock, r.parsed_data, t.error_message
         from crawl_tasks t join crawl_results r on r.task_id = t.id where t.id = $1`,
      [id],
    );
    expect(rows).toEqual([
      {
        ...{ http_status: 203, final_url: 'https://example.com/moved', response_time_ms: 123, kept: true },
        ...{ has_html: true, price: '99.990000', currency: 'USD', title: 'Product Name', in_stock: true },
        ...{ parsed_data: { sku: 'M-1' }, error_message: null },
      },
    ]);
  });

  test('a page of millions of characters and data of thousands of fields are taken', async () => {
    const { id, bot, job } = await pullOne();
    const raw_html = `<!doctype html><p>${'moss '.repeat(800_000)}`;
    const parsed_data = Object.fromEntries(Array.from({ length: 3000 }, (_, n) => [`field ${n}`, n]));
    const { status, problem } = await bot.submit({ ...lockOf(job), ...FOUND, raw_html, parsed_data });
    expect(problem?.detail).toBeUndefined();
    expect(status).toBe(200);
    expect(await statusOf(id)).toBe('completed');
  });

  test('the same again gets the same answer; something else is refused; both change nothing', async () => {
    const { id, bot, job } = await pullOne();
    const result = { ...lockOf(job), ...FOUND };
    const first = await bot.submit(result);
    expect((await bot.submit(result)).body).toEqual(first.body);
    // In another order, with what is empty left out or named, and without the token: it is the same.
    const { title, ...rest } = result;
    expect((await bot.submit({ ...rest, parsed_data: null, title, lock_token: null })).body).toEqual(
      first.body,
    );
    expect((await bot.submit({ ...result, price: 1 })).problem).toMatchObject({
      ...{ code: 'already-submitted', status: 409, success: false, error: 'already_submitted' },
    });
    const { rows } = await server.database.db.query<{ count: number }>(
      'select count(*) from crawl_results where task_id = $1',
      [id],
    );
    expect(rows[0]?.count).toBe(1);
  });

  test('a failure that is sent twice costs one retry', async () => {
    const { id, bot, job } = await pullOne();
    const failed = { ...lockOf(job), success: false, error_msg: 'no price' };
    const first = await bot.submit(failed);
    expect((await bot.submit(failed)).body).toEqual(first.body);
    const { rows } = await server.database.db.query(
      'select retry_count, status from crawl_tasks where id = $1',
      [id],
    );
    expect(rows).toEqual([{ retry_count: 1, status: 'pending' }]);
  });

  test('jobs that are another’s, nobody’s or not there are all the same: not assigned', async () => {
    const { bot: holder, job } = await pullOne();
    const [ours] = await plantJobs(server.database, ['https://a.example/ours']);
    await server.database.execute("update crawl_tasks set executor = 'forager' where id = $1", [ours]);
    const bot = await addTestBot(server);
    const seen = new Set<string>();
    for (const job_id of [job.job_id, String(ours), '999999999', '550e8400-e29b-41d4-a716-446655440000']) {
      for (const answer of [await bot.submit({ job_id, ...FOUND }), await bot.extend({ job_id })]) {
        expect(answer.problem).toMatchObject({ code: 'not-assigned', success: false, error: 'not_assigned' });
        seen.add(String(answer.problem?.detail));
      }
    }
    expect(seen.size).toBe(1);
    // A token that somebody else was given opens nothing either.
    expect((await bot.submit({ ...lockOf(job), ...FOUND })).problem?.code).toBe('not-assigned');
    expect((await holder.submit({ ...lockOf(job), ...FOUND })).status).toBe(200);
  });

  test('the number of the task is as good as the UUID', async () => {
    const { bot, job } = await pullOne();
    expect((await bot.submit({ job_id: String(job.task_id), ...FOUND })).status).toBe(200);
  });

  test('a reason is kept on one line, without what a terminal would obey', async () => {
    const { id, bot, job } = await pullOne();
    const error_msg = `\u001b[31mred\u0007\n two\u202e ${'x'.repeat(3000)}`;
    await bot.submit({ ...lockOf(job), success: false, error_msg, http_status: 503 });
    const { rows } = await server.database.db.query<{ message: string }>(
      'select message, category, code, http_status, attempt, worker_id from error_logs where task_id = $1',
      [id],
    );
    expect(rows).toEqual([
      {
        ...{ message: expect.stringMatching(/^\[31mred two x+$/), category: 'http', code: 'bot-failed' },
        ...{ http_status: 503, attempt: 1, worker_id: `bot:${bot.botId}` },
      },
    ]);
    expect(rows[0]?.message.length).toBeLessThanOrEqual(1000);
  });

  test('the policy says when it runs again, after success and after the last failure', async () => {
    const { execute } = server.database;
    await plantJobs(server.database, ['https://policy.example/other']);
    const { rows } = await execute<{ id: number }>(
      `insert into crawl_policies (domain_id, url, url_hash, frequency_hours, executor)
       select id, 'https://policy.example/p', sha256('p'), 24, 'bot' from domains where domain = 'policy.example'
       returning id`,
    );
    const policyId = rows[0]?.id ?? 0;
    const runOnce = async (maxRetries: number) => {
      const [id] = await plantJobs(server.database, [
        { url: 'https://policy.example/p', policyId, maxRetries },
      ]);
      await execute('update crawl_policies set live_task_id = $1 where id = $2', [id, policyId]);
      const bot = await addTestBot(server);
      const job = (await bot.pull()).jobs.find(({ task_id }) => task_id === id);
      if (job === undefined) throw new Error('it was not pulled');
      return { bot, job };
    };
    const nextRun = async (): Promise<string | undefined> =>
      (await execute<{ at: Date }>('select next_run_at as at from crawl_policies')).rows[0]?.at.toISOString();

    const done = await runOnce(3);
    const answer = await done.bot.submit({ ...lockOf(done.job), ...FOUND });
    const { data } = answer.body as { data: { policy_next_run: string } };
    expect(data.policy_next_run).toBe(await nextRun());
    expect(Date.parse(data.policy_next_run) - Date.now()).toBeGreaterThan(23.9 * 3_600_000);
    expect((await done.bot.submit({ ...lockOf(done.job), ...FOUND })).body).toEqual(answer.body);

    const failed = await runOnce(0);
    const last = await failed.bot.submit({ ...lockOf(failed.job), success: false });
    expect(last.body).toMatchObject({ data: { status: 'failed', policy_next_run: await nextRun() } });
    await execute('delete from crawl_policies');
  });
});
