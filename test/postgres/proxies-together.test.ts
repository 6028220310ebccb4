/** Several at once: people who change proxies, and workers who are at the domains that use them. */
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { assignProxies, resetPool } from '../../src/control/proxies/assign-proxies.ts';
import { changeProxy, deleteProxy } from '../../src/control/proxies/change-proxy.ts';
import { importProxies } from '../../src/control/proxies/import-proxies.ts';
import { createSecretBox } from '../../src/platform/secret-box.ts';
import { inTransaction } from '../../src/platform/transaction.ts';
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

const rules = { box: createSecretBox(Buffer.alloc(32, 7), 'the test'), allowPrivate: true };
const actor = { name: 'user:anna' };

async function addDomains(count: number): Promise<number[]> {
  const { rows } = await database.execute<{ id: number }>(
    `insert into domains (domain, parent_domain, base_url)
     select 'd' || n || '.example', 'd' || n || '.example', 'https://d' || n || '.example'
       from generate_series(1, $1::int) n returning id`,
    [count],
  );
  return rows.map(({ id }) => id);
}

async function addProxies(count: number): Promise<number[]> {
  const { rows } = await database.execute<{ id: number }>(
    "insert into proxies (proxy_url, proxy_port) select 'p' || n || '.example', 80 from generate_series(1, $1::int) n returning id",
    [count],
  );
  return rows.map(({ id }) => id);
}

async function importLines(texts: readonly string[]): Promise<Record<string, number>> {
  const lines = texts.map((text, index) => ({ number: index + 1, text }));
  const sums: Record<string, number> = {};
  for await (const { results } of importProxies(
    database.db,
    [lines],
    { onDuplicate: 'update' },
    rules,
    actor,
  )) {
    for (const { result } of results) sums[result] = (sums[result] ?? 0) + 1;
  }
  return sums;
}

test('the same list imported by four at once, in different orders: every proxy is there once', async () => {
  const lines = Array.from({ length: 2500 }, (_, n) => `http://u:p${n}@p${n}.example:80`);
  const turned = [lines, lines.toReversed(), lines.toSorted(), lines.toSorted().reverse()];
  const sums = await Promise.all(turned.map(importLines));
  const added = sums.reduce((sum, one) => sum + (one.added ?? 0), 0);
  const updated = sums.reduce((sum, one) => sum + (one.updated ?? 0), 0);
  expect({ added, updated }).toEqual({ added: 2500, updated: 7500 });
  const { rows } = await database.db.query<{ count: number }>('select count(*)::int as count from proxies');
  expect(rows[0]?.count).toBe(2500);
});

/** What a worker does with every batch: its domains, then its pairs, then its proxies, each by number. */
async function commitLikeAWorker(domains: readonly number[], proxies: readonly number[]): Promise<void> {
  await inTransaction(database.db, async (tx) => {
    await tx.query('select from domains where id = any ($1) order by id for update', [domains]);
    await tx.query(
      `update domain_proxies dp set success_count = success_count + 1
        where (dp.domain_id, dp.proxy_id) in (select domain_id, proxy_id from domain_proxies
                where domain_id = any ($1) and proxy_id = any ($2) order by proxy_id, domain_id for update)`,
      [domains, proxies],
    );
    await tx.query(
      `update proxies set success_count = success_count + 1
        where id in (select id from proxies where id = any ($1) order by id for update)`,
      [proxies],
    );
  });
}

test('people switch, assign, reset and remove while workers commit: nobody is in anybody’s way for ever', async () => {
  const domains = await addDomains(20);
  const proxies = await addProxies(20);
  await database.execute(
    'insert into domain_proxies (domain_id, proxy_id, is_assigned) select d.id, p.id, d.id % 2 = 0 from domains d, proxies p',
  );
  const before = await readDeadlocks();
  const pick = <T>(list: readonly T[], n: number): T => list[n % list.length] as T;
  const workers = Array.from({ length: 3 }, async (_, w) => {
    for (let n = 0; n < 40; n += 1) {
      await commitLikeAWorker(
        domains.filter((id) => (id + w) % 3 === 0),
        proxies.filter((id) => (id + n) % 2 === 0),
      );
    }
  });
  const people = [
    async (n: number) =>
      changeProxy(database.db, pick(proxies, n), { isActive: n % 2 === 0 }, undefined, actor),
    async (n: number) =>
      changeProxy(database.db, pick(proxies, n + 3), { maxRequestsPerHour: n + 1 }, rules, actor),
    async (n: number) =>
      assignProxies(
        database.db,
        `d${(n % 20) + 1}.example`,
        [pick(proxies, n), pick(proxies, n + 1)],
        {},
        actor,
      ),
    async (n: number) => resetPool(database.db, `d${(n % 20) + 1}.example`, undefined, actor),
  ].map(async (act) => {
    for (let n = 0; n < 19; n += 1) await act(n);
  });
  await Promise.all([...workers, ...people]);
  await deleteProxy(database.db, pick(proxies, 19), true, actor);
  expect(await readDeadlocks()).toBe(before);
});

async function readDeadlocks(): Promise<number> {
  await database.execute('select pg_stat_force_next_flush()');
  const { rows } = await database.db.query<{ deadlocks: number }>(
    'select deadlocks::int from pg_stat_database where datname = current_database()',
  );
  return rows[0]?.deadlocks ?? 0;
}

test('a domain that begins to wait while its proxy is being enabled does not wait on', async () => {
  const [domainId = 0] = await addDomains(1);
  const [proxyId = 0] = await addProxies(1);
  await database.execute("update proxies set is_active = false, disabled_by = 'user:anna'");
  await assignProxies(database.db, 'd1.example', [proxyId], {}, actor);
  let enabling: Promise<unknown> = Promise.resolve();
  await inTransaction(database.db, async (tx) => {
    // The worker has looked, found nothing, and is about to give its domain back.
    await tx.query('select from domains where id = $1 for update', [domainId]);
    enabling = changeProxy(database.db, proxyId, { isActive: true }, undefined, actor);
    await untilSomebodyWaits();
    await tx.query(
      `update domains set block_reason_code = 'no_proxy', status = 'active', status_code = 'claimed',
              next_crawl_after = now() + interval '2 hours' where id = $1`,
      [domainId],
    );
  });
  await enabling;
  const { rows } = await database.db.query('select block_reason_code, next_crawl_after from domains');
  expect(rows).toEqual([{ block_reason_code: null, next_crawl_after: null }]);
});

async function untilSomebodyWaits(): Promise<void> {
  for (let n = 0; n < 500; n += 1) {
    const { rows } = await database.db.query(
      "select from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()",
    );
    if (rows.length > 0) return;
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
  throw new Error('nobody waits');
}
