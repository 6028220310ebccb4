import { describe, expect, it } from 'vitest';
import { microdataOf } from './items.ts';

const scope = (html: string) => microdataOf(`<div itemscope>${html}</div>`)[0];

describe('microdata', () => {
  it('is an item with its properties, and items inside it', () => {
    const html = `<div itemscope itemtype="https://schema.org/Product" itemid="urn:sku:1">
        <h1 itemprop="name">Anvil &amp; Co</h1>
        <div itemprop="offers" itemscope itemtype="https://schema.org/Offer">
          <meta itemprop="priceCurrency" content="USD"><span itemprop="price">119.99</span>
          <link itemprop="availability" href="http://schema.org/InStock">
          <div itemprop="seller" itemscope itemtype="https://schema.org/Organization"><b itemprop="name">ACME</b></div>
        </div>
        <p itemprop="description">Heavy
           thing</p>
      </div>`;
    expect(microdataOf(html)).toEqual([
      {
        types: ['Product'],
        id: 'urn:sku:1',
        name: ['Anvil & Co'],
        offers: [
          {
            types: ['Offer'],
            priceCurrency: ['USD'],
            price: ['119.99'],
            availability: ['http://schema.org/InStock'],
            seller: [{ types: ['Organization'], name: ['ACME'] }],
          },
        ],
        description: ['Heavy thing'],
      },
    ]);
  });

  it('is not there on a page without it', () => {
    expect(microdataOf('<p item="x">y<p itemprop=name>z')).toEqual([]);
  });

  it.each([
    ['http://schema.org/Product', 'Product'],
    ['https://schema.org/Product/', 'Product'],
    ['http://www.schema.org/Product', 'Product'],
    ['//schema.org/Product', 'Product'],
    ['schema.org/Product', 'Product'],
    ['HTTPS://Schema.org/Product', 'Product'],
    ['http://schema.org#Product', 'Product'],
    ['http://data-vocabulary.org/Product', 'Product'],
    ['http://data-vocabulary.org/Offer-aggregate', 'AggregateOffer'],
    ['http://example.org/animals#cat', 'http://example.org/animals#cat'],
    ['http://notschema.org/Product', 'http://notschema.org/Product'],
    ['Product', 'Product'],
  ])('has types without the address of schema.org: %s', (written, type) => {
    expect(microdataOf(`<div itemscope itemtype="${written}"></div>`)).toEqual([{ types: [type] }]);
  });

  it('has several types and several names for one value', () => {
    const html = `<div itemscope itemtype="https://schema.org/Product
      https://schema.org/Book"><b itemprop="name  title">X</b><b itemprop="name">Y</b></div>`;
    expect(microdataOf(html)).toEqual([{ types: ['Product', 'Book'], name: ['X', 'Y'], title: ['X'] }]);
  });

  it('knows properties by their address', () => {
    expect(
      scope('<i itemprop="http://schema.org/name">a</i><i itemprop="http://example.com/beep">b</i>'),
    ).toEqual({
      name: ['a'],
      'http://example.com/beep': ['b'],
    });
  });

  it.each([
    ['<meta itemprop=p content=" x ">', ' x '],
    ['<a itemprop=p href="a.html">t</a>', 'http://shop.test/p/a.html'],
    ['<area itemprop=p href="/a">', 'http://shop.test/a'],
    ['<link itemprop=p href="//cdn.test/x">', 'http://cdn.test/x'],
    ['<img itemprop=p src=" i.jpg ">', 'http://shop.test/p/i.jpg'],
    ['<video itemprop=p src=v.mp4></video>', 'http://shop.test/p/v.mp4'],
    ['<object itemprop=p data=o.pdf></object>', 'http://shop.test/p/o.pdf'],
    ['<data itemprop=p value=5>five</data>', '5'],
    ['<meter itemprop=p value=4.5>4.5 of 5</meter>', '4.5'],
    ['<time itemprop=p datetime="2020-11-05">5 November</time>', '2020-11-05'],
    ['<time itemprop=p>5 November</time>', '5 November'],
    ['<span itemprop=p>a <b>b</b></span>', 'a b'],
    ['<a itemprop=p>no address</a>', 'no address'],
    ['<a itemprop=p href="http://[">bad</a>', 'http://['],
  ])('has values by the kind of element: %s', (html, value) => {
    expect(scope(html)).toEqual({ p: [value] });
  });

  it.each([
    ['<span itemprop=price content="12.50">12,50 €</span>', 'price', '12.50'],
    ['<a itemprop=name href=/x>The name</a>', 'name', 'The name'],
    ['<a itemprop=brand href=/acme>ACME</a>', 'brand', 'ACME'],
    ['<a itemprop=url href=/x>The name</a>', 'url', 'http://shop.test/x'],
    [
      '<img itemprop=image src="data:image/gif;base64,R0" data-src="/real.jpg">',
      'image',
      'http://shop.test/real.jpg',
    ],
    ['<img itemprop=image content="/big.jpg">', 'image', 'http://shop.test/big.jpg'],
    ['<img itemprop=image srcset="/s.jpg 1x, /m.jpg 2x">', 'image', 'http://shop.test/s.jpg'],
    ['<input itemprop=sku value=A1>', 'sku', 'A1'],
    [
      '<span itemprop=availability href="http://schema.org/InStock"></span>',
      'availability',
      'http://schema.org/InStock',
    ],
  ])('understands what pages do beyond the standard: %s', (html, name, value) => {
    expect(scope(html)).toEqual({ [name]: [value] });
  });

  it('takes in what itemref points to, in the order of the page', () => {
    const html = `<i id=c itemprop=n>0</i><div itemscope itemref="b c none"><i itemprop=n>1</i></div>
      <div id=b><i itemprop=n>2</i><div itemprop=part itemscope><i itemprop=n>3</i></div></div>`;
    expect(microdataOf(html)).toEqual([{ n: ['0', '1', '2'], part: [{ n: ['3'] }] }]);
  });

  it('lets several items refer to the same place', () => {
    const html = '<div itemscope itemref=x></div><div itemscope itemref="x x"></div><b id=x itemprop=n>v</b>';
    expect(microdataOf(html)).toEqual([{ n: ['v'] }, { n: ['v'] }]);
  });

  it.each([
    ['itself', '<div itemscope id=a itemref=a><i itemprop=n>v</i></div>', [{ n: ['v'] }]],
    [
      'what is around it',
      '<div id=a><i itemprop=m>w</i><div itemprop=self itemscope itemref=a><i itemprop=n>v</i></div></div>',
      [{ n: ['v'], m: ['w'] }],
    ],
    [
      'each other',
      `<div itemscope id=a itemref=b itemtype=T><i itemprop=n>1</i></div>
       <div itemscope id=b itemref=c itemprop=x><i itemprop=n>2</i></div>
       <div itemscope id=c itemref=b itemprop=y></div>`,
      [{ types: ['T'], n: ['1'], x: [{ n: ['2'], y: [{}] }] }],
    ],
  ])('has an end where items refer to %s', (_, html, items) => {
    expect(microdataOf(html)).toEqual(items);
  });

  it('keeps an item that is marked as the property of nothing', () => {
    expect(
      microdataOf('<div itemprop=offers itemscope itemtype=Offer><i itemprop=price>5</i></div>'),
    ).toEqual([{ types: ['Offer'], price: ['5'] }]);
  });

  it('does not read templates', () => {
    expect(microdataOf('<template><div itemscope><i itemprop=n>v</i></div></template>')).toEqual([]);
  });

  it('understands the vocabulary that was there before', () => {
    const html = `<div itemscope itemtype="http://data-vocabulary.org/Product"><h1 itemprop=name>X</h1>
      <span itemprop=review itemscope itemtype="http://data-vocabulary.org/Review-aggregate">
        <span itemprop=rating>4.4</span><span itemprop=count>3</span></span>
      <span itemprop=offerDetails itemscope itemtype="http://data-vocabulary.org/Offer">
        <meta itemprop=currency content=USD><b itemprop=price>$5</b></span></div>`;
    expect(microdataOf(html)).toEqual([
      {
        types: ['Product'],
        name: ['X'],
        aggregateRating: [{ types: ['AggregateRating'], ratingValue: ['4.4'], reviewCount: ['3'] }],
        offers: [{ types: ['Offer'], priceCurrency: ['USD'], price: ['$5'] }],
      },
    ]);
  });
});
