/**
 * What the hot statements touch when the tables are full of things that are done: as much as the batch, not as
 * much as the tables. Each is held with fresh statistics and with none, since a crawl fills empty tables faster
 * than anybody analyses them.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { inIndexOrder } from '../../src/engine/claim/claim-domains.ts';
import { byKeyOnly } from '../../src/engine/ingest/commit-batch.ts';
import { byteaArray, textArray } from '../../src/platform/pg-array.ts';
import {
  explain,
  type HostileData,
  type PlanFacts,
  plantHostileData,
  readStatement,
} from '../support/crawl-plans.ts';
import { createTestDatabase, type TestDatabase } from '../support/postgres.ts';

const LIMIT = 100;
const BATCH = 50;
const LARGE = { domains: 20_000, urls: 250_000, largeUrls: 100_000 };
const SMALL = { domains: 200, urls: 2000, largeUrls: 1000 };

let full: TestDatabase;
let small: TestDatabase;
let fullData: HostileData;
let smallData: HostileData;
beforeAll(async () => {
  [full, small] = await Promise.all([createTestDatabase(), createTestDatabase()]);
  for (const database of [full, small]) await keepStatisticsAway(database);
  [fullData, smallData] = await Promise.all([plantHostileData(full, LARGE), plantHostileData(small, SMALL)]);
}, 120_000);
afterAll(async () => {
  await full.drop();
  await small.drop();
});

/** The server must not analyse in the background what a test wants unanalysed. */
async function keepStatisticsAway(database: TestDatabase): Promise<void> {
  const { rows } = await database.db.query<{ name: string }>(
    "select relname as name from pg_class where relnamespace = 'public'::regnamespace and relkind = 'r'",
  );
  for (const { name } of rows) await database.execute(`alter table ${name} set (autovacuum_enabled = off)`);
}

interface Hot {
  readonly name: string;
  readonly file: string;
  readonly values: (data: HostileData) => unknown[];
  /** Pages it may touch: in proportion to the batch. */
  readonly mostBuffers: number;
  /** Planner settings the program makes for it. */
  readonly first?: string;
  readonly isPrepared?: boolean;
}

const hashes = (from: number): Buffer[] =>
  Array.from({ length: BATCH }, (_, n) => Buffer.from(`${from + n}`.padStart(32, 'x')));
const ids = (data: HostileData): number[] => new Array<number>(BATCH).fill(data.largeDomainId);
const many = <T>(value: T): T[] => new Array<T>(BATCH).fill(value);
const when = many(new Date().toISOString());

const hot: readonly Hot[] = [
  {
    name: 'claiming domains',
    file: 'claim/claim-domains.sql',
    values: ({ runId }) => [runId, 'worker', 60_000, LIMIT, null, [], null, null, true],
    mostBuffers: 90 * LIMIT,
    first: inIndexOrder,
  },
  {
    name: 'claiming domains of the standing order',
    file: 'claim/claim-domains.sql',
    values: () => [0, 'worker', 60_000, LIMIT, null, [], null, 1000, true],
    mostBuffers: 90 * LIMIT,
    first: inIndexOrder,
  },
  {
    name: 'freeing leases that ran out',
    file: 'claim/free-expired-claims.sql',
    values: () => [LIMIT],
    mostBuffers: 20,
  },
  {
    name: 'waking domains that rested',
    file: 'claim/wake-domains.sql',
    values: () => [LIMIT],
    mostBuffers: 20,
  },
  {
    name: 'beginning refreshes',
    file: 'claim/begin-refreshes.sql',
    values: () => [0, LIMIT],
    mostBuffers: 20,
  },
  {
    name: 'looking whether the standing order has anything to do',
    file: 'fleet/fleet-remaining.sql',
    values: () => [600],
    mostBuffers: 300,
  },
  {
    name: 'reading a window of pages to be read again',
    file: 'frontier/read-window.sql',
    values: ({ largeDomainId }) => [largeDomainId, LIMIT, 43_200],
    mostBuffers: 50 * LIMIT,
    isPrepared: true,
  },
  {
    name: 'reading a window of due URLs',
    file: 'frontier/read-window.sql',
    values: ({ largeDomainId }) => [largeDomainId, LIMIT, null],
    mostBuffers: 50 * LIMIT,
    isPrepared: true,
  },
  {
    name: 'reading a window of due images',
    file: 'frontier/read-image-window.sql',
    values: ({ largeDomainId }) => [largeDomainId, LIMIT],
    mostBuffers: 50 * LIMIT,
    isPrepared: true,
  },
  {
    name: 'looking for the next retry',
    file: 'frontier/next-retry.sql',
    values: ({ largeDomainId }) => [largeDomainId, false],
    mostBuffers: 50,
    isPrepared: true,
  },
  {
    name: 'admitting URLs',
    file: 'frontier/admit-urls.sql',
    values: (data) => [
      ...[ids(data), byteaArray(hashes(0)), textArray(many('https://large.example/new'))],
      ...[many(1), many(2), many(false), many(0), many(false)],
    ],
    mostBuffers: 80 * BATCH,
    first: byKeyOnly,
    isPrepared: true,
  },
  {
    name: 'closing URLs',
    file: 'ingest/close-urls.sql',
    values: (data) => [
      ...[ids(data), byteaArray(hashes(0)), textArray(many('fetched')), many(0), many(null), many(200)],
      ...[
        textArray(many('page')),
        when,
        textArray(many(null)),
        textArray(many(null)),
        byteaArray(many(null)),
      ],
      ...[many(null), when, many(86_400), many(0), many(false), many(false), new Date().toISOString()],
    ],
    mostBuffers: 80 * BATCH,
    first: byKeyOnly,
    isPrepared: true,
  },
  {
    name: 'saving pages',
    file: 'ingest/save-pages.sql',
    values: (data) => [
      ...[data.runId, ids(data), byteaArray(hashes(0)), textArray(many('https://large.example/page'))],
      ...[many(1), many(200), textArray(many('text/html')), textArray(many('utf-8')), many(10), many(10)],
      ...[
        byteaArray(many(null)),
        many(null),
        textArray(many('t')),
        textArray(many(null)),
        textArray(many(null)),
      ],
      ...[textArray(many('en')), many(1), many(1), many(1), many(false), many(false)],
      ...[many(null), many(null), many(null), many(5), when],
    ],
    mostBuffers: 80 * BATCH,
    first: byKeyOnly,
    isPrepared: true,
  },
  {
    name: 'counting by the minute',
    file: 'ingest/count-minute.sql',
    values: () => ['worker', textArray(Array.from({ length: BATCH }, (_, n) => `status:${n}`)), many(1)],
    mostBuffers: 20 * BATCH,
    first: byKeyOnly,
    isPrepared: true,
  },
  {
    name: 'locking leases',
    file: 'ingest/lock-leases.sql',
    values: () => ['somebody', hundredIds(), many(0)],
    mostBuffers: 20 * BATCH,
    first: byKeyOnly,
    isPrepared: true,
  },
  {
    name: 'renewing leases',
    file: 'claim/renew-leases.sql',
    values: () => ['somebody', hundredIds(), many(0), 60_000],
    mostBuffers: 80 * BATCH,
  },
  {
    name: 'giving a domain back',
    file: 'claim/release-domain.sql',
    values: ({ largeDomainId }) => [
      ...[largeDomainId, 'worker', 1, 'exhausted', null, null, 1000, false, 86_400_000, 0],
    ],
    mostBuffers: 100,
  },
  {
    name: 'locking domains by name',
    file: 'frontier/lock-domains.sql',
    values: () => [textArray(Array.from({ length: BATCH }, (_, n) => `d${n * 40 + 40}.example`))],
    mostBuffers: 20 * BATCH,
  },
  {
    name: 'freeing what the dead held',
    file: 'claim/free-gone-claims.sql',
    values: () => [['nobody']],
    mostBuffers: 50,
  },
];

