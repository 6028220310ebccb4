import net from 'node:net';
import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { loadConfig } from '../../src/platform/config.ts';
import { openDatabase } from '../../src/platform/database.ts';
import { migrateUp } from '../../src/platform/migrate.ts';
import { createTestDatabase, type TestDatabase } from '../support/postgres.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

function open(url: string) {
  return openDatabase(loadConfig({ databaseUrl: url }, {}));
}

async function freePort(): Promise<number> {
  const server = net.createServer().listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  const { port } = server.address() as net.AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}

test('DATABASE_URL is used instead of the embedded database', async () => {
  const db = await open(database.url);
  expect(db.kind).toBe('external');
  const { rows } = await db.query<{ name: string }>('select current_database() as name');
  expect(`/${rows[0]?.name}`).toBe(new URL(database.url).pathname);
  await db.close();
  await db.close();
});

test('a server that is not there is told with host, port, database and cause, without the password', async () => {
  const port = await freePort();
  const error = await open(`postgres://someone:very-secret@127.0.0.1:${port}/things`).catch(
    (e: unknown) => e,
  );
  expect(error).toMatchObject({
    code: 'database-unreachable',
    hint: expect.stringContaining('DATABASE_URL'),
  });
  const { message } = error as Error;
  for (const part of ['127.0.0.1', String(port), 'things', 'ECONNREFUSED']) expect(message).toContain(part);
  expect(message).not.toContain('very-secret');
  expect(message.split('\n')).toHaveLength(1);
});

test('a wrong password and a database that is not there are told as such', async () => {
  const wrongPassword = new URL(database.url);
  wrongPassword.password = 'not-the-password';
  await expect(open(wrongPassword.toString())).rejects.toMatchObject({
    code: 'database-unreachable',
    message: expect.stringContaining('password authentication failed'),
  });
  const wrongName = new URL(database.url);
  wrongName.pathname = '/nowhere';
  await expect(open(wrongName.toString())).rejects.toMatchObject({
    code: 'database-unreachable',
    message: expect.stringContaining('"nowhere" does not exist'),
  });
});

test('something that answers but is no PostgreSQL is told, not waited for', async () => {
  const server = net
    .createServer((socket) => socket.end('HTTP/1.1 400 Bad Request\r\n\r\n'))
    .listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  const { port } = server.address() as net.AddressInfo;
  await expect(open(`postgres://a:b@127.0.0.1:${port}/c`)).rejects.toMatchObject({
    code: 'database-unreachable',
  });
  server.close();
});

test('a user who may not make tables is told so in one sentence with a way out', async () => {
  const admin = new pg.Client(database.url);
  await admin.connect();
  const role = `stranger_${process.pid}`;
  await admin.query(`create role ${role} login password 'strange'`);
  const url = new URL(database.url);
  [url.username, url.password] = [role, 'strange'];
  const db = await open(url.toString());
  try {
    await expect(migrateUp(db)).rejects.toMatchObject({
      code: 'database-forbids',
      message: expect.stringContaining('permission denied for schema public'),
      hint: expect.stringContaining('owner'),
    });
  } finally {
    await db.close();
    await admin.query(`drop role ${role}`);
    await admin.end();
  }
});
