import { afterEach, beforeEach, expect, test } from 'vitest';
import { changeSettings } from '../../src/control/domains/change-settings.ts';
import { upsertProducts } from '../../src/engine/products/upsert-products.ts';
import { now } from '../../src/platform/clock.ts';
import { inTransaction } from '../../src/platform/transaction.ts';
import { speakLanguages } from '../../src/search/languages/speak-languages.ts';
import { searchPages, searchProducts } from '../../src/search/search.ts';
import { createTestDatabase, type TestDatabase } from '../support/postgres.ts';
import { runForager } from '../support/run-cli.ts';
import { plantPageTexts, plantProducts } from '../support/searchable.ts';

let database: TestDatabase;
beforeEach(async () => {
  database = await createTestDatabase();
});
afterEach(() => database.drop());

const DOMAIN = 'laden.example';
const say = (language: string | null) =>
  changeSettings(database.db, DOMAIN, { language }, { name: 'cli:test' });
const apply = async (): Promise<void> => {
  while (await speakLanguages(database.db, new Date(now().getTime() + 1000)));
};
const findProducts = async (typed: string): Promise<number> => {
  const order = { sort: 'relevance', order: 'desc', limit: 5, filters: {}, withFacets: false } as const;
  return (await searchProducts(database, typed, order)).total;
};
const findPages = async (typed: string): Promise<number> => {
  const order = { sort: 'relevance', order: 'desc', limit: 5, domainId: undefined } as const;
  return (await searchPages(database, typed, order)).total;
};

test('the language of a domain counts for more than what its products and pages declare', async () => {
  await plantProducts(database, [
    ...Array.from({ length: 250 }, () => ({ name: 'Tisch', domain: DOMAIN })),
    { name: 'Schöne Lampen', domain: DOMAIN },
    { name: 'Rote Lampen', domain: 'other.example' },
  ]);
  await plantPageTexts(database, [{ title: 'Häuser', text: 'Alte Häuser.', domain: DOMAIN, language: 'en' }]);
  expect(await findProducts('lampe')).toBe(0);
  expect(await findPages('alten')).toBe(0);
  await say('de');
  await apply();
  expect(await findProducts('lampe')).toBe(1);
  expect(await findPages('alten')).toBe(1);
  // Nothing else was touched, and nothing of it is a change of the product.
  const { rows } = await database.db.query(
    `select d.domain, p.search_language as spoken, p.language, count(*)::int from products p
       join domains d on d.id = p.domain_id group by 1, 2, 3 order by 1`,
  );
  expect(rows).toEqual([
    { domain: DOMAIN, spoken: 'de', language: 'en', count: 251 },
    { domain: 'other.example', spoken: null, language: 'en', count: 1 },
  ]);
  await say(null);
  await apply();
  expect(await findProducts('lampe')).toBe(0);
  expect(await findPages('alten')).toBe(0);
});

test('a new product is searched in it from the beginning', async () => {
  const [id = 0] = await plantProducts(database, [{ name: 'Tisch', domain: DOMAIN }]);
  await say('de');
  const { rows } = await database.db.query<{ domainId: number }>(
    'select domain_id as "domainId" from products where id = $1',
    [id],
  );
  const domainId = rows[0]?.domainId ?? 0;
  await inTransaction(database.db, (tx) =>
    upsertProducts(tx, [
      {
        ...{ domainId, url: `https://${DOMAIN}/neu`, urlHash: Buffer.alloc(32, 7), source: 'generic' },
        ...{ content: { name: 'Schöne Lampen', language: 'en' }, taskId: null, seenAt: now() },
      },
    ]),
  );
  expect(await findProducts('lampe')).toBe(1);
});

test('it is set from the command line, shown, and applied at once by hand', async () => {
  await plantProducts(database, [{ name: 'Schöne Lampen', domain: DOMAIN }]);
  const env = { DATABASE_URL: database.url };
  expect((await runForager(['domain', 'set', DOMAIN, '--language', 'german'], { env })).code).toBe(2);
  expect((await runForager(['domain', 'set', DOMAIN, '--language', 'de'], { env })).code).toBe(0);
  const shown = await runForager(['domain', 'info', DOMAIN, '--json'], { env });
  expect(shown.json()).toMatchObject([{ language: 'de' }]);
  expect((await runForager(['search', 'index'], { env })).code).toBe(0);
  expect(await findProducts('lampe')).toBe(1);
});
