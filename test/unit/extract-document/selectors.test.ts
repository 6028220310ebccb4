import { describe, expect, it } from 'vitest';
import { parseDocument } from '../../../src/engine/extract/document/page-document.ts';
import { ForagerError } from '../../../src/platform/errors.ts';

const document = parseDocument(
  Buffer.from(`<html lang="en"><body>
    <div id="main" class="product card" data-sku="AB-12">
      <h1>Name</h1>
      <p class="price now">12 <i>EUR</i></p>
      <p class="price old"><s>15 EUR</s></p>
      <ul><li>a</li><li class="b">b</li><li>c</li></ul>
      <img src="/a.jpg"><span></span>
      <template><p class="price">hidden</p></template>
    </div>
    <div class="card"><p>other</p></div>
  </body></html>`),
);
const found = (selector: string) => document.select(selector).map((element) => element.text());

describe('selectors', () => {
  it.each<[string, string[]]>([
    ['.price', ['12 EUR', '15 EUR']],
    ['P.price.now', ['12 EUR']],
    ['#main > h1', ['Name']],
    ['[data-sku^="AB"] h1', ['Name']],
    ['[data-sku$="12"] h1', ['Name']],
    ['[data-sku*="B-"] h1', ['Name']],
    ['[data-sku|="AB"] h1', ['Name']],
    ['[class~="card"][data-sku] h1', ['Name']],
    ['[DATA-SKU="ab-12" i] h1', ['Name']],
    ['li:nth-child(2)', ['b']],
    ['li:nth-child(odd)', ['a', 'c']],
    ['li:last-of-type', ['c']],
    ['li:first-child, li:last-child', ['a', 'c']],
    ['h1 + p', ['12 EUR']],
    ['h1 ~ p', ['12 EUR', '15 EUR']],
    ['p:has(> s)', ['15 EUR']],
    ['p:not(.price)', ['other']],
    ['p:is(.old, .now):not(:has(s))', ['12 EUR']],
    ['p:contains("other")', ['other']],
    ['span:empty', ['']],
    ['html:root > body > div.card:nth-of-type(2)', ['other']],
    ['.nothing', []],
  ])('%s', (selector, texts) => {
    expect(found(selector)).toEqual(texts);
  });

  it('are relative to an element, where one is given', () => {
    const main = document.selectFirst('#main');
    expect(document.select('p', main)).toHaveLength(2);
    expect(document.select('> p', main)).toHaveLength(2);
    expect(document.select('> li', main)).toHaveLength(0);
    expect(document.select(':scope > ul > li', main)).toHaveLength(3);
    expect(document.select('div p', main)).toHaveLength(0);
    expect(document.select('+ div', main).map((element) => element.text())).toEqual(['other']);
    // The same selectors again, in another element: nothing is kept of the first one.
    const other = document.selectFirst('#main + div');
    expect(document.select('> p', other).map((element) => element.text())).toEqual(['other']);
    expect(document.select('p:has(s)', other)).toHaveLength(0);
    expect(document.select('p:has(s)', main)).toHaveLength(1);
  });

  it('find the first in the order of the page', () => {
    expect(document.selectFirst('i, h1, s')?.name).toBe('h1');
    expect(document.selectFirst('nav')).toBeUndefined();
  });

  it('do not look into templates', () => {
    expect(found('template .price')).toEqual([]);
  });

  it.each(['p[[', 'p:nope', 'p::before', '', 'p >', ':nth-child(x)', 'a|b'])(
    'that cannot be read are refused by name: %j',
    (selector) => {
      expect(() => document.select(selector)).toThrow(ForagerError);
      expect(() => document.select(selector)).toThrow(JSON.stringify(selector));
    },
  );

  it('that would cost the square of a page are given up', () => {
    const long = parseDocument(Buffer.from(`<ul>${'<li>x</li>'.repeat(20_000)}</ul>`));
    expect(() => long.select('li:nth-last-child(3)')).toThrow(/takes too long/);
    expect(long.select('li + li')).toHaveLength(19_999);
  });
});
