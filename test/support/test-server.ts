/** A real PostgreSQL with a migrated template database, for tests: the embedded one, in a directory of its own. */
import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import pg from 'pg';
import { loadConfig } from '../../src/platform/config.ts';
import { openDatabase } from '../../src/platform/database.ts';
import { migrateUp } from '../../src/platform/migrate.ts';

export const templateName = 'forager_template';

export interface TestServer {
  readonly url: string;
  /** Stops the server; its files stay if databases of failed tests are in it, and it is said where. */
  stop(): Promise<void>;
}

export async function startTestServer(): Promise<TestServer> {
  const dataDir = await mkdtemp(path.join(os.tmpdir(), 'forager-test-server-'));
  const config = loadConfig({ dataDir, databasePoolSize: 2 }, {});
  const server = await openDatabase(config);
  await runOnServer(server.url, `create database ${templateName}`);
  const template = await openDatabase({ ...config, databaseUrl: databaseUrlOf(server.url, templateName) });
  await migrateUp(template);
  await template.close();
  return {
    url: server.url,
    stop: async () => {
      const left = await runOnServer(
        server.url,
        "select datname from pg_database where datname like 'test\\_%'",
      );
      const names = left.map((row) => row.datname).sort();
      await server.close();
      if (names.length === 0) await rm(dataDir, { recursive: true, force: true });
      else console.error(`Databases of failed test files are kept in ${dataDir}: ${names.join(', ')}`);
    },
  };
}

export function databaseUrlOf(serverUrl: string, name: string): string {
  const url = new URL(serverUrl);
  url.pathname = `/${name}`;
  return url.toString();
}

export async function runOnServer(serverUrl: string, sql: string): Promise<Record<string, unknown>[]> {
  const client = new pg.Client({ connectionString: serverUrl });
  await client.connect();
  try {
    return (await client.query<Record<string, unknown>>(sql)).rows;
  } finally {
    await client.end();
  }
}
