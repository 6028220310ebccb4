/**
 * Real proxies of the test's own, on free loopback ports, as the user who runs the test: squid, tinyproxy and
 * microsocks. To be stopped by whoever started them; gone with the test's process in any case.
 *
 * A proxy that is asked in absolute form looks the name up itself: name in `hosts` the sites it is to find on this
 * machine (`tinker-and-sons.localhost`). Through a tunnel it is told the address.
 */
import { createHash, randomBytes } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { ProxyEndpoint } from '../../src/engine/fetch/proxy-endpoint.ts';
import { findFreePorts, makeProxyDirectory, type ProxyProcess, runProxy } from './proxies-process.ts';
import { findLibrary, provideProxyProgram } from './proxies-programs.ts';

export interface TestProxyOptions {
  readonly user?: string;
  readonly password?: string;
  /** Names that lead to 127.0.0.1. */
  readonly hosts?: readonly string[];
}

export interface TestProxy extends ProxyProcess {
  readonly protocol: 'http' | 'https' | 'socks5';
  readonly host: string;
  readonly port: number;
  readonly user: string | undefined;
  readonly password: string | undefined;
  /** With user name and password. */
  readonly url: string;
  /** As the fetcher wants it. */
  endpoint(id: number, changes?: Partial<ProxyEndpoint>): ProxyEndpoint;
}

export interface SquidRequest {
  readonly clientPort: number;
  readonly status: number;
  readonly method: string;
  readonly url: string;
}

export interface TestSquid extends TestProxy {
  /** What was asked at this port and is over, oldest first; of a tunnel, the CONNECT. */
  requests(): Promise<SquidRequest[]>;
}

export interface SquidOptions extends TestProxyOptions {
  /** Makes it an https proxy, named `secure.localhost`. */
  readonly tls?: { readonly key: string; readonly cert: string };
}

export async function startSquid(options: SquidOptions = {}): Promise<TestSquid> {
  const [squid] = await startSquids(1, options);
  if (squid === undefined) throw new Error('No squid was started.');
  return squid;
}

/** Several proxies in one process, each with a port and a log of its own: killed and paused they all are at once. */
export async function startSquids(count: number, options: SquidOptions = {}): Promise<TestSquid[]> {
  const { root, file, env } = await provideProxyProgram('squid');
  const directory = await makeProxyDirectory('squid');
  const ports = await findFreePorts(count);
  const inside = (name: string): string => path.join(directory, name);
  const { user, password = '', tls, hosts = [] } = options;
  await writeFile(inside('hosts'), hostsFile(hosts));
  if (tls !== undefined) {
    await writeFile(inside('key.pem'), tls.key);
    await writeFile(inside('cert.pem'), tls.cert);
  }
  const way = tls === undefined ? '' : ` tls-cert=${inside('cert.pem')} tls-key=${inside('key.pem')}`;
  const listen = ports.map(
    (port) => `${tls === undefined ? 'http_port' : 'https_port'} 127.0.0.1:${port}${way}`,
  );
  const login: string[] = [];
  if (user !== undefined) {
    await writeFile(inside('users'), `${user}:${createHash('md5').update(password).digest('hex')}\n`);
    login.push(
      `auth_param basic program ${path.join(root, 'usr/lib/squid/basic_ncsa_auth')} ${inside('users')}`,
      'auth_param basic children 1 startup=1',
      'acl known proxy_auth REQUIRED',
      'http_access deny !known',
    );
  }
  const lines = [
    ...[...listen, ...login, 'http_access allow all', 'cache deny all', 'cache_mem 8 MB', 'memory_pools off'],
    ...[`hosts_file ${inside('hosts')}`, 'dns_nameservers 127.0.0.1', 'dns_timeout 2 seconds'],
    ...[`mime_table ${path.join(root, 'usr/share/squid/mime.conf')}`, 'visible_hostname squid.test'],
    ...[`error_directory ${path.join(root, 'usr/share/squid/errors/templates')}`],
    ...[`icon_directory ${path.join(root, 'usr/share/squid/icons')}`, 'pinger_enable off'],
    ...['pid_filename none', `coredump_dir ${directory}`, `cache_log ${inside('log')}`],
    ...['logformat plain %>lp %>p %>Hs %rm %ru', `access_log stdio:${inside('access')} plain`],
    ...['retry_on_error off', 'shutdown_lifetime 0 seconds', 'max_filedescriptors 4096', 'icp_port 0', ''],
  ];
  await writeFile(inside('squid.conf'), lines.join('\n'));
  // Its shared memory has a name for the whole machine, which two must not have in common.
  const service = `forager${randomBytes(6).toString('hex')}`;
  const process = await runProxy({
    ...{ directory, ports, file, env, words: ['-N', '-n', service, '-f', inside('squid.conf')] },
    leftovers: ['metadata', 'queues', 'readers'].map((part) => `/dev/shm/${service}-cf__${part}.shm`),
  });
  const protocol = tls === undefined ? 'http' : 'https';
  return ports.map((port) => ({
    ...describe(process, protocol, port, options),
    requests: async () => readSquidLog(await readFile(inside('access'), 'utf8').catch(() => ''), port),
  }));
}

