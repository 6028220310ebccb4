import { mkdtemp, rm, writeFile } from 'node:fs/promises';
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
