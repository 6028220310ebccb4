import { describe, expect, it } from 'vitest';
import { genericParser } from '../../../src/engine/extract/generic/generic-parser.ts';
import type { Extraction } from '../../../src/engine/extract/product-fields.ts';

const URL = 'https://shop.example/p/kettle';

function extract(html: string, url = URL, language?: string): Extraction {
  return genericParser.extract({ html: Buffer.from(html), url, baseUrl: url, language });
}

function page(data: unknown, body = '<h1>Kettle</h1>'): string {
  return `<html><head><title>Kettle – Shop</title><script type="application/ld+json">${JSON.stringify(data)}</script></head><body>${body}</body></html>`;
}

function product(more: Record<string, unknown>): Record<string, unknown> {
  return { '@context': 'https://schema.org', '@type': 'Product', name: 'Kettle', ...more };
}

const offer = (more: Record<string, unknown> = {}): Record<string, unknown> => ({
  '@type': 'Offer',
  price: '20',
  priceCurrency: 'EUR',
  availability: 'https://schema.org/InStock',
  ...more,
});

function values(extraction: Extraction): Record<string, unknown> {
  return Object.fromEntries(Object.entries(extraction.fields).map(([name, field]) => [name, field?.value]));
}

describe('what a product costs', () => {
  it('is the page’s own offer, where one of several has its address', () => {
    const offers = [offer({ url: `${URL}?v=1`, price: 10 }), offer({ url: `${URL}?v=2`, price: 30 })];
    expect(values(extract(page(product({ offers })), `${URL}?v=2`))).toMatchObject({ price: '30' });
    expect(values(extract(page(product({ offers })), URL))).toMatchObject({ price: '10', priceHigh: '30' });
  });

  it('is that of a new one which is there, before used ones and those that are sold out', () => {
    const offers = [
      offer({ price: 5, itemCondition: 'https://schema.org/UsedCondition' }),
      offer({ price: 7, availability: 'OutOfStock' }),
      offer({ price: 9 }),
    ];
    const found = values(extract(page(product({ offers }))));
    expect(found).toMatchObject({ price: '9', availability: 'in_stock' });
    expect(found).not.toHaveProperty('priceHigh');
  });

  it('is the lowest and the highest of 10,000 offers, of which at most a hundred are kept as variants', () => {
    const offers = Array.from({ length: 10_000 }, (_, at) => offer({ price: 10_000 - at, sku: `S${at}` }));
    const found = extract(page(product({ offers })));
    expect(values(found)).toMatchObject({ price: '1', priceHigh: '10000' });
    expect(found.fields.variants?.value).toHaveLength(100);
  });

  it('tells list prices, unit prices and members’ prices apart', () => {
    const priceSpecification = [
      { '@type': 'UnitPriceSpecification', price: 2, referenceQuantity: { value: 100, unitCode: 'MLT' } },
      { '@type': 'UnitPriceSpecification', price: 15, validForMemberTier: { name: 'Gold' } },
      { '@type': 'UnitPriceSpecification', price: 25.5, priceType: 'https://schema.org/StrikethroughPrice' },
      { '@type': 'UnitPriceSpecification', price: 19.9 },
    ];
    const found = values(extract(page(product({ offers: offer({ price: undefined, priceSpecification }) }))));
    expect(found).toMatchObject({ price: '19.9', listPrice: '25.5', currency: 'EUR' });
  });

  it('never is put together from two places', () => {
    const html = page(product({ offers: offer() })).replace(
      '<head>',
      '<head><meta property="product:price:amount" content="99"><meta property="product:price:currency" content="USD">',
    );
    const found = extract(html);
    expect(values(found)).toMatchObject({ price: '20', currency: 'EUR' });
    expect(found.fields.price?.confidence).toBeLessThan(0.95);
  });

  it('is believed more where two say the same', () => {
    const html = page(product({ offers: offer() })).replace(
      '<head>',
      '<head><meta property="product:price:amount" content="20.00"><meta property="product:price:currency" content="EUR">',
    );
    expect(extract(html).fields.price?.confidence).toBeGreaterThan(0.95);
  });
});

