/** Products over HTTP: filters, orders and pages of the list, one product with where it was read, and changes. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type SeenProduct, upsertProducts } from '../../src/engine/products/upsert-products.ts';
import { inTransaction } from '../../src/platform/transaction.ts';
import { type ApiAnswer, type ApiClient, startTestServer, type TestServer } from '../support/api.ts';

let server: TestServer;
let user: ApiClient;
let shop: number;
let other: number;
beforeAll(async () => {
  server = await startTestServer();
  user = await server.as('user');
  const { rows } = await server.database.execute<{ id: number }>(
    `insert into domains (domain, parent_domain, base_url)
     select name, name, 'https://' || name from unnest(array['shop.example', 'other.example']) as name returning id`,
  );
  [shop = 0, other = 0] = rows.map(({ id }) => id);
  await plant();
});
afterAll(() => server.close());

const minute = (n: number): Date => new Date(Date.UTC(2026, 0, 1, 12, n));

function seen(n: number, changes: Partial<SeenProduct['content']> = {}, domainId = shop): SeenProduct {
  return {
    ...{
      domainId,
      url: `https://shop.example/p${n}`,
      urlHash: Buffer.from([n]),
      source: 'generic',
      taskId: null,
    },
    seenAt: minute(n),
    content: { name: `Product ${n}`, price: '10', currency: 'EUR', availability: 'in_stock', ...changes },
  };
}

async function write(...all: readonly SeenProduct[]): Promise<number[]> {
  const done = await inTransaction(server.database.db, (tx) => upsertProducts(tx, all));
  return done.map(({ productId }) => productId);
}

let ids: number[];
/** By the numbers of what is planted below. */
const idsOf = (...numbers: readonly number[]): number[] => numbers.map((n) => ids[n] ?? 0);

async function plant(): Promise<void> {
  const tools = { categoryPath: ['Garden', 'Tools'], brand: 'Acme' };
  ids = await write(
    seen(0, { price: '0.3', rating: '4.5', ...tools }),
    seen(1, { price: '9999999999999.000001', rating: '3.25', imageUrls: ['https://shop.example/1.jpg'] }),
    seen(2, { price: '9999999999999', currency: 'USD', availability: 'limited', rating: '4.5' }),
    seen(3, { price: null, currency: null, availability: 'out_of_stock', categoryPath: ['Garden'] }),
    seen(4, { price: '19.99', categoryPath: ['Garden', 'Tools', 'Spades'], brand: 'ACME' }, other),
    seen(5, { price: '20', categoryPath: ['Garden', 'Toolsets'], brand: '100%_Acme' }, other),
  );
  await server.database.execute('update products set missing_since = now() where id = $1', [ids[3]]);
}

interface Listed {
  readonly items: readonly { readonly id: number; readonly [field: string]: unknown }[];
  readonly nextCursor: string | null;
}
const bodyOf = <T>(answer: ApiAnswer): T => {
  expect(answer.problem).toBeUndefined();
  return answer.body as T;
};

type Query = Record<string, string | number>;

async function walk(query: Query, path = '/api/products'): Promise<number[]> {
  const found: number[] = [];
  let cursor: string | null = null;
  do {
    const page: Listed = bodyOf(await user.get(path, { ...query, ...(cursor ? { cursor } : {}) }));
    expect(page.items.length).toBeLessThanOrEqual(Number(query.limit ?? 50));
    found.push(...page.items.map(({ id }) => id));
    cursor = page.nextCursor;
  } while (cursor !== null);
  return found;
}

