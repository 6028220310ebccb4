/** What bots send that were written for the older interface, or that know no better: what is let pass, what is not. */
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { startTestServer, type TestServer } from '../support/api.ts';
import {
  addTestBot,
  firstOf,
  lockOf,
  type PulledJob,
  plantJobs,
  type TestBot,
} from '../support/test-bots.ts';

let server: TestServer;
let bot: TestBot;
let job: PulledJob;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.close());
beforeEach(async () => {
  await server.database.execute('delete from crawl_tasks');
  await server.database.execute('delete from bot_queues');
  await plantJobs(server.database, ['https://older.example/1', 'https://older.example/2']);
  bot = await addTestBot(server);
  job = firstOf((await bot.pull({ max_jobs: '1', domain: '', wait_seconds: '0', version: '1.2' })).jobs);
});

const FOUND = { success: true, price: 1, currency: 'USD' };

async function resultOf({ task_id }: PulledJob): Promise<Record<string, unknown> | undefined> {
  const { rows } = await server.database.execute(
    `select r.title, r.parsed_data, r.in_stock, t.http_status, t.response_time_ms, t.error_message, t.locked_until
       from crawl_tasks t left join crawl_results r on r.task_id = t.id where t.id = $1`,
    [task_id],
  );
  return rows[0];
}

describe('numbers and flags as text, and fields nobody knows', () => {
  test('are understood, or ignored', async () => {
    const extended = await bot.extend({ ...lockOf(job), extend_seconds: '60', reason: 'slow' });
    expect(extended.status).toBe(200);
    const told = {
      success: 'true',
      in_stock: 'False',
      http_status: '200',
      response_time_ms: '12',
      extra: {},
    };
    const submitted = await bot.submit({ ...lockOf(job), ...FOUND, ...told });
    expect(submitted.problem).toBeUndefined();
    expect(await resultOf(job)).toMatchObject({ in_stock: false, http_status: 200, response_time_ms: 12 });
  });

  test.each([
    ['max_jobs', '0'],
    ['max_jobs', 'many'],
    ['max_jobs', '1.5'],
    ['wait_seconds', '-1'],
  ])('%s: "%s" is refused, and named', async (field, value) => {
    const { problem } = await bot.pull({ [field]: value });
    expect(problem).toMatchObject({ code: 'invalid', errors: [{ path: `body.${field}` }] });
  });
});

describe('text that cannot be stored', () => {
  test('is made fit to be kept', async () => {
    const parsed_data = { 'na\0me': ['half \ud800', 'NUL \0'], constructor: 1 };
    const { problem } = await bot.submit({
      ...lockOf(job),
      ...FOUND,
      title: 'a\0b',
      parsed_data,
      raw_html: 'a\0\udc00',
    });
    expect(problem).toBeUndefined();
    expect(await resultOf(job)).toMatchObject({
      title: 'ab',
      parsed_data: { name: ['half \ufffd', 'NUL '], constructor: 1 },
    });
  });

  test('is so in the reason of a failure', async () => {
    const { problem } = await bot.submit({ ...lockOf(job), success: false, error_msg: 'no\0 answer \ud800' });
    expect(problem).toBeUndefined();
    expect(await resultOf(job)).toMatchObject({ error_message: 'no answer \ufffd' });
  });

  test('is refused where it names something', async () => {
    const { problem } = await bot.submit({ ...lockOf(job), ...FOUND, currency: 'U\0D' });
    expect(problem?.errors?.map(({ path }) => path)).toEqual(['body.currency']);
  });
});

describe('data', () => {
  const nested = (levels: number): object => {
    let value: object = {};
    for (let level = 1; level < levels; level += 1) value = { value };
    return value;
  };

  test('may be 32 levels deep, itself the first', async () => {
    const refused = await bot.submit({ ...lockOf(job), ...FOUND, parsed_data: nested(33) });
    expect(refused.problem?.errors?.map(({ path }) => path)).toEqual(['body.parsed_data']);
    expect((await bot.submit({ ...lockOf(job), ...FOUND, parsed_data: nested(32) })).status).toBe(200);
  });

  test('with names that no field has is refused, and they are named', async () => {
    for (const name of ['"__proto__":{}', '"constructor":{"prototype":1}']) {
      const body = `{"bot_id":"${bot.botId}","job_id":"${job.job_id}","success":true,"parsed_data":{"a":[{${name}}]}}`;
      const answer = await fetch(`${server.url}/api/crawl/submit`, {
        method: 'POST',
        headers: { authorization: `Bearer ${bot.key}`, 'content-type': 'application/json' },
        body,
      });
      const { code, errors } = (await answer.json()) as { code: string; errors: { path: string }[] };
      expect([answer.status, code]).toEqual([400, 'invalid']);
      expect(errors[0]?.path).toMatch(/^body\.parsed_data\.a\.0\.(?:__proto__|constructor)$/);
    }
  });

  test.each([
    ['millions of values', `[${'1,'.repeat(7_000_000)}1]`],
    ['millions of levels', `${'['.repeat(7_000_000)}${']'.repeat(7_000_000)}`],
  ])('of %s is refused before anything is made of it', async (_what, data) => {
    const parse = vi.spyOn(JSON, 'parse');
    try {
      const answer = await fetch(`${server.url}/api/crawl/submit`, {
        method: 'POST',
        headers: { authorization: `Bearer ${bot.key}`, 'content-type': 'application/json' },
        body: `{"bot_id":"${bot.botId}","job_id":"${job.job_id}","success":true,"parsed_data":{"a":${data}}}`,
      });
      expect(answer.status).toBe(400);
      expect(parse.mock.calls.filter(([text]) => text.length > 1_000_000)).toEqual([]);
    } finally {
      parse.mockRestore();
    }
  });
});

test('a time before the year 2000 is refused', async () => {
  const { problem } = await bot.submit({ ...lockOf(job), ...FOUND, crawled_at: '1999-12-31T23:59:59Z' });
  expect(problem?.errors?.map(({ path }) => path)).toEqual(['body.crawled_at']);
  expect((await bot.submit({ ...lockOf(job), ...FOUND, crawled_at: '2000-01-01T00:00:00Z' })).status).toBe(
    200,
  );
});

test('extending a lock never shortens it', async () => {
  const { body } = await bot.extend({ ...lockOf(job), extend_seconds: 1 });
  expect((body as { data: { locked_until: string } }).data.locked_until).toBe(job.locked_until);
});

test('where nothing is known to come, a bot is told to ask again in 10 seconds', async () => {
  await server.database.execute('delete from crawl_tasks');
  await server.database.execute('delete from bot_queues');
  expect((await bot.pull()).retryAfterSeconds).toBe(10);
});
