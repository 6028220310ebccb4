/** What the lists of pages touch: as much as they show, on whatever page of the list, in whatever corner of the table. */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { explain, type PlanFacts } from '../support/crawl-plans.ts';
import { plantPages } from '../support/planted-pages.ts';
import { createTestDatabase, type TestDatabase } from '../support/postgres.ts';

const LARGE = 100_000;
const SMALL = 5000;
const ROWS = 51;
/** A row of the list costs an entry of the index, its page and the name of its domain. */
const MOST_BUFFERS = ROWS * 8 + 50;

let database: TestDatabase;
let ids: number[];
beforeAll(async () => {
  database = await createTestDatabase();
  await database.execute(
    `insert into domains (domain, parent_domain, base_url)
     select n || '.example', n || '.example', 'https://' || n || '.example' from generate_series(1, 20000) n`,
  );
  // The server must not analyse in the background what is to be held without statistics.
  for (const table of ['pages', 'domains']) {
    await database.execute(`alter table ${table} set (autovacuum_enabled = off)`);
  }
  // The small domain lies at one end of the table: looked for from the other, it would be behind all the rest.
  ids = await plantPages(database, [
    { domain: 'small.example', pages: SMALL },
    { domain: 'large.example', pages: LARGE },
  ]);
}, 180_000);
afterAll(() => database.drop());

const pages = path.resolve(import.meta.dirname, '../../src/control/pages');
const statement = (name: string): string => readFileSync(path.join(pages, `${name}.sql`), 'utf8');

function list(order: 'newest' | 'oldest', fromId: number | null, domainId?: number): Promise<PlanFacts> {
  const anything = new Array<null>(10).fill(null);
  return domainId === undefined
    ? explain(database, statement(`list-pages-${order}`), [fromId, ROWS, ...anything])
    : explain(database, statement(`list-domain-pages-${order}`), [fromId, ROWS, domainId, ...anything]);
}

it.each(['newest', 'oldest'] as const)(
  'nobody has analysed the tables yet: all pages, the %s first',
  async (order) => {
    await expectFlat(order);
  },
);

describe('with statistics', () => {
  beforeAll(() => database.execute('analyze'));

  it.each(['newest', 'oldest'] as const)(
    'a page far into all pages, the %s first, costs what the first does',
    (order) => expectFlat(order),
  );

  it.each(['newest', 'oldest'] as const)(
    'so does one of a domain, at whatever end of the table, the %s first',
    async (order) => {
      const starts = [
        { domain: 0, from: null },
        { domain: 0, from: SMALL / 2 },
        { domain: 1, from: null },
        { domain: 1, from: SMALL + LARGE / 2 },
      ];
      for (const { domain, from } of starts) {
        const { buffers, removed, text } = await list(order, from, ids[domain]);
        expect(removed, text).toBe(0);
        expect(buffers, text).toBeLessThan(MOST_BUFFERS);
      }
    },
  );

  it('a purge looks at one portion at a time, wherever it is', async () => {
    for (const { domain, after } of [
      { domain: 0, after: 0 },
      { domain: 1, after: SMALL + LARGE / 2 },
    ]) {
      const values = [LARGE + SMALL, null, 404, null, null, ids[domain], after, 2000];
      const { scanned, text } = await explain(database, statement('look-for-purgeable'), values);
      expect(scanned, text).toEqual([]);
    }
  });
});

async function expectFlat(order: 'newest' | 'oldest'): Promise<void> {
  for (const from of [null, Math.round((SMALL + LARGE) / 2)]) {
    const { buffers, scanned, text } = await list(order, from);
    expect(scanned, text).toEqual([]);
    expect(buffers, text).toBeLessThan(MOST_BUFFERS);
  }
}
