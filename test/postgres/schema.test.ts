import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { migrateDown, migrateUp } from '../../src/platform/migrate.ts';
import { migrationsDirectory, readMigrations } from '../../src/platform/migration-files.ts';
import { dumpSchema } from '../../src/platform/schema-dump.ts';
import { createEmptyDatabase, type TestDatabase } from '../support/postgres.ts';

const schemaFile = path.join(migrationsDirectory, 'schema.sql');
const isUpdate = process.env.FORAGER_UPDATE_SCHEMA === '1';

let database: TestDatabase;
let emptySchema: string;
beforeAll(async () => {
  database = await createEmptyDatabase();
  emptySchema = await dumpSchema(database.db);
});
afterAll(() => database.drop());

test('the committed schema is what the migrations lead to', async () => {
  await migrateUp(database.db);
  const schema = await dumpSchema(database.db);
  if (isUpdate) await writeFile(schemaFile, schema);
  expect(schema).toBe(await readFile(schemaFile, 'utf8'));
});

test('all the way back leaves nothing, and forward again gives the same schema', async () => {
  await migrateUp(database.db);
  const schema = await dumpSchema(database.db);
  await migrateDown(database.db, (await readMigrations()).length);
  expect(await dumpSchema(database.db)).toBe(emptySchema);
  const { rows } = await database.db.query(
    "select relname from pg_class where relnamespace = 'public'::regnamespace union all select typname from pg_type where typnamespace = 'public'::regnamespace",
  );
  expect(rows).toEqual([]);
  await migrateUp(database.db);
  expect(await dumpSchema(database.db)).toBe(schema);
});

test('every single step back and forward again leads to the same schema', async () => {
  await migrateUp(database.db);
  const schema = await dumpSchema(database.db);
  const count = (await readMigrations()).length;
  for (let steps = 1; steps <= count; steps += 1) {
    await migrateDown(database.db, steps);
    await migrateUp(database.db);
    expect(await dumpSchema(database.db)).toBe(schema);
  }
});

test('the schema as committed can be run by itself and gives the same schema', async () => {
  const fromFile = await createEmptyDatabase();
  await migrateUp(database.db);
  await fromFile.execute(await readFile(schemaFile, 'utf8'));
  expect(await dumpSchema(fromFile.db)).toBe(await dumpSchema(database.db));
  await fromFile.drop();
});
