/** Many tasks at once, some of them badly formed: each is judged by itself. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { OpenApiDocument } from '../../src/api/openapi/types.ts';
import { type ApiAnswer, type ApiClient, startTestServer, type TestServer } from '../support/api.ts';

let server: TestServer;
let admin: ApiClient;
beforeAll(async () => {
  server = await startTestServer();
  admin = await server.as('admin');
});
afterAll(() => server.close());
beforeEach(() => server.database.execute('delete from domains'));

interface Refused {
  readonly index: number;
  readonly url: string;
  readonly code: string;
  readonly reason: string;
}
interface Report {
  readonly accepted: number;
  readonly refusedCount: number;
  readonly ids: readonly (number | null)[];
  readonly refused: readonly Refused[];
}
const bulk = (tasks: unknown, more: object = {}): Promise<ApiAnswer> =>
  admin.post('/api/admin/tasks/bulk', { tasks, ...more });
const page = (n: number | string): string => `https://a.example/${n}`;

/** Each with what is said of it. */
const BAD: readonly (readonly [unknown, string])[] = [
  ['', 'url must not be empty'],
  ['https://a.example/\u0000x', 'NUL and halves of characters have no place in a text'],
  ['https://a.example/\ud800', 'NUL and halves of characters have no place in a text'],
  [{ url: 'https://a.example/\u0000' }, 'url: NUL and halves of characters have no place in a text'],
  [`https://a.example/${'x'.repeat(20_000)}`, 'url must have at most 20000 characters'],
  [null, 'a task is an object or a URL'],
  [7, 'a task is an object or a URL'],
  [true, 'a task is an object or a URL'],
  [['https://a.example/'], 'a task is an object or a URL'],
  [{}, 'url is missing'],
  [{ url: 7 }, 'url must be text, not a number'],
  [{ url: page('p0'), priority: 0 }, 'priority must be at least 1'],
  [{ url: page('p11'), priority: 11 }, 'priority must be at most 10'],
  [{ url: page('p308'), priority: 1e308 }, 'priority must be at most 10'],
  [
    { url: page('f'), is_recurring: true, crawl_frequency_hours: 0 },
    'crawlFrequencyHours must be more than 0: hours between two runs, at least a minute (0.017)',
  ],
  [
    { url: page('at'), scheduledAt: 'bad' },
    'scheduledAt must be a time with its zone, such as 2026-01-31T12:00:00Z',
  ],
  [{ url: page('x'), nonsense: 1 }, 'there is no field "nonsense" here'],
  [{ url: page('y'), max_retrie: 1 }, 'there is no field "maxRetrie" here (did you mean "maxRetries"?)'],
  [
    { url: page('z'), priority: 0, executor: 'me' },
    'priority must be at least 1; executor must be forager or bot',
  ],
  [
    { url: page('both'), maxRetries: 1, max_retries: 2 },
    'there is no field "max_retries" here (did you mean "maxRetries"?)',
  ],
  [JSON.parse(`${'{"url":'.repeat(50)}1${'}'.repeat(50)}`), 'Nested more than 32 deep'],
];

describe('POST /api/admin/tasks/bulk', () => {
  test.each(BAD)('%j is told by its index, and the others are taken', async (item, reason) => {
    const answer = await bulk([page(1), item, { url: page(2), max_retries: 7 }]);
    expect(answer.problem).toBeUndefined();
    const report = answer.body as Report;
    expect(report).toMatchObject({
      accepted: 2,
      refusedCount: 1,
      ids: [expect.any(Number), null, expect.any(Number)],
    });
    expect(report.refused).toMatchObject([{ index: 1, code: 'invalid' }]);
    expect(report.refused[0]?.reason).toContain(reason);
    const { rows } = await server.database.db.query('select max_retries from crawl_tasks order by id');
    expect(rows).toEqual([{ max_retries: 3 }, { max_retries: 7 }]);
  });

  test('all of them among good ones, in one call', async () => {
    const tasks = BAD.flatMap(([item], n) => [page(n), item]);
    const report = (await bulk(tasks)).body as Report;
    expect(report).toMatchObject({ accepted: BAD.length, refusedCount: BAD.length });
    expect(report.refused.map(({ index }) => index)).toEqual(BAD.map((_, n) => 2 * n + 1));
    expect(report.refused.map(({ code }) => code)).toEqual(BAD.map(() => 'invalid'));
  });

  test('refused as a whole where that is asked for, with every bad index', async () => {
    const tasks = [page(0), ...BAD.map(([item]) => item), 'ftp://a.example/'];
    const { problem } = await bulk(tasks, { on_error: 'refuse-all' });
    expect(problem).toMatchObject({ status: 422, code: 'tasks-refused' });
    expect(problem?.detail).toBe(
      `${BAD.length + 1} of ${BAD.length + 2} tasks cannot be taken, so none was.`,
    );
    expect(problem?.errors?.map(({ path }) => path)).toEqual(
      Array.from({ length: BAD.length + 1 }, (_, n) => `body.tasks.${n + 1}`),
    );
    expect(problem?.errors?.[0]?.message).toBe('invalid: url must not be empty');
    expect((await server.database.db.query('select from crawl_tasks')).rows).toEqual([]);
  });

  test('whoever waits for one that is badly formed is refused with it', async () => {
    const report = (
      await bulk([
        { url: page(1), ref: 'bad', priority: 99 },
        { url: page(2), parent_ref: 'bad' },
        { url: page(3), parentRef: 'nobody' },
      ])
    ).body as Report;
    expect(report.refused.map(({ index, code }) => [index, code])).toEqual([
      [0, 'invalid'],
      [1, 'parent-refused'],
      [2, 'unknown-parent'],
    ]);
  });

  test('10,000 bad ones: the first thousand are told, and how many there are', async () => {
    const item = Object.fromEntries(Array.from({ length: 15 }, (_, n) => [`maxRetrie${n}`, n]));
    const answer = await bulk(Array.from({ length: 10_000 }, () => item));
    const report = answer.body as Report;
    expect(report).toMatchObject({ accepted: 0, refusedCount: 10_000 });
    expect(report.refused).toHaveLength(1000);
    expect(report.refused[999]?.reason).toContain('url is missing');
  });

  test('more values than a request may have are refused as a whole, however they are spread', async () => {
    const { problem } = await bulk([page(1), Array.from({ length: 200_001 }, () => 0)]);
    expect(problem).toMatchObject({ status: 400, code: 'invalid', detail: 'body: More than 200000 values' });
  });

  test('the rest of the request is held to its form like any other', async () => {
    expect((await bulk([page(1)], { priority: 11 })).problem?.detail).toBe(
      'body.priority: must be at most 10',
    );
    expect((await bulk([page(1)], { batchName: 'a\u0000' })).problem?.code).toBe('invalid');
    expect((await bulk([page(1)], { batchName: 'a', batchId: 1 })).problem?.detail).toContain('not both');
  });

  test('the description says what an item is', async () => {
    const { paths } = (await server.client().get('/api/openapi.json')).body as OpenApiDocument;
    const schema = JSON.stringify(
      paths['/api/admin/tasks/bulk']?.post?.requestBody?.content['application/json']?.schema,
    );
    for (const name of ['"url"', '"parentRef"', '"crawlFrequencyHours"', '"minLength":1', '"maximum":10']) {
      expect(schema).toContain(name);
    }
  });
});
