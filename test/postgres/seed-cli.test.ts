/** `forager seed` as people call it. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../support/postgres.ts';
import { type CliRun, runForager } from '../support/run-cli.ts';

let database: TestDatabase;
let directory: string;

beforeAll(async () => {
  directory = await mkdtemp(path.join(os.tmpdir(), 'forager-seed-'));
});
afterAll(() => rm(directory, { recursive: true, force: true }));
beforeEach(async () => {
  database = await createTestDatabase();
});

function seed(args: readonly string[], input?: string): Promise<CliRun> {
  return runForager(['seed', ...args], {
    env: { DATABASE_URL: database.url },
    ...(input === undefined ? {} : { input }),
  });
}

async function writeList(name: string, content: string | Buffer): Promise<string> {
  const file = path.join(directory, name);
  await writeFile(file, content);
  return file;
}

async function readRows(): Promise<unknown[]> {
  const { rows } = await database.db.query<Record<string, unknown>>(
    'select domain, seed_rank, source from domains order by domain',
  );
  return rows.map((row) => [row.domain, row.seed_rank, row.source]);
}

describe('where seeds come from', () => {
  it('the command line', async () => {
    const run = await seed(['a.example', 'https://b.example/x', '--max-pages-per-run', '25', '--json']);
    expect(run).toMatchObject({ code: 0, stderr: '' });
    expect(run.json()).toEqual([
      {
        lines: 2,
        newDomains: 2,
        knownDomains: 0,
        newUrls: 2,
        badLines: 0,
        seconds: expect.any(Number),
        isStopped: false,
      },
    ]);
    expect(await readRows()).toEqual([
      ['a.example', null, 'cli'],
      ['b.example', null, 'cli'],
    ]);
    const { rows } = await database.db.query('select distinct max_pages_per_run from domains');
    expect(rows).toEqual([{ max_pages_per_run: 25 }]);
  });

  it('a packed file, after which it is named', async () => {
    const file = await writeList('tranco_20260205.csv.gz', gzipSync('1,a.example\r\n2,b.example\r\n'));
    expect((await seed(['--file', file])).code).toBe(0);
    expect(await readRows()).toEqual([
      ['a.example', 1, 'tranco_20260205'],
      ['b.example', 2, 'tranco_20260205'],
    ]);
  });

  it('standard input, beside the command line', async () => {
    const run = await seed(['z.example', '--file', '-'], 'domain,rank\na.example,4\n');
    expect(run.code).toBe(0);
    expect(run.stdout).toContain('2 lines');
    expect(await readRows()).toEqual([
      ['a.example', 4, 'stdin'],
      ['z.example', null, 'cli'],
    ]);
    await seed(['--file', '-', '--source', 'friends'], 'b.example\n');
    expect(await readRows()).toContainEqual(['b.example', null, 'friends']);
  });
});

describe('what is wrong', () => {
  it('with lines of a file is told, the first twenty each; the others load, and the exit code is 1', async () => {
    const lines = Array.from({ length: 50 }, (_, n) =>
      n % 2 === 0 ? `s${n}.example` : `http://me:very-secret@${n}.example/\u001b[31m`,
    );
    const file = await writeList('mixed.txt', `${lines.join('\n')}\n`);
    const run = await seed(['--file', file, '--json']);
    expect(run.code).toBe(1);
    expect(run.json()[0]).toMatchObject({ lines: 50, newDomains: 25, badLines: 25 });
    const told = run.stderr.trimEnd().split('\n');
    expect(told).toHaveLength(21);
    expect(told[0]).toContain('mixed.txt:2: "http://***@1.example/ [31m" is not a URL that can be crawled: ');
    expect(told[20]).toContain('5 more lines');
    expect(run.stderr).not.toMatch(/very-secret|\u001b/);
  });

  it.each([
    [['co.uk'], 'public suffix'],
    [['127.0.0.1:8080'], '--allow-private'],
    [['good.example', 'ftp://bad.example/'], 'the scheme ftp:'],
    [[], 'Nothing to seed'],
    [['--file', '/nowhere/list.csv'], 'there is no such file'],
    [['--file', os.tmpdir()], 'it is a directory'],
    [['a.example', '--follow'], '--follow needs --redis'],
    [['a.example', '--max-pages-per-run', '0'], 'at least 1'],
    [['a.example', '--max-pages-per-run', '1000000000000'], 'at most 1000000000'],
    [['a.example', '--source', ' '], '1 to 100 characters'],
  ])('with %j is said before anything is stored', async (args, message) => {
    const run = await seed(args);
    expect(run.code).toBe(2);
    expect(run.stderr).toContain(message);
    expect(await readRows()).toEqual([]);
  });

  it('with a packed file that breaks off is said, and what came before is stored', async () => {
    const names = Array.from({ length: 5000 }, (_, n) => `s${(n * 7919) % 100_003}.example`);
    const packed = gzipSync(names.join('\n'));
    const file = await writeList('cut.gz', packed.subarray(0, packed.length - 500));
    const run = await seed(['--file', file, '--json']);
    expect(run.code).toBe(1);
    expect(run.stderr).toContain('is not a whole gzip file');
    const { lines, newDomains } = run.json()[0] ?? {};
    expect(lines).toBeGreaterThan(1000);
    expect(lines).toBeLessThan(5000);
    expect(await readRows()).toHaveLength(Number(newDomains));
  });
});

it('a private address is taken when it is allowed', async () => {
  expect((await seed(['127.0.0.1:8080', '--allow-private'])).code).toBe(0);
  expect(await readRows()).toEqual([['127.0.0.1:8080', null, 'cli']]);
});

it('forager crawl reads the same lists and gives the same reasons', async () => {
  const file = await writeList('bad.csv', '1,co.uk\n2,10.0.0.1\n');
  const run = await runForager(['crawl', '--seeds', file], { env: { DATABASE_URL: database.url } });
  expect(run.code).toBe(2);
  expect(run.stderr).toContain(
    'bad.csv:1: "1,co.uk" is not a URL that can be crawled: "co.uk" is a public suffix',
  );
  expect(run.stderr).toContain(
    'bad.csv:2: "2,10.0.0.1" is not a URL that can be crawled: 10.0.0.1 is a loopback',
  );
});
