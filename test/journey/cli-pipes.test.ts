/** The built program at the end and at the beginning of a pipe, and before a full disk. */
import { execFile, spawn } from 'node:child_process';
import { mkdtemp, open, rm, symlink, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, it } from 'vitest';

const repository = path.resolve(import.meta.dirname, '..', '..');
let directory: string;

/** Node 20 runs no TypeScript: the program is built, beside the packages it needs. */
beforeAll(async () => {
  directory = await mkdtemp(path.join(os.tmpdir(), 'forager-pipes-'));
  const tsconfig = {
    extends: path.join(repository, 'tsconfig.json'),
    compilerOptions: {
      outDir: path.join(directory, 'dist'),
      rootDir: path.join(repository, 'src'),
      noCheck: true,
    },
    include: [path.join(repository, 'src')],
  };
  await writeFile(path.join(directory, 'tsconfig.json'), JSON.stringify(tsconfig));
  await writeFile(path.join(directory, 'package.json'), '{ "type": "module", "version": "0.0.0" }');
  await symlink(path.join(repository, 'node_modules'), path.join(directory, 'node_modules'));
  const tsc = path.join(repository, 'node_modules/typescript/bin/tsc');
  await promisify(execFile)(process.execPath, [tsc, '-p', directory]);
});
afterAll(() => rm(directory, { recursive: true, force: true }));

function start(...args: string[]) {
  const child = spawn(process.execPath, [path.join(directory, 'dist/main.js'), ...args]);
  const stderr: Buffer[] = [];
  child.stderr.on('data', (chunk: Buffer) => stderr.push(chunk));
  child.stdin.on('error', () => undefined);
  const ended = new Promise<{ code: number | null; stderr: string }>((resolve) => {
    child.on('close', (code) => resolve({ code, stderr: Buffer.concat(stderr).toString() }));
  });
  return { child, ended };
}

it('ends quietly when its reader has seen enough', async () => {
  const { child, ended } = start('url', 'normalize', '-');
  child.stdout.once('data', () => child.stdout.destroy());
  // Far more than any pipe holds.
  child.stdin.end('http://example.com/some/longer/path?with=query\n'.repeat(200_000));
  expect(await ended).toEqual({ code: 0, stderr: '' });
});

it('answers line by line a program that waits for each answer', async () => {
  const { child, ended } = start('url', 'normalize', '-');
  const answer = () =>
    new Promise<string>((resolve) => child.stdout.once('data', (chunk) => resolve(String(chunk))));
  for (const host of ['a', 'b', 'c']) {
    child.stdin.write(`HTTP://${host}.Example:80\n`);
    expect(await answer()).toBe(`http://${host}.example/\n`);
  }
  child.stdin.end();
  expect((await ended).code).toBe(0);
});

it('leaves the exit code of a failed check to the shell', async () => {
  const { child, ended } = start('robots', 'check', '--file', '-', 'http://x/a');
  child.stdin.end('User-agent: *\nDisallow: /a\n');
  expect(await ended).toEqual({ code: 1, stderr: '' });
});

it('says it in a sentence when standard output is on a full disk, and fails', async () => {
  const full = await open('/dev/full', 'w');
  const main = path.join(directory, 'dist/main.js');
  const child = spawn(process.execPath, [main, 'url', 'normalize', 'http://example.com'], {
    stdio: ['ignore', full.fd, 'pipe'],
  });
  let stderr = '';
  child.stderr?.on('data', (chunk) => {
    stderr += String(chunk);
  });
  const code = await new Promise((resolve) => child.on('close', resolve));
  await full.close();
  expect(code).toBe(1);
  expect(stderr).toMatch(
    /^forager: Standard output cannot be written to: no space is left on its disk\.\n {2}fix: .+\n$/,
  );
});
