/** The two example bots, run as they are against a real server, on the pages of the demo shops. */
import { execFile, spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { cp, realpath, symlink } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { type DemoWeb, startDemoWeb } from '../../src/demo/start-demo-web.ts';
import { startTestServer, type TestServer } from '../support/api.ts';
import { compileBot, makeBotDirectory } from '../support/bot-package.ts';
import { buildProgram } from '../support/crawl-process.ts';
import { temporaryDirectory, waitUntil } from '../support/crawl-support.ts';
import { plantBotJobs, registerBot } from '../support/planted-bots.ts';

const root = path.resolve(import.meta.dirname, '..', '..');
const examples = path.join(root, 'examples', 'bots');
const PRODUCTS = 6;

let server: TestServer;
let demo: DemoWeb;
/** As the shops themselves tell it. */
let products: { url: string; price: string; currency: string }[];

beforeAll(async () => {
  await buildProgram();
  [server, demo] = await Promise.all([startTestServer(), startDemoWeb()]);
  products = await findProducts();
}, 180_000);
afterAll(async () => {
  await server?.close();
  await demo?.close();
});

/** Some of each shop. Prices are read off the pages in a way of our own: from what people see. */
async function findProducts(): Promise<typeof products> {
  const found: typeof products = [];
  for (const [domain, currency] of [
    ['moss-and-marrow.localhost', 'EUR'],
    ['tinker-and-sons.localhost', 'GBP'],
  ]) {
    const site = demo.sites.find((each) => each.domain === domain);
    if (site === undefined || currency === undefined) throw new Error(`there is no ${domain}`);
    const home = await read(site.url);
    const paths = [...new Set([...home.matchAll(/href="(\/p\/[^"?]+)/g)].map((match) => match[1] ?? ''))];
    for (const place of paths.slice(0, PRODUCTS / 2)) {
      const url = new URL(place, site.url).href;
      const shown = /class="price">(?:<span[^>]*>)?([^<]+)</.exec(await read(url))?.[1] ?? '';
      found.push({ url, currency, price: shown.replace(/[^\d.,]/g, '').replace(',', '.') });
    }
  }
  expect(found).toHaveLength(PRODUCTS);
  return found;
}

/** By curl, which knows that names under .localhost are this machine. */
function read(url: string): Promise<string> {
  return new Promise((resolve, reject) => {
    execFile('curl', ['--silent', '--fail', url], (error, stdout) =>
      error ? reject(error) : resolve(stdout),
    );
  });
}

async function readResults(): Promise<object[]> {
  const { rows } = await server.database.db.query(
    `select t.url, trim_scale(r.price)::float8 as price, r.currency, r.title <> '' as "hasTitle", r.in_stock is not null as "hasStock"
       from crawl_results r join crawl_tasks t on t.id = r.task_id order by t.url`,
    [],
  );
  return rows;
}

const expected = () =>
  products
    .map(({ url, price, currency }) => ({
      url,
      price: Number(price),
      currency,
      hasTitle: true,
      hasStock: true,
    }))
    .sort((a, b) => (a.url < b.url ? -1 : 1));

async function statesOf(): Promise<Record<string, number>> {
  const { rows } = await server.database.db.query<{ status: string; count: number }>(
    "select status, count(*)::int from crawl_tasks where executor = 'bot' group by 1",
    [],
  );
  return Object.fromEntries(rows.map(({ status, count }) => [status, count]));
}

