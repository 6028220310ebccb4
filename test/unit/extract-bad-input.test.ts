/** Pages that are made to do harm: what comes out of them is bounded and plain, and nothing is ever thrown. */
import { afterEach, describe, expect, it } from 'vitest';
import { genericParser } from '../../src/engine/extract/generic/generic-parser.ts';
import type { Extraction } from '../../src/engine/extract/product-fields.ts';
import { pageInput } from './extract-corpus.ts';

const URL_OF_PAGE = 'https://shop.example/products/lamp';
const MOST_BYTES = 256 * 1024;
/** A guard against hanging, not a measure of speed. */
const LONGEST_MS = 30_000;
const MEGABYTE = 1 << 20;

const SHOWN =
  '<h1>Brass lamp</h1><div class="price">$42.00</div><p>In stock</p><button class="add-to-cart">Add to cart</button>';

function extract(head: string, body = SHOWN): Extraction {
  const html = `<!doctype html><html lang="en"><head><title>Brass lamp</title>${head}</head><body>${body}</body></html>`;
  const found = genericParser.extract(pageInput(Buffer.from(html), URL_OF_PAGE));
  expectHarmless(found);
  return found;
}

function jsonLd(value: unknown): string {
  return block(JSON.stringify(value).replaceAll('</', '<\\/'));
}

function block(text: string): string {
  return `<script type="application/ld+json">${text}</script>`;
}

function product(more: Record<string, unknown>): Record<string, unknown> {
  return {
    '@context': 'https://schema.org',
    '@type': 'Product',
    name: 'Brass lamp',
    offers: { '@type': 'Offer', price: '42.00', priceCurrency: 'USD' },
    ...more,
  };
}

