/** What the doctor says of proxies that cannot be used, and of jobs with no bot to do them. */
import { beforeEach, describe, expect, it } from 'vitest';
import type { Check } from '../../src/control/doctor/check.ts';
import { checkBots } from '../../src/control/doctor/check-bots.ts';
import { checkProxies } from '../../src/control/doctor/check-proxies.ts';
import { openSecretBox } from '../../src/platform/secret-box.ts';
import { addDomain } from '../support/backfill-rows.ts';
import { createEmptyDatabase, createTestDatabase, type TestDatabase } from '../support/postgres.ts';
import { TEST_SECRET_KEY } from '../support/webhook-rows.ts';

let database: TestDatabase;
beforeEach(async () => {
  database = await createTestDatabase();
  return () => database.drop();
});

const show = (checks: readonly Check[]): string[] =>
  checks.map(({ name, state, message }) => `${name} ${state}: ${message}`);

const closed = {
  ...{ allowPrivate: false, privateProxies: false },
  ...{ secretKey: TEST_SECRET_KEY, dataDir: '/there/is/no/such/directory' },
};

describe('proxies', () => {
  const look = async (config: Parameters<typeof checkProxies>[1] = closed) =>
    show(await checkProxies(database.db, config));
  const add = (host: string, state = 'true, null') =>
    database.execute(
      `insert into proxies (proxy_url, proxy_port, is_active, disabled_by) values ('${host}', 3128, ${state})`,
    );

  it('are counted by state, and none at all is well', async () => {
    expect(await look()).toEqual(['proxies ok: none: everything is fetched directly']);
    await add('a.example');
    await add('b.example', "false, 'failures'");
    await add('c.example', "false, 'anna'");
    expect(await look()).toEqual(['proxies ok: 1 of 3 can be used (1 out for its failures, 1 switched off)']);
    await database.execute("update proxies set is_active = false, disabled_by = 'failures'");
    expect(await look()).toEqual(['proxies warning: none of 3 can be used (3 out for their failures)']);
  });

  it('whose passwords cannot be opened cannot be used', async () => {
    await add('a.example');
    await add('b.example');
    const box = await openSecretBox(closed, async () => true);
    const keep = (id: number, password: Buffer) =>
      database.execute("update proxies set proxy_username = 'anna', proxy_password = $2 where id = $1", [
        ...[id, password],
      ]);
    await keep(2, box.seal('a password', 'proxy'));
    expect(await look()).toEqual(['proxies ok: 2 of 2 can be used']);
    const other = { ...closed, secretKey: Buffer.alloc(32, 9).toString('base64') };
    const told = 'with a password that cannot be opened here';
    expect(await look(other)).toEqual([`proxies warning: 1 of 2 can be used (1 ${told})`]);
    const none = { ...closed, secretKey: undefined };
    expect(await look(none)).toEqual([`proxies warning: 1 of 2 can be used (1 ${told})`]);
    await keep(1, box.seal('a password', 'webhook'));
    expect(await look()).toEqual([`proxies warning: 1 of 2 can be used (1 ${told})`]);
    expect(await look(other)).toEqual([`proxies warning: none of 2 can be used (2 ${told})`]);
  });

  it('on addresses where none may be are told, unless they may', async () => {
    await add('127.0.0.1');
    await add('192.168.1.7');
    await add('198.51.100.99', "false, 'anna'");
    expect(await look()).toEqual([
      'proxies warning: 2 hosts are on this machine or its network, where no proxy may be',
    ]);
    expect(await look({ ...closed, privateProxies: true })).toEqual([
      expect.stringMatching(/^proxies ok: 2 of 3/),
    ]);
    expect(await look({ ...closed, allowPrivate: true })).toEqual([expect.stringMatching(/^proxies ok/)]);
  });

  it('that domains wait for, or must have and cannot have, are told', async () => {
    const required = await addDomain(database, 'a.example', { proxy_mode: 'required' });
    await addDomain(database, 'b.example', { proxy_mode: 'required', is_active: false });
    const nobody = 'proxies warning: 1 domain must not be fetched without a proxy, and there is none for it';
    expect(await look()).toEqual([nobody]);
    await add('p.example');
    await database.execute('update proxies set is_shared = false');
    expect(await look()).toEqual([nobody]);
    await database.execute('insert into domain_proxies (domain_id, proxy_id) values ($1, 1)', [required]);
    expect(await look()).toEqual(['proxies ok: 1 of 1 can be used']);
    await database.execute(
      "update domains set block_reason_code = 'no_proxy', next_crawl_after = forager_now() + interval '1 h'",
    );
    // The one that is switched off waits for a person.
    expect(await look()).toEqual(['proxies warning: 1 domain waits for a proxy']);
  });
});

describe('bots', () => {
  const look = async () => show(await checkBots(database.db));

  it('are missed where jobs wait for one that nobody does', async () => {
    expect(await look()).toEqual(['bots ok: none is registered']);
    const domain = await addDomain(database, 'a.example');
    await database.execute(
      `insert into crawl_tasks (domain_id, url, url_hash, executor, scheduled_at)
       select $1, 'https://a.example/' || n, int4send(n), 'bot', forager_now() + (n - 2) * interval '1 h'
         from generate_series(1, 3) n`,
      [domain],
    );
    expect(await look()).toEqual(['bots warning: 2 jobs wait for a bot, and none is registered']);
    await database.execute("insert into bots (bot_id) values ('one')");
    expect(await look()).toEqual([
      'bots warning: 2 jobs wait for a bot, and none has asked for work in the last ten minutes',
    ]);
    await database.execute("update bots set last_pull_at = forager_now() - interval '9 min'");
    expect(await look()).toEqual(['bots ok: 1 of 1 asked for work in the last ten minutes']);
    await database.execute('update bots set revoked_at = forager_now()');
    expect(await look()).toEqual(['bots warning: 2 jobs wait for a bot, and none is registered']);
    await database.execute('update domains set is_active = false');
    expect(await look()).toEqual(['bots ok: none is registered']);
  });
});

it('an older schema is no reason to fail', async () => {
  const empty = await createEmptyDatabase();
  try {
    expect(await checkProxies(empty.db, closed)).toEqual([]);
    expect(await checkBots(empty.db)).toEqual([]);
  } finally {
    await empty.drop();
  }
});
