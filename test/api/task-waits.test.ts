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

test('a job for bots goes by the bots that may have it, and by the locks of its domain', async () => {
  const id = await submit('https://www.a.example/', { executor: 'bot' });
  expect(await waitOf(id)).toMatch(/^no-bot: No bot is registered that may work on a\.example/);
  await run("insert into bots (bot_id, domains) values ('other', '{b.example}'), ('gone', null)");
  await run("update bots set revoked_at = forager_now() where bot_id = 'gone'");
  expect(await waitOf(id)).toMatch(/^no-bot: /);
  await run("insert into bots (bot_id, domains) values ('one', '{a.example}')");
  expect(await waitOf(id)).toMatch(/^bot: .* none that may work on a\.example has asked/);
  await run("update bots set last_pull_at = forager_now() where bot_id = 'one'");
  expect(await waitOf(id)).toBe('bot: It waits for a bot to pull it.');
  await run('update domains set max_concurrent_requests = 1');
  const other = await submit('https://a.example/2', { executor: 'bot' });
  await run(
    "update crawl_tasks set status = 'locked', locked_by = 'one', locked_until = forager_now() + interval '1 h' where id = $1",
    [other],
  );
  expect(await waitOf(id)).toMatch(/^bot-locks: .*\(1\)/);
  await run('update domains set max_concurrent_requests = null');
  expect(await waitOf(id)).toMatch(/^bot: /);
  await run('update domains set is_active = false');
  expect(await waitOf(id)).toMatch(/^domain-inactive: /);
  await run('delete from bots');
});

test('a queued task of a domain without a proxy says so, with the time at which it looks again', async () => {
  const id = await submit('https://a.example/');
  await move(id, 'queued');
  await run(
    `update domains set block_reason_code = 'no_proxy', block_reason = 'both of its pool are out',
            next_crawl_after = '2199-01-01T00:00:00Z'`,
  );
  const { waitsFor } = (await admin.get(`/api/admin/tasks/${id}`)).body as { waitsFor: unknown };
  expect(waitsFor).toMatchObject({
    ...{ code: 'domain-no-proxy', until: '2199-01-01T00:00:00.000Z' },
    sentence: expect.stringContaining('waits for a proxy (both of its pool are out)'),
  });
});
