/** A real Redis of the test's own: on a free loopback port, as the user who runs the test, nothing on the disk. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import net from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { createClient } from '@redis/client';
import { onTestFinished } from 'vitest';
import { provideRedisServer, type RedisProgram } from './provide-redis.ts';

export interface TestRedis {
  readonly url: string;
  readonly process: ChildProcess;
  /** One command, and its answer. */
  ask<T = unknown>(...words: (string | Buffer)[]): Promise<T>;
  stop(): Promise<void>;
}

export interface TestRedisOptions {
  readonly password?: string;
  /** A free one when left out. */
  readonly port?: number;
}

let program: Promise<RedisProgram> | undefined;

/** Gone when the test is over, whatever became of it. */
export async function startTestRedis(options: TestRedisOptions = {}): Promise<TestRedis> {
  program ??= provideRedisServer();
  const { file, env } = await program;
  const directory = await mkdtemp(path.join(os.tmpdir(), 'forager-redis-'));
  const port = options.port ?? (await findFreePort());
  const password = options.password === undefined ? [] : ['--requirepass', options.password];
  const child = spawn(
    file,
    [
      ...['--port', String(port), '--bind', '127.0.0.1', '--dir', directory],
      ...['--save', '', '--appendonly', 'no', '--daemonize', 'no', ...password],
    ],
    { stdio: ['ignore', 'pipe', 'inherit'], env: { ...process.env, ...env } },
  );
  const killWithUs = (): void => void child.kill('SIGKILL');
  process.once('exit', killWithUs);
  const stop = async (): Promise<void> => {
    process.off('exit', killWithUs);
    if (child.exitCode === null && child.signalCode === null) {
      child.kill('SIGCONT');
      child.kill('SIGKILL');
      await once(child, 'exit');
    }
    await rm(directory, { recursive: true, force: true });
  };
  onTestFinished(stop);
  await waitUntilReady(child);
  const secret = options.password === undefined ? '' : `:${options.password}@`;
  const url = `redis://${secret}127.0.0.1:${port}`;
  return { url, process: child, stop, ask: (...words) => askOnce(url, words) };
}

async function waitUntilReady(child: ChildProcess): Promise<void> {
  const said: string[] = [];
  if (child.stdout === null) throw new Error('Redis has no standard output.');
  for await (const line of createInterface({ input: child.stdout })) {
    said.push(line);
    if (line.includes('Ready to accept connections')) {
      child.stdout.resume();
      return;
    }
  }
  throw new Error(`Redis did not start:\n${said.join('\n')}`);
}

async function askOnce<T>(url: string, words: readonly (string | Buffer)[]): Promise<T> {
  const client = createClient({ url, RESP: 2, socket: { reconnectStrategy: false } });
  client.on('error', () => undefined);
  await client.connect();
  try {
    return await client.sendCommand<T>(words);
  } finally {
    client.destroy();
  }
}

async function findFreePort(): Promise<number> {
  const server = net.createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  await once(server, 'close');
  if (address === null || typeof address === 'string') throw new Error('No free port was found.');
  return address.port;
}
