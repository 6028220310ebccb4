/** Two workers of one name: the second is refused, and has not laid hands on anything by then. */
import { beforeAll, beforeEach, expect, it } from 'vitest';
import { buildProgram } from '../support/crawl-process.ts';
import { temporaryDirectory, waitUntil } from '../support/crawl-support.ts';
import { type FleetPlace, readWorkers, startWorker } from '../support/fleet.ts';
import { createTestDatabase, type TestDatabase } from '../support/postgres.ts';
import { plantDomain, plantTask, readHistory, readRow } from '../support/scheduling.ts';

let database: TestDatabase;
beforeAll(() => buildProgram(), 120_000);
beforeEach(async () => {
  database = await createTestDatabase();
  return () => database.drop();
});

it('what a living worker parses stays in its hands when another of its name is started', async () => {
  const place = async (): Promise<FleetPlace> => ({
    ...{ dataDir: await temporaryDirectory(), databaseUrl: database.url },
  });
  const first = startWorker(await place(), ['--id', 'twin']);
  await waitUntil(async () => ((await readWorkers(database.db)).length > 0 ? true : undefined));
  // What it left behind in an earlier life it has given back by now: with that done, this is taken.
  const domain = await plantDomain(database, 'a.example');
  const earlier = await plantTask(database, domain, { status: 'queued_parse' });
  await waitUntil(async () => {
    const { status } = await readRow<{ status: string }>(database, 'crawl_tasks', earlier);
    return status === 'queued_parse' ? undefined : true;
  });
  const task = await plantTask(database, domain, {
    ...{ status: 'parsing', locked_by: 'twin', lock_version: 5, locked_at: new Date() },
    locked_until: new Date(Date.now() + 600_000),
  });
  const second = await startWorker(await place(), ['--id', 'twin']).ended;
  expect(second).toMatchObject({ code: 1, stderr: expect.stringContaining('at work already') });
  expect(await readHistory(database, task)).toEqual(['>parsing by system']);
  expect(await readRow(database, 'crawl_tasks', task)).toMatchObject({ locked_by: 'twin', lost_count: 0 });
  first.child.kill('SIGTERM');
  expect((await first.ended).code).toBe(0);
}, 60_000);
