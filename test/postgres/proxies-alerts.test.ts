/** Pools that run low, and proxies that fail: both are told. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { proxiesLow } from '../../src/control/alerts/proxies-low.ts';
import { proxyFailures } from '../../src/control/alerts/proxy-failures.ts';
import type { AlertRule } from '../../src/control/alerts/rule.ts';
import { createTestDatabase, type TestDatabase } from '../support/postgres.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());
beforeEach(async () => {
  await database.execute('delete from proxies');
  await database.execute('delete from domains');
});

async function addDomain(domain: string): Promise<number> {
  const { rows } = await database.execute<{ id: number }>(
    "insert into domains (domain, parent_domain, base_url) values ($1, $1, 'https://' || $1) returning id",
    [domain],
  );
  return rows[0]?.id ?? 0;
}

/** A domain with so many proxies of its own. */
async function addPool(domain: string, count: number): Promise<number> {
  const domainId = await addDomain(domain);
  await database.execute(
    `with p as (insert into proxies (proxy_url, proxy_port, country_code)
                select 'p' || n || '.' || $2, 80, 'DE' from generate_series(1, $3::int) n returning id)
     insert into domain_proxies (domain_id, proxy_id) select $1, id from p`,
    [domainId, domain, count],
  );
  return domainId;
}

async function found(rule: AlertRule): Promise<string[]> {
  const findings = await rule.find({ db: database.db, dataDir: undefined });
  return (findings ?? []).map(({ subject, message }) => `${subject}: ${message}`);
}

describe('proxies-low', () => {
  test('is raised for a pool with fewer than three that can be used', async () => {
    await addPool('three.example', 3);
    await addPool('two.example', 2);
    await addDomain('none.example');
    expect(await found(proxiesLow)).toEqual(['two.example: two.example has only 2 proxies.']);
  });

  test('counts neither those that are out for the domain nor those that are out for all', async () => {
    const id = await addPool('shop.example', 4);
    await database.execute(
      `update domain_proxies set is_active = false, disabled_by = 'failures'
        where proxy_id = (select min(proxy_id) from domain_proxies)`,
    );
    expect(await found(proxiesLow)).toEqual([]);
    await database.execute(
      "update proxies set is_active = false, disabled_by = 'user:anna' where id = (select max(id) from proxies)",
    );
    expect(await found(proxiesLow)).toEqual([
      'shop.example: Only 2 of the 4 proxies of shop.example can be used.',
    ]);
    await database.execute("update domains set proxy_country = 'US' where id = $1", [id]);
    expect(await found(proxiesLow)).toEqual([
      'shop.example: None of the 4 proxies of shop.example can be used: it waits.',
    ]);
  });

  test('does not say that a domain waits which has nothing to do', async () => {
    await addPool('shop.example', 1);
    await database.execute("update proxies set is_active = false, disabled_by = 'user:anna'");
    expect(await found(proxiesLow)).toEqual([
      'shop.example: The only proxy of shop.example cannot be used: it waits.',
    ]);
    await database.execute("update domains set status = 'active', status_code = 'claimed'");
    await database.execute("update domains set status = 'exhausted', status_code = 'all_done'");
    expect(await found(proxiesLow)).toEqual(['shop.example: The only proxy of shop.example cannot be used.']);
  });

  test.each(["proxy_mode = 'required'", "proxy_country = 'DE'"])(
    'is raised for a domain without a pool that must not go directly: %s',
    async (setting) => {
      const id = await addDomain('shop.example');
      await database.execute(`update domains set ${setting}`);
      expect(await found(proxiesLow)).toEqual([
        'shop.example: There is no proxy for shop.example, which must not be crawled without one: it waits.',
      ]);
      await database.execute(
        "insert into proxies (proxy_url, proxy_port, country_code) select 'p.example', n, 'DE' from generate_series(1, 3) n",
      );
      await database.execute(
        "insert into proxies (proxy_url, proxy_port, is_shared, country_code) values ('own.example', 1, false, 'DE')",
      );
      expect(await found(proxiesLow)).toEqual([]);
      await database.execute(
        `insert into domain_proxies (domain_id, proxy_id, is_assigned, is_active, disabled_by)
         select $1, min(id), false, false, 'failures' from proxies`,
        [id],
      );
      expect(await found(proxiesLow)).toEqual([
        'shop.example: Only 2 of the 3 shared proxies can be used for shop.example.',
      ]);
      await database.execute("update domains set proxy_country = 'US'");
      expect(await found(proxiesLow)).toEqual([
        'shop.example: None of the 3 shared proxies can be used for shop.example: it waits.',
      ]);
      await database.execute('update domains set is_active = false');
      expect(await found(proxiesLow)).toEqual([]);
    },
  );

  test.each([
    'update domains set is_active = false',
    "update domains set proxy_mode = 'direct'",
    'update domain_proxies set is_assigned = false',
  ])('is none of a domain that does not use its pool: %s', async (statement) => {
    await addPool('shop.example', 1);
    await database.execute(statement);
    expect(await found(proxiesLow)).toEqual([]);
  });
});

describe('proxy-failures', () => {
  const use = (domainId: number, requests: number, failures: number, ago = '5 minutes') =>
    database.execute(
      `insert into proxy_usage (proxy_id, domain_id, minute, requests_count, failures_count)
       select min(id), $1, date_trunc('minute', now() - $4::interval), $2, $3 from proxies`,
      [domainId, requests, failures, ago],
    );

  test('is raised when more than one request in ten of the last hour failed', async () => {
    const id = await addPool('shop.example', 3);
    await use(id, 50, 5);
    expect(await found(proxyFailures)).toEqual([]);
    await use(id, 50, 6, '30 minutes');
    expect(await found(proxyFailures)).toEqual([
      'shop.example: 11 % of the requests to shop.example through proxies failed in the last hour (11 of 100).',
    ]);
  });

  test('says more than ten of a hundred where it is little more', async () => {
    const id = await addPool('shop.example', 3);
    await use(id, 1000, 101);
    expect(await found(proxyFailures)).toEqual([
      'shop.example: 10.1 % of the requests to shop.example through proxies failed in the last hour (101 of 1000).',
    ]);
  });

  test('has another hint where the proxies are gone', async () => {
    const hints = async () =>
      (await proxyFailures.find({ db: database.db, dataDir: undefined }))?.map(({ hint }) => hint ?? '');
    await use(await addPool('shop.example', 3), 100, 100);
    expect((await hints())?.join()).toBe('');
    await database.execute('delete from proxies');
    expect(await hints()).toEqual([expect.stringContaining('are removed')]);
  });

  test('is not raised for a handful of requests, or for what is long past', async () => {
    const id = await addPool('shop.example', 3);
    await use(id, 19, 19);
    await use(id, 500, 500, '2 hours');
    expect(await found(proxyFailures)).toEqual([]);
    await use(id, 1, 0, '1 minute');
    expect(await found(proxyFailures)).toHaveLength(1);
  });
});
