import { describe, expect, it } from 'vitest';
import { findJsonLd } from '../../../src/engine/extract/structured/find-json-ld.ts';
import { readJsonLd } from '../../../src/engine/extract/structured/json-ld.ts';
import type { StructuredItem } from '../../../src/engine/extract/structured/structured-item.ts';
import { readTolerantJson } from '../../../src/engine/extract/structured/tolerant-json.ts';

function block(json: string, type = 'application/ld+json'): Buffer {
  return Buffer.from(`<html><head><script type="${type}">${json}</script></head></html>`);
}

function read(json: string, language?: string): readonly StructuredItem[] {
  return readJsonLd(block(json), language).items;
}

function text(item: StructuredItem | undefined, name: string): string | undefined {
  const value = item?.properties.get(name)?.[0];
  return typeof value === 'string' ? value : undefined;
}

function child(item: StructuredItem | undefined, name: string): StructuredItem | undefined {
  const value = item?.properties.get(name)?.[0];
  return typeof value === 'string' ? undefined : value;
}

describe('finding JSON-LD in the bytes of a page', () => {
  const found = (html: string): string[] => {
    const bytes = Buffer.from(html);
    return findJsonLd(bytes).map(({ start, end }) => bytes.toString('utf8', start, end));
  };

  it('takes the type in any case, with parameters, with an escaped plus and without quotes', () => {
    for (const type of [
      '"application/ld+json"',
      "'Application/LD+JSON; charset=utf-8'",
      '"application/ld&#x2B;json"',
      'application/ld+json',
    ]) {
      expect(found(`<p><script id=a type=${type} nonce="x">{}</script>`)).toEqual(['{}']);
    }
    expect(found('<SCRIPT TYPE="application/ld+json">{}</SCRIPT>')).toEqual(['{}']);
  });

  it('leaves out scripts that only speak of it, other types and commented ones', () => {
    expect(found(`<script>document.querySelector('script[type="application/ld+json"]')</script>`)).toEqual(
      [],
    );
    expect(found('<script type="application/json">{}</script>')).toEqual([]);
    expect(found('<!-- <script type="application/ld+json">{"a":1}</script> -->')).toEqual([]);
  });

  it('finds one behind a script with an HTML comment that is never closed, and one that never ends', () => {
    expect(found('<script><!-- x()</script><script type="application/ld+json">{"a":1}')).toEqual(['{"a":1}']);
  });
});

describe('JSON as pages have it', () => {
  it.each([
    ['trailing commas', '{"a":[1,2,],}', { a: ['1', '2'] }],
    ['line breaks and tabs inside strings', '{"a":"one\n\ttwo"}', { a: 'one\n\ttwo' }],
    ['comments', '{/* x */"a":"1", // y\n"b":"http://c"}', { a: '1', b: 'http://c' }],
    ['CDATA marks', '//<![CDATA[\n{"a":"1"}\n//]]>', { a: '1' }],
    ['an HTML comment around it', '<!-- {"a":"1"} -->', { a: '1' }],
    ['a quote inside a string', '{"a":"19" monitor, black","b":"2"}', { a: '19" monitor, black', b: '2' }],
    ['a backslash that escapes nothing', '{"a":"5\\" and C:\\dir",}', { a: '5" and C:\\dir' }],
    ['a comma that is missing before a key', '{"a":"1"\n"b":"2"}', { a: '1', b: '2' }],
    ['single quotes', "{'a':'it''s', 'b':'2'}", { a: "it''s", b: '2' }],
    ['keys without quotes', '{a:"1", b : 2,}', { a: '1', b: '2' }],
    ['numbers with leading zeros', '{"gtin":0012345678905}', { gtin: '0012345678905' }],
    ['numbers with separators', '{"price": 1,299.00, "b":1}', { price: '1,299.00', b: '1' }],
    ['values that are not there', '{"a": , "b": undefined, "c":"3"}', { c: '3' }],
    ['double braces', '{{"a":"1"}}', { a: '1' }],
    ['a semicolon', '{"a":"1"};', { a: '1' }],
  ])('is read with %s', (_what, json, expected) => {
    expect(JSON.parse(JSON.stringify(readTolerantJson(json)))).toEqual([expected]);
  });

  it('keeps what was complete before the text breaks off', () => {
    const [value] = readTolerantJson('{"name":"A","offers":{"price":"12.00","priceCurrency":"EU');
    expect(JSON.parse(JSON.stringify(value))).toEqual({ name: 'A', offers: { price: '12.00' } });
  });

  it('reads several values in a row', () => {
    expect(readTolerantJson('{"a":1}{"b":2}')).toHaveLength(2);
  });

  it('keeps every digit of a long number', () => {
    const [value] = readTolerantJson('{"sku":12345678901234567890}');
    expect(JSON.parse(JSON.stringify(value))).toEqual({ sku: '12345678901234567890' });
  });

  it('does not let a key reach the prototype of anything', () => {
    const [value] = readTolerantJson('{"__proto__":{"x":1},"a":"1",}');
    expect(Object.getPrototypeOf(value)).toBeNull();
    expect(({} as { x?: unknown }).x).toBeUndefined();
  });

  it('goes over what nests without end, and over unclosed brackets, in bounded steps', () => {
    expect(readTolerantJson(`${'['.repeat(200_000)}`)).toHaveLength(1);
    expect(readTolerantJson(`{"a":${'{"a":'.repeat(100_000)}`)).toHaveLength(1);
  });
});

