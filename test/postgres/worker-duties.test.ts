import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { expect, it } from 'vitest';
import { createTestDatabase } from '../support/postgres.ts';
import { runForager } from '../support/run-cli.ts';

it('every worker says in the register what it does with tasks', async () => {
  const database = await createTestDatabase();
  const dataDir = await mkdtemp(path.join(os.tmpdir(), 'forager-duties-'));
  const run = (...args: string[]) =>
    runForager([...args, '--data-dir', dataDir], { env: { DATABASE_URL: database.url } });
  const readDuties = async () =>
    (await run('worker', 'list', '--json')).json().map(({ id, duties }) => [id, duties]);
  try {
    expect((await run('worker', '--until-idle', '--id', 'one')).code).toBe(0);
    expect(await readDuties()).toEqual([['one', ['crawl', 'parse']]]);
    // The next life of a name may do something else.
    expect((await run('worker', '--until-idle', '--id', 'one', '--crawl-only')).code).toBe(0);
    expect((await run('worker', '--until-idle', '--id', 'two', '--parse-only')).code).toBe(0);
    expect(await readDuties()).toEqual([
      ['two', ['parse']],
      ['one', ['crawl']],
    ]);
  } finally {
    await rm(dataDir, { recursive: true, force: true });
    await database.drop();
  }
});
