/**
 * Lists of the server on 300,000 URLs of two thousand domains, one of them with a third of all: a far page
 * touches what the first one touches, and no page reads a table from one end to the other.
 */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { explain, type PlanFacts } from '../support/crawl-plans.ts';
import { createTestDatabase, type TestDatabase } from '../support/postgres.ts';

const LIMIT = 51;
const DOMAINS = 2000;
const GIANT = 1000;

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
  await database.execute(
    `insert into domains (domain, parent_domain, base_url, pages_crawled)
     select format('d%s.example', lpad(n::text, 5, '0')), 'x', 'x', n % 100 from generate_series(1, $1) n`,
    [DOMAINS],
  );
  await database.execute(
    `insert into urls (domain_id, url_hash, url, depth, priority, state, retry_at, discovered_at)
     select case when n % 3 = 0 then $2 else 1 + n % $1 end, sha256(n::text::bytea), 'https://x.example/' || n, n % 4,
            1 + n % 3,
            (case when n % 50 = 1 then 'failed' when n % 50 = 2 then 'blocked' when n % 2 = 0 then 'fetched'
                  else 'never_crawled' end)::url_state,
            case when n % 50 = 3 then timestamptz '2030-01-01' + n * interval '1 s' end,
            timestamptz '2026-01-01' + n * interval '1 ms'
       from generate_series(1, 300000) n`,
    [DOMAINS, GIANT],
  );
  const client = await database.db.pool.connect();
  await client.query('set default_transaction_read_only = off; analyze');
  client.release(true);
}, 240_000);
afterAll(() => database.drop());

const control = path.resolve(import.meta.dirname, '..', '..', 'src', 'control');
const read = (file: string): string => readFileSync(path.join(control, file), 'utf8');

const DUE = "state = 'never_crawled' and retry_at is null";
const WAITING = "state = 'never_crawled' and retry_at is not null";

interface Place {
  readonly domain: number;
  readonly hash: Buffer;
  readonly priority: number;
  readonly depth: number;
  readonly found: number;
  readonly tried: number | null;
}

const START: Place = { domain: 0, hash: Buffer.alloc(0), priority: 3, depth: 0, found: 0, tried: 0 };

/** The row that so many rows come before, in the order of the list: tens of thousands are about page 1,000. */
async function farPlace(condition: string, order: string, skip: number): Promise<Place> {
  const { rows } = await database.db.query<Place>(
    `select domain_id as domain, url_hash as hash, priority, depth,
            (extract(epoch from discovered_at) * 1000000)::bigint as found,
            (extract(epoch from retry_at) * 1000000)::bigint as tried
       from urls where ${condition} order by ${order} offset ${skip} limit 1`,
  );
  const [place] = rows;
  if (place === undefined) throw new Error('the list is shorter than that');
  return place;
}

interface List {
  readonly name: string;
  readonly file: string;
  readonly condition: string;
  readonly order: string;
  readonly skip: number;
  readonly values: (place: Place) => unknown[];
}

const queueOrder = 'domain_id, priority desc, depth, discovered_at, url_hash';
const keyOrder = 'domain_id, url_hash';
const lists: readonly List[] = [
  {
    ...{ name: 'due', file: 'frontier/list-due-urls.sql', condition: DUE, order: queueOrder, skip: 50_000 },
    values: (p) => [null, p.domain, p.priority, p.depth, p.found, p.hash, null, null, LIMIT],
  },
  {
    ...{ name: 'due, of the giant', file: 'frontier/list-due-urls.sql', order: queueOrder, skip: 40_000 },
    condition: `domain_id = ${GIANT} and ${DUE}`,
    values: (p) => [GIANT, p.domain, p.priority, p.depth, p.found, p.hash, null, null, LIMIT],
  },
  {
    ...{ name: 'waiting', file: 'frontier/list-waiting-urls.sql', condition: WAITING, skip: 5000 },
    order: 'domain_id, retry_at, url_hash',
    values: (p) => [null, p.domain, p.tried, p.hash, null, null, LIMIT],
  },
  {
    ...{ name: 'fetched', file: 'frontier/list-urls.sql', condition: "state = 'fetched'", order: keyOrder },
    skip: 50_000,
    values: (p) => [null, p.domain, p.hash, 'fetched', null, null, LIMIT],
  },
  {
    ...{ name: 'all', file: 'frontier/list-urls.sql', condition: 'true', order: keyOrder, skip: 50_000 },
    values: (p) => [null, p.domain, p.hash, null, null, null, LIMIT],
  },
  {
    ...{ name: 'all, of the giant', file: 'frontier/list-urls.sql', condition: `domain_id = ${GIANT}` },
    ...{ order: keyOrder, skip: 50_000 },
    values: (p) => [GIANT, p.domain, p.hash, null, null, null, LIMIT],
  },
  {
    ...{
      name: 'failed',
      file: 'frontier/list-troubled-urls.sql',
      condition: "state = 'failed'",
      order: keyOrder,
    },
    skip: 5000,
    values: (p) => [null, p.domain, p.hash, 'failed', null, null, LIMIT],
  },
];

const isLarge = (name: string): boolean => /^(?:urls|domains)/.test(name);

describe.each(lists)('URLs, $name', ({ file, condition, order, skip, values }) => {
  it('a far page touches what the first one touches, and nothing is read from end to end', async () => {
    const statement = read(file);
    const near = await explain(database, statement, values(START));
    const far = await explain(database, statement, values(await farPlace(condition, order, skip)));
    for (const facts of [near, far]) expect(facts.scanned.filter(isLarge), facts.text).toEqual([]);
    expect(far.buffers, far.text).toBeLessThanOrEqual(2 * near.buffers + 100);
    expect(far.buffers, far.text).toBeLessThan(2000);
  });
});

it('domains by name go by the index of names, on the first page and on a far one', async () => {
  const statement = read('domains/page-domains-by-name.sql');
  const conditions = [null, null, null, null, null, null, null];
  const plan = (after: string | null): Promise<PlanFacts> =>
    explain(database, statement, [...conditions, after, LIMIT]);
  const [near, far] = [await plan(null), await plan('d01900.example')];
  for (const facts of [near, far]) expect(facts.scanned, facts.text).toEqual([]);
  expect(far.buffers, far.text).toBeLessThanOrEqual(2 * near.buffers + 20);
});

it('what a clearing takes from a domain is found by index', async () => {
  const before = '2100-01-01';
  for (const [file, values] of [
    ['frontier/next-domain-to-clear.sql', [5, null, 'all', before]],
    ['frontier/clear-portion.sql', [GIANT, 'all', before, 100]],
  ] as const) {
    const facts = await explain(database, read(file), values);
    expect(facts.scanned.filter(isLarge), facts.text).toEqual([]);
    expect(facts.buffers, facts.text).toBeLessThan(10_000);
  }
});