export async function startTinyproxy(options: TestProxyOptions = {}): Promise<TestProxy> {
  const program = await provideProxyProgram('tinyproxy');
  const directory = await makeProxyDirectory('tinyproxy');
  const ports = await findFreePorts(1);
  const { user, password = '', hosts = [] } = options;
  const inside = (name: string): string => path.join(directory, name);
  const lines = [
    ...[`Port ${ports[0]}`, 'Listen 127.0.0.1', 'Timeout 60', 'MaxClients 200', 'LogLevel Connect'],
    ...(user === undefined ? [] : [`BasicAuth ${user} ${password}`]),
  ];
  await writeFile(inside('tinyproxy.conf'), `${lines.join('\n')}\n`);
  await writeFile(inside('hosts'), hostsFile(hosts));
  const env = {
    ...program.env,
    LD_PRELOAD: await findLibrary(program, 'libnss_wrapper.so'),
    NSS_WRAPPER_HOSTS: inside('hosts'),
  };
  const process = await runProxy({
    ...{ directory, ports, env, file: program.file, words: ['-d', '-c', inside('tinyproxy.conf')] },
  });
  return describe(process, 'http', ports[0] ?? 0, options);
}

export async function startMicrosocks(options: Omit<TestProxyOptions, 'hosts'> = {}): Promise<TestProxy> {
  const { file, env } = await provideProxyProgram('microsocks');
  const directory = await makeProxyDirectory('microsocks');
  const ports = await findFreePorts(1);
  const { user, password = '' } = options;
  const login = user === undefined ? [] : ['-u', user, '-P', password];
  const words = ['-i', '127.0.0.1', '-p', String(ports[0]), ...login];
  const process = await runProxy({ directory, ports, file, env, words });
  return describe(process, 'socks5', ports[0] ?? 0, options);
}

function describe(
  process: ProxyProcess,
  protocol: TestProxy['protocol'],
  port: number,
  { user, password }: TestProxyOptions,
): TestProxy {
  const host = protocol === 'https' ? 'secure.localhost' : '127.0.0.1';
  const login =
    user === undefined ? '' : `${encodeURIComponent(user)}:${encodeURIComponent(password ?? '')}@`;
  return {
    ...{ protocol, host, port, user, password, url: `${protocol}://${login}${host}:${port}` },
    endpoint: (id, changes = {}) => {
      const made = { id, protocol, host, port, username: user, password, ...changes };
      return { key: JSON.stringify(made), ...made };
    },
    get pid() {
      return process.pid;
    },
    ...{ log: process.log, kill: process.kill, restart: process.restart, stop: process.stop },
    ...{ pause: process.pause, resume: process.resume },
  };
}

function hostsFile(names: readonly string[]): string {
  return ['localhost', ...names].map((name) => `127.0.0.1 ${name}\n`).join('');
}

function readSquidLog(text: string, port: number): SquidRequest[] {
  return (
    text
      .split('\n')
      .map((line) => line.split(' '))
      // A connection on which nothing was asked is no request.
      .filter(([at, , status]) => at === String(port) && status !== '0' && status !== '-')
      .map(([, clientPort, status, method = '', url = '']) => ({
        ...{ clientPort: Number(clientPort), status: Number(status), method, url },
      }))
  );
}
