/**
 * A real PostgreSQL with a migrated template database, for tests: the embedded one, in a data directory that all
 * files of a run share. The first file that needs it starts it, others join, the last one out stops it.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import pg from 'pg';
import { loadConfig } from '../../src/platform/config.ts';
import { type Database, openDatabase } from '../../src/platform/database.ts';
import { exists } from '../../src/platform/embedded/data-dir.ts';
import { migrateUp } from '../../src/platform/migrate.ts';

export const templateName = 'forager_template';

export function makeTestDataDir(): Promise<string> {
  return mkdtemp(path.join(os.tmpdir(), 'forager-test-server-'));
}

export async function joinTestServer(dataDir: string): Promise<Database> {
  const server = await openDatabase(loadConfig({ dataDir, databasePoolSize: 2 }, {}));
  await makeTemplateOnce(server.url);
  return server;
}

/** Removes the data directory, unless databases of failed files are in it: then it is said where. */
export async function removeTestDataDir(dataDir: string): Promise<void> {
  const names = (await exists(path.join(dataDir, 'postgres'))) ? await listTestDatabases(dataDir) : [];
  if (names.length === 0) await rm(dataDir, { recursive: true, force: true });
  else console.error(`Databases of failed test files are kept in ${dataDir}: ${names.join(', ')}`);
}

export function databaseUrlOf(serverUrl: string, name: string): string {
  const url = new URL(serverUrl);
  url.pathname = `/${name}`;
  return url.toString();
}

export async function runOnServer(
  serverUrl: string,
  ...statements: string[]
): Promise<Record<string, unknown>[]> {
  const client = new pg.Client({ connectionString: serverUrl });
  await client.connect();
  try {
    let rows: Record<string, unknown>[] = [];
    for (const sql of statements) rows = (await client.query<Record<string, unknown>>(sql)).rows;
    return rows;
  } finally {
    await client.end();
  }
}

/** Under another name until it is complete, so that nobody copies half of it; one at a time. */
async function makeTemplateOnce(serverUrl: string): Promise<void> {
  const client = new pg.Client({ connectionString: serverUrl });
  await client.connect();
  try {
    await client.query('select pg_advisory_lock(1)');
    const known = await client.query('select from pg_database where datname = $1', [templateName]);
    if (known.rowCount !== 0) return;
    await client.query('drop database if exists template_draft with (force)');
    await client.query('create database template_draft');
    const draft = await openDatabase(
      loadConfig({ databaseUrl: databaseUrlOf(serverUrl, 'template_draft'), databasePoolSize: 2 }, {}),
    );
    await migrateUp(draft).finally(() => draft.close());
    await client.query(
      "select pg_terminate_backend(pid, 5000) from pg_stat_activity where datname = 'template_draft'",
    );
    await client.query(`alter database template_draft rename to ${templateName}`);
  } finally {
    await client.end();
  }
}

async function listTestDatabases(dataDir: string): Promise<string[]> {
  const server = await openDatabase(loadConfig({ dataDir, databasePoolSize: 2 }, {}));
  const { rows } = await server.query<{ datname: string }>(
    "select datname from pg_database where datname like 'test\\_%' order by 1",
  );
  await server.close();
  return rows.map((row) => row.datname);
}
