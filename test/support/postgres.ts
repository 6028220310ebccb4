import { randomBytes } from 'node:crypto';
import path from 'node:path';
import { afterAll, expect, inject } from 'vitest';
import { loadConfig } from '../../src/platform/config.ts';
import { type Database, openDatabase, type Rows } from '../../src/platform/database.ts';
import { inTransaction } from '../../src/platform/transaction.ts';
import { databaseUrlOf, joinTestServer, runOnServer, templateName } from './test-server.ts';

export interface TestDatabase {
  readonly url: string;
  readonly db: Database;
  /** One statement that may write, for preparing and for meddling. */
  execute<R extends object = Record<string, unknown>>(
    sql: string,
    values?: readonly unknown[],
  ): Promise<Rows<R>>;
  /** Closes it. The database itself goes when all tests of the file have passed, and stays if one failed. */
  drop(): Promise<void>;
}

/** A database of its own, with the schema: a copy of the migrated template. */
export function createTestDatabase(): Promise<TestDatabase> {
  return createDatabaseFrom(templateName);
}

/** A database of its own with nothing in it. */
export function createEmptyDatabase(): Promise<TestDatabase> {
  return createDatabaseFrom('template0');
}

const created = new Map<string, Database>();
let server: Promise<Database> | undefined;

async function createDatabaseFrom(template: string): Promise<TestDatabase> {
  server ??= joinTestServer(inject('testDataDir'));
  const serverUrl = (await server).url;
  const name = `test_${fileStem()}_${randomBytes(4).toString('hex')}`;
  await runOnServer(serverUrl, `create database ${name} template ${template}`);
  const url = databaseUrlOf(serverUrl, name);
  const db = await openDatabase(loadConfig({ databaseUrl: url }, {}));
  created.set(name, db);
  return {
    url,
    db,
    execute: (sql, values) => inTransaction(db, (tx) => tx.query(sql, values)),
    drop: () => db.close(),
  };
}

// Registered first, so run last: after the file's own hooks.
// biome-ignore lint/correctness/noEmptyPattern: vitest insists on a pattern here.
afterAll(async ({}, file) => {
  if (server === undefined) return;
  const { url, close } = await server;
  for (const db of created.values()) await db.close();
  const drops = [...created.keys()].map((name) => `drop database if exists ${name} with (force)`);
  if (!hasFailedTask(file)) await runOnServer(url, ...drops);
  await close();
});

interface Task {
  readonly result?: { readonly state: string };
  readonly tasks?: readonly Task[];
}

function hasFailedTask(task: Task): boolean {
  return task.result?.state === 'fail' || (task.tasks ?? []).some(hasFailedTask);
}

function fileStem(): string {
  const file = path.basename(expect.getState().testPath ?? 'unknown').replace(/\.test\.ts$/, '');
  return file
    .replace(/[^a-z0-9]+/gi, '_')
    .toLowerCase()
    .slice(0, 30);
}
