/**
 * What every search engine must do. Run against PostgreSQL, against a double of a search server, and against a real one
 * wherever FORAGER_TEST_SEARCH_URL names it.
 */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { now } from '../../src/platform/clock.ts';
import {
  type Continuation,
  type ProductHit,
  type Result,
  type SearchParts,
  searchPages,
  searchProducts,
} from '../../src/search/search.ts';
import type {
  ProductFilters,
  ProductSearchSort,
  SearchEngine,
  SearchOrder,
} from '../../src/search/search-engine.ts';
import { noteNewWords } from '../../src/search/words/note-words.ts';
import { createTestDatabase, type TestDatabase } from '../support/postgres.ts';
import { plantPageTexts, plantProducts } from '../support/searchable.ts';

export interface Subject {
  readonly parts: SearchParts;
  /** Who must answer: nobody is allowed to stand in for it. */
  readonly engine: SearchEngine['kind'];
  /** Everything that was planted can be found now. */
  settle(): Promise<void>;
  close(): Promise<void>;
}

interface Options {
  readonly filters?: ProductFilters;
  readonly sort?: ProductSearchSort;
  readonly order?: SearchOrder;
  readonly limit?: number;
}

export function searchConformance(name: string, open: (database: TestDatabase) => Promise<Subject>): void {
  describe(`search by ${name}`, () => {
    let database: TestDatabase;
    let subject: Subject;
    let ids: number[];
    let shopId: number;
    const MANY = 75;
    beforeAll(async () => {
      database = await createTestDatabase();
      subject = await open(database);
      ids = await plantProducts(database, [
        {
          name: 'Red running shoes',
          brand: 'Norvik',
          category: 'Shoes',
          price: '79.90',
          rating: '4.5',
          sku: 'AB-123',
        },
        {
          name: 'Blue running jacket',
          brand: 'Norvik',
          category: 'Clothing',
          price: '120',
          availability: 'in_stock',
        },
        {
          name: 'Café table',
          brand: 'Lumera',
          category: 'Furniture',
          price: '249.00',
          description: 'A small table for two, in red or white.',
          availability: 'out_of_stock',
        },
        {
          name: 'Espresso machine',
          brand: 'Kanto',
          category: 'Kitchen',
          domain: 'other.example',
          price: '12345678901234.123456',
          description: 'Makes coffee as in a café. Red light when ready.',
        },
        { name: 'Laufschuhe für Herren', language: 'de', brand: 'Velora', category: 'Schuhe' },
        { name: '東京タワーの模型', language: 'ja', brand: 'Kanto', category: 'Models' },
        { name: 'Running <b>shoes</b> & more', description: 'x <script>alert(1)</script> running' },
        { name: "O'Reilly book: SQL's 'or' & <-> !", brand: "O'Reilly" },
        ...Array.from({ length: MANY }, (_, i) => ({
          ...{ name: `Widget number ${i}`, brand: i % 3 === 0 ? 'Acme' : 'Orbis', category: 'Widgets' },
          ...(i % 5 === 0 ? {} : { price: `${(i * 37) % 50}.5`, rating: `${i % 5}` }),
        })),
      ]);
      await plantPageTexts(database, [
        {
          title: 'How to brew coffee',
          text: 'Grind the beans, heat the water, and wait. Coffee needs patience.',
        },
        { title: 'Tea', text: 'Tea needs no coffee at all.' },
        { title: 'Gardens', text: 'Roses and other flowers.', domain: 'garden.example' },
        ...Array.from({ length: 25 }, (_, i) => ({
          title: `Chapter ${i}`,
          text: 'An endless story about dragons.',
        })),
      ]);
      const { rows } = await database.db.query<{ id: number }>(
        "select id from domains where domain = 'other.example'",
      );
      shopId = rows[0]?.id ?? 0;
      await noteNewWords(database.db, new Date(now().getTime() + 60_000));
      await subject.settle();
    });
    afterAll(async () => {
      await subject.close();
      await database.drop();
    });

    const search = async (
      typed: string,
      { filters = {}, sort = 'relevance', order = 'desc', limit = 20 }: Options = {},
      from?: Continuation,
    ): Promise<Result<ProductHit>> =>
      byItself(
        await searchProducts(subject.parts, typed, { sort, order, limit, filters, withFacets: true }, from),
      );
    const byItself = <R extends Result<unknown>>(result: R): R => {
      expect(result).toMatchObject({ engine: subject.engine, isDegraded: false });
      return result;
    };
    const names = ({ hits }: Result<ProductHit>): (string | null)[] =>
      hits.map(({ product }) => product.name);
    const walk = async (typed: string, options: Options): Promise<ProductHit[]> => {
      const all: ProductHit[] = [];
      let from: Continuation | undefined;
      for (let pages = 0; pages < 100; pages += 1) {
        const page = await search(typed, options, from);
        all.push(...page.hits);
        from = page.next;
        if (from === undefined) return all;
      }
      throw new Error('the pages do not end');
    };

    test('all words are wanted, wherever they stand, and what is found by its name comes first', async () => {
      expect(names(await search('running shoes')).toSorted()).toEqual([
        'Red running shoes',
        'Running <b>shoes</b> & more',
      ]);
      const red = await search('red');
      expect(names(red)[0]).toBe('Red running shoes');
      expect(red.total).toBe(3);
      expect(red.isTotalExact).toBe(true);
    });

    test('a product comes as the database has it, to the last digit of its price', async () => {
      const { hits } = await search('espresso');
      expect(hits).toHaveLength(1);
      expect(hits[0]?.product).toMatchObject({
        id: ids[3],
        domain: 'other.example',
        price: '12345678901234.123456',
      });
    });

    test('accents and forms of a word make no difference', async () => {
      expect(names(await search('cafe'))).toContain('Café table');
      expect(names(await search('CAFÉ'))).toContain('Café table');
      expect(names(await search('tables'))).toContain('Café table');
    });

    test('languages written without spaces are found by a part of the text', async () => {
      expect(names(await search('東京'))).toEqual(['東京タワーの模型']);
      expect((await search('京東')).total).toBe(0);
    });

    test('words in quotation marks follow each other, and what has a minus is not there', async () => {
      expect(names(await search('"running jacket"'))).toEqual(['Blue running jacket']);
      expect((await search('"jacket running"')).total).toBe(0);
      expect(names(await search('running -shoes'))).toEqual(['Blue running jacket']);
      expect(names(await search('red -"small table" -coffee'))).toEqual(['Red running shoes']);
    });

    test('a misspelt word is corrected, and that is told', async () => {
      const found = await search('expresso machne');
      expect(names(found)).toEqual(['Espresso machine']);
      expect(found.searchedFor).toEqual({ query: 'espresso machine', isAnyWord: false, isCorrected: true });
    });

    test('where nothing has all of the words, what has any of them is found', async () => {
      const found = await search('jacket espresso');
      expect(names(found).toSorted()).toEqual(['Blue running jacket', 'Espresso machine']);
      expect(found.searchedFor).toMatchObject({ isAnyWord: true });
    });

    test.each([
      ...['', '   ', '-', '"', '""', '!!! ((( ))) &&& |||', "'", '\\', '-running', ':*', '<->', '% _', '🙂'],
      ...[
        "'; drop table products; --",
        'a & | b',
        'a <-> ',
        'or or or',
        'NOT AND OR',
        '{"match_all":{}}',
        '*:*',
      ],
      ...['x'.repeat(500), 'word '.repeat(100), '\u202e\ufeff', '"unclosed running'],
    ])('%j is a query like any other', async (typed) => {
      const found = await search(typed);
      expect(found.hits.length).toBeLessThanOrEqual(20);
      expect(found.total).toBeGreaterThanOrEqual(found.hits.length);
    });

    test('what has no word in it finds nothing', async () => {
      for (const typed of ['', '  ', '!!!', '""', '-running']) expect((await search(typed)).total).toBe(0);
    });

    test('words that are operators elsewhere are words', async () => {
      expect(names(await search("O'Reilly SQL's"))).toEqual(["O'Reilly book: SQL's 'or' & <-> !"]);
    });

    test('snippets are text in parts; markup of the page is text in them', async () => {
      const { hits } = await search('running shoes');
      const snippets = hits.find(({ product }) => product.id === ids[6])?.snippets;
      expect(snippets?.name?.map(({ text }) => text).join('')).toBe('Running <b>shoes</b> & more');
      expect(snippets?.name?.filter(({ isHit }) => isHit).map(({ text }) => text)).toEqual([
        'Running',
        'shoes',
      ]);
      const coffee = (await search('coffee')).hits[0]?.snippets.description;
      expect(coffee?.filter(({ isHit }) => isHit).map(({ text }) => text)).toEqual(['coffee']);
    });

    test('filters leave what fits all of them', async () => {
      expect(names(await search('running', { filters: { brand: 'NORVIK' } })).toSorted()).toEqual([
        'Blue running jacket',
        'Red running shoes',
      ]);
      expect(names(await search('running', { filters: { minPrice: '79.90', maxPrice: '79.90' } }))).toEqual([
        'Red running shoes',
      ]);
      expect(names(await search('running', { filters: { minPrice: '79.91', currency: 'EUR' } }))).toEqual([
        'Blue running jacket',
      ]);
      expect((await search('running', { filters: { currency: 'USD' } })).total).toBe(0);
      expect(names(await search('running', { filters: { availability: ['in_stock', 'limited'] } }))).toEqual([
        'Blue running jacket',
      ]);
      expect(names(await search('running', { filters: { minRating: '4.5' } }))).toEqual([
        'Red running shoes',
      ]);
      expect(names(await search('red', { filters: { domainId: shopId } }))).toEqual(['Espresso machine']);
      expect(names(await search('running', { filters: { category: 'shoes' } }))).toEqual([
        'Red running shoes',
      ]);
    });

    test('a category is also what lies below it, availabilities are a list, and what is lost can be left out', async () => {
      const shed = { name: 'Zinc trowel', brand: 'Gardena' };
      await plantProducts(database, [
        { ...shed, category: 'Garden > Tools > Hand', availability: 'limited' },
        { ...shed, category: 'Garden > Tools', availability: 'in_stock', isMissing: true },
        { ...shed, category: 'Garden > Toolsets', availability: 'out_of_stock' },
      ]);
      await subject.settle();
      const categories = async (filters: ProductFilters) =>
        (await search('trowel', { filters })).hits.map(({ product }) => product.category).toSorted();
      const below = ['Garden > Tools', 'Garden > Tools > Hand'];
      expect(await categories({ category: 'garden > TOOLS' })).toEqual(below);
      expect(await categories({ category: 'Tools' })).toEqual([]);
      expect(await categories({ availability: ['in_stock', 'limited'] })).toEqual(below);
      expect(await categories({ isMissing: true })).toEqual(['Garden > Tools']);
      expect(await categories({ isMissing: false })).toEqual(['Garden > Tools > Hand', 'Garden > Toolsets']);
      for (const sort of ['price', 'rating'] as const) {
        const found = await search('trowel', { filters: { category: 'Garden > Tools' }, sort });
        expect(found).toMatchObject({ total: 2, hits: [{}, {}] });
      }
      await database.execute("delete from products where name = 'Zinc trowel'");
      await subject.settle();
    });

    test('facets count the hits by what they have', async () => {
      const { facets, total } = await search('widget', { limit: 5 });
      expect(total).toBe(MANY);
      expect(facets?.brand).toEqual([
        { value: 'Orbis', count: 50 },
        { value: 'Acme', count: 25 },
      ]);
      expect(facets?.category).toEqual([{ value: 'Widgets', count: MANY }]);
      expect(facets?.domain).toEqual([{ value: 'shop.example', count: MANY }]);
      expect(facets?.currency).toEqual([{ value: 'EUR', count: 60 }]);
    });

    test.each([
      ['relevance', 'desc'],
      ['price', 'asc'],
      ['price', 'desc'],
      ['rating', 'desc'],
      ['rating', 'asc'],
      ['updatedAt', 'desc'],
      ['updatedAt', 'asc'],
    ] as const)('going through the pages by %s %s meets every hit once, in order', async (sort, order) => {
      const all = await walk('widget', { sort, order, limit: 7 });
      expect(new Set(all.map(({ product }) => product.id)).size).toBe(MANY);
      expect(all).toHaveLength(MANY);
      if (sort === 'relevance') {
        expect(all.map(({ score }) => score)).toEqual(
          all.map(({ score }) => score).toSorted((a, b) => b - a),
        );
        return;
      }
      const values = all.map(({ product }) =>
        sort === 'updatedAt' ? product.updatedAt.getTime() : product[sort],
      );
      const present = values.filter((value) => value !== null).map(Number);
      expect(values.slice(present.length).every((value) => value === null)).toBe(true);
      expect(present).toEqual(present.toSorted((a, b) => (order === 'asc' ? a - b : b - a)));
    });

    test('later pages remember what was counted and what was searched for', async () => {
      const first = await search('wigdet', { limit: 10 });
      expect(first.searchedFor).toMatchObject({ query: 'widget', isCorrected: true });
      const second = await search('wigdet', { limit: 10 }, first.next);
      expect(second).toMatchObject({ total: MANY, searchedFor: first.searchedFor, facets: null });
      expect(second.hits).toHaveLength(10);
    });

    const pages = async (typed: string, domainId?: number) =>
      byItself(
        await searchPages(subject.parts, typed, { sort: 'relevance', order: 'desc', limit: 10, domainId }),
      );

    test('pages are found by their text, with what stands around it', async () => {
      const { hits, total } = await pages('coffee');
      expect(total).toBe(2);
      expect(hits[0]).toMatchObject({ title: 'How to brew coffee', domain: 'pages.example' });
      expect(hits[0]?.snippet.filter(({ isHit }) => isHit).map(({ text }) => text)).toEqual(['Coffee']);
      const { rows } = await database.db.query<{ id: number }>(
        "select id from domains where domain = 'garden.example'",
      );
      expect((await pages('coffee', rows[0]?.id)).total).toBe(0);
      expect((await pages('roses', rows[0]?.id)).total).toBe(1);
    });

    test.each(['relevance', 'crawledAt'] as const)(
      'going through pages by %s meets every page once',
      async (sort) => {
        const seen: number[] = [];
        let from: Continuation | undefined;
        do {
          const order = { sort, order: 'desc' as const, limit: 4, domainId: undefined };
          const page = byItself(await searchPages(subject.parts, 'dragons', order, from));
          expect(page.total).toBe(25);
          seen.push(...page.hits.map(({ pageId }) => pageId));
          from = page.next;
        } while (from !== undefined && seen.length < 100);
        expect(seen).toHaveLength(25);
        expect(new Set(seen).size).toBe(25);
      },
    );

    test('what is changed or deleted is found as it is now', async () => {
      const [id = 0] = await plantProducts(database, [{ name: 'Ephemeral gadget' }]);
      await subject.settle();
      expect((await search('ephemeral')).total).toBe(1);
      await database.execute(
        "update products set name = 'Permanent gadget', updated_at = forager_now() where id = $1",
        [id],
      );
      await subject.settle();
      expect((await search('ephemeral')).total).toBe(0);
      expect(names(await search('permanent'))).toEqual(['Permanent gadget']);
      await database.execute('delete from products where id = $1', [id]);
      await subject.settle();
      expect((await search('permanent')).total).toBe(0);
    });
  });
}
