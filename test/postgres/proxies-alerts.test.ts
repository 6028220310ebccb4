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
    expect(await found(proxiesLow)).toEqual([
      'two.example: Only 2 of the 2 proxies of two.example can be used.',
    ]);
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

  test('is not raised for a handful of requests, or for what is long past', async () => {
    const id = await addPool('shop.example', 3);
    await use(id, 19, 19);
    await use(id, 500, 500, '2 hours');
    expect(await found(proxyFailures)).toEqual([]);
    await use(id, 1, 0, '1 minute');
    expect(await found(proxyFailures)).toHaveLength(1);
  });
});
