import { type ChildProcess, spawn } from 'node:child_process';
import { closeSync, openSync } from 'node:fs';
import { readdir, readFile, rm, stat } from 'node:fs/promises';
import net from 'node:net';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { monotonicMs } from '../clock.ts';
import { PlatformError } from '../errors.ts';
import type { Binaries } from './binaries.ts';
import { describeSpawn, serverEnvironment } from './cluster.ts';
import { describeFullDisk } from './file-problem.ts';
import type { Placement } from './placement.ts';
import { disarmStalePostmasterFile, readPostmasterFile } from './postmaster-file.ts';
import { spawnIdentity } from './server-user.ts';

/** Recovery after a crash replays the log; however long that takes, the server is at work, so we wait. */
const readyWithinMs = 10 * 60_000;
const leftoverWaitMs = 30_000;
const portAttempts = 10;

type StartResult = { kind: 'ready' } | { kind: 'failed'; output: string };

/** Starts the server on the remembered port, or another free one if that is taken. Under the server lock. */
export async function startServer(
  placement: Placement,
  binaries: Binaries,
  rememberedPort: number | undefined,
): Promise<number> {
  await trimLogs(placement.clusterDir);
  const startedAt = monotonicMs();
  let port = rememberedPort ?? (await findFreePort());
  for (let attempt = 1; ; ) {
    await disarmStalePostmasterFile(placement.clusterDir);
    const result = await tryStart(placement, binaries, port);
    if (result.kind === 'ready') return port;
    const areLeftoversDying = /shared memory block .* still in use/i.test(result.output);
    if (areLeftoversDying && monotonicMs() - startedAt < leftoverWaitMs) {
      await pause(100);
      continue;
    }
    const isPortTaken = /Address already in use|could not bind|could not create any TCP/i.test(result.output);
    if (!isPortTaken || attempt >= portAttempts) throw describeFailedStart(placement, result.output);
    attempt += 1;
    port = await findFreePort();
  }
}

async function tryStart(placement: Placement, binaries: Binaries, port: number): Promise<StartResult> {
  const outputFile = path.join(placement.home, 'start.log');
  const output = openSync(outputFile, 'w', 0o600);
  let child: ChildProcess;
  try {
    // Its own session, no pipe to us: the server outlives this process if others still need it, and Ctrl-C in
    // our terminal does not reach it.
    child = spawn(binaries.postgres, ['-D', placement.clusterDir, '-p', String(port)], {
      ...spawnIdentity(placement.user),
      cwd: '/',
      env: serverEnvironment,
      detached: true,
      stdio: ['ignore', output, output],
    });
  } finally {
    closeSync(output);
  }
  const end: { reason: string | undefined } = { reason: undefined };
  child.once('error', (error) => {
    end.reason = describeSpawn(error, binaries.postgres);
  });
  child.once('exit', (code, signal) => {
    end.reason ??= `the server ended with ${signal ?? `exit code ${code}`}`;
  });
  child.unref();
  const deadline = monotonicMs() + readyWithinMs;
  while (monotonicMs() < deadline) {
    if (end.reason !== undefined)
      return { kind: 'failed', output: await readOutput(placement, outputFile, end.reason) };
    const file = await readPostmasterFile(placement.clusterDir);
    if (file?.pid === child.pid && file?.status === 'ready') return { kind: 'ready' };
    await pause(15);
  }
  child.kill('SIGINT');
  return { kind: 'failed', output: `not ready after ${readyWithinMs / 60_000} minutes` };
}

function findFreePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = net.createServer();
    probe.once('error', reject);
    probe.listen(0, '127.0.0.1', () => {
      const address = probe.address();
      const port = typeof address === 'object' && address !== null ? address.port : 0;
      probe.close(() => resolve(port));
    });
  });
}

/** Early messages go to our file, later ones to the server's own log. */
async function readOutput(placement: Placement, outputFile: string, reason: string): Promise<string> {
  const early = await readFile(outputFile, 'utf8').catch(() => '');
  const log = await readFile(await newestLog(placement.clusterDir), 'utf8').catch(() => '');
  return `${log.slice(-4000)}\n${early.slice(-8000)}\n${reason}`;
}

function describeFailedStart(placement: Placement, output: string): PlatformError {
  if (/No space left on device|Disk quota exceeded/i.test(output))
    return describeFullDisk(placement.clusterDir);
  const lines = output.split('\n').map((line) => line.trim());
  const why = lines.findLast((line) => /FATAL|PANIC/.test(line))?.replace(/^.*?(FATAL|PANIC):\s*/, '');
  return new PlatformError(
    'server-start-failed',
    `The embedded database in ${placement.clusterDir} did not start: ${why ?? lines.findLast(Boolean)}`,
    {
      hint: `the server's own words are in ${path.join(placement.clusterDir, 'log')} and ${path.join(placement.home, 'start.log')}`,
      cause: new Error(output),
    },
  );
}

const largestLogBytes = 4 * 1024 * 1024;

/** A file is overwritten only while the server runs past the hour; many short runs would let it grow. */
async function trimLogs(clusterDir: string): Promise<void> {
  const directory = path.join(clusterDir, 'log');
  for (const name of await readdir(directory).catch(() => [])) {
    const file = path.join(directory, name);
    const found = await stat(file).catch(() => undefined);
    if (found !== undefined && found.size > largestLogBytes) await rm(file, { force: true });
  }
}

async function newestLog(clusterDir: string): Promise<string> {
  const directory = path.join(clusterDir, 'log');
  const files = (await readdir(directory).catch(() => [])).map((name) => path.join(directory, name));
  const times = await Promise.all(files.map(async (file) => ({ file, time: (await stat(file)).mtimeMs })));
  return times.sort((a, b) => b.time - a.time)[0]?.file ?? '';
}
