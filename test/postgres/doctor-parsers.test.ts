/** The doctor looks at the files of parsers, and at domains whose parser is nowhere. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../support/postgres.ts';
import { type CliRun, runForager } from '../support/run-cli.ts';
import { plantDomain } from '../support/scheduling.ts';

let database: TestDatabase;
let directory: string;
beforeAll(async () => {
  database = await createTestDatabase();
  directory = mkdtempSync(path.join(os.tmpdir(), 'forager-doctor-parsers-'));
  mkdirSync(path.join(directory, 'parsers'));
});
afterAll(async () => {
  rmSync(directory, { recursive: true });
  await database.drop();
});

const forager = (args: readonly string[], env: Readonly<Record<string, string>> = {}): Promise<CliRun> =>
  runForager([...args, '--data-dir', directory], {
    env: { DATABASE_URL: database.url, NO_COLOR: '1', ...env },
  });

interface Check {
  readonly name: string;
  readonly state: string;
  readonly message: string;
  readonly fix?: string;
}

async function checks(env?: Readonly<Record<string, string>>): Promise<Check[]> {
  const [report] = (await forager(['doctor', '--json'], env)).json() as unknown as { checks: Check[] }[];
  return (report?.checks ?? []).filter(({ name }) => name === 'parsers');
}

test('all is well where every file is a parser', async () => {
  writeFileSync(
    path.join(directory, 'parsers', 'mine.mjs'),
    "export default { name: 'mine', version: '1', parse: () => undefined };",
  );
  expect(await checks()).toEqual([
    { name: 'parsers', state: 'ok', message: 'generic, amazon, moss-and-marrow, tinker-and-sons, mine' },
  ]);
});

test('a file that is no parser is wrong, with what to do, and the rest is looked at all the same', async () => {
  const file = path.join(directory, 'half.mjs');
  writeFileSync(file, "export default { name: 'half', version: '1' };");
  const found = await checks({ FORAGER_PARSERS: file });
  expect(found).toMatchObject([
    {
      state: 'wrong',
      message: `The parser ${file} cannot be used: its parse must be a function of a page`,
      fix: 'docs/parsers.md says what a parser has',
    },
  ]);
  const run = await forager(['doctor', '--json'], { FORAGER_PARSERS: file });
  expect(run.code).toBe(1);
  expect(run.stdout).toContain('"page bodies"');
});

test('a domain whose parser is nowhere is warned of', async () => {
  await plantDomain(database, 'shop.example', { parser_name: 'lost-shop' });
  expect(await checks()).toContainEqual({
    ...{ name: 'parsers', state: 'warning', fix: expect.stringContaining('--parser generic') },
    message: '1 domain has chosen the parser "lost-shop": there is no parser of that name here',
  });
});

test('domain set takes a parser of the folder, and refuses one that there is not', async () => {
  const set = (name: string): Promise<CliRun> =>
    forager(['domain', 'set', 'shop.example', '--parser', name, '--json']);
  expect((await set('mine')).json()[0]).toMatchObject({ parserName: 'mine' });
  expect((await set('none')).json()[0]).toMatchObject({ parserName: 'none' });
  expect((await set('default')).json()[0]).toMatchObject({ parserName: 'generic' });
  const refused = await set('mime');
  expect(refused.code).toBe(2);
  expect(refused.stderr).toContain('There is no parser "mime"');
});
