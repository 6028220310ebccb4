import { afterAll, beforeAll, expect, test } from 'vitest';
import { migrateDown, migrateUp, migrationStatus } from '../../src/platform/migrate.ts';
import type { Migration } from '../../src/platform/migration-files.ts';
import { createEmptyDatabase, type TestDatabase } from '../support/postgres.ts';

function step(version: number, name: string, up: string, down: string, checksum = `sum of ${up}`): Migration {
  return { version, name, up, down, checksum };
}

const first = step(1, 'first', 'create table first (id int)', 'drop table first');
const second = step(2, 'second', 'create table second (id int)', 'drop table second');

let database: TestDatabase;
beforeAll(async () => {
  database = await createEmptyDatabase();
});
afterAll(() => database.drop());

async function listTables(): Promise<string[]> {
  const { rows } = await database.db.query<{ name: string }>(
    "select relname as name from pg_class where relkind = 'r' and relnamespace = 'public'::regnamespace order by 1",
  );
  return rows.map((row) => row.name);
}

test('forward, back and forward again, with a record of what was done', async () => {
  expect((await migrateUp(database.db, [first])).map((m) => m.name)).toEqual(['first']);
  expect((await migrateUp(database.db, [first, second])).map((m) => m.name)).toEqual(['second']);
  expect(await migrateUp(database.db, [first, second])).toEqual([]);
  expect(await listTables()).toEqual(['first', 'schema_migrations', 'second']);

  expect((await migrateDown(database.db, 1, [first, second])).map((m) => m.name)).toEqual(['second']);
  const status = await migrationStatus(database.db, [first, second]);
  expect(status.applied.map((m) => [m.version, m.name, m.checksum])).toEqual([[1, 'first', first.checksum]]);
  expect(status.pending.map((m) => m.version)).toEqual([2]);

  await migrateDown(database.db, 5, [first, second]);
  expect(await listTables()).toEqual([]);
});
