/** `forager bot`, as people and programs use it. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../support/postgres.ts';
import { type CliRun, runForager, widestLine } from '../support/run-cli.ts';
import { plantJobs } from '../support/test-bots.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

function run(words: string, columns?: number): Promise<CliRun> {
  return runForager(words.split(' '), {
    env: { DATABASE_URL: database.url },
    ...(columns === undefined ? {} : { columns }),
  });
}

test('add prints the key once and says how to use it; list and show do not have it', async () => {
  expect((await run('bot list')).stdout).toContain('There are no bots.');
  const { code, stdout } = await run('bot add bot-001 --domain WWW.Shop.example --max-locks 7');
  expect(code).toBe(0);
  const key = /fgr_\S+/.exec(stdout)?.[0] ?? '';
  expect(key).not.toBe('');
  expect(stdout).toContain('Authorization: Bearer');
  expect(stdout).toContain('"bot_id": "bot-001"');
  for (const words of ['bot list', 'bot show bot-001', 'bot list --json', 'bot show bot-001 --json']) {
    const shown = await run(words);
    expect(shown.code, words).toBe(0);
    expect(shown.stdout, words).toContain('bot-001');
    expect(shown.stdout, words).not.toContain(key);
  }
  expect((await run('bot show bot-001 --json')).json()).toMatchObject([
    { botId: 'bot-001', maxLocks: 7, domains: [expect.stringContaining('shop.example')], jobs: [] },
  ]);
});

test('key gives another one, and ends those before unless they are kept', async () => {
  await run('bot add bot-002');
  const [kept] = (await run('bot key bot-002 --keep --json')).json();
  expect(kept).toMatchObject({ botId: 'bot-002', token: expect.stringMatching(/^fgr_/) });
  const active = async (): Promise<number> =>
    (
      await database.execute(
        "select k.id from api_keys k join bots b on b.id = k.bot_id where b.bot_id = 'bot-002' and k.revoked_at is null",
      )
    ).rows.length;
  expect(await active()).toBe(2);
  expect((await run('bot key bot-002')).stdout).toContain('those before are refused');
  expect(await active()).toBe(1);
});

test('revoke ends it, and tells how many jobs went back', async () => {
  await run('bot add bot-003');
  const ids = await plantJobs(database, ['https://a.example/1', 'https://a.example/2']);
  await database.execute(
    `update crawl_tasks set status = 'locked', locked_by = 'bot-003', lock_version = nextval('bot_lock_tokens'),
            locked_until = now() + interval '5 min' where id = any($1)`,
    [ids],
  );
  expect((await run('bot show bot-003')).stdout).toContain('https://a.example/1');
  expect((await run('bot revoke bot-003')).stdout).toContain('2 jobs it held are free again');
  expect((await run('bot list')).stdout).not.toContain('bot-003');
  expect((await run('bot list --all')).stdout).toMatch(/bot-003\s+revoked/);
});

test('what is wrong is said, with exit 1 for what is not there and 2 for what cannot be', async () => {
  expect(await run('bot show nobody')).toMatchObject({ code: 1, stderr: expect.stringContaining('nobody') });
  expect((await run('bot revoke nobody')).code).toBe(1);
  expect((await run('bot add bot-001')).code).toBe(1);
  for (const words of [
    ...['bot add a!b', 'bot add x --domain ???', 'bot add x --max-locks 99999', 'bot add'],
    ...['bot add x --domain http://bad/path/x', 'bot add x --domain shop.example/kettles'],
  ]) {
    expect((await run(words)).code, words).toBe(2);
  }
});

test('show says how many in words that fit one as well', async () => {
  await run('bot add bot-one --max-locks 1 --max-jobs-per-hour 1');
  const { stdout } = await run('bot show bot-one');
  expect(stdout).toMatch(/^May hold +1 job; it holds 0$/m);
  expect(stdout).toMatch(/^May pull +1 job an hour$/m);
});

test('tables fit the terminal', async () => {
  const domains = [1, 2, 3].map((n) => `--domain a-rather-long-name-${n}.shop.example`);
  await run(`bot add a-bot-with-quite-a-long-name-for-one ${domains.join(' ')}`);
  await database.execute("update bots set last_pull_at = now() where bot_id = 'bot-001'");
  for (const columns of [60, 80]) {
    for (const words of ['bot list --all', 'bot show bot-001']) {
      expect(widestLine((await run(words, columns)).stdout), words).toBeLessThanOrEqual(columns);
    }
  }
});
