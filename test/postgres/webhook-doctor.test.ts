/** What the doctor says of the key for secrets, and that a webhook nobody listens to is an alert. */
import { chmod, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { evaluateAlerts } from '../../src/control/alerts/evaluate-alerts.ts';
import { webhookDisabled } from '../../src/control/alerts/webhook-disabled.ts';
import { checkSecrets } from '../../src/control/doctor/check-secrets.ts';
import { takeCensus } from '../../src/control/stats/census.ts';
import { createTestDatabase, type TestDatabase } from '../support/postgres.ts';
import { addWebhook, TEST_SECRET_KEY } from '../support/webhook-rows.ts';

let database: TestDatabase;
let dataDir: string;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());
beforeEach(async () => {
  dataDir = await mkdtemp(path.join(os.tmpdir(), 'forager-doctor-'));
});
afterEach(async () => {
  await rm(dataDir, { recursive: true, force: true });
  await database.execute('delete from webhooks');
});

const embedded = { secretKey: undefined, databaseUrl: undefined };

describe('the doctor', () => {
  const look = async (config: { secretKey: string | undefined; databaseUrl: string | undefined }) =>
    (await checkSecrets(database.db, { ...config, dataDir }))[0];

  test('makes no key by looking', async () => {
    expect(await look(embedded)).toMatchObject({ state: 'ok', message: expect.stringContaining('none yet') });
    expect(await readdir(dataDir)).toEqual([]);
  });

  test('warns of a fleet without a key of its own', async () => {
    expect(await look({ ...embedded, databaseUrl: database.url })).toMatchObject({
      ...{ state: 'warning', fix: expect.stringContaining('FORAGER_SECRET_KEY') },
    });
    expect(await look({ secretKey: TEST_SECRET_KEY, databaseUrl: database.url })).toMatchObject({
      state: 'ok',
    });
  });

  test('tells when secrets cannot be read with the key, or there is none, and never shows it', async () => {
    await addWebhook(database, 'https://a.example/');
    expect(await look({ ...embedded, secretKey: TEST_SECRET_KEY })).toMatchObject({ state: 'ok' });
    const other = Buffer.alloc(32, 9).toString('base64');
    const wrong = await look({ ...embedded, secretKey: other });
    expect(wrong).toMatchObject({ state: 'wrong', message: expect.stringContaining('another key') });
    expect(JSON.stringify(wrong)).not.toContain(other);
    expect(await look(embedded)).toMatchObject({
      state: 'wrong',
      message: expect.stringMatching(/the secrets of 1 webhook$/),
    });
  });

  test('warns of a key that others may read, and of one that is damaged', async () => {
    const file = path.join(dataDir, 'secret.key');
    await writeFile(file, TEST_SECRET_KEY, { mode: 0o600 });
    expect(await look(embedded)).toMatchObject({ state: 'ok' });
    await chmod(file, 0o644);
    expect(await look(embedded)).toMatchObject({ state: 'warning', fix: `chmod 600 ${file}` });
    await writeFile(file, 'garbage');
    expect(await look(embedded)).toMatchObject({ state: 'wrong' });
  });
});

test('a webhook that was switched off by itself is an alert until it is on again, and one a person switched off is none', async () => {
  const ground = { db: database.db, dataDir: undefined };
  const { id } = await addWebhook(database, 'https://hooks.example/token-abc');
  await database.execute(
    "update webhooks set is_enabled = false, disabled_reason = 'its server answered 410 Gone'",
  );
  await addWebhook(database, 'https://other.example/');
  await database.execute("update webhooks set is_enabled = false where url like '%other%'");
  await evaluateAlerts(ground, [webhookDisabled]);
  const open = 'select subject, message from alerts where resolved_at is null';
  const { rows } = await database.db.query<{ subject: string; message: string }>(open);
  expect(rows).toEqual([
    {
      subject: String(id),
      message: `Webhook ${id} (hooks.example) was switched off: its server answered 410 Gone.`,
    },
  ]);
  await database.execute('update webhooks set is_enabled = true, disabled_reason = null');
  await evaluateAlerts(ground, [webhookDisabled]);
  expect((await database.db.query(open)).rowCount).toBe(0);
});

test('the census counts tasks that are not over, by state', async () => {
  await database.execute(
    "insert into domains (domain, parent_domain, base_url) values ('a.example', 'a.example', 'https://a.example')",
  );
  await database.execute(`
    insert into crawl_tasks (domain_id, url, url_hash, status)
    select d.id, 'https://a.example/' || n, sha256(n::text::bytea),
           (array['pending', 'pending', 'queued', 'completed', 'failed', 'paused'])[1 + n % 6]::task_status
      from domains d, generate_series(0, 11) as n`);
  expect((await takeCensus(database.db)).tasks).toEqual({
    ...{
      pending: 4,
      queued: 2,
      crawling: 0,
      downloaded: 0,
      queued_parse: 0,
      parsing: 0,
      paused: 2,
      locked: 0,
    },
  });
});
