/** Submissions that are large, malicious, or break off in the middle. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type ApiClient, startTestServer, type TestServer } from '../support/api.ts';

let server: TestServer;
let admin: ApiClient;
beforeAll(async () => {
  server = await startTestServer();
  admin = await server.as('admin');
});
afterAll(() => server.close());
beforeEach(async () => {
  for (const table of ['domains', 'urls', 'audit_log', 'idempotency_keys']) {
    await server.database.execute(`delete from ${table}`);
  }
});

interface Act {
  readonly action: string;
  readonly details: Record<string, unknown>;
}
const acts = async (): Promise<Act[]> =>
  (await server.database.db.query<Act>('select action, details from audit_log order by id')).rows;

/** From now on nothing is written to the table that fits the condition. */
async function breakTable(table: string, event: string, when: string): Promise<() => Promise<unknown>> {
  await server.database.execute(
    "create function break_it() returns trigger language plpgsql as $$ begin raise 'broken'; end $$",
  );
  await server.database.execute(
    `create trigger break_it before ${event} on ${table} for each row when (${when}) execute function break_it()`,
  );
  return () => server.database.execute('drop function break_it cascade');
}

describe('what is committed has a record, also when the rest fails', () => {
  test.each(['add', 'seed'])('%s', async (how) => {
    const mend = await breakTable('urls', 'insert', "new.url like '%/boom'");
    try {
      const urls = Array.from({ length: 2500 }, (_, n) => `https://a.example/${n}`);
      const { status } = await admin.post(`/api/frontier/${how}`, {
        urls: [...urls, 'https://a.example/boom'],
      });
      expect(status).toBe(500);
    } finally {
      await mend();
    }
    const details = { asked: 2501, refused: 0, first: 'https://a.example/0', part: 1, parts: 2, added: 2000 };
    expect(await acts()).toMatchObject([{ action: `frontier.${how}`, details }]);
    expect((await server.database.db.query('select from urls')).rowCount).toBe(2000);
  });

  test('recover', async () => {
    await server.database.execute(
      `insert into domains (domain, parent_domain, base_url, claimed_by, claim_expires_at)
       values ('a.example', 'a.example', 'https://a.example', 'w', '2020-01-01')`,
    );
    const mend = await breakTable('domains', 'update', 'true');
    try {
      expect((await admin.post('/api/frontier/recover')).status).toBe(500);
    } finally {
      await mend();
    }
    expect(await acts()).toMatchObject([{ action: 'frontier.recover', details: { staleSeconds: 300 } }]);
  });
});

describe('user and password of a URL', () => {
  test.each([
    'https://anna:hunter2@a.example/',
    'https://anna:hunt/er2@a.example/',
    'anna:hunter2@a.example',
    String.raw`http:\\anna:hunter2@a.example`,
  ])('of %s are neither told nor kept', async (secret) => {
    const key = { 'idempotency-key': 'k' };
    const some = await admin.post('/api/frontier/add', { urls: [secret, 'https://b.example/'] }, key);
    expect(some.body).toMatchObject({
      refused: [{ index: 0, url: expect.stringContaining('***@a.example') }],
    });
    const created = await admin.post('/api/admin/domains', { domain: secret }, { 'idempotency-key': 'l' });
    expect(created.problem?.code).toBe('bad-domain');
    const kept = await server.database.db.query(
      'select (select json_agg(k) from idempotency_keys k)::text as keys, (select json_agg(a) from audit_log a)::text as acts',
    );
    const all = [some.text, created.text, JSON.stringify(kept.rows), ...server.log].join('\n');
    expect(all).not.toMatch(/anna|hunter2|er2@/);
    expect(all).toContain('***@a.example');
  });
});

describe('what no URL can be', () => {
  test('a text that is longer than any URL that is crawled is refused by itself', async () => {
    const long = `https://a.example/#${'x'.repeat(8200)}`;
    expect(
      (await admin.post('/api/frontier/add', { urls: [long, 'https://b.example/'] })).body,
    ).toMatchObject({
      accepted: 1,
      refused: [{ index: 0, reason: 'it is longer than 8192 characters' }],
    });
  });

  test('tens of thousands of wrong items are told by the first twenty', async () => {
    const many = await admin.post('/api/frontier/add', { urls: Array(30_000).fill({ uri: 1 }) });
    expect(many.problem).toMatchObject({ code: 'invalid', errors: [{ path: 'body.urls' }] });
    const wrong = await admin.post('/api/frontier/seed', {
      urls: [...Array(5000).fill('a.example'), ...Array(4000).fill(7)],
    });
    expect(wrong.problem?.errors).toHaveLength(20);
    expect(wrong.problem?.errors?.[0]?.path).toBe('body.urls.5000');
  });
});
