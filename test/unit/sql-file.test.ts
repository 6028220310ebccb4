import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { loadSql, withoutLeadingComments } from '../../src/platform/sql-file.ts';

let directory: string;
let caller: string;
beforeAll(async () => {
  directory = await mkdtemp(path.join(os.tmpdir(), 'forager sql '));
  caller = pathToFileURL(path.join(directory, 'caller.ts')).href;
});
afterAll(() => rm(directory, { recursive: true, force: true }));

test('a statement is read from beside its caller, without the comment at its head', async () => {
  await writeFile(
    path.join(directory, 'one.sql'),
    '-- Why.\n-- Index: x.\n\n/* more\n */\nselect 1 -- inside\n\n',
  );
  expect(loadSql(caller, './one.sql')).toBe('select 1 -- inside');
});

test('a file without a statement is a defect that names the file', async () => {
  await writeFile(path.join(directory, 'none.sql'), '-- only words');
  expect(() => loadSql(caller, './none.sql')).toThrow(/none\.sql/);
});

test('comments further down and text that looks like one stay', () => {
  expect(withoutLeadingComments("select '--' /* a */ -- b")).toBe("select '--' /* a */ -- b");
});

test('every statement says at its head which index it relies on, and there is such an index or table', async () => {
  const files = (await readdir('src', { recursive: true })).filter((file) => file.endsWith('.sql'));
  const schema = await readFile('migrations/schema.sql', 'utf8');
  expect(files.length).toBeGreaterThan(50);
  const problems: string[] = [];
  for (const file of files) {
    const header = /^(?:--[^\n]*\n)*?-- Relies on: ([^\n]+)\n(?!--)/.exec(
      await readFile(path.join('src', file), 'utf8'),
    );
    if (header === null) problems.push(`${file}: no "-- Relies on:" as the last line of its header`);
    for (const name of header?.[1]?.match(/\b[a-z]+(?:_[a-z]+)+\b/g) ?? []) {
      if (!new RegExp(`(?:table|index) ${name}\\b`, 'i').test(schema))
        problems.push(`${file}: there is no ${name}`);
    }
  }
  expect(problems).toEqual([]);
});
