/** The processes of a RabbitMQ of the tests': everything on loopback, everything it writes in one directory. */
import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import net from 'node:net';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { promisify } from 'node:util';
import { provideRabbitServer, type RabbitProgram } from './provide-rabbitmq.ts';

const run = promisify(execFile);

export interface PreparedBroker {
  readonly directory: string;
  readonly port: number;
  readonly env: Readonly<Record<string, string>>;
}

export async function prepareBroker(directory: string): Promise<PreparedBroker> {
  await mkdir(path.join(directory, 'home'), { recursive: true });
  const [port, epmdPort, distributionPort] = await findFreePorts(3);
  if (port === undefined) throw new Error('No free port was found.');
  const inside = (name: string): string => path.join(directory, name);
  await writeFile(inside('enabled_plugins'), '[].');
  await writeFile(
    inside('rabbitmq.conf'),
    [
      `listeners.tcp.1 = 127.0.0.1:${port}`,
      'disk_free_limit.absolute = 1MB',
      'vm_memory_high_watermark.absolute = 2GB',
      'log.console = true',
      'log.console.level = info',
      '',
    ].join('\n'),
  );
  const env = {
    // Its own home, for the cookie of its Erlang; the settings of the machine's own broker stay out of it.
    ...{
      HOME: inside('home'),
      RABBITMQ_CONF_ENV_FILE: inside('none'),
      RABBITMQ_CONFIG_FILE: inside('rabbitmq.conf'),
    },
    ...{ RABBITMQ_ADVANCED_CONFIG_FILE: inside('none.config'), RABBITMQ_CONFIG_FILES: inside('none') },
    ...{ RABBITMQ_MNESIA_BASE: inside('data'), RABBITMQ_LOG_BASE: inside('log'), RABBITMQ_LOGS: '-' },
    ...{
      RABBITMQ_ENABLED_PLUGINS_FILE: inside('enabled_plugins'),
      RABBITMQ_NODENAME: 'forager-test@localhost',
    },
    ...{ ERL_EPMD_PORT: String(epmdPort), ERL_EPMD_ADDRESS: '127.0.0.1' },
    RABBITMQ_DIST_PORT: String(distributionPort),
    RABBITMQ_SERVER_ADDITIONAL_ERL_ARGS:
      '-kernel inet_dist_use_interface {127,0,0,1} +S 1:1 +sbwt none +sbwtdcpu none +sbwtdio none',
    // The script becomes the broker instead of waiting beside it: its pid is the broker's.
    RUNNING_UNDER_SYSTEMD: 'true',
  };
  return { directory, port, env };
}

export interface BrokerProcesses {
  readonly server: ChildProcess;
  /** The name service of its Erlang. Started by itself it would stay for ever. */
  readonly epmd: ChildProcess;
}

let program: Promise<RabbitProgram> | undefined;

export async function startBroker(broker: PreparedBroker, isDetached = false): Promise<BrokerProcesses> {
  program ??= provideRabbitServer();
  const { server: file, epmd: epmdFile, env: ways } = await program;
  const env = { ...process.env, ...broker.env, ...ways };
  const epmd = spawn(epmdFile, [], { env, stdio: 'ignore', detached: isDetached });
  const log = path.join(broker.directory, 'console.log');
  const server = spawn('sh', ['-c', 'exec "$0" >"$1" 2>&1', file, log], {
    ...{ env, detached: isDetached, stdio: 'ignore', cwd: broker.directory },
  });
  const processes = { server, epmd };
  if (isDetached) for (const child of [server, epmd]) child.unref();
  try {
    await waitUntilReady(server, log);
    return processes;
  } catch (error) {
    killAll(processes);
    throw error;
  }
}

/** What its operator would type after `rabbitmqctl`. */
export async function controlBroker(broker: PreparedBroker, words: readonly string[]): Promise<string> {
  program ??= provideRabbitServer();
  const { server, env: ways } = await program;
  const file = path.join(path.dirname(server), 'rabbitmqctl');
  const { stdout } = await run(file, [...words], { env: { ...process.env, ...broker.env, ...ways } });
  return stdout;
}

const START_PATIENCE_MS = 90_000;

async function waitUntilReady(server: ChildProcess, log: string): Promise<void> {
  const deadline = performance.now() + START_PATIENCE_MS;
  for (;;) {
    const said = await readFile(log, 'utf8').catch(() => '');
    if (said.includes('Server startup complete')) return;
    const isOver = server.exitCode !== null || server.signalCode !== null;
    if (isOver || performance.now() > deadline)
      throw new Error(`RabbitMQ did not start:\n${said.slice(-4000)}`);
    await pause(100);
  }
}

export function killAll(processes: BrokerProcesses | undefined): void {
  processes?.server.kill('SIGKILL');
  processes?.epmd.kill('SIGKILL');
}

export async function gone(child: ChildProcess): Promise<void> {
  if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
}

/** All at once, so that they are different ones. */
async function findFreePorts(count: number): Promise<number[]> {
  const servers = Array.from({ length: count }, () => net.createServer().listen(0, '127.0.0.1'));
  await Promise.all(servers.map((server) => once(server, 'listening')));
  const ports = servers.map((server) => (server.address() as net.AddressInfo).port);
  for (const server of servers) server.close();
  await Promise.all(servers.map((server) => once(server, 'close')));
  return ports;
}
