/** A proxy's process: on a free loopback port, everything it writes in one directory, gone with the test's process. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { rmSync } from 'node:fs';
import { chmod, mkdtemp, open, readFile, rm } from 'node:fs/promises';
import net from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';

export interface ProxyProcess {
  readonly pid: number;
  /** All it said and wrote to its log. */
  log(): Promise<string>;
  /** SIGKILL; resolves when it is gone. */
  kill(): Promise<void>;
  /** After a kill: again, at the same port. */
  restart(): Promise<void>;
  /** SIGSTOP: connections are still accepted by the kernel, and nothing is answered. */
  pause(): void;
  resume(): void;
  /** Ends it and removes what it wrote. */
  stop(): Promise<void>;
}

export interface ProcessPlan {
  readonly directory: string;
  readonly ports: readonly number[];
  readonly file: string;
  readonly words: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  /** Files elsewhere that it leaves behind when it is killed. */
  readonly leftovers?: readonly string[];
}

/** Others may write there too: squid does not stay root. */
export async function makeProxyDirectory(name: string): Promise<string> {
  const directory = await mkdtemp(path.join(os.tmpdir(), `forager-${name}-`));
  await chmod(directory, 0o777);
  return directory;
}

export async function runProxy(plan: ProcessPlan): Promise<ProxyProcess> {
  const { directory } = plan;
  const launchHere = (): Promise<ChildProcess> =>
    launch(plan).catch(async (error: unknown) => {
      await rm(directory, { recursive: true, force: true });
      throw error;
    });
  let child = await launchHere();
  const kill = async (): Promise<void> => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    child.kill('SIGKILL');
    await once(child, 'exit');
  };
  return {
    get pid() {
      return child.pid ?? 0;
    },
    log: () => readFile(path.join(directory, 'log'), 'utf8'),
    kill,
    async restart() {
      await kill();
      child = await launch(plan);
    },
    pause: () => void child.kill('SIGSTOP'),
    resume: () => void child.kill('SIGCONT'),
    async stop() {
      await kill();
      removeAll(plan.leftovers);
      await rm(directory, { recursive: true, force: true });
    },
  };
}

const START_PATIENCE_MS = 30_000;

async function launch(plan: ProcessPlan): Promise<ChildProcess> {
  const { directory, ports, file, words, env } = plan;
  const log = await open(path.join(directory, 'log'), 'a', 0o666);
  await log.chmod(0o666);
  const child = spawn(file, [...words], {
    ...{ cwd: directory, stdio: ['ignore', log.fd, log.fd] },
    env: { ...process.env, ...env },
  });
  const killWithUs = (): void => {
    child.kill('SIGKILL');
    removeAll(plan.leftovers);
  };
  process.once('exit', killWithUs);
  child.once('exit', () => process.off('exit', killWithUs));
  await log.close();
  const deadline = performance.now() + START_PATIENCE_MS;
  for (const port of ports) {
    while (!(await isListening(port))) {
      const isOver = child.exitCode !== null || child.signalCode !== null;
      if (isOver || performance.now() > deadline) {
        child.kill('SIGKILL');
        const said = await readFile(path.join(directory, 'log'), 'utf8');
        throw new Error(`${path.basename(file)} did not start:\n${said.slice(-4000)}`);
      }
      await pause(20);
    }
  }
  return child;
}

function removeAll(files: readonly string[] = []): void {
  for (const file of files) rmSync(file, { force: true });
}

function isListening(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = net.connect(port, '127.0.0.1');
    socket.once('connect', () => {
      socket.destroy();
      resolve(true);
    });
    socket.once('error', () => resolve(false));
  });
}

/** All at once, so that they are different ones. */
export async function findFreePorts(count: number): Promise<number[]> {
  const servers = Array.from({ length: count }, () => net.createServer().listen(0, '127.0.0.1'));
  await Promise.all(servers.map((server) => once(server, 'listening')));
  const ports = servers.map((server) => (server.address() as net.AddressInfo).port);
  for (const server of servers) server.close();
  await Promise.all(servers.map((server) => once(server, 'close')));
  return ports;
}