describe.each(['typescript', 'shell'] as const)('the %s bot', (kind) => {
  test('reads the prices of both shops, tells which page has none, and ends as it should', async () => {
    await server.database.execute('truncate crawl_results, crawl_tasks, products, bots cascade');
    const bot = await registerBot(server.database, `${kind}-bot`);
    const missing = new URL('/p/there-is-no-such-thing', products[0]?.url).href;
    await plantBotJobs(server.database, [
      ...products.map(({ url }) => ({ url })),
      { url: missing, maxRetries: 1 },
    ]);
    const env = {
      ...{
        PATH: process.env.PATH,
        FORAGER_URL: server.url,
        FORAGER_BOT_ID: bot.botId,
        FORAGER_BOT_KEY: bot.key,
      },
    };
    const [command, ...args] = await commandOf(kind);
    const child = spawn(command ?? '', args, { env, stdio: ['ignore', 'pipe', 'pipe'] });
    const output = { stdout: '', stderr: '' };
    child.stdout.on('data', (data: Buffer) => (output.stdout += data.toString()));
    child.stderr.on('data', (data: Buffer) => (output.stderr += data.toString()));
    const ended = new Promise<number | null>((resolve) => child.once('close', resolve));
    let hasEnded = false;
    void ended.then(() => (hasEnded = true));
    await waitUntil(async () => {
      const { completed = 0, failed = 0 } = await statesOf();
      return hasEnded || completed + failed === PRODUCTS + 1 ? true : undefined;
    });
    if (kind === 'typescript') child.kill('SIGTERM');
    expect({ code: await ended, ...output }).toMatchObject({ code: 0 });

    expect(await statesOf(), output.stderr).toEqual({ completed: PRODUCTS, failed: 1 });
    expect(await readResults()).toEqual(expected());
    expect(output.stdout).toContain(
      kind === 'shell' ? `${missing}: failed` : `{"done":${PRODUCTS},"retried":1,"failed":1,"lost":0}`,
    );
    expect(output.stdout + output.stderr).not.toContain(bot.key);
  });
});

/** The commands of each block of a text, one a line. */
function commandsOf(file: string): string[][] {
  const text = readFileSync(file, 'utf8').split('\n## Two complete bots\n').at(-1) ?? '';
  return [...text.matchAll(/^```sh\n((?:npx|FORAGER_)[\s\S]*?)^```$/gm)].map(([, block = '']) =>
    block.trim().split('\n'),
  );
}

test('the commands of the README and of the guide work as they stand, beside forager up --demo', async () => {
  const readme = commandsOf(path.join(examples, 'README.md'));
  const [start, commands = []] = readme;
  expect(start).toEqual(['npx forager up --demo']);
  expect(commandsOf(path.join(root, 'docs', 'bot-guide.md'))).toEqual([start, commands]);
  expect(commands).toHaveLength(4);

  // With --port 0 for a port that is free, and a directory of its own as the current one.
  const cwd = await temporaryDirectory('forager-walk-');
  await symlink(path.join(root, 'examples'), path.join(cwd, 'examples'));
  const main = path.join(root, 'dist', 'main.js');
  const own = { PATH: process.env.PATH, HOME: cwd };
  const up = spawn(process.execPath, [main, 'up', '--demo', '--port', '0'], { cwd, env: own });
  const ended = new Promise((resolve) => up.once('close', resolve));
  onTestFinished(async () => {
    up.kill('SIGKILL');
    await ended;
  });
  let told = '';
  for (const stream of [up.stdout, up.stderr]) stream.on('data', (data: Buffer) => (told += data.toString()));
  const tell = (pattern: RegExp): Promise<string> =>
    waitUntil(() => {
      if (up.exitCode !== null) throw new Error(told);
      return pattern.exec(told)?.[1];
    });
  const url = await tell(/Address\s+(\S+)/);
  const demoPort = new URL(await tell(/Demo web\s+(\S+)/)).port;
  const dataDir = await tell(/Commands\s+npx forager … --data-dir (\S+)/);
  expect(await realpath(dataDir)).toBe(await realpath(path.join(cwd, '.forager', 'demo-up')));

  let key = '';
  let last = '';
  for (const line of commands) {
    const typed = line
      .replace('npx forager', `"${process.execPath}" "${main}"`)
      .replace('fgr_…', key)
      .replace(':3101/', `:${demoPort}/`);
    last = await new Promise<string>((resolve, reject) => {
      execFile(
        'sh',
        ['-eu', '-c', typed],
        { cwd, env: { ...own, FORAGER_URL: url } },
        (error, stdout, stderr) =>
          error ? reject(new Error(`${line}: ${stdout}${stderr}`)) : resolve(stdout),
      );
    });
    key = /\bfgr_[\w-]+/.exec(last)?.[0] ?? key;
  }
  expect(last).toMatch(/shy-radish .*\d+\.\d\d EUR/);
  up.kill('SIGTERM');
  await ended;
});

async function commandOf(kind: 'typescript' | 'shell'): Promise<string[]> {
  if (kind === 'shell') return ['sh', path.join(examples, 'shell-bot', 'bot.sh')];
  const directory = await makeBotDirectory();
  await cp(path.join(examples, 'typescript-bot'), directory, { recursive: true });
  expect(await compileBot(directory)).toBe('');
  return [process.execPath, path.join(directory, 'dist', 'bot.js')];
}
