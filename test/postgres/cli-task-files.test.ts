/** Several pages and files of them on the command line, and what people see of tasks there. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../support/postgres.ts';
import { type CliRun, runForager } from '../support/run-cli.ts';

let database: TestDatabase;
let directory: string;
beforeAll(async () => {
  database = await createTestDatabase();
  directory = mkdtempSync(path.join(os.tmpdir(), 'forager-cli-task-files-'));
});
afterAll(async () => {
  rmSync(directory, { recursive: true });
  await database.drop();
});
beforeEach(async () => {
  await database.execute('delete from domains');
  await database.execute('delete from crawl_batches');
});

const env = (): Record<string, string> => ({ DATABASE_URL: database.url, NO_COLOR: '1' });
const forager = (...args: readonly string[]): Promise<CliRun> => runForager(args, { env: env() });
const narrow = (...args: readonly string[]): Promise<CliRun> => runForager(args, { env: env(), columns: 80 });
const fileOf = (name: string, lines: readonly string[]): string => {
  const file = path.join(directory, name);
  writeFileSync(file, `${lines.join('\n')}\n`);
  return file;
};
const idsOf = async (): Promise<number[]> =>
  (await database.db.query<{ id: number }>('select id from crawl_tasks order by id')).rows.map(
    ({ id }) => id,
  );
async function move(id: number, ...states: readonly string[]): Promise<void> {
  for (const state of states) {
    await database.execute('update crawl_tasks set status = $2::task_status where id = $1', [id, state]);
  }
}
const complete = (id: number): Promise<void> => move(id, 'queued', 'crawling', 'completed');

describe('submitting', () => {
  test('several pages: the number of each is told, and by position to machines', async () => {
    const { code, stdout } = await forager('task', 'submit', 'https://a.example/1', 'https://a.example/2');
    expect(code).toBe(0);
    const [first, second] = await idsOf();
    expect(stdout).toContain(
      `Task ${first} for https://a.example/1.\nTask ${second} for https://a.example/2.\n`,
    );
    const more = ['https://a.example/3', 'https://[bad', 'https://a.example/1', 'https://a.example/4'];
    const json = await forager('task', 'submit', ...more, '--json');
    const [, , third, fourth] = await idsOf();
    expect(json.code).toBe(1);
    expect(json.json()).toMatchObject([
      { accepted: 2, duplicates: 1, refused: 1, ids: [third, null, null, fourth] },
    ]);
  });

  test('a file sent again orders nothing twice in its batch, also what is over by then, unless --again says so', async () => {
    const file = fileOf('again.txt', ['https://a.example/1', 'https://a.example/2', 'https://b.example/3']);
    await forager('task', 'submit', '--file', file, '--batch', 'B');
    const [first = 0, second = 0] = await idsOf();
    await complete(first);
    await move(second, 'cancelled');
    const again = await forager('task', 'submit', '--file', file, '--batch', 'B');
    expect(again.code).toBe(0);
    expect(again.stdout).toMatch(/already in the batch +3\n/);
    expect(again.stdout).toContain('--again orders it once more');
    expect(await idsOf()).toHaveLength(3);
    // Of another batch they are new, as far as they are over.
    const other = await forager('task', 'submit', '--file', file, '--batch', 'C', '--json');
    expect(other.json()).toMatchObject([{ accepted: 2, duplicates: 1, alreadyInBatch: 0 }]);
    await complete((await idsOf()).at(-1) ?? 0);
    const once = await forager('task', 'submit', '--file', file, '--batch', 'B', '--again', '--json');
    expect(once.json()).toMatchObject([{ accepted: 1, duplicates: 2, alreadyInBatch: 0 }]);
    expect(await forager('task', 'submit', '--file', file, '--again')).toMatchObject({ code: 2 });
  });

  test('--refuse-all takes nothing unless everything can be taken', async () => {
    const bad = fileOf('bad.txt', ['https://a.example/1', '{"url": "https://a.example/2", "priority": 11}']);
    const refused = await forager('task', 'submit', '--file', bad, '--refuse-all');
    expect(refused).toMatchObject({ code: 1, stderr: expect.stringContaining('bad.txt:2: priority') });
    const worse = fileOf('worse.txt', ['https://a.example/1', 'https://[bad']);
    expect(await forager('task', 'submit', '--file', worse, '--refuse-all')).toMatchObject({ code: 1 });
    expect(await idsOf()).toEqual([]);
    const good = fileOf('good.txt', ['https://a.example/1', 'https://a.example/2']);
    expect(await forager('task', 'submit', '--file', good, '--refuse-all')).toMatchObject({ code: 0 });
    expect(await idsOf()).toHaveLength(2);
    const live = await forager('task', 'submit', 'https://a.example/3', '--file', good, '--refuse-all');
    expect(live).toMatchObject({ code: 1, stderr: expect.stringMatching(/good\.txt:1: .*is pending/) });
    const long = fileOf(
      'long.txt',
      Array.from({ length: 10_001 }, (_, n) => `https://l.example/${n}`),
    );
    const tooLong = await forager('task', 'submit', '--file', long, '--refuse-all');
    expect(tooLong).toMatchObject({ code: 2, stdout: '' });
    expect(tooLong.stderr).toContain('at most 10,000 lines');
    expect(await idsOf()).toHaveLength(2);
  }, 30_000);

  test('a column that nobody knows is told once, for the header, and nothing is taken', async () => {
    const rows = ['https://a.example/1,2', 'https://a.example/2,3'];
    const misspelt = await forager('task', 'submit', '--file', fileOf('m.csv', ['url,prioritty', ...rows]));
    expect(misspelt).toMatchObject({ code: 2, stdout: '' });
    expect(misspelt.stderr).toContain('m.csv:1: the header has a column that nobody knows: "prioritty".');
    expect(misspelt.stderr).toContain('did you mean priority?');
    expect(misspelt.stderr.match(/prioritty/g)).toHaveLength(1);
    const noUrl = await forager('task', 'submit', '--file', fileOf('n.csv', ['ulr,priority', ...rows]));
    expect(noUrl).toMatchObject({ code: 2, stderr: expect.stringContaining('did you mean url?') });
    expect(await forager('task', 'submit', '--file', fileOf('o.csv', ['ref,priority', 'a,2']))).toMatchObject(
      {
        ...{ code: 2, stderr: expect.stringContaining('no column "url"') },
      },
    );
    expect(await idsOf()).toEqual([]);
  });

  test('--every is a time, as for policies, and is told as one', async () => {
    const json = await forager('task', 'submit', 'https://a.example/', '--every', '1m', '--json');
    const [task] = json.json();
    expect(task?.crawlFrequencyHours).toBeCloseTo(1 / 60);
    const shown = async (): Promise<string> => (await forager('task', 'show', String(task?.id))).stdout;
    expect(await shown()).toMatch(
      new RegExp(`every 1 min by policy \\d+, next when task ${task?.id} is over`),
    );
    await complete(Number(task?.id));
    expect(await shown()).toMatch(/every 1 min by policy \d+, next 2\d\d\d-/);
    for (const every of ['30s', '0', '4000d', 'daily']) {
      const bad = await forager('task', 'submit', 'https://b.example/', '--every', every);
      expect(bad, every).toMatchObject({ code: 2, stderr: expect.stringMatching(/30m|minute/) });
    }
  });

  test('for a private address the way out is named', async () => {
    for (const args of [
      ['task', 'submit', 'http://127.0.0.1/'],
      ['policy', 'add', 'http://127.0.0.1/', '--every', '1h'],
    ]) {
      expect((await forager(...args)).stderr).toContain('add --allow-private');
    }
    expect((await forager('task', 'submit', 'https://[bad')).stderr).toContain(
      'such as https://example.com/page',
    );
  });
});

describe('steering', () => {
  test('set changes the parent and the retries', async () => {
    await forager('task', 'submit', 'https://a.example/1', 'https://a.example/2');
    const [first = 0, second = 0] = await idsOf();
    const set = await forager('task', 'set', String(second), '--parent', String(first), '--max-retries', '1');
    expect(set).toMatchObject({
      ...{ code: 0, stdout: `Task ${second} waits for task ${first}; it may be tried again once.\n` },
    });
    await move(first, 'cancelled');
    const wait = (await forager('task', 'show', String(second))).stdout;
    expect(wait).toContain(`"forager task restart ${first}"`);
    const free = await forager('task', 'set', String(second), '--no-parent', '--json');
    expect(free.json()).toMatchObject([
      { changed: true, parentTaskId: null, isWaiting: false, maxRetries: 1 },
    ]);
    expect(await forager('task', 'set', String(second))).toMatchObject({ code: 2 });
  });

  test('restarting one that has not begun says what was changed', async () => {
    const id = String((await forager('task', 'submit', 'https://a.example/', '--json')).json()[0]?.id);
    const changed = await forager('task', 'restart', id, '--priority', '1', '--at', '2h');
    expect(changed.stdout).toMatch(
      new RegExp(`^Task ${id} is pending as before: its priority is 1, its time 2`),
    );
    expect((await forager('task', 'restart', id)).stdout).toBe(
      `Task ${id} is pending: nothing to be done.\n`,
    );
  });

  test('stats counts by state', async () => {
    await forager('task', 'submit', 'https://a.example/1', 'https://a.example/2', '--batch', 'B');
    await complete((await idsOf())[0] ?? 0);
    const { stdout } = await forager('task', 'stats', '--batch', 'B');
    expect(stdout).toContain('1  pending\n1  completed\n2  in all\n');
    expect((await forager('task', 'stats', '--domain', 'a.example', '--json')).json()).toMatchObject([
      { total: 2, byStatus: { pending: 1, completed: 1 } },
    ]);
  });
});

test('at 80 columns no list is wider than the terminal, and URLs are more than stubs', async () => {
  const url = `https://shop.example/${'department/'.repeat(12)}page.html`;
  const name =
    'The batch that has a rather long name, longer than a line of any terminal should be, and more';
  await forager('task', 'submit', url, '--batch', name, '--every', '12h');
  const [id = 0] = await idsOf();
  const reason =
    'no answer from the server, although it was asked several times and waited for quite a while';
  await move(id, 'queued', 'crawling');
  await database.execute(
    "update crawl_tasks set status = 'failed', error_message = $2, http_status = 503 where id = $1",
    [id, reason],
  );
  for (const list of [
    ['task', 'list'],
    ['policy', 'list'],
    ['dead-letter', 'list'],
    ['batch', 'list'],
    ['policy', 'show', String((await forager('policy', 'list', '--json')).json()[0]?.id)],
  ]) {
    const { code, stdout } = await narrow(...list);
    expect(code, list.join(' ')).toBe(0);
    const lines = stdout.split('\n').filter((line) => !line.startsWith('page '));
    for (const line of lines) expect(line.length, `${list.join(' ')}: ${line}`).toBeLessThanOrEqual(80);
    const shown = list[0] === 'batch' ? name : url;
    if (list[1] === 'list') expect(stdout, list.join(' ')).toContain(shown.slice(0, 13));
    if (list[1] === 'list') expect(stdout, list.join(' ')).toContain(shown.slice(-13));
  }
  expect((await narrow('dead-letter', 'list')).stdout).toContain('no answer from the server');
});
