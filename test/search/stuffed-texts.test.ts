import { expect, onTestFinished, test } from 'vitest';
import { loadConfig } from '../../src/platform/config.ts';
import { openDatabase } from '../../src/platform/database.ts';
import { searchPages, searchProducts } from '../../src/search/search.ts';
import { createTestDatabase } from '../support/postgres.ts';
import { plantPageTexts, plantProducts } from '../support/searchable.ts';

const WORDS = Array.from({ length: 16 }, (_, i) => `w${String.fromCharCode(97 + i)}x`);
const COPIES = 60;
/** A guard, not a measure: ranking took five times as long when every place of a word was compared with every other. */
const AT_MOST_MS = 2000;

test('texts stuffed with the words that are searched for are put in order as fast as others', async () => {
  const database = await createTestDatabase();
  onTestFinished(database.drop);
  const stuffed = Array.from({ length: 300 }, () => WORDS.join(' ')).join(' ');
  await plantProducts(database, [
    ...Array.from({ length: COPIES }, (_, i) => ({ name: `Kettle ${i}`, description: stuffed })),
    { name: WORDS.join(' ') },
  ]);
  await plantPageTexts(database, [
    ...Array.from({ length: COPIES }, (_, i) => ({ title: `Kettle ${i}`, text: stuffed })),
    { title: WORDS.join(' '), text: 'nothing else' },
  ]);
  const db = await openDatabase({
    ...loadConfig({ databaseUrl: database.url }, {}),
    statementTimeoutMs: AT_MOST_MS,
  });
  onTestFinished(() => db.close());

  for (const count of [1, 2, 3, 8, 16]) {
    const typed = WORDS.slice(0, count).join(' ');
    const order = { sort: 'relevance', order: 'desc', limit: 2 } as const;
    const products = await searchProducts({ db }, typed, { ...order, filters: {}, withFacets: false });
    expect(products.total).toBe(COPIES + 1);
    // Said once in a name is worth more than said three hundred times.
    expect(products.hits[0]?.product.name).toBe(WORDS.join(' '));
    const pages = await searchPages({ db }, typed, { ...order, domainId: undefined });
    expect(pages.total).toBe(COPIES + 1);
    expect(pages.hits[0]?.title).toBe(WORDS.join(' '));
  }
});
