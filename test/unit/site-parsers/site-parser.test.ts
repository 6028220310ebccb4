import { expect, test } from 'vitest';
import { extractPage } from '../../../src/engine/extract/extract-page.ts';
import type { Extraction } from '../../../src/engine/extract/product-fields.ts';
import { makeSiteParser, type SiteParserLimits } from '../../../src/engine/extract/site/site-page-parser.ts';
import type { SitePage, SiteParser } from '../../../src/parser/site-parser.ts';
import type { SiteProduct } from '../../../src/parser/site-product.ts';

const HTML = `<!doctype html><html lang="en"><head><title>Kettle</title>
<script type="application/ld+json">{"@context":"https://schema.org","@type":"Product","name":"Kettle, says the data",
"brand":{"@type":"Brand","name":"Hesper"},"sku":"K-1","offers":{"@type":"Offer","price":"20.00","priceCurrency":"GBP",
"availability":"https://schema.org/InStock"}}</script></head>
<body><h1> The   <b>Kettle</b> </h1><p class="price" data-raw="1299">£1,299.00</p>
<ul><li><a href="/a">one</a></li><li><a href="b?x=1">two</a></li></ul>
<template><p class="price">£1.00</p></template></body></html>`;

const URL_OF_PAGE = 'https://shop.example.com/p/kettle';

function run(parser: Partial<SiteParser>, limits?: SiteParserLimits, html = HTML): Extraction {
  return extractPage(make(parser, limits), {
    ...{ html: Buffer.from(html), url: URL_OF_PAGE, baseUrl: URL_OF_PAGE, language: 'en' },
  });
}

function make(parser: Partial<SiteParser>, limits?: SiteParserLimits) {
  return makeSiteParser(
    { name: 'my-shop', version: '2', parse: () => ({ name: 'Kettle' }), ...parser },
    limits,
  );
}

function returns(product: unknown, more: Partial<SiteParser> = { fallback: 'none' }): Extraction {
  return run({ parse: () => product as SiteProduct, ...more });
}

function valuesOf({ fields }: Extraction): Record<string, unknown> {
  return Object.fromEntries(Object.entries(fields).map(([name, field]) => [name, field.value]));
}

test('a parser is given the page by CSS selectors, as structured data and as the generic parser reads it', () => {
  const seen: Record<string, unknown> = {};
  run({
    parse: (page: SitePage) => {
      const [product] = page.jsonLd('product');
      Object.assign(seen, {
        ...{ url: page.url, language: page.language },
        heading: page.text('h1'),
        nothing: page.text('h2'),
        raw: page.attribute('.price', 'DATA-RAW'),
        links: page.selectAll('li').map((item) => page.absolute(item.select('a')?.attribute('href'))),
        tag: page.select('ul')?.select('> li')?.tagName,
        inner: page.select('ul')?.selectAll('a').length,
        price: page.price(page.text('.price')),
        none: page.price(undefined),
        script: page.select('script')?.raw().includes('"@type":"Product"'),
        ld: [product?.text('name'), product?.thing('brand')?.text('name'), page.jsonLd('Offer').length],
        all: page.jsonLd().length,
        generic: page.generic()?.price,
        bad: [page.absolute('javascript:alert(1)'), page.absolute('data:,x'), page.absolute('')],
      });
      return undefined;
    },
  });
  expect(seen).toMatchObject({
    ...{ url: URL_OF_PAGE, language: 'en', heading: 'The Kettle', nothing: undefined, raw: '1299' },
    links: ['https://shop.example.com/a', 'https://shop.example.com/p/b?x=1'],
    ...{ tag: 'li', inner: 2, none: undefined, script: true, all: 1, generic: '20' },
    price: { amount: '1299', currency: 'GBP' },
    ld: ['Kettle, says the data', 'Hesper', 1],
    bad: [undefined, undefined, undefined],
  });
});

