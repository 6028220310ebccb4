import { afterAll, beforeAll, expect, test } from 'vitest';
import { wakeDomains } from '../../src/engine/claim/wake-domains.ts';
import { createTestDatabase } from '../support/postgres.ts';

let base: Awaited<ReturnType<typeof createTestDatabase>>;
let runId = 0;

beforeAll(async () => {
  base = await createTestDatabase();
  await base.execute(`insert into crawl_runs (crawl_key, settings) values ('\\x01', '{}')`);
  runId = (await base.db.query<{ id: number }>('select max(id) as id from crawl_runs')).rows[0]?.id ?? 0;
});
afterAll(() => base.drop());

async function addDomain(name: string, columns: string): Promise<void> {
  await base.execute(`insert into domains (domain, parent_domain, base_url, status, next_crawl_after, automatic_retry_count)
                      values ('${name}', '${name}', 'http://${name}', ${columns});
                      insert into crawl_run_domains (run_id, domain_id)
                      select ${runId}, id from domains where domain = '${name}';
                      insert into urls (domain_id, url_hash, url, depth, priority, state, last_outcome)
                      select id, '\\x01', 'http://${name}/', 0, 3, 'failed', 'timeout' from domains where domain = '${name}';
                      insert into urls (domain_id, url_hash, url, depth, priority, state, last_outcome)
                      select id, '\\x02', 'http://${name}/gone', 0, 3, 'failed', 'gone' from domains where domain = '${name}'`);
}

test('a rested domain becomes pending with the URLs that failed because of it, three times at most', async () => {
  await addDomain('rested.test', "'unreachable', now() - interval '1 minute', 2");
  await addDomain('resting.test', "'blocked', now() + interval '1 day', 0");
  await addDomain('hopeless.test', "'blocked', now() - interval '1 minute', 3");
  await wakeDomains(base.db);
  const { rows } = await base.db.query<{ domain: string; status: string; due: number }>(
    `select d.domain, d.status::text, count(*) filter (where u.state = 'never_crawled')::int as due
       from domains d join urls u on u.domain_id = d.id group by d.domain, d.status order by d.domain`,
  );
  expect(rows).toEqual([
    { domain: 'hopeless.test', status: 'blocked', due: 0 },
    { domain: 'rested.test', status: 'pending', due: 1 },
    { domain: 'resting.test', status: 'blocked', due: 0 },
  ]);
});
