/** The real program as a process of its own, to be stopped, killed and run again. */
import { type ChildProcess, execFile, spawn } from 'node:child_process';
import path from 'node:path';
import { promisify } from 'node:util';
import { onTestFinished } from 'vitest';
import { loadConfig } from '../../src/platform/config.ts';
import { type Database, openDatabase } from '../../src/platform/database.ts';
import { waitUntil } from './crawl-support.ts';

const repository = path.resolve(import.meta.dirname, '..', '..');

/** Builds the program if its sources have changed; for `beforeAll`. */
export async function buildProgram(): Promise<void> {
  await promisify(execFile)(process.execPath, [path.join(repository, 'scripts', 'bootstrap.mjs')]);
}

export interface ProcessEnd {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface CrawlProcess {
  readonly child: ChildProcess;
  readonly pid: number;
  readonly ended: Promise<ProcessEnd>;
  readonly hasEnded: () => boolean;
  /** Kills it as a power cut would and waits until it is gone. */
  kill(): Promise<ProcessEnd>;
  /** What it has said on standard error so far. */
  stderr(): string;
}

export interface ProgramOptions {
  readonly dataDir: string;
  /** The embedded database of the data directory when left out. */
  readonly databaseUrl?: string;
  readonly env?: Readonly<Record<string, string>>;
  /** A command that runs the program, such as a shell with a limit set. */
  readonly through?: readonly string[];
}

export function startProgram(args: readonly string[], options: ProgramOptions): CrawlProcess {
  const own = [
    process.execPath,
    path.join(repository, 'dist', 'main.js'),
    ...args,
    '--data-dir',
    options.dataDir,
  ];
  const [command = '', ...rest] = [...(options.through ?? []), ...own];
  const child = spawn(command, rest, {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: {
      PATH: process.env.PATH,
      HOME: options.dataDir,
      FORAGER_BATCH_MS: '20',
      ...(options.databaseUrl === undefined ? {} : { DATABASE_URL: options.databaseUrl }),
      ...options.env,
    },
  });
  const output = { stdout: '', stderr: '' };
  child.stdout.on('data', (data: Buffer) => (output.stdout += data.toString()));
  child.stderr.on('data', (data: Buffer) => (output.stderr += data.toString()));
  let end: ProcessEnd | undefined;
  const ended = new Promise<ProcessEnd>((resolve) => {
    child.once('close', (code, signal) => {
      end = { code, signal, ...output };
      resolve(end);
    });
  });
  onTestFinished(async () => {
    child.kill('SIGKILL');
    await ended;
  });
  return {
    child,
    pid: child.pid ?? 0,
    ended,
    hasEnded: () => end !== undefined,
    kill: () => {
      child.kill('SIGKILL');
      return ended;
    },
    stderr: () => output.stderr,
  };
}

/** `forager crawl` of a local site at full speed. */
export function startCrawl(
  seeds: readonly string[],
  options: ProgramOptions & { readonly args?: readonly string[] },
): CrawlProcess {
  const args = ['--allow-private', '--delay', '0', '--no-sitemaps', '--json', ...(options.args ?? [])];
  return startProgram(['crawl', ...seeds, ...args], options);
}

/** The embedded database of a data directory, joined by the test itself. */
export async function joinEmbedded(dataDir: string): Promise<Database> {
  const db = await openDatabase(loadConfig({ dataDir, databasePoolSize: 2 }, {}));
  onTestFinished(() => db.close());
  return db;
}

/** Waits until a connection of this process, or of anybody but us, waits for a lock; returns its statement. */
export function awaitLockWait(db: Database, applicationName: string): Promise<string> {
  return waitUntil(async () => {
    const { rows } = await db.query<{ query: string }>(
      `select query from pg_stat_activity
        where application_name like $1 and wait_event_type = 'Lock' and datname = current_database()`,
      [`${applicationName}%`],
    );
    return rows[0]?.query;
  });
}