test('what it returns is read as text of the page, judged, and marked as its own', () => {
  const extraction = returns({
    name: '  <b>Copper</b>\n kettle ',
    description: 'Boils.\n\n\n\nAnd sings.',
    price: 'from £12.50',
    listPrice: { amount: '20.00', currency: 'GBP' },
    availability: 'In stock',
    rating: { value: '8.7', best: 10 },
    reviewCount: '1,234 ratings',
    brand: 'Hesper',
    category: ['Kitchen', null, 'Kettles'],
    ...{ sku: 4711, gtin: '4006381333931', mpn: '' },
    images: [
      '/a.jpg',
      { url: 'https://cdn.example.com/b.jpg', alt: 'Side' },
      null,
      '/a.jpg',
      'data:image/png;base64,x',
    ],
    variants: [
      {
        name: 'Red',
        sku: 'R',
        price: '£13',
        availability: 'sold out',
        url: '?c=red',
        options: { color: 'red' },
      },
    ],
    confidence: { price: 0.5 },
  });
  expect(extraction).toMatchObject({ parser: 'my-shop', version: '2', verdict: 'valid', problems: [] });
  expect(valuesOf(extraction)).toEqual({
    ...{ name: 'Copper kettle', description: 'Boils.\n\nAnd sings.', price: '12.5', listPrice: '20' },
    ...{ currency: 'GBP', availability: 'in_stock', rating: '4.35', reviewCount: 1234, brand: 'Hesper' },
    ...{ category: ['Kitchen', 'Kettles'], sku: '4711', gtin: '4006381333931' },
    images: [
      { url: 'https://shop.example.com/a.jpg' },
      { url: 'https://cdn.example.com/b.jpg', alt: 'Side' },
    ],
    variants: [
      {
        ...{ name: 'Red', sku: 'R', url: 'https://shop.example.com/p/kettle?c=red', price: '13' },
        ...{ currency: 'GBP', availability: 'out_of_stock', options: { color: 'red' } },
      },
    ],
  });
  expect(extraction.fields.name).toMatchObject({ source: 'site-parser', confidence: 0.95 });
  expect(extraction.fields.price).toMatchObject({
    source: 'site-parser',
    confidence: 0.5,
    evidence: 'from £12.50',
  });
});

test('a range gives both of its ends, and a category may be on one line', () => {
  const found = valuesOf(returns({ name: 'Pot', price: '12,50 – 20,00 €', category: 'Garden › Pots' }));
  expect(found).toMatchObject({
    ...{ price: '12.5', priceHigh: '20', currency: 'EUR', category: ['Garden', 'Pots'] },
  });
});

test('digits of a price are taken as they are written, however many', () => {
  const found = valuesOf(returns({ name: 'Pot', price: { amount: '1234567.123456', currency: 'EUR' } }));
  expect(found).toMatchObject({ price: '1234567.123456', currency: 'EUR' });
});

test('what it leaves open comes from the generic parser, unless it says otherwise', () => {
  const found = returns({ name: 'Kettle', price: '£1,299.00' }, {});
  expect(valuesOf(found)).toMatchObject({ name: 'Kettle', price: '1299', brand: 'Hesper', sku: 'K-1' });
  expect(found.fields.brand?.source).toBe('json-ld');
  expect(found.verdict).toBe('valid');
  expect(valuesOf(returns({ name: 'Kettle', price: '£1,299.00' }))).toEqual({
    ...{ name: 'Kettle', price: '1299', currency: 'GBP' },
  });
});

test('what it gives and nobody can read is told, and filled in from the generic parser', () => {
  const found = returns({ name: 'Kettle', price: 'ask us' }, {});
  expect(found.fields.price).toMatchObject({ value: '20', source: 'json-ld' });
  expect(found.problems).toContainEqual({
    ...{ field: 'price', code: 'bad-format' },
    message: 'The site parser gave "ask us" as price, which cannot be read.',
  });
});

test('where it finds nothing there is no product, whatever the generic parser would say', () => {
  expect(returns(undefined, {})).toMatchObject({ verdict: 'none', fields: {} });
  expect(returns(null, {})).toMatchObject({ verdict: 'none', fields: {} });
  let isAsked = false;
  const parse = () => {
    isAsked = true;
    return { name: 'Kettle' };
  };
  expect(run({ isProduct: (page) => page.url.includes('/c/'), parse })).toMatchObject({ verdict: 'none' });
  expect(isAsked).toBe(false);
});

test('what it returns is held to the rules for all products', () => {
  expect(returns({ name: 'Kettle', price: '{{price}}' })).toMatchObject({ verdict: 'partial' });
  expect(returns({ name: '{{ product.name }}', price: '£5' })).toMatchObject({ verdict: 'invalid' });
});

