import { afterEach, beforeEach, expect, test } from 'vitest';
import { loadConfig } from '../../src/platform/config.ts';
import { openDatabase } from '../../src/platform/database.ts';
import { migrateDown, migrateUp, migrationStatus } from '../../src/platform/migrate.ts';
import { type Migration, readMigrations } from '../../src/platform/migration-files.ts';
import { createEmptyDatabase, type TestDatabase } from '../support/postgres.ts';

function step(version: number, name: string, up: string, down: string): Migration {
  return { version, name, up, down, checksum: `sum of ${up}` };
}

const first = step(1, 'first', 'create table first (id int)', 'drop table first');
const second = step(2, 'second', 'create table second (id int)', 'drop table second');
const names = (migrations: readonly Migration[]) => migrations.map((migration) => migration.name);

let database: TestDatabase;
beforeEach(async () => {
  database = await createEmptyDatabase();
});
afterEach(() => database.drop());

async function listTables(): Promise<string[]> {
  const { rows } = await database.db.query<{ name: string }>(
    "select relname as name from pg_class where relkind = 'r' and relnamespace = 'public'::regnamespace order by 1",
  );
  return rows.map((row) => row.name);
}

test('forward, back and forward again, with a record of what was done', async () => {
  expect(names(await migrateUp(database.db, [first]))).toEqual(['first']);
  expect(names(await migrateUp(database.db, [first, second]))).toEqual(['second']);
  expect(await migrateUp(database.db, [first, second])).toEqual([]);
  expect(await listTables()).toEqual(['first', 'schema_migrations', 'second']);

  expect(names(await migrateDown(database.db, 1, [first, second]))).toEqual(['second']);
  const status = await migrationStatus(database.db, [first, second]);
  expect(status.applied.map((m) => [m.version, m.name, m.checksum])).toEqual([[1, 'first', first.checksum]]);
  expect(names(status.pending)).toEqual(['second']);
  expect(status.problems).toEqual([]);

  expect(names(await migrateDown(database.db, 5, [first, second]))).toEqual(['first']);
  expect(await listTables()).toEqual([]);
});

test('the status of a database that has never been migrated is that everything is pending', async () => {
  const status = await migrationStatus(database.db, [first, second]);
  expect(status).toMatchObject({ applied: [], problems: [] });
  expect(names(status.pending)).toEqual(['first', 'second']);
  expect(await listTables()).toEqual([]);
});

test('many that migrate at once do each step once between them', async () => {
  const config = loadConfig({ databaseUrl: database.url, databasePoolSize: 2 }, {});
  const others = await Promise.all(Array.from({ length: 6 }, () => openDatabase(config)));
  const done = await Promise.all(others.map((db) => migrateUp(db, [first, second])));
  expect(names(done.flat()).sort()).toEqual(['first', 'second']);
  await Promise.all(others.map((db) => db.close()));
});

test('a step that fails leaves nothing of itself, keeps those before it, and names its file', async () => {
  const broken = step(2, 'broken', 'create table half (id int); select 1 / 0', 'select 1');
  await expect(migrateUp(database.db, [first, broken])).rejects.toMatchObject({
    code: 'migration-failed',
    message: expect.stringContaining('2_broken.up.sql'),
  });
  expect(await listTables()).toEqual(['first', 'schema_migrations']);
  expect(names(await migrateUp(database.db, [first, second]))).toEqual(['second']);
});

test('a migration that was changed after it ran is refused, and nothing is done', async () => {
  await migrateUp(database.db, [first]);
  const changed = { ...first, checksum: 'another' };
  await expect(migrateUp(database.db, [changed, second])).rejects.toMatchObject({
    code: 'migration-changed',
    message: expect.stringContaining('1_first'),
  });
  await expect(migrateDown(database.db, 1, [changed])).rejects.toMatchObject({ code: 'migration-changed' });
  expect((await migrationStatus(database.db, [changed])).problems.map((p) => p.code)).toEqual([
    'migration-changed',
  ]);
  expect(await listTables()).toEqual(['first', 'schema_migrations']);
});

test('a schema newer than the program is refused, and nothing is done', async () => {
  await migrateUp(database.db, [first, second]);
  await expect(migrateUp(database.db, [first])).rejects.toMatchObject({
    code: 'schema-newer',
    message: expect.stringContaining('2_second'),
    hint: expect.stringContaining('update Forager'),
  });
  await expect(migrateDown(database.db, 1, [first])).rejects.toMatchObject({ code: 'schema-newer' });
  expect(await listTables()).toEqual(['first', 'schema_migrations', 'second']);
});

test('one that dies in the middle of migrating blocks nobody', async () => {
  const dying = await openDatabase(loadConfig({ databaseUrl: database.url, databasePoolSize: 2 }, {}));
  const slow = step(1, 'first', 'create table first (id int); select pg_sleep(60)', 'drop table first');
  const attempt = migrateUp(dying, [slow]).catch((error: unknown) => error);
  await expect.poll(async () => (await sleepers()).length, { timeout: 20_000 }).toBe(1);
  await database.execute('select pg_terminate_backend(pid) from pg_stat_activity where pid = any($1)', [
    await sleepers(),
  ]);
  expect(await attempt).toMatchObject({ code: 'connection-lost' });
  await dying.close();
  expect(names(await migrateUp(database.db, [first]))).toEqual(['first']);
});

async function sleepers(): Promise<number[]> {
  const { rows } = await database.db.query<{ pid: number }>(
    "select pid from pg_stat_activity where datname = current_database() and query like '%pg_sleep(60)%' and pid <> pg_backend_pid()",
  );
  return rows.map((row) => row.pid);
}

test('the migrations of the program are numbered from 1 without gaps and each has its way back', async () => {
  const migrations = await readMigrations();
  expect(migrations.map((m) => m.version)).toEqual(migrations.map((_, index) => index + 1));
  for (const migration of migrations) {
    expect(migration.up.trim(), migration.name).not.toBe('');
    expect(migration.down.trim(), migration.name).not.toBe('');
  }
});
