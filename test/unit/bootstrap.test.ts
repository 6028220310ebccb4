import { execFile, execFileSync } from 'node:child_process';
import { chmod, cp, mkdir, mkdtemp, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { ordinaryUser, provideNode } from '../support/other-user.ts';

const repository = path.resolve(import.meta.dirname, '..', '..');
let root: string;
let checkout: string;

beforeAll(async () => {
  root = await mkdtemp(path.join(os.tmpdir(), 'forager-bootstrap-'));
  await chmod(root, 0o755);
});
afterAll(() => rm(root, { recursive: true, force: true }));

/** A checkout with one source file and no dependencies, so that npm needs no network. */
beforeEach(async () => {
  checkout = await mkdtemp(path.join(root, 'checkout-'));
  await chmod(checkout, 0o755);
  await cp(path.join(repository, 'scripts'), path.join(checkout, 'scripts'), { recursive: true });
  await writeFile(path.join(checkout, 'package.json'), '{"name":"x","version":"1.0.0","type":"module"}');
  await writeLock({ '': { name: 'x', version: '1.0.0' } });
  await writeFile(
    path.join(checkout, 'tsconfig.json'),
    '{"compilerOptions":{"rootDir":"src","outDir":"dist","module":"nodenext","types":[]},"include":["src"]}',
  );
  await mkdir(path.join(checkout, 'src', 'deep'), { recursive: true });
  await writeSource('main.ts', 'export const answer: number = 41;');
  await writeSource('deep/ask.sql', 'select 1');
});

function writeLock(packages: object): Promise<void> {
  const lock = { name: 'x', version: '1.0.0', lockfileVersion: 3, requires: true, packages };
  return writeFile(path.join(checkout, 'package-lock.json'), JSON.stringify(lock));
}

function writeSource(name: string, text: string): Promise<void> {
  return writeFile(path.join(checkout, 'src', name), text);
}

/** The compiler, as if npm had installed it. */
async function installCompiler(): Promise<void> {
  await mkdir(path.join(checkout, 'node_modules'), { recursive: true });
  for (const name of ['typescript', '@typescript']) {
    const source = path.join(repository, 'node_modules', name);
    await symlink(source, path.join(checkout, 'node_modules', name)).catch(() => undefined);
  }
  await writeFile(path.join(checkout, 'node_modules', '.package-lock.json'), '{"packages":{}}');
}

interface Result {
  readonly code: number;
  readonly output: string;
}

function bootstrap(args: string[] = [], env: Record<string, string> = {}): Promise<Result> {
  return new Promise((resolve) => {
    const script = path.join(checkout, 'scripts', 'bootstrap.mjs');
    const options = { cwd: os.tmpdir(), env: { PATH: process.env.PATH ?? '', HOME: root, ...env } };
    execFile(process.execPath, [script, ...args], options, (error, stdout, stderr) => {
      resolve({ code: error === null ? 0 : Number(error.code ?? -1), output: stdout + stderr });
    });
  });
}

const inDist = (name: string) => path.join(checkout, 'dist', name);

test('a fresh clone gets its dependencies, and the second time there is nothing to do and nothing to say', async () => {
  const first = await bootstrap(['--install-only']);
  expect(first.output).toContain('Installing dependencies');
  expect(first.code).toBe(0);
  expect(await bootstrap(['--install-only'])).toEqual({ code: 0, output: '' });
  await writeLock({ '': { name: 'x', version: '1.0.1' } });
  expect((await bootstrap(['--install-only'])).code).toBe(0);
});

test('the build has the program, runnable, and the statements beside it; then there is nothing to do', async () => {
  await installCompiler();
  expect(await bootstrap()).toMatchObject({ code: 0, output: expect.stringContaining('Building') });
  expect(await readFile(inDist('main.js'), 'utf8')).toContain('41');
  expect((await stat(inDist('main.js'))).mode & 0o111).toBe(0o111);
  expect(await readFile(inDist('deep/ask.sql'), 'utf8')).toBe('select 1');
  expect(await bootstrap()).toEqual({ code: 0, output: '' });
});

test('a changed source is built again, a deleted one leaves nothing, and --build builds anyway', async () => {
  await installCompiler();
  await writeSource('old.ts', 'export {};');
  await bootstrap();
  await rm(path.join(checkout, 'src', 'old.ts'));
  await writeSource('main.ts', 'export const answer: number = 42;');
  await writeSource('deep/ask.sql', 'select 2');
  expect((await bootstrap()).output).toContain('Building');
  expect(await readFile(inDist('main.js'), 'utf8')).toContain('42');
  expect(await readFile(inDist('deep/ask.sql'), 'utf8')).toBe('select 2');
  await expect(stat(inDist('old.js'))).rejects.toMatchObject({ code: 'ENOENT' });
  expect((await bootstrap(['--build'])).output).toContain('Building');
});

test('a type error stops the build with a sentence and keeps the last good one', async () => {
  await installCompiler();
  await bootstrap();
  await writeSource('main.ts', 'export const answer: number = "wrong";');
  const failed = await bootstrap();
  expect(failed.code).toBe(1);
  expect(failed.output).toMatch(/TS2322[\s\S]*forager: The build failed: .*\n {2}fix: /);
  expect(await readFile(inDist('main.js'), 'utf8')).toContain('41');
  expect((await bootstrap()).code).toBe(1);
});

test('several at once in one checkout all succeed and leave a whole build', async () => {
  await installCompiler();
  const results = await Promise.all([bootstrap(), bootstrap(), bootstrap()]);
  expect(results.map((result) => result.code)).toEqual([0, 0, 0]);
  expect(results.filter((result) => result.output.includes('Building'))).toHaveLength(1);
  expect(await readFile(inDist('main.js'), 'utf8')).toContain('41');
});

test('the lock of one that died is taken over', async () => {
  await installCompiler();
  const deadPid = Number(execFileSync(process.execPath, ['-p', 'process.pid'], { encoding: 'utf8' }));
  const lock = path.join(checkout, '.forager', 'bootstrap.lock');
  await mkdir(lock, { recursive: true });
  await writeFile(path.join(lock, 'pid'), String(deadPid));
  expect((await bootstrap()).code).toBe(0);
  await expect(stat(lock)).rejects.toMatchObject({ code: 'ENOENT' });
});

test('a lock file without the binaries of other platforms is good enough, and stays as it is', async () => {
  const optionalDependencies = { 'for-another-platform': '1.0.0' };
  await writeFile(
    path.join(checkout, 'package.json'),
    JSON.stringify({ name: 'x', version: '1.0.0', optionalDependencies }),
  );
  await writeLock({ '': { name: 'x', version: '1.0.0', optionalDependencies } });
  const lock = await readFile(path.join(checkout, 'package-lock.json'), 'utf8');
  const unreachable = { npm_config_registry: 'http://127.0.0.1:9/', npm_config_fetch_retries: '0' };
  expect(await bootstrap(['--install-only'], unreachable)).toMatchObject({ code: 0 });
  expect(await readFile(path.join(checkout, 'package-lock.json'), 'utf8')).toBe(lock);
  expect(await bootstrap(['--install-only'], unreachable)).toEqual({ code: 0, output: '' });
});

test('when npm cannot do its work, one sentence says what, where and how to go on', async () => {
  await writeLock({
    '': { name: 'x', version: '1.0.0', dependencies: { nothing: '1.0.0' } },
    'node_modules/nothing': {
      version: '1.0.0',
      resolved: 'http://127.0.0.1:9/nothing.tgz',
      integrity: 'sha512-AA==',
    },
  });
  await writeFile(
    path.join(checkout, 'package.json'),
    '{"name":"x","version":"1.0.0","dependencies":{"nothing":"1.0.0"}}',
  );
  const failed = await bootstrap(['--install-only'], { npm_config_fetch_retries: '0' });
  expect(failed.code).toBe(1);
  expect(failed.output).toMatch(
    /forager: The dependencies could not be installed: "npm ci" in .+ ended with exit code/,
  );
  expect(failed.output).toContain('  fix: ');
  const none = await bootstrap(['--install-only'], { PATH: '/nowhere' });
  expect(none).toMatchObject({ code: 1, output: expect.stringContaining('could not be started (ENOENT)') });
});

test('a checkout that cannot be written to but is built is used quietly as it is', async () => {
  await installCompiler();
  await bootstrap();
  await rm(path.join(checkout, 'node_modules', '.forager-installed'));
  await writeSource('main.ts', 'export const answer: number = 42;');
  await chmod(checkout, 0o555);
  const script = path.join(checkout, 'scripts', 'bootstrap.mjs');
  // Root may write everywhere: ask as somebody else.
  const options = { ...ordinaryUser, cwd: '/', encoding: 'utf8', stdio: 'pipe' } as const;
  expect(execFileSync(await provideNode(root), [script], options)).toBe('');
  await chmod(checkout, 0o755);
});
