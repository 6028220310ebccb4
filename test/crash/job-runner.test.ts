/** A process that is killed in the middle of a job: another one takes it over and does the rest, once. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { startJobRunner } from '../../src/control/jobs/job-runner.ts';
import { readJob } from '../../src/control/jobs/read-jobs.ts';
import { orderPurge } from '../../src/control/pages/purge-pages.ts';
import { inTransaction } from '../../src/platform/transaction.ts';
import { buildProgram } from '../support/crawl-process.ts';
import { expectConsistent } from '../support/crawl-rows.ts';
import { waitUntil } from '../support/crawl-support.ts';
import { advance } from '../support/moving-clock.ts';
import { plantPages } from '../support/planted-pages.ts';
import { createTestDatabase, type TestDatabase } from '../support/postgres.ts';

let database: TestDatabase;
beforeAll(async () => {
  await buildProgram();
  database = await createTestDatabase();
});
afterAll(() => database.drop());

const repository = path.resolve(import.meta.dirname, '..', '..');

test('a purge whose process was killed is finished by another, and counters say what is left', async () => {
  const [, second] = await plantPages(database, [
    { domain: 'first.example', pages: 5000 },
    { domain: 'second.example', pages: 3000 },
    { domain: 'third.example', pages: 10 },
  ]);
  const { id } = await orderPurge(database.db, { status: 200, recrawl: true }, { name: 'user:anna' });
  const child = spawn(
    process.execPath,
    [path.join(import.meta.dirname, 'job-runner-child.mjs'), path.join(repository, 'dist'), database.url],
    { stdio: 'inherit', env: { PATH: process.env.PATH } },
  );
  onTestFinished(() => void child.kill('SIGKILL'));
  // The second domain is held, so that the child is in the middle for certain: the first is done, the rest is not.
  await inTransaction(database.db, async (tx) => {
    await tx.query('select from domains where id = $1 for update', [second]);
    await waitUntil(async () => ((await readJob(database.db, id)).done > 0 ? true : undefined));
    child.kill('SIGKILL');
    await once(child, 'exit');
  });
  const left = await readJob(database.db, id);
  expect(left).toMatchObject({ state: 'running', total: 7209 });
  expect(left.done).toBeLessThan(7209);

  const runner = startJobRunner(database.db);
  onTestFinished(() => runner.stop());
  await advance(database, { seconds: 31 });
  const job = await waitUntil(async () => {
    const found = await readJob(database.db, id);
    return found.finishedAt === null ? undefined : found;
  });
  expect(job).toMatchObject({ state: 'done', error: null, done: 7209, result: { pagesDeleted: 7209 } });
  const { rows } = await database.db.query<{ count: number }>('select count(*) as count from pages');
  expect(rows).toEqual([{ count: 801 }]);
  await expectConsistent(database.db);
});