/** What holds for every extraction, whatever the page. */
function expectHarmless(found: Extraction): void {
  const text = JSON.stringify(found);
  expect(Buffer.byteLength(text)).toBeLessThanOrEqual(MOST_BYTES);
  // PostgreSQL refuses both: a NUL in text, and half of a surrogate pair in UTF-8.
  expect(text).not.toContain('\\u0000');
  expect(text).not.toMatch(/\\ud[89a-f][0-9a-f]{2}/i);
  for (const { url } of found.fields.images?.value ?? []) expect(url).toMatch(/^https?:\/\//);
  for (const { url } of found.fields.variants?.value ?? [])
    if (url !== undefined) expect(url).toMatch(/^https?:\/\//);
  for (const field of Object.values(found.fields)) {
    expect(field.confidence).toBeGreaterThanOrEqual(0);
    expect(field.confidence).toBeLessThanOrEqual(1);
    expect(field.evidence?.length ?? 0).toBeLessThanOrEqual(200);
  }
  const { price, priceHigh, listPrice, rating, reviewCount } = found.fields;
  for (const one of [price, priceHigh, listPrice])
    if (one !== undefined) expect(one.value).toMatch(/^\d{1,13}(\.\d{1,6})?$/);
  if (rating !== undefined) expect(Number(rating.value)).toBeLessThanOrEqual(5);
  if (reviewCount !== undefined) expect(reviewCount.value).toBeLessThanOrEqual(2_147_483_647);
}

afterEach(() => {
  expect(Object.keys(Object.prototype)).toEqual([]);
  expect(Reflect.get({}, 'polluted')).toBeUndefined();
});

describe('numbers that are none', { timeout: LONGEST_MS }, () => {
  it.each<{ readonly what: string; readonly price: unknown }>([
    { what: '1e308 in text', price: '1e308' },
    { what: '1e308', price: 1e308 },
    { what: 'four hundred nines', price: '9'.repeat(400) },
    { what: '-1', price: '-1' },
    { what: '-42', price: -42 },
    { what: 'Infinity', price: 'Infinity' },
    { what: 'five thousand Arabic digits', price: '٩'.repeat(5000) },
    { what: '1.2.3.4.5', price: '1.2.3.4.5' },
    { what: 'true', price: true },
    { what: 'an object', price: {} },
    { what: 'an empty list', price: [] },
    { what: 'null', price: null },
    { what: 'a value of 1e999', price: { '@value': '1e999' } },
  ])('a price of $what makes no valid product', ({ price }) => {
    const found = extract(jsonLd(product({ offers: { '@type': 'Offer', price, priceCurrency: 'USD' } })), '');
    expect(found.verdict).not.toBe('valid');
    expect(found.problems).not.toEqual([]);
  });

  it('a rating and a number of reviews beyond reason are left out or bounded', () => {
    for (const ratingValue of ['1e308', -3, '99999', 'NaN', {}, '5'.repeat(1000)]) {
      const aggregateRating = { '@type': 'AggregateRating', ratingValue, reviewCount: 1e300, bestRating: 0 };
      const { fields } = extract(jsonLd(product({ aggregateRating })));
      expect(fields.rating).toBeUndefined();
      expect(fields.price?.value).toBe('42');
    }
  });

  it('a megabyte of digits is no price and no number of anything', () => {
    const digits = '1234567890'.repeat(MEGABYTE / 10);
    extract('', `<h1>Brass lamp</h1><div class="price">$${digits}</div><button>Add to cart</button>`);
    extract(
      '',
      `<h1>Brass lamp</h1><div class="price">$${'1,'.repeat(MEGABYTE / 2)}</div><button>Add to cart</button>`,
    );
    extract(jsonLd(product({ sku: digits, gtin: digits, offers: { price: digits, priceCurrency: digits } })));
  });
});

describe('JSON-LD of five megabytes', { timeout: LONGEST_MS }, () => {
  const filler = Array.from({ length: 60_000 }, (_, at) => ({
    '@type': 'PropertyValue',
    name: `property ${at}`,
    value: 'x'.repeat(20),
  }));

  it('is read where it is valid', () => {
    const text = JSON.stringify(product({ additionalProperty: filler }));
    expect(text.length).toBeGreaterThan(4 * MEGABYTE);
    const found = extract(block(text));
    expect(found.fields.name?.value).toBe('Brass lamp');
  });

  it('is passed over where it is broken, and the page is read', () => {
    const text = JSON.stringify(product({ additionalProperty: filler }));
    for (const broken of [
      text.slice(0, -20),
      `${text.slice(0, -1)},,,`,
      text.replaceAll('"value"', 'value"'),
    ]) {
      const found = extract(block(broken));
      expect(found.fields.name?.value).toBe('Brass lamp');
      expect(found.fields.price?.value).toBe('42');
    }
  });

  it('is passed over where it is nested without end', () => {
    const depth = 1_000_000;
    const texts = [
      `${'['.repeat(depth)}${']'.repeat(depth)}`,
      '['.repeat(5 * MEGABYTE),
      `${'{"a":'.repeat(depth)}1${'}'.repeat(depth)}`,
      `{"@type":"Product","name":"Brass lamp","offers":${'{"offers":'.repeat(depth)}1${'}'.repeat(depth)}}`,
      `{"@graph":${'[{"@graph":'.repeat(depth / 2)}1`,
    ];
    for (const text of texts) expect(extract(block(text)).fields.price?.value).toBe('42');
  });

  it('may be one giant string', () => {
    const giant = 'long '.repeat(MEGABYTE);
    const found = extract(jsonLd(product({ description: giant, name: giant, sku: giant, brand: giant })));
    expect(found.fields.name?.value.length ?? 0).toBeLessThan(2000);
    extract(block(`"${giant}`));
    extract(block(`{"@type":"Product","name":"${'\\"'.repeat(2 * MEGABYTE)}`));
    extract(block('&quot;'.repeat(MEGABYTE)));
    extract(block('/*'.repeat(MEGABYTE)));
    extract(block('<!--'.repeat(MEGABYTE)));
    extract(block('{},'.repeat(MEGABYTE)));
  });

  it('may be many small blocks', () => {
    extract(block('{"@type":"Product","name":"x"}').repeat(50_000));
    extract(block('{').repeat(50_000));
  });
});

describe('more of everything than anybody needs', { timeout: LONGEST_MS }, () => {
  it('ten thousand offers have a lowest and a highest price', () => {
    const offers = Array.from({ length: 10_000 }, (_, at) => ({
      '@type': 'Offer',
      price: `${100 + at}.00`,
      priceCurrency: 'USD',
      availability: 'https://schema.org/InStock',
      url: `https://shop.example/products/lamp?offer=${at}`,
    }));
    const { fields } = extract(jsonLd(product({ offers })), '<h1>Brass lamp</h1>');
    expect(fields.price?.value).toBe('100');
    expect(fields.currency?.value).toBe('USD');
  });

  it('a hundred thousand variants are cut to some', () => {
    const hasVariant = Array.from({ length: 100_000 }, (_, at) => ({ sku: `L${at}`, offers: { price: at } }));
    const { fields } = extract(jsonLd({ '@type': 'ProductGroup', name: 'Brass lamp', hasVariant }));
    expect(fields.name?.value).toBe('Brass lamp');
    expect(fields.variants?.value.length ?? 0).toBeLessThanOrEqual(1000);
  });

  it('forty thousand images, categories, brands and identifiers are cut to some', () => {
    const many = (make: (at: number) => unknown) => Array.from({ length: 40_000 }, (_, at) => make(at));
    const found = extract(
      jsonLd(
        product({
          image: many((at) => `https://shop.example/${at}.jpg`),
          category: many((at) => `category ${at}`),
          brand: many((at) => ({ name: `brand ${at}` })),
          sku: many((at) => `sku ${at}`),
          gtin: many((at) => `${at}`),
        }),
      ),
    );
    expect(found.fields.images?.value[0]?.url).toBe('https://shop.example/0.jpg');
  });

  it('a long path of breadcrumbs is cut or left out', () => {
    const itemListElement = Array.from({ length: 10_000 }, (_, at) => ({
      '@type': 'ListItem',
      position: at,
      name: `step ${at} ${'x'.repeat(100)}`,
    }));
    extract(jsonLd([{ '@type': 'BreadcrumbList', itemListElement }, product({})]));
    const trail = `<nav class="breadcrumb">${'<a href="/x">step</a> › '.repeat(10_000)}</nav>`;
    extract('', trail + SHOWN);
  });

  it('many items of microdata and RDFa do not multiply', () => {
    const item = (at: number) =>
      `<div itemscope itemtype="http://schema.org/Product"><span itemprop="name">n${at}</span></div>`;
    extract('', Array.from({ length: 20_000 }, (_, at) => item(at)).join(''));
    extract('', '<div vocab="http://schema.org/" typeof="Product"><b property="name">x</b>'.repeat(20_000));
    extract(
      '',
      `<div itemscope itemtype="http://schema.org/Product">${'<i itemprop="name">x</i>'.repeat(50_000)}`,
    );
  });
});

describe('pages of very many parts', { timeout: LONGEST_MS }, () => {
  it.each([
    '<li><span class="price">$1.00</span></li>',
    '<li><a href="/x"><h2>x</h2></a><span class="price">$1.00</span><button>Add to cart</button></li>',
    '<p class="price">$1.00',
    '<div class="stock">in stock</div>',
    '<h1>Brass lamp</h1>',
    '<img src="/a.jpg" alt="Brass lamp">',
    '<del>$5.00</del> ',
    '<button>Add to cart</button>',
    '<div class="description">a long text that describes something or other</div>',
    '<meta property="og:image" content="/a.jpg">',
    '<a href="/">x</a>',
    '<td class="price">$3.00</td>',
    '<form action="/cart/add">',
    '<b class="related"><i class="price">$3.00</i></b>',
  ])('twenty thousand times %s', (part) => {
    const many = part.repeat(20_000);
    extract('', many + SHOWN);
    extract('', `<ul>${many}</ul>${SHOWN}`);
    extract('', `<div class="product">${SHOWN}${many}</div>`);
    extract('', `<h1>Brass lamp</h1><table><tr>${many}</tr></table><button>Add to cart</button>`);
    extract('', `<nav class="breadcrumb">${many}</nav>${SHOWN}`);
    extract(jsonLd(product({ name: 'Brass lamp' })), `<div class="price">${many}</div>`);
  });
});

describe('loops', { timeout: LONGEST_MS }, () => {
  it('things that refer to each other by @id come to an end', () => {
    const graph = [
      {
        '@id': '#a',
        '@type': 'Product',
        name: 'Brass lamp',
        isVariantOf: { '@id': '#g' },
        offers: { '@id': '#o' },
      },
      { '@id': '#o', '@type': 'Offer', price: '42', priceCurrency: 'USD', itemOffered: { '@id': '#a' } },
      { '@id': '#g', '@type': 'ProductGroup', name: 'Lamps', hasVariant: [{ '@id': '#a' }, { '@id': '#g' }] },
      {
        '@id': '#self',
        '@type': 'Offer',
        offers: { '@id': '#self' },
        priceSpecification: { '@id': '#self' },
      },
    ];
    const { fields } = extract(jsonLd({ '@graph': graph }));
    expect(fields.price?.value).toBe('42');
  });

  it('references that fan out do not multiply', () => {
    const graph = Array.from({ length: 60 }, (_, at) => ({
      '@id': `#${at}`,
      '@type': 'Product',
      name: `Lamp ${at}`,
      isRelatedTo: Array.from({ length: 60 }, (_, to) => ({ '@id': `#${to}` })),
      hasVariant: Array.from({ length: 60 }, (_, to) => ({ '@id': `#${to}` })),
      offers: Array.from({ length: 60 }, (_, to) => ({ '@id': `#${to}` })),
    }));
    extract(jsonLd({ '@graph': graph }));
  });

  it('items that include themselves or each other by itemref come to an end', () => {
    const item = 'itemscope itemtype="http://schema.org/Product"';
    const { fields } = extract(
      '',
      `<h1>Brass lamp</h1><div id="a" ${item} itemref="a b"><span itemprop="name">Brass lamp</span></div>
       <div id="b" itemprop="offers" itemscope itemtype="http://schema.org/Offer" itemref="a b c"><meta itemprop="price" content="42"></div>
       <div id="c" itemprop="isRelatedTo" ${item} itemref="b c a"></div>`,
    );
    expect(fields.name?.value).toBe('Brass lamp');
    const refs = Array.from({ length: 300 }, (_, at) => `r${at}`).join(' ');
    const many = Array.from(
      { length: 300 },
      (_, at) => `<div id="r${at}" itemprop="isRelatedTo" ${item} itemref="${refs}"></div>`,
    );
    extract('', many.join('') + SHOWN);
  });
});

describe('what does not belong into text', { timeout: LONGEST_MS }, () => {
  it('scripts and tags in a name are gone, however they are escaped', () => {
    const names = [
      'Brass <script>alert(1)</script>lamp',
      'Brass &lt;script&gt;alert(1)&lt;/script&gt;lamp',
      'Brass &amp;lt;img src=x onerror=alert(1)&amp;gt;lamp',
      '<img src=x onerror=alert(1)>Brass lamp',
      'Brass lamp<svg/onload=alert(1)>',
    ];
    for (const name of names) {
      const { fields } = extract(jsonLd(product({ name, description: name, brand: name })));
      for (const one of [fields.name, fields.description, fields.brand])
        expect(one?.value ?? '').not.toMatch(/<(script|img|svg)/i);
      expect(fields.name?.value).toMatch(/lamp/);
    }
  });

  it('NULs, halves of surrogate pairs and overrides of direction do not come through', () => {
    const harm = 'Brass\u0000 \ud83d lamp \udc00\u202Eevil\u202C\u2066\uFEFF\u0007\u001b[31m';
    const more = { name: harm, description: harm, brand: harm, sku: harm, category: [harm] };
    const found = extract(jsonLd(product({ ...more, image: `https://shop.example/${harm}.jpg` })));
    expect(JSON.stringify(found.fields)).not.toMatch(/[\u202A-\u202E\u2066-\u2069]|\\u001b|\\u0007/);
    const raw =
      '{"@type":"Product","name":"Brass \\ud83d lamp \\u0000","offers":{"price":"42","priceCurrency":"USD"}}';
    expect(extract(block(raw)).fields.name?.value).toMatch(/^Brass .*lamp/);
    extract('', `<h1>${harm}</h1><div class="price">$42.00</div><button>Add to cart</button>`);
  });

  it('keys that are names of what objects have of themselves change nothing', () => {
    const raw =
      '{"__proto__":{"polluted":1,"price":"1"},"constructor":{"prototype":{"polluted":1}},"@type":"Product","name":"Brass lamp",' +
      '"offers":{"__proto__":{"price":"1"},"@type":"Offer","price":"42","priceCurrency":"USD"},' +
      '"@id":"__proto__","isRelatedTo":{"@id":"constructor"},"brand":{"@id":"toString"},"hasOwnProperty":"x","valueOf":1,' +
      '"additionalProperty":[{"name":"__proto__","value":"x"}]}';
    const { fields } = extract(block(raw));
    expect(fields.name?.value).toBe('Brass lamp');
    expect(fields.price?.value).toBe('42');
    extract(
      '',
      '<div itemscope itemtype="http://schema.org/Product"><b itemprop="__proto__">x</b><b itemprop="constructor">x</b><b itemprop="name">Brass lamp</b></div>',
    );
    const hasVariant = [
      { '@type': 'Product', name: 'x', color: 'red', additionalProperty: { name: '__proto__', value: 'x' } },
    ];
    extract(
      jsonLd({
        '@type': 'ProductGroup',
        name: 'Brass lamp',
        variesBy: ['__proto__', 'constructor'],
        hasVariant,
      }),
    );
  });
});

describe('addresses', { timeout: LONGEST_MS }, () => {
  const UNSAFE = [
    'data:image/png;base64,AAAA',
    'javascript:alert(1)',
    'JaVaScRiPt:alert(1)',
    '\u0001javascript:alert(1)',
    'java\nscript:alert(1)',
    'file:///etc/passwd',
    'blob:https://shop.example/1',
    'ftp://shop.example/a.jpg',
    'about:blank',
    'vbscript:x',
    'mailto:a@shop.example',
    'http://',
    'https://[::1',
    'https://user:secret@shop.example/a.jpg',
    `https://shop.example/${'a'.repeat(MEGABYTE)}`,
  ];

  it.each(UNSAFE.map((bad) => ({ bad, shown: bad.slice(0, 40) })))(
    '$shown is no image and no address of a variant',
    ({ bad }) => {
      const images = [bad, { '@type': 'ImageObject', url: bad }, { '@id': bad }];
      const variant = { '@type': 'Product', name: 'Brass lamp, red', url: bad, image: bad, sku: '1' };
      const { fields } = extract(
        `<meta property="og:image" content="${bad}"><link rel="image_src" href="${bad}">` +
          jsonLd(product({ image: images, url: bad, hasVariant: [variant] })),
        `${SHOWN}<div itemscope itemtype="http://schema.org/Product"><img itemprop="image" src="${bad}"></div>`,
      );
      expect(JSON.stringify(fields.images ?? null)).not.toContain('secret');
      for (const { url } of fields.images?.value ?? []) expect(url.length).toBeLessThanOrEqual(4096);
      expect(fields.price?.value).toBe('42');
    },
  );

  it('a base that leads elsewhere gives no unsafe address', () => {
    for (const base of ['javascript:alert(1)//', 'data:text/html,x', 'file:///etc/'])
      extract(`<base href="${base}">${jsonLd(product({ image: 'passwd' }))}`);
  });
});

describe('HTML that is not what it seems', { timeout: LONGEST_MS }, () => {
  it('an attribute of a megabyte is only an attribute', () => {
    const long = 'a '.repeat(MEGABYTE / 2);
    extract('', `<h1 class="${long}">Brass lamp</h1><div class="price ${long}" title="${long}">$42.00</div>`);
    extract(
      `<meta property="og:title" content="${long}"><meta property="product:price:amount" content="${long}">`,
    );
    extract(
      '',
      `<div itemscope itemtype="${long}" itemref="${long}"><b itemprop="${long}">x</b></div>${SHOWN}`,
    );
    extract(
      '',
      `<div prefix="${long}" vocab="${long}" typeof="${long}"><b property="${long}">x</b></div>${SHOWN}`,
    );
  });

  it('a hundred thousand elements within each other are read to their end', () => {
    const depth = 100_000;
    extract('', `${'<div>'.repeat(depth)}${SHOWN}${'</div>'.repeat(depth)}`);
    extract('', '<div itemscope itemprop="offers" itemtype="http://schema.org/Offer">'.repeat(depth));
    extract('', `<div typeof="schema:Product" property="offers">`.repeat(depth));
    extract('', `${'<b><i><p>'.repeat(depth / 3)}${SHOWN}`);
    extract('', `${'<table><tr><td>'.repeat(depth / 3)}${SHOWN}`);
  });

  it('a page that breaks off anywhere is read as far as it goes', () => {
    const page = `<html><head>${jsonLd(product({}))}</head><body><div itemscope itemtype="http://schema.org/Product"><b itemprop="name">x</b>${SHOWN}`;
    for (let end = 0; end <= page.length; end += 7)
      expectHarmless(genericParser.extract(pageInput(Buffer.from(page.slice(0, end)), URL_OF_PAGE)));
  });

  it('bytes that are no text are read as nothing much', () => {
    const noise = Buffer.alloc(MEGABYTE);
    for (let at = 0; at < noise.length; at += 1) noise[at] = (at * 7919 + (at >> 3)) & 255;
    const start = Buffer.from(`<html><body>${SHOWN}`);
    expectHarmless(genericParser.extract(pageInput(Buffer.concat([start, noise, start]), URL_OF_PAGE)));
    expectHarmless(genericParser.extract(pageInput(Buffer.alloc(0), URL_OF_PAGE)));
    expectHarmless(genericParser.extract(pageInput(Buffer.alloc(MEGABYTE), URL_OF_PAGE)));
    expectHarmless(genericParser.extract(pageInput(Buffer.alloc(MEGABYTE, '<'), URL_OF_PAGE)));
  });

  it.each([
    ['spaces', ' '.repeat(MEGABYTE)],
    ['no-break spaces', '\u00a0'.repeat(MEGABYTE / 2)],
    ['currency signs', '$'.repeat(MEGABYTE)],
    ['signs and spaces', '$ '.repeat(MEGABYTE / 2)],
    ['commas', ','.repeat(MEGABYTE)],
    ['digits and spaces', '1 '.repeat(MEGABYTE / 2)],
    ['digits and dots', '1.'.repeat(MEGABYTE / 2)],
    ['prices', '$1.00 '.repeat(MEGABYTE / 6)],
    ['dashes', '1-'.repeat(MEGABYTE / 2)],
    ['openings of tags', '<a '.repeat(MEGABYTE / 3)],
    ['closings of tags', '</'.repeat(MEGABYTE / 2)],
    ['ampersands', '&'.repeat(MEGABYTE)],
    ['escaped ampersands', '&amp;'.repeat(MEGABYTE / 5)],
    ['stars', '★'.repeat(MEGABYTE / 3)],
    ['ratings', '4.5 out of '.repeat(MEGABYTE / 11)],
    ['words of stock', 'in stock '.repeat(MEGABYTE / 9)],
    ['separators of breadcrumbs', ' > '.repeat(MEGABYTE / 3)],
    ['letters', 'a'.repeat(MEGABYTE)],
  ])('a megabyte of %s takes no longer than a megabyte of text', (_, text) => {
    extract(
      '',
      `<h1>Brass lamp</h1><div class="price">${text}</div><p class="stock">${text}</p><button>Add to cart</button>`,
    );
    extract(
      '',
      `<h1>${text}</h1><div class="price">$42.00</div><div class="rating">${text}</div><button>Add to cart</button>`,
    );
    const offers = { '@type': 'Offer', price: text, priceCurrency: text, availability: text };
    const aggregateRating = { ratingValue: text, reviewCount: text, bestRating: text };
    extract(
      jsonLd(
        product({ name: text, category: text, sku: text, gtin: text, brand: text, offers, aggregateRating }),
      ),
    );
    extract(
      `<meta property="og:type" content="product"><meta property="product:price:amount" content="${text.replaceAll('"', '')}">`,
    );
  });
});