describe('items of JSON-LD', () => {
  it('resolves references within the page, also across blocks and in circles', () => {
    const html = Buffer.concat([
      block('{"@type":"Product","@id":"#p","name":"A","offers":{"@id":"#o"}}'),
      block('{"@type":"Offer","@id":"#o","price":1.50,"itemOffered":{"@id":"#p"}}'),
    ]);
    const [product, offer] = readJsonLd(html).items;
    expect(child(product, 'offers')).toBe(offer);
    expect(child(offer, 'itemOffered')).toBe(product);
    expect(text(offer, 'price')).toBe('1.5');
  });

  it('joins what is said of the same @id in several places', () => {
    const items = read('[{"@type":"Product","@id":"#p","name":"A"},{"@id":"#p","sku":"S"}]');
    expect(items).toHaveLength(1);
    expect([text(items[0], 'name'), text(items[0], 'sku')]).toEqual(['A', 'S']);
  });

  it('knows names by prefixes, full addresses and the terms of a context', () => {
    for (const json of [
      '{"@context":{"s":"http://schema.org/"},"@type":"s:Product","s:name":"A"}',
      '{"@type":["https://schema.org/Product"],"https://schema.org/name":"A"}',
      '{"@context":["https://schema.org",{"label":"schema:name","kind":"@type"}],"kind":"Product","label":"A"}',
      '{"@context":{"label":{"@id":"http://schema.org/name"}},"@type":"schema:Product","label":"A"}',
    ]) {
      const [item] = read(json);
      expect([item?.types, text(item, 'name')]).toEqual([['Product'], 'A']);
    }
  });

  it('looks through @graph, @value, @list and @set', () => {
    const [item] = read(
      '{"@graph":[{"@type":"Product","name":{"@value":"A"},"image":{"@list":["a","b"]},"sku":{"@set":["S"]}}]}',
    );
    expect(item?.properties.get('image')).toEqual(['a', 'b']);
    expect([text(item, 'name'), text(item, 'sku')]).toEqual(['A', 'S']);
  });

  it('takes texts in the language of the page', () => {
    const maps = '{"@type":"Product","name":{"en":"Cup","de":"Tasse"}}';
    expect(text(read(maps, 'de-AT')[0], 'name')).toBe('Tasse');
    const values =
      '{"@type":"Product","name":[{"@value":"Cup","@language":"en"},{"@value":"Tasse","@language":"de"}]}';
    expect(text(read(values, 'de')[0], 'name')).toBe('Tasse');
  });

  it('decodes a block that was escaped as a whole', () => {
    expect(
      text(read('{&quot;@type&quot;:&quot;Product&quot;,&quot;name&quot;:&quot;A&quot;}')[0], 'name'),
    ).toBe('A');
  });

  it('says so when there was more than is read', () => {
    expect(readJsonLd(block(`{"a":"${'x'.repeat(9_000_000)}"}`)).isCut).toBe(true);
    expect(readJsonLd(block(`[${'{"a":1},'.repeat(450_000)}{}]`)).isCut).toBe(true);
  });
});
