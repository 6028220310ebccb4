/** A sender of webhooks that is killed while a receiver has its message: it is sent again, and is the same message. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { listDeliveries, readDelivery } from '../../src/control/webhooks/deliveries.ts';
import { buildProgram } from '../support/crawl-process.ts';
import { waitUntil } from '../support/crawl-support.ts';
import { advance } from '../support/moving-clock.ts';
import { createTestDatabase, type TestDatabase } from '../support/postgres.ts';
import { answerWith, isGenuine, startReceiver } from '../support/webhook-receiver.ts';
import { addTests, addWebhook, TEST_SECRET_KEY } from '../support/webhook-rows.ts';

let database: TestDatabase;
beforeAll(async () => {
  await buildProgram();
  database = await createTestDatabase();
});
afterAll(() => database.drop());

const repository = path.resolve(import.meta.dirname, '..', '..');

function startChild(): ChildProcess {
  const script = path.join(import.meta.dirname, 'webhook-sender-child.mjs');
  const args = [script, path.join(repository, 'dist'), database.url, TEST_SECRET_KEY];
  const child = spawn(process.execPath, args, { stdio: 'inherit', env: { PATH: process.env.PATH } });
  onTestFinished(() => void child.kill('SIGKILL'));
  return child;
}

test('killed in mid-send, its messages are sent again with the same ids, and all of them are delivered', async () => {
  const receiver = await startReceiver();
  onTestFinished(() => receiver.close());
  let isHanging = true;
  receiver.on('/hook', (request, response, count) => {
    if (!isHanging) answerWith(200)(request, response, count);
  });
  const { id: webhookId, secret } = await addWebhook(database, `${receiver.url}/hook`);
  const ids = await addTests(database, webhookId, 10);
  const first = startChild();
  // As many as one webhook may have under way: the child is in the middle of all of them.
  await waitUntil(() => (receiver.messages.length === 4 ? true : undefined));
  first.kill('SIGKILL');
  await once(first, 'exit');
  isHanging = false;
  expect(await listDeliveries(database.db, webhookId, 'pending', undefined, 100)).toHaveLength(10);

  startChild();
  // The others are sent at once; those of the dead wait for the end of its locks.
  await waitUntil(async () =>
    (await listDeliveries(database.db, webhookId, 'delivered', undefined, 100)).length === 6
      ? true
      : undefined,
  );
  await advance(database, { seconds: 61 });
  for (const id of ids) {
    await waitUntil(async () =>
      (await readDelivery(database.db, id)).state === 'delivered' ? true : undefined,
    );
  }
  const sent = receiver.messages.map(({ id }) => id);
  expect(sent).toHaveLength(14);
  expect(new Set(sent).size).toBe(10);
  expect(sent.slice(0, 4).every((id) => sent.slice(4).includes(id))).toBe(true);
  for (const message of receiver.messages) expect(isGenuine(message, secret)).toBe(true);
  for (const id of ids) expect(await readDelivery(database.db, id)).toMatchObject({ attemptsCount: 1 });
});
