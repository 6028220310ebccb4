/** The guide for those who write bots, held to the program: every example is executed, every table compared. */
import { execFile, spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { extendLock, pullJobs, submitResult } from '../../src/contract/bots.ts';
import { PROBLEMS, type ProblemCode } from '../../src/contract/problems.ts';
import { startTestServer, type TestServer } from '../support/api.ts';
import { compileBot, makeBotDirectory } from '../support/bot-package.ts';
import { buildProgram } from '../support/crawl-process.ts';
import { temporaryDirectory, waitUntil } from '../support/crawl-support.ts';
import { plantBotJobs, registerBot } from '../support/planted-bots.ts';
import { runForager } from '../support/run-cli.ts';

const root = path.resolve(import.meta.dirname, '..', '..');
const guide = readFileSync(path.join(root, 'docs', 'bot-guide.md'), 'utf8');

interface Block {
  readonly language: string;
  readonly text: string;
}

function blocksOf(text: string): Block[] {
  return [...text.matchAll(/^```(\w*)\n([\s\S]*?)^```$/gm)].map(([, language = '', code = '']) => ({
    ...{ language, text: code },
  }));
}

const [beforeBots = '', bots = ''] = guide.split('\n## Two complete bots\n');
const blocks = blocksOf(beforeBots);

beforeAll(buildProgram, 180_000);

async function openServer(): Promise<TestServer> {
  const server = await startTestServer();
  onTestFinished(() => server.close());
  return server;
}

interface Ran {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

function runShell(text: string, cwd: string, env: Record<string, string>): Promise<Ran> {
  const options = { cwd, env: { PATH: process.env.PATH, ...env } };
  return new Promise((resolve) => {
    execFile('sh', ['-eu', '-c', text], options, (error, stdout, stderr) => {
      resolve({ code: error === null ? 0 : Number(error.code ?? -1), stdout, stderr });
    });
  });
}

/** What is another each time stands for itself. */
function settled(text: string): unknown {
  return JSON.parse(text, (name, value: unknown) => {
    if (name === 'requestId') return 'some request';
    if (name === 'result_id') return 'some result';
    if (name === 'retry_after_seconds' && typeof value === 'number') return 'some seconds';
    if (name === 'locked_until' && typeof value === 'string' && !Number.isNaN(Date.parse(value)))
      return 'some time';
    return value;
  });
}

test('the commands and requests do what the guide says, one after the other, and are answered as it shows', async () => {
  const server = await openServer();
  const directory = await temporaryDirectory('forager-guide-');
  const held = { FORAGER_URL: server.url, FORAGER_BOT_KEY: '', JOB_ID: '', LOCK_TOKEN: '' };
  let last: Ran | undefined;
  const ran = { commands: 0, requests: 0, answers: 0 };
  for (const { language, text } of blocks) {
    if (language === '') {
      for (const line of text.trim().split('\n')) {
        const [program, ...words] = line.split(' ');
        expect(program).toBe('forager');
        const env = { DATABASE_URL: server.database.url, FORAGER_DATA_DIR: directory };
        const cli = await runForager(words, { env });
        expect(cli, line).toMatchObject({ code: 0 });
        held.FORAGER_BOT_KEY = /\bfgr_[\w-]+/.exec(cli.stdout)?.[0] ?? held.FORAGER_BOT_KEY;
        ran.commands += 1;
      }
    } else if (language === 'sh') {
      last = await runShell(text, directory, held);
      expect(last, text).toMatchObject({ code: 0, stderr: '' });
      const answer = last.stdout.startsWith('{') ? JSON.parse(last.stdout) : undefined;
      const [job] = answer?.data?.jobs ?? [];
      if (job !== undefined) Object.assign(held, { JOB_ID: job.job_id, LOCK_TOKEN: job.lock_token });
      ran.requests += 1;
    } else if (language === 'json') {
      expect.soft(settled(last?.stdout ?? ''), text).toEqual(settled(text));
      ran.answers += 1;
    }
  }
  expect(ran.commands).toBeGreaterThanOrEqual(4);
  expect(ran.requests).toBeGreaterThanOrEqual(9);
  expect(ran.answers).toBeGreaterThanOrEqual(7);
});

/** How many of three jobs each leaves done, and what it prints. */
const PROGRAMS: Readonly<Record<string, { done: number; stdout?: string; isEndless?: boolean }>> = {
  'loop.ts': { done: 3, isEndless: true },
  'few.ts': { done: 2 },
  'wait.ts': { done: 3 },
  'keep.ts': { done: 1 },
  'lost.ts': { done: 3, isEndless: true },
  'again.ts': { done: 1, stdout: 'true\n' },
  'why.ts': { done: 0, stdout: 'pending\n' },
  'errors.ts': { done: 1, stdout: 'already-submitted\n' },
  'polite.ts': { done: 2 },
  'page.ts': { done: 1 },
};

test('the programs compile as strictly as can be, and each does what it is there for', async () => {
  const server = await openServer();
  const { key } = await registerBot(server.database, 'bot-001');
  const place = await makeBotDirectory();
  const files = blocks
    .filter(({ language }) => language === 'ts')
    .map(({ text }) => ({ name: /^\/\/ (\S+\.ts)\n/.exec(text)?.[1] ?? '', text }));
  expect(files.map(({ name }) => name).sort()).toEqual(['client.ts', ...Object.keys(PROGRAMS)].sort());
  for (const { name, text } of files) await writeFile(path.join(place, name), text);
  const compilerOptions = {
    ...{ target: 'es2023', module: 'nodenext', strict: true, types: ['node'], rootDir: '.', outDir: 'dist' },
    ...{ noUncheckedIndexedAccess: true, exactOptionalPropertyTypes: true, noUnusedLocals: true },
    ...{ allowImportingTsExtensions: true, rewriteRelativeImportExtensions: true },
  };
  await writeFile(path.join(place, 'tsconfig.json'), JSON.stringify({ compilerOptions, include: ['*.ts'] }));
  expect(await compileBot(place)).toBe('');

  for (const [name, { done, stdout, isEndless }] of Object.entries(PROGRAMS)) {
    await server.database.execute(
      "update crawl_tasks set status = 'cancelled', moved_by = 'test' where status in ('pending', 'locked')",
    );
    const ids = await plantBotJobs(
      server.database,
      [1, 2, 3].map((n) => ({ url: `https://${name}.example/${n}` })),
    );
    const countDone = async (): Promise<number> => {
      const { rows } = await server.database.db.query(
        "select id from crawl_tasks where id = any($1::bigint[]) and status = 'completed'",
        [ids],
      );
      return rows.length;
    };
    const env = { PATH: process.env.PATH, FORAGER_URL: server.url, FORAGER_BOT_KEY: key };
    const child = spawn(process.execPath, [path.join(place, 'dist', name.replace('.ts', '.js'))], { env });
    const output = { stdout: '', stderr: '' };
    child.stdout.on('data', (data: Buffer) => (output.stdout += data.toString()));
    child.stderr.on('data', (data: Buffer) => (output.stderr += data.toString()));
    const ended = new Promise<number | null>((resolve) => child.once('close', resolve));
    if (isEndless) {
      await waitUntil(async () =>
        (await countDone()) === done || child.exitCode !== null ? true : undefined,
      );
      child.kill('SIGTERM');
    }
    expect({ name, code: await ended, ...output }).toMatchObject({
      ...{ name, code: 0, stderr: '' },
      ...(stdout === undefined ? {} : { stdout }),
    });
    expect({ name, done: await countDone() }).toEqual({ name, done });
  }
});

test('the two complete bots are the files of the repository', () => {
  const shown = [...bots.matchAll(/<!-- (\S+) -->\n\n```\w+\n([\s\S]*?)^```$/gm)];
  expect(shown).toHaveLength(2);
  for (const [, file = '', text] of shown) expect(text).toBe(readFileSync(path.join(root, file), 'utf8'));
});

describe('tables', () => {
  /** First cells of the rows of the nth table below a heading, and the rest of them. */
  function readTable(heading: string, nth = 0): string[][] {
    const below = guide.split(`\n${heading}\n`)[1]?.split(/\n#{1,3} /)[0] ?? '';
    const tables = below.split('\n\n').filter((part) => part.startsWith('|'));
    return (tables[nth] ?? '')
      .split('\n')
      .slice(2)
      .map((line) =>
        line
          .split('|')
          .slice(1, -1)
          .map((cell) => cell.trim().replaceAll('`', '')),
      );
  }
  const names = (rows: readonly string[][]): string[] => rows.map(([name = '']) => name).sort();
  const keysOf = (schema: unknown): string[] => Object.keys((schema as { shape: object }).shape).sort();
  const dataOf = (answer: unknown): unknown => (answer as { shape: { data: unknown } }).shape.data;

  test('have every field of the requests and answers, and no other', () => {
    expect(names(readTable('### Pull', 0))).toEqual(keysOf(pullJobs.body));
    expect(names(readTable('### Pull', 1))).toEqual(keysOf(dataOf(pullJobs.answer)));
    const { jobs } = (dataOf(pullJobs.answer) as { shape: { jobs: { element: unknown } } }).shape;
    expect(names(readTable('### Pull', 2))).toEqual(keysOf(jobs.element));
    expect(names(readTable('### Submit'))).toEqual(keysOf(submitResult.body));
    expect(names(readTable('### Extend'))).toEqual(keysOf(extendLock.body));
  });

  test('have every code that these routes name, with its status', () => {
    const rows = readTable('## Errors');
    for (const [code = '', status] of rows) {
      expect({ code, status }).toEqual({ code, status: String(PROBLEMS[code as ProblemCode]?.status) });
    }
    const told = names(rows);
    const named = [pullJobs, submitResult, extendLock].flatMap(({ problems = [] }) => problems);
    expect(named.filter((code) => !told.includes(code))).toEqual([]);
  });
});