describe('GET /api/products', () => {
  test.each<[Query, number[]]>([
    [{}, [5, 4, 3, 2, 1, 0]],
    [{ order: 'asc' }, [0, 1, 2, 3, 4, 5]],
    [{ domain: 'WWW.shop.example', order: 'asc' }, [0, 1, 2, 3]],
    [{ sort: 'price', order: 'asc' }, [0, 4, 5, 2, 1]],
    [{ sort: 'price' }, [1, 2, 5, 4, 0]],
    [{ sort: 'price', domain: 'shop.example' }, [1, 2, 0]],
    [{ sort: 'rating' }, [2, 0, 1]],
    [{ sort: 'rating', order: 'asc' }, [1, 0, 2]],
    [{ minPrice: '0.3', maxPrice: '19.99' }, [4, 0]],
    [{ minPrice: '0.300001', maxPrice: '19.989999' }, []],
    [{ minPrice: '9999999999999.000001' }, [1]],
    [{ sort: 'price', maxPrice: '9999999999999', minPrice: '20' }, [2, 5]],
    [{ currency: 'usd' }, [2]],
    [{ availability: 'limited,out_of_stock' }, [3, 2]],
    [{ minRating: '4.5' }, [2, 0]],
    [{ sort: 'rating', minRating: '3.3', order: 'asc' }, [0, 2]],
    [{ brand: 'acme' }, [4, 0]],
    [{ brand: 'Acme', domain: 'other.example' }, [4]],
    [{ brand: 'acm%' }, []],
    [{ category: 'garden > tools' }, [4, 0]],
    [{ category: 'Garden', sort: 'price' }, [5, 4, 0]],
    [{ category: 'Garden', availability: 'in_stock', domain: 'other.example' }, [5, 4]],
    [{ category: 'Garden > T' }, []],
    [{ category: '%' }, []],
    [{ hasImage: 'true' }, [1]],
    [{ hasImage: 'false', sort: 'rating' }, [2, 0]],
    [{ isMissing: 'true' }, [3]],
    [{ isMissing: 'false', domain: 'shop.example', order: 'asc' }, [0, 1, 2]],
    [{ changedSince: '2000-01-01T00:00:00Z', sort: 'updatedAt', order: 'asc' }, [0, 1, 2, 3, 4, 5]],
    [{ changedSince: '2900-01-01T00:00:00Z' }, []],
  ])('%j finds them all, in order and once, whatever the page', async (query, expected) => {
    for (const limit of [1, 2, 50]) expect(await walk({ ...query, limit })).toEqual(idsOf(...expected));
  });

  test('tells what is known, exact to the digit', async () => {
    const { items } = bodyOf<Listed>(await user.get('/api/products', { hasImage: 'true' }));
    expect(items).toMatchObject([
      {
        ...{ url: 'https://shop.example/p1', domain: 'shop.example', name: 'Product 1', currency: 'EUR' },
        ...{
          price: '9999999999999.000001',
          rating: 3.25,
          imageUrl: 'https://shop.example/1.jpg',
          imageCount: 1,
        },
        ...{ variantCount: 0, before: null, missingSince: null, firstSeenAt: minute(1).toISOString() },
      },
    ]);
    expect(items[0]).not.toHaveProperty('description');
  });

  test.each([
    [{ minPrice: '-1' }],
    [{ minPrice: '1e3' }],
    [{ maxPrice: '12345678901234' }],
    [{ minRating: '5.1' }],
    [{ availability: 'in_stock,sold' }],
    [{ currency: 'EURO' }],
    [{ brand: ' ' }],
    [{ category: 'a\u0000b' }],
    [{ sort: 'name' }],
    [{ isMissing: 'yes' }],
    [{ changedSince: '2026-01-01' }],
  ])('%j is refused', async (query) => {
    expect((await user.get('/api/products', query)).status).toBe(400);
  });

  test('a cursor of one order is none of another', async () => {
    const { nextCursor } = bodyOf<Listed>(await user.get('/api/products', { sort: 'price', limit: 1 }));
    const answer = await user.get('/api/products', { sort: 'rating', limit: 1, cursor: String(nextCursor) });
    expect(answer.problem?.code).toBe('bad-cursor');
  });
});