function hundredIds(): number[] {
  return Array.from({ length: BATCH }, (_, n) => n * 40 + 40);
}

function plan(
  database: TestDatabase,
  data: HostileData,
  statement: Hot,
  isGeneric = false,
): Promise<PlanFacts> {
  return explain(database, readStatement(statement.file), statement.values(data), {
    ...(statement.first === undefined ? {} : { first: statement.first }),
    isGeneric,
  });
}

function expectBounded(facts: PlanFacts, { mostBuffers }: Hot): void {
  const large = facts.scanned.filter((name) => /^(urls|domains|pages|crawl_log)/.test(name));
  expect(large, facts.text).toEqual([]);
  expect(facts.buffers, facts.text).toBeLessThanOrEqual(mostBuffers);
}

describe.each([
  ['without statistics', undefined],
  ['with statistics', 'analyze'],
])('%s', (_, preparation) => {
  beforeAll(async () => {
    if (preparation === undefined) return;
    for (const database of [full, small]) {
      const client = await database.db.pool.connect();
      await client.query('set default_transaction_read_only = off; analyze');
      client.release(true);
    }
  }, 120_000);

  it.each(hot)('$name goes by index and touches what the batch needs', async (statement) => {
    expectBounded(await plan(full, fullData, statement), statement);
    // A statement prepared once and run often is planned for values nobody knows.
    if (statement.isPrepared) expectBounded(await plan(full, fullData, statement, true), statement);
  });

  it('a claim among 20,000 domains touches about what it touches among 200', async () => {
    const claim = hot[0];
    if (claim === undefined) throw new Error('the claim is missing');
    const values = ({ runId }: HostileData) => [runId, 'worker', 60_000, 5, null, [], null, null, true];
    const few = { ...claim, values };
    const amongMany = await plan(full, fullData, few);
    const amongFew = await plan(small, smallData, few);
    expect(amongMany.buffers, amongMany.text).toBeLessThanOrEqual(5 * amongFew.buffers + 100);
  });

  it('a window of a domain with 100,000 URLs done throws none of them away', async () => {
    const window = hot.find(({ name }) => name.startsWith('reading a window'));
    if (window === undefined) throw new Error('the window is missing');
    const facts = await plan(full, fullData, window);
    expect(facts.removed, facts.text).toBe(0);
  });

  it('what is left of a run is counted from its own domains', async () => {
    const facts = await explain(full, readStatement('run/run-remaining.sql'), [
      fullData.runId,
      null,
      [],
      true,
    ]);
    expect(
      facts.scanned.filter((name) => name.startsWith('urls')),
      facts.text,
    ).toEqual([]);
  });
});