test.each([
  [
    'throws',
    () => {
      throw new TypeError('x is not a function');
    },
    'TypeError: x is not a function',
  ],
  [
    'throws what is no error',
    () => {
      throw 'no luck';
    },
    'no luck',
  ],
  [
    'returns a promise',
    async () => ({ name: 'Kettle' }),
    'it returned a promise: a parser must not wait for anything',
  ],
  [
    'returns a promise that fails',
    async () => {
      throw new Error('later');
    },
    'it returned a promise: a parser must not wait for anything',
  ],
  ['returns text', () => 'Kettle', 'its result'],
  ['returns a name that is none', () => ({ name: 5 }), 'its name must be text'],
  [
    'returns a name without end',
    () => ({ name: 'x'.repeat(3000) }),
    'its name must have at most 2000 characters',
  ],
  [
    'returns too many variants',
    () => ({ name: 'x', variants: Array(1001).fill({ name: 'v' }) }),
    'its variants must be at most 1000 variants',
  ],
  ['uses a bad selector', (page: SitePage) => ({ name: page.text('p[') }), 'The selector'],
])('a parser that %s fails, and takes nothing with it', (_what, parse, message) => {
  const found = run({ parse: parse as unknown as SiteParser['parse'] });
  expect(found).toMatchObject({ parser: 'my-shop', version: '2', verdict: 'none', fields: {} });
  expect(found.failure).toContain(message);
});

test('a parser that does not come to an end is stopped, also inside a regular expression', () => {
  const forEver = () => {
    try {
      for (;;);
    } catch {
      return { name: 'caught' };
    }
  };
  expect(run({ parse: forEver }, { limitMs: 50 }).failure).toBe('it took longer than 50 ms, and was stopped');
  const backtracks = () => ({ name: String(/^(a+)+$/.test(`${'a'.repeat(60)}b`)) });
  expect(run({ isProduct: backtracks as never }, { limitMs: 50 }).failure).toContain('was stopped');
  expect(run({}).failure).toBeUndefined();
});

test('one that is stopped again and again is left alone for a while, then tried again', async () => {
  let calls = 0;
  let isStuck = true;
  const parse = () => {
    calls += 1;
    while (isStuck);
    return { name: 'Kettle', price: '£5' };
  };
  const parser = make({ parse }, { limitMs: 20, restMs: 30 });
  const page = { html: Buffer.from(HTML), url: URL_OF_PAGE, baseUrl: URL_OF_PAGE, language: 'en' };
  for (let page_ = 0; page_ < 3; page_ += 1) extractPage(parser, page);
  expect(calls).toBe(3);
  expect(extractPage(parser, page).failure).toContain('left alone for a while');
  expect(calls).toBe(3);
  isStuck = false;
  await expect.poll(() => extractPage(parser, page).verdict).toBe('valid');
});

test('a field that products do not have is told, and changes nothing else', () => {
  const { verdict, problems, fields } = returns({ name: 'Kettle', price: '£5', titel: 'Kettle', gone: null });
  expect(verdict).toBe('valid');
  expect(Object.keys(fields)).not.toContain('titel');
  expect(problems).toMatchObject([{ field: 'titel', code: 'unknown-field' }]);
});

test('what it leaves open comes from the generic parser also where that found something wrong', () => {
  const wrongName = HTML.replace('Kettle, says the data', 'undefined');
  const named = run({ parse: () => ({ name: 'Kettle' }) }, undefined, wrongName);
  expect(named).toMatchObject({ verdict: 'valid', problems: [] });
  expect(valuesOf(named)).toMatchObject({ name: 'Kettle', price: '20', currency: 'GBP', brand: 'Hesper' });

  const wrongPrice = HTML.replace('"20.00"', '"99999999999999"');
  const priceless = run({ parse: () => ({ name: 'Kettle' }) }, undefined, wrongPrice);
  expect(priceless.verdict).toBe('invalid');
  expect(priceless.problems).toContainEqual(
    expect.objectContaining({ field: 'price', code: expect.not.stringMatching('missing') }),
  );
  const priced = run({ parse: () => ({ price: '£20' }) }, undefined, wrongPrice);
  expect(priced).toMatchObject({ verdict: 'valid', problems: [] });
});

test('that its first look was enough is told', () => {
  expect(run({ isProduct: () => false })).toMatchObject({ verdict: 'none', reason: expect.any(String) });
  expect(run({ parse: () => undefined })).not.toHaveProperty('reason');
});
