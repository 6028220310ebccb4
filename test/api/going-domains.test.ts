/** A domain that is being removed: nobody is told that something was done which the removal undoes. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { changeSettings } from '../../src/control/domains/change-settings.ts';
import { submitDeletion } from '../../src/control/domains/delete-domain.ts';
import { resetDomain } from '../../src/control/domains/reset-domain.ts';
import { activateDomain, deactivateDomain } from '../../src/control/domains/switch-domain.ts';
import { loadConfig } from '../../src/platform/config.ts';
import { type Database, openDatabase } from '../../src/platform/database.ts';
import { inTransaction } from '../../src/platform/transaction.ts';
import { type ApiAnswer, type ApiClient, startTestServer, type TestServer } from '../support/api.ts';
import { waitUntil } from '../support/crawl-support.ts';

let server: TestServer;
let admin: ApiClient;
beforeAll(async () => {
  server = await startTestServer();
  admin = await server.as('admin');
});
afterAll(() => server.close());

let domainId = 0;
beforeEach(async () => {
  for (const table of ['domains', 'urls', 'jobs', 'audit_log', 'idempotency_keys']) {
    await server.database.execute(`delete from ${table}`);
  }
  const { rows } = await server.database.execute<{ id: number }>(
    `insert into domains (domain, parent_domain, base_url, is_active)
     values ('x.example', 'x.example', 'https://x.example', false) returning id`,
  );
  domainId = rows[0]?.id ?? 0;
});

const PLANT_JOB = `insert into jobs (kind, params, state, created_by, runner, runner_until)
  values ('delete-domain', $1, 'running', 'user:anna', 'test', now() + interval '1 hour') returning id`;
const jobParams = (): unknown[] => [JSON.stringify({ domainId, domain: 'x.example', restMs: 0 })];

/** A removal that nobody but the test is at. */
async function plantRemoval(): Promise<number> {
  return (await server.database.execute<{ id: number }>(PLANT_JOB, jobParams())).rows[0]?.id ?? 0;
}

const ASKED: readonly [string, () => Promise<ApiAnswer>][] = [
  ['activate', () => admin.post('/api/admin/domains/x.example/activate')],
  ['reset', () => admin.post('/api/admin/domains/x.example/reset')],
  ['new settings', () => admin.patch('/api/admin/domains/x.example', { crawlDelayMs: 5000 })],
  ['create', () => admin.post('/api/admin/domains', { domain: 'x.example' })],
  ['remove once more', () => admin.delete('/api/admin/domains/x.example')],
];

describe('while a removal is not over', () => {
  test.each(ASKED)(
    '%s is refused, changes nothing, and works when the removal is over',
    async (_name, ask) => {
      const jobId = await plantRemoval();
      const { problem } = await ask();
      expect(problem).toMatchObject({ status: 409, code: 'domain-going' });
      expect(problem?.hint).toContain(`/api/jobs/${jobId}`);
      const { rows } = await server.database.db.query(
        'select is_active, crawl_delay_ms, version from domains',
      );
      expect(rows).toEqual([{ is_active: false, crawl_delay_ms: null, version: 0 }]);
      expect((await server.database.db.query('select from audit_log')).rowCount).toBe(0);
      await server.database.execute("update jobs set state = 'cancelled', finished_at = now()");
      expect(['nothing', 'domain-exists']).toContain((await ask()).problem?.code ?? 'nothing');
    },
  );

  test('whoever waits for the domain while its removal is asked for is refused', async () => {
    let isWaiting: Promise<ApiAnswer> | undefined;
    await inTransaction(server.database.db, async (tx) => {
      await tx.query('select from domains for update');
      isWaiting = admin.post('/api/admin/domains/x.example/activate');
      await waitUntil(async () => {
        const { rows } = await server.database.db.query(
          "select from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()",
        );
        return rows.length > 0 ? true : undefined;
      });
      await tx.query(PLANT_JOB, jobParams());
    });
    expect((await isWaiting)?.problem?.code).toBe('domain-going');
  });

  test.each(['add', 'seed'])('URLs of it are refused with the reason (%s), others are taken', async (how) => {
    const jobId = await plantRemoval();
    const urls = ['https://x.example/a', 'https://y.example/', 'ftp://y.example/', 'https://x.example/b'];
    const reason = `its domain is being removed (job ${jobId})`;
    expect((await admin.post(`/api/frontier/${how}`, { urls })).body).toMatchObject({
      ...{ accepted: 1, added: 1, known: 0, newDomains: 1, refusedCount: 3 },
      refused: [
        { index: 0, url: 'https://x.example/a', reason },
        { index: 2 },
        { index: 3, url: 'https://x.example/b', reason },
      ],
    });
    const { rows } = await server.database.db.query('select url from urls');
    expect(rows).toEqual([{ url: 'https://y.example/' }]);
    const alone = await admin.post(`/api/frontier/${how}`, { urls: ['https://x.example/a'] });
    expect(alone.problem).toMatchObject({ code: 'nothing-accepted', errors: [{ message: reason }] });
    await server.database.execute("update jobs set state = 'cancelled', finished_at = now()");
    expect((await admin.post(`/api/frontier/${how}`, { urls })).body).toMatchObject({ added: 2, known: 1 });
  });

  test('a removal that really runs and is over leaves a name that can be used again', async () => {
    const { id } = (await admin.delete('/api/admin/domains/x.example')).body as { id: number };
    await waitUntil(async () => {
      const { state } = (await admin.get(`/api/jobs/${id}`)).body as { state: string };
      return state === 'done' ? true : undefined;
    });
    expect((await admin.post('/api/admin/domains', { domain: 'x.example' })).status).toBe(201);
  });
});

