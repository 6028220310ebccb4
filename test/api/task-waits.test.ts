/** What a task waits for goes by who is there: workers say which of crawling and parsing they do. */
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { type ApiClient, startTestServer, type TestServer } from '../support/api.ts';

let server: TestServer;
let admin: ApiClient;
beforeAll(async () => {
  server = await startTestServer();
  admin = await server.as('admin');
});
afterAll(() => server.close());
beforeEach(async () => {
  await server.database.execute('delete from domains');
  await server.database.execute('delete from workers');
});

const run = (statement: string, values: readonly unknown[] = []) =>
  server.database.execute(statement, values);

async function submit(url: string, fields: Record<string, unknown> = {}): Promise<number> {
  return ((await admin.post('/api/admin/tasks', { url, ...fields })).body as { id: number }).id;
}
const move = (id: number, status: string) =>
  run('update crawl_tasks set status = $2::task_status where id = $1', [id, status]);
const enter = (id: string, duties: string, heartbeat = 'forager_now()') =>
  run(
    `insert into workers (id, incarnation, kind, host, machine, pid, process_mark, program_version, duties, heartbeat_at)
     values ($1, $1, 'worker', 'h', 'm', 1, 'p', '1', $2::text[], ${heartbeat})`,
    [id, duties],
  );
async function waitOf(id: number): Promise<string> {
  const { waitsFor } = (await admin.get(`/api/admin/tasks/${id}`)).body as {
    waitsFor: { code: string; sentence: string };
  };
  return `${waitsFor.code}: ${waitsFor.sentence}`;
}

test('a queued task is not waited on by those that only parse', async () => {
  const id = await submit('https://a.example/');
  await move(id, 'queued');
  expect(await waitOf(id)).toMatch(/^no-worker: No worker runs that could take it/);
  await enter('parser', '{parse}');
  expect(await waitOf(id)).toMatch(
    /^no-worker: No worker runs that crawls, only such as parse: "forager worker"/,
  );
  await enter('gone', '{crawl,parse}', "forager_now() - interval '1 hour'");
  expect(await waitOf(id)).toMatch(/^no-worker: /);
  await enter('crawler', '{crawl}');
  expect(await waitOf(id)).toMatch(/^worker: /);
});

test('one that is to be parsed is not waited on by those that only crawl', async () => {
  const id = await submit('https://a.example/');
  for (const status of ['queued', 'crawling', 'queued_parse']) await move(id, status);
  await enter('crawler', '{crawl}');
  expect(await waitOf(id)).toMatch(/^no-parser: .*"forager worker --parse-only"/);
  await enter('both', '{crawl,parse}');
  expect(await waitOf(id)).toMatch(/^parser: /);
});

test('over HTTP what to do is a request', async () => {
  const parent = await submit('https://a.example/1');
  const id = await submit('https://a.example/2', { parentTaskId: parent });
  await admin.post(`/api/admin/tasks/${parent}/cancel`);
  expect(await waitOf(id)).toContain(`POST /api/admin/tasks/${parent}/restart starts that one once more`);
  const other = await submit('https://b.example/');
  await move(other, 'queued');
  await admin.post('/api/admin/domains/b.example/pause');
  expect(await waitOf(other)).toContain('POST /api/admin/domains/b.example/resume');
});