describe('which product is the page’s', () => {
  const other = (at: number): Record<string, unknown> =>
    product({ name: `Thing ${at}`, offers: offer({ price: at }) });

  it('is none where ten stand side by side', () => {
    expect(
      extract(
        page(
          Array.from({ length: 10 }, (_, at) => other(at)),
          '<h1>Things</h1>',
        ),
      ).verdict,
    ).toBe('none');
  });

  it('is the one the page calls its main entity', () => {
    const data = [
      other(1),
      other(2),
      other(3),
      { '@type': 'ItemPage', mainEntity: product({ offers: offer() }) },
    ];
    expect(values(extract(page(data, '<h1>x</h1>')))).toMatchObject({ name: 'Kettle' });
  });

  it('is not one of a list, nor a related one', () => {
    const list = { '@type': 'ItemList', itemListElement: [{ '@type': 'ListItem', item: other(1) }] };
    expect(extract(page(list)).verdict).toBe('none');
    const data = product({ offers: offer(), isRelatedTo: [other(1)], isSimilarTo: other(2) });
    expect(values(extract(page(data)))).toMatchObject({ name: 'Kettle', price: '20' });
  });

  it('is a variant with its group behind it, where the address is the variant’s', () => {
    const variant = (colour: string, price: number) =>
      product({
        name: `Kettle ${colour}`,
        color: colour,
        sku: colour,
        url: `${URL}?c=${colour}`,
        offers: offer({ price }),
      });
    const group = {
      '@type': 'ProductGroup',
      name: 'Kettle',
      brand: 'Larkspur',
      variesBy: ['https://schema.org/color'],
      hasVariant: [variant('red', 10), variant('blue', 12)],
    };
    expect(values(extract(page(group)))).toMatchObject({
      name: 'Kettle',
      price: '10',
      priceHigh: '12',
      variants: [
        { name: 'Kettle red', sku: 'red', options: { color: 'red' }, price: '10' },
        { name: 'Kettle blue', sku: 'blue', options: { color: 'blue' }, price: '12' },
      ],
    });
    const own = values(extract(page(group), `${URL}?c=blue`));
    expect(own).toMatchObject({ name: 'Kettle blue', price: '12', brand: 'Larkspur' });
  });
});

describe('what else is told of it', () => {
  it('is rated out of five, by the mean of its reviews where no sum is given', () => {
    const review = [5, 4, 4].map((ratingValue) => ({ '@type': 'Review', reviewRating: { ratingValue } }));
    expect(values(extract(page(product({ offers: offer(), review }))))).toMatchObject({
      rating: '4.33',
      reviewCount: 3,
    });
    const aggregateRating = { ratingValue: 87, bestRating: 100, ratingCount: 9, reviewCount: 4 };
    const found = values(extract(page(product({ offers: offer(), aggregateRating }))));
    expect(found).toMatchObject({ rating: '4.35', reviewCount: 4 });
  });

  it('has a category without the front page and itself', () => {
    const crumb = (position: number, name: string, item: string) => ({
      '@type': 'ListItem',
      position,
      name,
      item,
    });
    const breadcrumbs = {
      '@type': 'BreadcrumbList',
      itemListElement: [
        crumb(3, 'Kettle', URL),
        crumb(1, 'The Shop', 'https://shop.example/'),
        crumb(2, 'Kitchen', '/k'),
      ],
    };
    expect(values(extract(page([product({ offers: offer() }), breadcrumbs])))).toMatchObject({
      category: ['Kitchen'],
    });
    const category = 'Home > Kitchen &gt; Tea';
    expect(values(extract(page(product({ offers: offer(), category }))))).toMatchObject({
      category: ['Kitchen', 'Tea'],
    });
  });

  it('keeps evidence short and values free of markup', () => {
    const name = `<b>Kettle</b> ${'very '.repeat(200)}`;
    const found = extract(page(product({ name, offers: offer() }), '<p>x</p>'));
    expect(found.fields.name?.value).toMatch(/^Kettle very/);
    expect(found.fields.name?.evidence?.length).toBeLessThanOrEqual(200);
  });
});

describe('pages that sell nothing', () => {
  it.each([
    ['an empty one', ''],
    ['an article with prices', '<h1>Coffee</h1><p class="price">It costs $6.</p><a href="/cart">Cart</a>'],
    [
      'a list with buttons',
      `<h1>All</h1>${'<li><a href="/x">A</a><span class="price">€5</span><button class="add-to-cart">Add to cart</button></li>'.repeat(5)}`,
    ],
    ['a cart', '<h1>Your cart</h1><span class="price">$5</span><button class="buy-now">Buy now</button>'],
  ])('have no product: %s', (_what, html) => {
    expect(extract(`<html><body>${html}</body></html>`)).toMatchObject({ verdict: 'none', fields: {} });
  });
});

describe('pages that say nothing in data', () => {
  it('are read beside the heading, and less surely', () => {
    const found = extract(
      '<html lang="en"><body><nav class="breadcrumbs"><a href="/">Home</a> <a href="/k">Kitchen</a></nav><div class="product"><h1>Kettle</h1><p class="price"><del>£30.00</del> <ins>£24.50</ins></p><p class="stock">In stock</p><p>SKU: KT-1</p><button class="add-to-cart">Add to cart</button></div></body></html>',
      URL,
      'en',
    );
    expect(found.verdict).toBe('valid');
    expect(values(found)).toMatchObject({
      name: 'Kettle',
      price: '24.5',
      listPrice: '30',
      currency: 'GBP',
      availability: 'in_stock',
      category: ['Kitchen'],
      sku: 'KT-1',
    });
    for (const field of Object.values(found.fields)) expect(field?.confidence).toBeLessThanOrEqual(0.6);
  });
});
