/** What `forager task` and `forager batch` do, and what they say about it. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../support/postgres.ts';
import { type CliRun, runForager } from '../support/run-cli.ts';

let database: TestDatabase;
let directory: string;
beforeAll(async () => {
  database = await createTestDatabase();
  directory = mkdtempSync(path.join(os.tmpdir(), 'forager-cli-tasks-'));
});
afterAll(async () => {
  rmSync(directory, { recursive: true });
  await database.drop();
});
beforeEach(async () => {
  await database.execute('delete from domains');
  await database.execute('delete from crawl_batches');
});

function run(args: readonly string[], input?: string): Promise<CliRun> {
  const surroundings = { env: { DATABASE_URL: database.url, NO_COLOR: '1' } };
  return runForager(args, input === undefined ? surroundings : { ...surroundings, input });
}
const fileOf = (name: string, text: string | Buffer): string => {
  const file = path.join(directory, name);
  writeFileSync(file, text);
  return file;
};
const rowsOf = async (statement: string): Promise<Record<string, unknown>[]> =>
  (await database.db.query(statement)).rows;

async function submit(url: string, ...options: string[]): Promise<number> {
  const { json } = await run(['task', 'submit', url, '--json', ...options]);
  return Number(json()[0]?.id);
}

async function fail(id: number): Promise<void> {
  for (const [status, set] of [
    ['queued', ''],
    ['crawling', ''],
    [
      'failed',
      ", error_message = 'no\u001b[31m answer', move_reason = 'no\u001b[31m answer', retry_count = 3",
    ],
  ]) {
    await database.execute(
      `update crawl_tasks set status = $2::task_status, moved_by = 'w1'${set} where id = $1`,
      [id, status],
    );
  }
}

describe('forager task submit', () => {
  test('one page makes one task, and says its number', async () => {
    const { code, stdout } = await run([
      'task',
      'submit',
      'https://a.example/x',
      '--priority',
      '2',
      '--batch',
      'B',
    ]);
    expect(code).toBe(0);
    expect(stdout).toMatch(/^Task \d+ for https:\/\/a\.example\/x is pending\.\n$/);
    expect(await rowsOf('select priority, created_by from crawl_tasks')).toEqual([
      { priority: 2, created_by: expect.stringMatching(/^cli:/) },
    ]);
  });

  test('what is wrong with it is told: no URL, no time and wrong options end with 2, a duplicate with 1', async () => {
    expect(await run(['task', 'submit', 'not a url'])).toMatchObject({ code: 2 });
    expect(await run(['task', 'submit'])).toMatchObject({ code: 2 });
    expect(await run(['task', 'submit', 'https://a.example/', '--priority', '11'])).toMatchObject({
      code: 2,
    });
    expect(await run(['task', 'submit', 'https://a.example/', '--every', '0'])).toMatchObject({ code: 2 });
    expect(await run(['task', 'submit', '--file', '/nowhere/x'])).toMatchObject({ code: 2 });
    expect(await run(['task', 'submit', 'http://127.0.0.1/'])).toMatchObject({ code: 2 });
    const past = await run(['task', 'submit', 'https://a.example/', '--at', '2020-01-01']);
    expect(past).toMatchObject({ code: 2, stderr: expect.stringContaining('lies in the past') });
    const id = await submit('https://a.example/');
    const twice = await run(['task', 'submit', 'https://a.example/']);
    expect(twice).toMatchObject({ code: 1, stderr: expect.stringContaining(`task ${id} `) });
  });

  test('a file of URLs: bad lines are told by their number, the rest is taken, in portions', async () => {
    const lines = Array.from({ length: 2300 }, (_, n) => `https://d${n % 5}.example/${n}`);
    lines[1499] = 'https://[broken';
    const file = fileOf('urls.txt', `\ufeff# a comment\n\n${lines.join('\n')}\n`);
    const { code, stdout, stderr } = await run([
      'task',
      'submit',
      '--file',
      file,
      '--batch',
      'Big',
      '--priority',
      '3',
    ]);
    expect(code).toBe(1);
    expect(stderr).toContain('urls.txt:1502: https://[broken');
    expect(stdout).toContain('2,300 orders');
    expect(await rowsOf('select count(*)::int as n, min(priority)::int as p from crawl_tasks')).toEqual([
      { n: 2299, p: 3 },
    ]);
    expect(await rowsOf('select count(*)::int as n from crawl_batches')).toEqual([{ n: 1 }]);
    const good = fileOf('good.txt.gz', gzipSync(lines.filter((line) => !line.includes('[')).join('\n')));
    const again = await run(['task', 'submit', '--file', good, '--json']);
    expect(again.code).toBe(0);
    expect(again.json()).toMatchObject([{ lines: 2299, accepted: 0, duplicates: 2299, refused: 0 }]);
  }, 30_000);

  test('a file of objects, from standard input: parents by ref, also in an earlier portion', async () => {
    const filler = Array.from({ length: 1000 }, (_, n) => JSON.stringify({ url: `https://b.example/${n}` }));
    const input = [
      '{"url": "https://a.example/root", "ref": "root", "priority": 1, "max_retries": 0}',
      '{"url": "https://a.example/near", "parentRef": "root"}',
      '{"url": "https://a.example/bad", "priority": 0}',
      '{"url": "https://a.example/worse"',
      '{"url": "https://a.example/orphan", "parent_ref": "nobody"}',
      ...filler,
      '{"url": "https://a.example/far", "parent_ref": "root"}',
    ].join('\n');
    const { code, stderr } = await run(['task', 'submit', '--file', '-'], input);
    expect(code).toBe(1);
    expect(stderr).toContain('standard input:3: priority must be at least 1.');
    expect(stderr).toContain('standard input:4: it is not an object in JSON.');
    expect(stderr).toMatch(/standard input:5: .*no line before it, or near it, has the ref it waits for\./);
    expect(
      await rowsOf(
        `select c.url, c.is_waiting from crawl_tasks c join crawl_tasks p on p.id = c.parent_task_id
          where p.url = 'https://a.example/root' order by c.url`,
      ),
    ).toEqual([
      { url: 'https://a.example/far', is_waiting: true },
      { url: 'https://a.example/near', is_waiting: true },
    ]);
  }, 30_000);

  test('lines are spoken of by their numbers, also far into a file', async () => {
    const filler = Array.from({ length: 1000 }, (_, n) => `https://b.example/${n}`);
    const input = [
      ...['# a comment', ...filler],
      '{"url": "https://a.example/1", "ref": "a", "parentRef": "b"}',
      '{"url": "https://a.example/2", "ref": "b", "parentRef": "a"}',
      '{"url": "https://a.example/3", "parentRef": "a"}',
      '{"url": "https://a.example/4", "ref": "b"}',
    ].join('\n');
    const { code, stderr } = await run(['task', 'submit', '--file', '-'], input);
    expect(code).toBe(1);
    const circle = 'it waits for itself, by way of the lines 1002, 1003.';
    expect(stderr).toContain(`standard input:1002: https://a.example/1: ${circle}`);
    expect(stderr).toContain(`standard input:1003: https://a.example/2: ${circle}`);
    expect(stderr).toContain(
      'standard input:1004: https://a.example/3: line 1002, which it waits for, was refused.',
    );
    expect(stderr).toContain('standard input:1005: https://a.example/4: line 1003 has the same ref.');
  }, 30_000);

  test('lines that are no task say so, in sentences that end once', async () => {
    const input = [
      '[1, 2]',
      '7',
      'null',
      '{"url": "https://a.example/1", "__proto__": 1}',
      '{"url": "https://a.example/2", "maxRetrie": 1}',
      '{"url": "https://a.example/3", "priority": 1e308}',
      '{"url": "https://a.example/4", "crawlFrequencyHours": 5}',
      '"https://a.example/5"',
      '[::1]',
    ].join('\n');
    const { code, stderr } = await run(['task', 'submit', '--file', '-'], input);
    expect(code).toBe(1);
    for (const [line, reason] of [
      [1, 'a task is an object or a URL.'],
      [2, 'a task is an object or a URL.'],
      [3, 'a task is an object or a URL.'],
      [4, 'there is no field "__proto__" here.'],
      [5, 'there is no field "maxRetrie" here (did you mean "maxRetries"?).'],
      [6, 'priority must be at most 10.'],
      [7, 'crawlFrequencyHours is for what is recurring: add isRecurring: true.'],
    ]) {
      expect(stderr).toContain(`standard input:${line}: ${reason}\n`);
    }
    expect(stderr).toMatch(/standard input:9: \[::1\]: .*private/);
    expect(await rowsOf('select url from crawl_tasks')).toEqual([{ url: 'https://a.example/5' }]);
  });

  test('columns with a header', async () => {
    const file = fileOf(
      'tasks.csv',
      'url,priority,is_recurring,crawl_frequency_hours,scheduled_at\n' +
        'https://a.example/1,2,true,12,2030-01-01T00:00:00Z\n' +
        '"https://a.example/2,x",,,,\n' +
        'https://a.example/3,11,,,\n' +
        'https://a.example/4,1,,,9999-01-01T00:00:00Z\n',
    );
    const { code, stderr } = await run(['task', 'submit', '--file', file]);
    expect(code).toBe(1);
    expect(stderr).toContain('tasks.csv:4: priority must be at most 10');
    expect(stderr).toContain(
      'tasks.csv:5: https://a.example/4: 9999-01-01T00:00:00.000Z is more than 10 years ahead',
    );
    expect(
      await rowsOf('select url, priority, policy_id is not null as r from crawl_tasks order by url'),
    ).toEqual([
      { url: 'https://a.example/1', priority: 2, r: true },
      { url: 'https://a.example/2,x', priority: 5, r: false },
    ]);
  });
});

describe('forager task', () => {
  test('list shows a table, filters, and one JSON object a line', async () => {
    const id = await submit('https://a.example/shoes', '--batch', 'Black Friday');
    await submit('https://b.example/');
    await fail(id);
    const { stdout } = await run([
      'task',
      'list',
      '--status',
      'failed',
      '--batch',
      'Black Friday',
      '--since',
      '1h',
    ]);
    expect(stdout).toMatch(/^URL +ID +STATUS +PRIORITY +SCHEDULED +TRIES +HTTP +BATCH\n/);
    expect(stdout).toContain('https://a.example/shoes');
    expect(stdout).toContain('3/3');
    expect(stdout).not.toContain('\u001b');
    expect(stdout).not.toContain('b.example');
    expect((await run(['task', 'list', '--search', 'shoes', '--json'])).json()).toMatchObject([{ id }]);
    expect((await run(['task', 'list', '--status', 'parsing'])).stdout).toContain('no such tasks');
    expect((await run(['task', 'list', '--limit', '1'])).stderr).toContain('The first 1;');
    expect((await run(['task', 'list', '--status', 'nonsense'])).code).toBe(2);
  });

  test('show tells what it waits for and its history as a timeline, without what could steer a terminal', async () => {
    const parent = await submit('https://a.example/1');
    const id = await submit('https://a.example/2', '--parent', String(parent));
    const waiting = await run(['task', 'show', String(id)]);
    expect(waiting.stdout).toContain(`It waits for task ${parent} to be completed, which is pending.`);
    await fail(parent);
    const { stdout } = await run(['task', 'show', String(parent)]);
    expect(stdout).toMatch(/┌ .* UTC {2}created as pending +cli:/);
    expect(stdout).toMatch(/├ .* UTC {2}crawling → failed +w1 {2}no \[31m answer/);
    expect(stdout).not.toContain('\u001b');
    expect((await run(['task', 'show', String(parent), '--json'])).json()).toMatchObject([
      { id: parent, history: [{ to: 'pending' }, { to: 'queued' }, { to: 'crawling' }, { to: 'failed' }] },
    ]);
    expect(await run(['task', 'show', '99999999'])).toMatchObject({
      ...{ code: 1, stderr: expect.stringContaining('There is no task 99999999.') },
    });
  });

  test('several at once: each is told, what cannot be done is too, and then it ends with 1', async () => {
    const [a, b] = [await submit('https://a.example/1'), await submit('https://a.example/2')];
    await fail(b);
    const paused = await run(['task', 'pause', String(a), String(b), '99999999']);
    expect(paused.code).toBe(1);
    expect(paused.stdout).toBe(`Task ${a} is paused: it was pending and is paused now.\n`);
    expect(paused.stderr).toContain(`Task ${b} is failed: it cannot be paused. (it can be `);
    expect(paused.stderr).toContain('There is no task 99999999.');
    expect((await run(['task', 'pause', String(a)])).stdout).toBe(
      `Task ${a} is paused: nothing to be done.\n`,
    );
    expect(await run(['task', 'resume', String(a)])).toMatchObject({ code: 0 });
    const urgent = await run(['task', 'priority', String(a), '--to', '1', '--json']);
    expect(urgent.json()).toMatchObject([{ id: a, changed: true, priority: 1 }]);
    expect(await run(['task', 'priority', String(a)])).toMatchObject({ code: 2 });
    expect((await run(['task', 'cancel', String(a)])).stdout).toContain(
      'it was pending and is cancelled now',
    );
    const again = await run(['task', 'restart', String(a), String(b), '--priority', '4', '--at', '2h']);
    expect(again.code).toBe(0);
    expect(
      await rowsOf("select priority, scheduled_at > now() + interval '1 h' as later from crawl_tasks"),
    ).toEqual([
      { priority: 4, later: true },
      { priority: 4, later: true },
    ]);
    expect((await run(['task', 'restart-parsing', String(a)])).stderr).toContain('cannot be parsed again');
    for (const at of ['2020-01-01', '9999-01-01', 'soon']) {
      expect(await run(['task', 'restart', String(b), '--at', at]), at).toMatchObject({
        code: 2,
        stdout: '',
      });
    }
    expect((await run(['task', 'show', '99999999999999999'])).stderr).toContain('It is too large a number.');
  });

  test('restart-failed counts first, then restarts', async () => {
    const ids = [await submit('https://a.example/1'), await submit('https://b.example/2')];
    for (const id of ids) await fail(id);
    expect((await run(['task', 'restart-failed', '--dry-run'])).stdout).toBe(
      '2 failed tasks would be restarted.\n',
    );
    expect((await run(['task', 'restart-failed', '--dry-run', '--limit', '1'])).stdout).toBe(
      '1 failed task would be restarted.\n2 fit in all; --limit takes more.\n',
    );
    expect((await run(['task', 'restart-failed', '--domain', 'a.example'])).stdout).toBe(
      '1 failed task restarted.\n',
    );
    expect((await run(['task', 'restart-failed', '--json'])).json()).toMatchObject([{ restarted: 1 }]);
  });
});

describe('forager batch and domain', () => {
  test('a batch goes by its name or number: listed, shown, paused, resumed, cancelled, restarted', async () => {
    for (const n of [1, 2, 3]) await submit(`https://a.example/${n}`, '--batch', 'Black Friday');
    expect((await run(['batch', 'list'])).stdout).toMatch(/^NAME +ID +PAUSED +MADE BY +MADE\nBlack Friday /);
    const [row] = (await run(['batch', 'show', 'Black Friday', '--json'])).json();
    expect(row).toMatchObject({ total: 3, byStatus: { pending: 3 } });
    const id = String(row?.id);
    expect((await run(['batch', 'pause', id])).stdout).toBe(
      `3 tasks of Black Friday (batch ${id}) paused.\n`,
    );
    expect((await run(['batch', 'show', id])).stdout).toMatch(
      /paused since .*\n.*\n {2}3 {2}paused\n {2}3 {2}in all\n/,
    );
    expect((await run(['batch', 'restart', id])).stderr).toContain('is paused');
    expect((await run(['batch', 'resume', 'Black Friday'])).stdout).toContain('3 tasks');
    expect((await run(['batch', 'cancel', 'Black Friday'])).stdout).toContain('3 tasks');
    expect((await run(['batch', 'restart', 'Black Friday', '--only-failed'])).stdout).toContain('0 tasks');
    expect((await run(['batch', 'restart', 'Black Friday', '--json'])).json()).toMatchObject([{ moved: 3 }]);
    expect(await run(['batch', 'show', 'nothing'])).toMatchObject({ code: 1 });
  });

  test('a domain is paused and resumed', async () => {
    await submit('https://a.example/1');
    expect((await run(['domain', 'pause', 'a.example'])).stdout).toContain('switched off');
    expect((await run(['domain', 'resume', 'a.example'])).stdout).toContain('may be crawled again');
  });
});
