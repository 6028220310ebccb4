import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readdir, readFile, rm, stat, utimes, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { withProcessLock } from '../../src/platform/embedded/process-lock.ts';
import { identifySelf, judgeLiveness } from '../../src/platform/process-identity.ts';

const options = { waitMs: 30_000, purpose: 'a test' };
let root: string;
let file: string;
beforeAll(async () => {
  root = await mkdtemp(path.join(os.tmpdir(), 'forager-lock-'));
});
beforeEach(async () => {
  file = path.join(await mkdtemp(path.join(root, 'case-')), 'lock');
});
afterAll(() => rm(root, { recursive: true, force: true }));

/** A number that belonged to a process that has ended. */
async function endedPid(): Promise<number> {
  const child = spawn(process.execPath, ['-e', '']);
  await once(child, 'exit');
  return child.pid ?? 0;
}

function leaveLock(content: object): Promise<void> {
  return writeFile(file, JSON.stringify({ ...identifySelf(), token: 'left-behind', ...content }));
}

test('of many that want the lock one holds it at a time, and nothing is left behind', async () => {
  let holders = 0;
  let most = 0;
  let done = 0;
  const work = () =>
    withProcessLock(file, options, async () => {
      holders += 1;
      most = Math.max(most, holders);
      await stat(file);
      holders -= 1;
      done += 1;
    });
  await Promise.all(Array.from({ length: 20 }, work));
  expect([most, done]).toEqual([1, 20]);
  expect(await readdir(path.dirname(file))).toEqual([]);
});

test('the lock is free again when the work fails', async () => {
  const failing = withProcessLock(file, options, () => Promise.reject(new Error('failed')));
  await expect(failing).rejects.toThrow('failed');
  expect(await withProcessLock(file, options, async () => 'works')).toBe('works');
});

test('many that find the lock of a dead process take it over one after the other', async () => {
  await leaveLock({ pid: await endedPid(), startedAt: undefined });
  let holders = 0;
  let most = 0;
  const work = () =>
    withProcessLock(file, options, async () => {
      holders += 1;
      most = Math.max(most, holders);
      await stat(file);
      holders -= 1;
    });
  await Promise.all(Array.from({ length: 20 }, work));
  expect(most).toBe(1);
  expect(await readdir(path.dirname(file))).toEqual([]);
});

test.each([
  ['a number that was given to another process since', { startedAt: '1' }],
  ['the time before a reboot', { bootId: 'another-boot' }],
])('a lock from %s is taken over', async (_words, content) => {
  await leaveLock(content);
  expect(await withProcessLock(file, { ...options, waitMs: 5000 }, async () => 'taken')).toBe('taken');
});

test('the lock of a living process is respected, and the sentence names that process', async () => {
  await leaveLock({});
  const attempt = withProcessLock(file, { ...options, waitMs: 100 }, async () => 'taken');
  await expect(attempt).rejects.toMatchObject({
    code: 'lock-busy',
    message: expect.stringContaining(`process ${process.pid}`),
    hint: expect.any(String),
  });
  expect(JSON.parse(await readFile(file, 'utf8'))).toMatchObject({ token: 'left-behind' });
});

test('a holder in another container counts as gone only after a time of silence', async () => {
  await leaveLock({ namespace: 'pid:[another]' });
  const attempt = withProcessLock(file, { ...options, waitMs: 100 }, async () => 'taken');
  await expect(attempt).rejects.toMatchObject({ code: 'lock-busy' });
  const longAgo = new Date(Date.now() - 60_000);
  await utimes(file, longAgo, longAgo);
  expect(await withProcessLock(file, options, async () => 'taken')).toBe('taken');
});

test('a process is told from a later one with the same number', () => {
  const self = identifySelf();
  expect(judgeLiveness(self)).toBe('alive');
  expect(judgeLiveness({ ...self, startedAt: '1' })).toBe('gone');
  expect(judgeLiveness({ ...self, bootId: 'another' })).toBe('gone');
  expect(judgeLiveness({ ...self, namespace: 'another' })).toBe('elsewhere');
});