describe('what has changed', () => {
  let id: number;
  beforeAll(async () => {
    const notes = {
      ...{ parserName: 'generic', parserVersion: '1', verdict: 'partial' as const },
      problems: [{ field: 'brand' as const, code: 'missing', message: 'There is no brand.' }],
      fields: { price: { source: 'json-ld' as const, confidence: 0.95, evidence: '"price": "99"' } },
    };
    const content = {
      ...{
        price: '99',
        description: 'x'.repeat(3000),
        imageUrls: ['https://img.example/a.jpg', 'https://img.example/b.jpg'],
      },
      variants: [{ name: 'Red', price: '99.5', options: { color: 'red' } }],
    };
    [id = 0] = await write({ ...seen(20, content), notes });
    await write({ ...seen(20, { ...content, price: '89.9' }), seenAt: minute(21), notes });
    await write({
      ...seen(20, { ...content, price: '89.9', availability: 'out_of_stock' }),
      seenAt: minute(22),
      notes,
    });
    await write({
      ...seen(20, {
        ...content,
        price: '89.9',
        availability: 'out_of_stock',
        description: 'y'.repeat(3000),
      }),
      ...{ seenAt: minute(23), notes },
    });
    await server.database.execute(
      `insert into pages (domain_id, url_hash, url, depth, http_status, content_length, transfer_length,
                          crawl_duration_ms) values ($1, '\\x14', 'https://shop.example/p20', 0, 200, 1, 1, 1)`,
      [shop],
    );
    await server.database.execute(
      `with image as (
         insert into images (content_hash, content_type, byte_count, width, height, thumbnail_type, first_seen_at,
                             last_seen_at)
         values ('\\x01', 'image/jpeg', 2000, 40, 30, 'image/webp', now(), now()) returning id
       ), host as (
         insert into domains (domain, parent_domain, base_url) values ('img.example', 'img.example', 'https://img.example')
         returning id
       ), places as (
         insert into image_urls (domain_id, url_hash, url, image_id, refused_code, refused_reason, fetched_at)
         select host.id, hash, url, case when code is null then image.id end, code, code, now()
           from host, image, (values ('\\x0a'::bytea, 'https://img.example/a.jpg', null),
                                     ('\\x0b', 'https://img.example/b.jpg', 'too-large')) as v (hash, url, code)
       )
       insert into image_provenance (page_domain_id, page_url_hash, image_url_hash, image_domain, image_url, product_id,
                                     position, alt, kind, discovery_type, first_seen_at, last_seen_at)
       values ($1, '\\x14', '\\x0a', 'img.example', 'https://img.example/a.jpg', $2, 0, 'From the front', 'primary',
               'discovery', now(), now()),
              ($1, '\\x14', '\\x0b', 'img.example', 'https://img.example/b.jpg?x', $2, 1, null, 'gallery', 'discovery',
               now(), now())`,
      [shop, id],
    );
  });

  test('GET /api/products/:id tells everything', async () => {
    const told = bodyOf<Record<string, unknown>>(await user.get(`/api/products/${id}`));
    expect(told).toMatchObject({
      ...{
        id,
        price: '89.9',
        availability: 'out_of_stock',
        verdict: 'partial',
        parser: 'generic',
        parserVersion: '1',
      },
      before: { price: '89.9', currency: 'EUR', availability: 'in_stock' },
      fields: { price: { source: 'json-ld', confidence: 0.95, evidence: '"price": "99"' } },
      problems: [{ field: 'brand', code: 'missing' }],
      variants: [{ name: 'Red', price: '99.5', options: { color: 'red' } }],
      history: [
        { price: '89.9', availability: 'out_of_stock', at: minute(22).toISOString() },
        { price: '89.9', availability: 'in_stock' },
        { price: '99', at: minute(20).toISOString() },
      ],
      changes: [
        { changes: { description: [`${'x'.repeat(300)}…`, `${'y'.repeat(300)}…`] } },
        { changes: { availability: ['in_stock', 'out_of_stock'] }, source: 'generic' },
        { changes: { price: ['99', '89.9'] } },
      ],
    });
    expect(told.pageId).toEqual(expect.any(Number));
    expect(told.description).toHaveLength(3000);
    const [first, second] = told.images as Record<string, unknown>[];
    expect(first).toMatchObject({
      ...{
        url: 'https://img.example/a.jpg',
        alt: 'From the front',
        width: 40,
        height: 30,
        refusedCode: null,
      },
      thumbnail: `/api/images/${first?.imageId}/thumbnail`,
    });
    expect(second).toMatchObject({ imageId: null, thumbnail: null, refusedCode: 'too-large' });
    expect(told).not.toHaveProperty('atText');
  });

  test('GET /api/products/:id/history goes through all of it', async () => {
    const prices: unknown[] = [];
    let cursor: string | null = null;
    do {
      const query: Query = { limit: 2, ...(cursor ? { cursor } : {}) };
      const page: Listed = bodyOf(await user.get(`/api/products/${id}/history`, query));
      prices.push(...page.items.map(({ price }) => price));
      cursor = page.nextCursor;
    } while (cursor !== null);
    expect(prices).toEqual(['89.9', '89.9', '99']);
    expect((await user.get('/api/products/999999/history')).problem?.code).toBe('unknown-product');
  });

  test('GET /api/products/changes tells the latest first', async () => {
    const all = await walk({ limit: 1 }, '/api/products/changes');
    expect(all).toHaveLength(3);
    expect(all).toEqual(all.toSorted((a, b) => b - a));
    expect(await walk({ limit: 2, domain: 'shop.example' }, '/api/products/changes')).toEqual(all);
    expect(await walk({ domain: 'other.example' }, '/api/products/changes')).toEqual([]);
    expect(await walk({ since: '2900-01-01T00:00:00Z' }, '/api/products/changes')).toEqual([]);
    const { items } = bodyOf<Listed>(await user.get('/api/products/changes', { field: 'price' }));
    expect(items).toMatchObject([
      {
        ...{ productId: id, url: 'https://shop.example/p20', domain: 'shop.example', name: 'Product 20' },
        changes: { price: ['99', '89.9'] },
      },
    ]);
    expect((await user.get('/api/products/changes', { field: 'data' })).status).toBe(400);
    expect((await user.get('/api/products/changes', { domain: 'no.example' })).problem?.code).toBe(
      'unknown-domain',
    );
  });

  test.each(['/api/products', '/api/products/1', '/api/products/1/history', '/api/products/changes'])(
    '%s is for whoever may read, not for bots',
    async (path) => {
      expect((await server.client().get(path)).status).toBe(401);
      expect((await (await server.as('bot')).get(path)).status).toBe(403);
    },
  );
});