describe('a domain that goes while somebody waits for it', () => {
  const actor = { name: 'cli:test' };
  const options = { recrawl: false, actor: 'cli:test', requestTimeoutMs: 1 };
  test.each<[string, (db: Database) => Promise<unknown>]>([
    ['activate', (db) => activateDomain(db, 'x.example', actor)],
    ['deactivate', (db) => deactivateDomain(db, 'x.example', 1, actor)],
    ['settings', (db) => changeSettings(db, 'x.example', {}, actor)],
    ['reset', (db) => resetDomain(db, 'x.example', options)],
    ['delete', (db) => submitDeletion(db, 'x.example', 1, actor)],
  ])('%s says so with the one connection it has', async (_name, ask) => {
    const config = loadConfig({ databaseUrl: server.database.url }, {});
    const narrow = await openDatabase({ ...config, databasePoolSize: 1 });
    try {
      let asked: Promise<unknown> | undefined;
      await inTransaction(server.database.db, async (tx) => {
        await tx.query('delete from domains');
        asked = ask(narrow).catch((error: unknown) => error);
        await waitUntil(async () => {
          const { rows } = await server.database.db.query(
            "select from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()",
          );
          return rows.length > 0 ? true : undefined;
        });
      });
      expect(await asked).toMatchObject({ code: 'unknown-domain' });
    } finally {
      await narrow.close();
    }
  });
});

describe('an Idempotency-Key', () => {
  const key = { 'idempotency-key': 'one' };
  test.each<[string, () => Promise<ApiAnswer>]>([
    [
      'DELETE /api/frontier',
      () => admin.request('DELETE', '/api/frontier', { query: { confirm: 'all' }, headers: key }),
    ],
    [
      'DELETE /api/admin/domains/:domain',
      () => admin.request('DELETE', '/api/admin/domains/x.example', { headers: key }),
    ],
    [
      'DELETE /api/admin/pages',
      () => admin.request('DELETE', '/api/admin/pages', { query: { confirm: 'all' }, headers: key }),
    ],
    ['POST /api/admin/domains', () => admin.post('/api/admin/domains', { domain: 'new.example' }, key)],
  ])('is taken by %s: done once, answered the same', async (_name, ask) => {
    const first = await ask();
    expect(first.status).toBeLessThan(300);
    const again = await ask();
    expect(again.headers.get('idempotency-replayed')).toBe('true');
    expect([again.status, again.text]).toEqual([first.status, first.text]);
    expect((await server.database.db.query('select from jobs')).rowCount).toBeLessThanOrEqual(1);
  });
});
