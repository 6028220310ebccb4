/** The one file that knows how Forager is called: its commands, its flags and what it prints. */
import { execFile, spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as waitMs } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { findPostmaster } from './accounting.mjs';

const MAIN = fileURLToPath(new URL('../dist/main.js', import.meta.url));
const run = promisify(execFile);

export function assertForagerBuilt() {
  if (!existsSync(MAIN)) throw new Error('dist/main.js is missing: run `npm run build` first');
}

/** A data directory with the database made and migrated, so that a run measures crawling and not set-up. */
export async function prepareDataDir() {
  const dataDir = mkdtempSync(path.join(os.tmpdir(), 'forager-bench-'));
  await run(process.execPath, [MAIN, 'db', 'migrate', '--data-dir', dataDir], { maxBuffer: 1 << 26 });
  return dataDir;
}

/** Brings the schema of a database of somebody's server up to date. */
export async function migrateDatabase(url) {
  await run(process.execPath, [MAIN, 'db', 'migrate'], {
    env: { ...process.env, DATABASE_URL: url },
    maxBuffer: 1 << 26,
  });
}

/** One that every domain may use. */
export async function addProxy({ dataDir, url, maxPerHour }) {
  const args = ['proxy', 'add', url, '--max-per-hour', String(maxPerHour), '--data-dir', dataDir];
  await run(process.execPath, [MAIN, ...args], { env: { ...process.env, FORAGER_ALLOW_PRIVATE: 'true' } });
}

/** Puts sites into the standing order, for the workers of that database. */
export async function seedSites({ dataDir, databaseUrl, seeds }) {
  await run(process.execPath, [MAIN, 'seed', '--file', writeSeeds(dataDir, seeds)], {
    env: { ...process.env, ...privateEnv(dataDir, databaseUrl) },
    maxBuffer: 1 << 26,
  });
}

/**
 * One worker of a fleet: what node is to run, in which environment. Settings are those of docs/settings.md.
 * @param {{ dataDir: string, databaseUrl: string, id: string, settings: Record<string, string | number>,
 *   flags?: string[] }} worker the directory is its own, the database is everybody's
 */
export function workerCommand({ dataDir, databaseUrl, id, settings, flags = [] }) {
  return {
    args: [MAIN, 'worker', '--id', id, '--json', ...flags],
    env: { ...privateEnv(dataDir, databaseUrl), ...asText(settings) },
  };
}

/** A scheduler of the same fleet. */
export function schedulerCommand({ dataDir, databaseUrl, settings }) {
  return {
    args: [MAIN, 'scheduler', '--json'],
    env: { ...privateEnv(dataDir, databaseUrl), ...asText(settings) },
  };
}

function asText(settings) {
  return Object.fromEntries(Object.entries(settings).map(([name, value]) => [name, String(value)]));
}

/** The site is on loopback, which is private. */
function privateEnv(dataDir, databaseUrl) {
  return { DATABASE_URL: databaseUrl, FORAGER_DATA_DIR: dataDir, FORAGER_ALLOW_PRIVATE: 'true' };
}

function writeSeeds(dataDir, seeds) {
  const file = path.join(dataDir, 'bench-seeds.txt');
  writeFileSync(file, seeds.map((seed) => `${seed}\n`).join(''));
  return file;
}

/**
 * Arguments for node: one durable crawl of the seeds, robots on, everything else as it comes.
 * @param {{ dataDir: string, seeds: string[], maxPages: number, delaySeconds: number, flags?: string[] }} crawl
 */
export function crawlArgs({ dataDir, seeds, maxPages, delaySeconds, flags = [] }) {
  const seedsFile = writeSeeds(dataDir, seeds);
  const limits = ['--max-pages', String(maxPages), '--delay', String(delaySeconds)];
  return [
    MAIN,
    'crawl',
    '--seeds',
    seedsFile,
    ...limits,
    '--allow-private',
    '--data-dir',
    dataDir,
    '--json',
    ...flags,
  ];
}

/** What `crawl --json` says at its end: the last line of its output that is a JSON object. */
export function readCrawlSummary(stdout) {
  for (const line of stdout.trim().split('\n').reverse()) {
    if (!line.startsWith('{')) continue;
    try {
      return JSON.parse(line);
    } catch {
      // Not the summary; look further up.
    }
  }
  return undefined;
}

/** All rows of `forager export <kind>`, as objects. */
export async function exportRows(dataDir, kind) {
  const file = path.join(dataDir, `bench-${kind}.jsonl`);
  rmSync(file, { force: true });
  const args = [MAIN, 'export', kind, '--format', 'jsonl', '-o', file, '--data-dir', dataDir];
  await run(process.execPath, args, { maxBuffer: 1 << 26 });
  return readFileSync(file, 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line));
}

/** The server by itself, with room for as many requests as a benchmark sends. */
export async function startApi({ dataDir, databaseUrl }) {
  const rates = ['ANONYMOUS', 'USER', 'ADMIN', 'BOT'].map((tier) => [`FORAGER_RATE_${tier}`, '1000000']);
  return startServer([MAIN, 'api', '--port', '0', '--json'], {
    ...{ DATABASE_URL: databaseUrl, FORAGER_DATA_DIR: dataDir, FORAGER_LOG_LEVEL: 'error' },
    ...Object.fromEntries(rates),
  });
}

export function startBareServer() {
  return startServer([fileURLToPath(new URL('./bare-server.mjs', import.meta.url))], {});
}

/** Started when it has printed a line of JSON with its address. */
async function startServer(args, env) {
  const child = spawn(process.execPath, args, {
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const ended = new Promise((resolve) => child.once('exit', resolve));
  let printed = '';
  const url = await new Promise((resolve, reject) => {
    child.once('exit', (code) => reject(new Error(`the server ended with code ${code}`)));
    child.stdout.on('data', (chunk) => {
      printed += chunk;
      for (const line of printed.split('\n').slice(0, -1)) {
        if (line.startsWith('{') && JSON.parse(line).url !== undefined) resolve(JSON.parse(line).url);
      }
    });
  });
  return {
    url,
    pid: child.pid,
    stop: async () => {
      child.kill('SIGTERM');
      await ended;
    },
  };
}

/** A key of the administrator's that may read everything. */
export async function createReadKey({ dataDir, databaseUrl }) {
  const args = [MAIN, 'key', 'create', '--name', 'bench', '--user', 'admin', '--scopes', 'read', '--json'];
  const { stdout } = await run(process.execPath, args, {
    env: { ...process.env, DATABASE_URL: databaseUrl, FORAGER_DATA_DIR: dataDir },
  });
  return JSON.parse(stdout).token;
}

/** Stops the data directory's database if somebody left it up, as its last guest would. */
export async function stopServer(dataDir) {
  const postmaster = findPostmaster(dataDir);
  if (postmaster === undefined) return;
  process.kill(postmaster, 'SIGINT');
  for (let attempt = 0; attempt < 600 && findPostmaster(dataDir) !== undefined; attempt += 1)
    await waitMs(50);
}

export async function removeDataDir(dataDir) {
  await stopServer(dataDir);
  rmSync(dataDir, { recursive: true, force: true });
}
