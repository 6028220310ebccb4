/** What taking bodies to parse costs: as much as is taken, however many wait, and however many are over. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { inIndexOrder } from '../../src/engine/claim/claim-domains.ts';
import { explain, readStatement } from '../support/crawl-plans.ts';
import { createTestDatabase, type TestDatabase } from '../support/postgres.ts';

const WAITING = 50_000;
const LOT = 50;
/** A task that is taken leaves its indexes and enters them anew. */
const MOST_BUFFERS = LOT * 120;

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
  const { execute } = database;
  for (const table of ['crawl_tasks', 'domains'])
    await execute(`alter table ${table} set (autovacuum_enabled = off)`);
  await execute(`insert into domains (domain, parent_domain, base_url)
    select n || '.example', n || '.example', 'https://' || n || '.example' from generate_series(1, 100) n`);
  // Among those that wait are some that failed a moment ago and have to wait longer.
  await execute(`insert into crawl_tasks (domain_id, url, url_hash, status, priority, scheduled_at)
    select 1 + n % 100, 'https://x.example/' || n, sha256(n::text::bytea),
           (case when n % 2 = 0 then 'queued_parse' else 'completed' end)::task_status, 1 + n % 10,
           now() + case when n % 20 = 0 then interval '1 hour' else n * interval '-1 second' end
      from generate_series(1, ${WAITING * 2}) as n`);
}, 180_000);
afterAll(() => database.drop());

function touchLittle(): void {
  it.each<[string, readonly unknown[], string | undefined]>([
    ['take-parses', ['parser', LOT, 60_000, 1], inIndexOrder],
    ['free-parses', ['parser', 500], inIndexOrder],
    ['has-parses', [], undefined],
  ])('%s', async (name, values, first) => {
    const statement = readStatement(`parsing/${name}.sql`);
    const { buffers, scanned, text } = await explain(
      database,
      statement,
      values,
      first === undefined ? {} : { first },
    );
    expect(scanned, text).not.toContain('crawl_tasks');
    expect(buffers, text).toBeLessThan(MOST_BUFFERS);
  });
}

describe('without statistics', touchLittle);
describe('with statistics', () => {
  beforeAll(() => database.execute('analyze'));
  touchLittle();
});
