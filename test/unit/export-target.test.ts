import { mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { beforeEach, expect, it } from 'vitest';
import { checkTarget, openTarget } from '../../src/control/export/export-target.ts';
import { writeRows } from '../../src/control/export/write-rows.ts';
import { DiskFull } from '../../src/platform/errors.ts';

let directory: string;
beforeEach(async () => {
  directory = await mkdtemp(path.join(os.tmpdir(), 'forager-export-'));
  return () => rm(directory, { recursive: true, force: true });
});

async function* numbers(count: number, onRow: (n: number) => void = () => undefined) {
  for (let n = 1; n <= count; n += 1) {
    onRow(n);
    yield { n };
  }
}

it('shows a file only when it is whole, and leaves nothing else behind', async () => {
  const file = path.join(directory, 'rows.jsonl');
  await writeFile(file, 'the old one');
  const target = await openTarget(file);
  await target.write('x'.repeat(200_000));
  expect(await readFile(file, 'utf8')).toBe('the old one');
  await target.finish();
  expect(await readFile(file, 'utf8')).toBe('x'.repeat(200_000));
  expect(await readdir(directory)).toEqual(['rows.jsonl']);
});

it('keeps the old file and leaves no trace when an export fails half-way', async () => {
  const file = path.join(directory, 'rows.csv');
  await writeFile(file, 'the old one');
  const rows = numbers(50_000, (n) => {
    if (n === 40_000) throw new Error('the source broke');
  });
  await expect(writeRows(rows, ['n'], { format: 'csv', file })).rejects.toThrow('the source broke');
  expect(await readdir(directory)).toEqual(['rows.csv']);
  expect(await readFile(file, 'utf8')).toBe('the old one');
});

it('stops when it is called off', async () => {
  const controller = new AbortController();
  const rows = numbers(1000, (n) => n === 10 && controller.abort());
  const file = path.join(directory, 'rows.csv');
  await expect(writeRows(rows, ['n'], { format: 'csv', file, signal: controller.signal })).rejects.toThrow();
  expect(await readdir(directory)).toEqual([]);
});

it('writes through a link to the file it points to', async () => {
  const [real, link] = [path.join(directory, 'real.csv'), path.join(directory, 'link.csv')];
  await writeFile(real, '');
  await symlink(real, link);
  await writeRows(numbers(2), ['n'], { format: 'csv', file: link });
  expect(await readFile(real, 'utf8')).toBe('n\r\n1\r\n2\r\n');
});

it('says so in a sentence when the disk is full', async () => {
  const rows = writeRows(numbers(10), ['n'], { format: 'csv', file: '/dev/full' });
  await expect(rows).rejects.toThrow(DiskFull);
});

it('says what is wrong with a place that cannot be written to', async () => {
  await mkdir(path.join(directory, 'sub'));
  await expect(openTarget(path.join(directory, 'sub'))).rejects.toThrow('is a directory');
  await expect(openTarget(path.join(directory, 'none', 'a.csv'))).rejects.toThrow(
    'its directory does not exist',
  );
});

it('can be asked beforehand whether it could be written, which changes nothing', async () => {
  const file = path.join(directory, 'rows.csv');
  await writeFile(file, 'the old one');
  await checkTarget(file);
  await checkTarget(path.join(directory, 'new.csv'));
  expect(await readdir(directory)).toEqual(['rows.csv']);
  expect(await readFile(file, 'utf8')).toBe('the old one');
  for (const bad of [path.join(directory, 'nowhere', 'rows.csv'), directory, '']) {
    await expect(checkTarget(bad)).rejects.toMatchObject({ code: 'export-unwritable' });
  }
});
