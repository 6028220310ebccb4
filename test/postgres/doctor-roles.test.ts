/** What the doctor says of work that waits with nobody to do it, and of views in other servers' words. */
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Check } from '../../src/control/doctor/check.ts';
import { checkRoles } from '../../src/control/doctor/check-roles.ts';
import { rephraseViews } from '../../src/control/doctor/rephrase-views.ts';
import { findDrift } from '../../src/control/doctor/schema-drift.ts';
import { migrationsDirectory } from '../../src/platform/migration-files.ts';
import { dumpSchema } from '../../src/platform/schema-dump.ts';
import { createEmptyDatabase, createTestDatabase, type TestDatabase } from '../support/postgres.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

describe('the doctor looks for somebody', () => {
  beforeEach(async () => {
    await database.execute(`
      delete from crawl_policies; delete from domains; delete from workers; delete from schedulers;
      insert into domains (id, domain, parent_domain, base_url) overriding system value
      values (1, 'a.example', 'a.example', 'https://a.example')`);
  });

  const addTask = (status: string, more = ''): Promise<unknown> =>
    database.execute(`
      insert into crawl_tasks (domain_id, url, url_hash, status ${more === '' ? '' : `, ${more.split('=')[0]}`})
      values (1, 'https://a.example/' || random(), sha256(random()::text::bytea), '${status}'
              ${more === '' ? '' : `, ${more.split('=')[1]}`})`);
  const addWorker = (duties: string, silent = '1 second'): Promise<unknown> =>
    database.execute(`
      insert into workers (id, incarnation, kind, host, machine, pid, process_mark, program_version, duties, heartbeat_at)
      values ('w' || random(), 'i', 'worker', 'h', 'm', 1, 'p', '1', '${duties}', forager_now() - interval '${silent}')`);
  const addScheduler = (silent: string): Promise<unknown> =>
    database.execute(`
      insert into schedulers (id, host, pid, program_version, leads_since, heartbeat_at)
      values ('s' || random(), 'h', 1, '1', forager_now(), forager_now() - interval '${silent}')`);
  const warnings = async (): Promise<Check[]> =>
    (await checkRoles(database.db)).filter(({ state }) => state !== 'ok');

  it('to queue what is due, and names what to start', async () => {
    expect(await warnings()).toEqual([]);
    await addTask('pending', "scheduled_at=forager_now() + interval '1 hour'");
    await addTask('pending', "executor='bot'");
    expect(await warnings()).toEqual([]);
    await addTask('pending');
    await addTask('pending');
    const [first, ...rest] = await warnings();
    expect(rest).toEqual([]);
    expect(first).toMatchObject({
      ...{ state: 'warning', name: 'scheduler' },
      message: expect.stringMatching(/^2 tasks are due,/),
      fix: expect.stringContaining('"forager scheduler"'),
    });
    await addScheduler('5 minutes');
    expect(await warnings()).toHaveLength(1);
    await addScheduler('5 seconds');
    expect(await warnings()).toEqual([]);
  });

  it('to run policies that are due', async () => {
    await database.execute(`
      insert into crawl_policies (domain_id, url, url_hash, frequency_hours, next_run_at)
      values (1, 'https://a.example/', '\\x01', 1, forager_now() - interval '1 minute')`);
    expect(await warnings()).toMatchObject([
      { name: 'scheduler', message: expect.stringMatching(/^1 policy is due/) },
    ]);
  });

  it('to crawl what is queued: a parser does not', async () => {
    await addTask('queued');
    await addWorker('{parse}');
    await addWorker('{crawl,parse}', '5 minutes');
    expect(await warnings()).toMatchObject([
      {
        name: 'crawlers',
        message: expect.stringMatching(/^1 task is queued/),
        fix: expect.stringContaining('"forager worker"'),
      },
    ]);
    await addWorker('{crawl}');
    expect(await warnings()).toEqual([]);
  });

  it('but not for tasks of a domain that is switched off, nor beside somebody who does not register', async () => {
    await addTask('queued');
    await database.execute('update domains set is_active = false');
    expect(await warnings()).toEqual([]);
    await database.execute(
      "update domains set is_active = true, claimed_by = 'x', claim_expires_at = forager_now() + interval '1 hour'",
    );
    expect(await warnings()).toEqual([]);
  });

  it('to parse what was left to a parser: a worker with --crawl-only does not', async () => {
    await addTask('queued_parse');
    await addWorker('{crawl}');
    expect(await warnings()).toMatchObject([
      { name: 'parsers', fix: expect.stringContaining('--parse-only') },
    ]);
    await addWorker('{crawl,parse}');
    expect(await warnings()).toEqual([]);
  });

  it('and says nothing of a schema that has no tasks yet', async () => {
    const empty = await createEmptyDatabase();
    expect(await checkRoles(empty.db)).toEqual([]);
    await empty.drop();
  });
});

describe('views in the words of another server version', () => {
  // As PostgreSQL 15 prints it: every column with its table.
  const inOtherWords = (schema: string): string =>
    schema.replace(/(?<=create view domain_priorities as\n)[\s\S]*?;$/m, (view) =>
      view.replace(/^( SELECT | {4})(seed_rank|id|pages_crawled),$/gm, '$1t.$2,'),
    );

  it('are no drift, and what was really changed is', async () => {
    const committed = await readFile(path.join(migrationsDirectory, 'schema.sql'), 'utf8');
    const written = inOtherWords(committed);
    expect(written).not.toBe(committed);
    const none = { missing: [], added: [] };
    expect(findDrift(written, await dumpSchema(database.db))).not.toEqual(none);
    expect(findDrift(await rephraseViews(database.db, written), await dumpSchema(database.db))).toEqual(none);
    const changed = written.replace('t.pages_crawled,', 't.pages_crawled + 1 AS pages_crawled,');
    expect(
      findDrift(await rephraseViews(database.db, changed), await dumpSchema(database.db)).missing,
    ).toEqual(['create view domain_priorities as']);
  });

  it('that cannot be made here stay as they are written, and nothing is left behind', async () => {
    const schema =
      'create view v as\n SELECT no_such_column FROM domains;\n\ncreate table t (\n  id bigint\n);\n';
    const before = await dumpSchema(database.db);
    expect(await rephraseViews(database.db, schema)).toBe(schema);
    expect(await dumpSchema(database.db)).toBe(before);
    const { rows } = await database.db.query("select from pg_class where relname = 'rephrased_view'");
    expect(rows).toEqual([]);
  });
});
