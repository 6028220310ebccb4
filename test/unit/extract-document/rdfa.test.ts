import { describe, expect, it } from 'vitest';
import { rdfaOf } from './items.ts';

describe('RDFa', () => {
  it('is an item with its properties, and items inside it', () => {
    const html = `<div vocab="https://schema.org/" typeof="Product" resource="#p">
        <img property="image" src="x.jpg"><span property="name">Anvil</span>
        <div property="offers" typeof="Offer">
          <span property="priceCurrency" content="USD">$</span><span property="price">5.00</span>
          <link property="availability" href="http://schema.org/InStock">
          <time property="priceValidUntil" datetime="2020-11-05">5 November</time>
          <span property="seller" typeof="Organization"><b property="name">ACME</b></span>
        </div>
        <b property="sku">A1</b>
      </div>`;
    expect(rdfaOf(html)).toEqual([
      {
        types: ['Product'],
        id: 'http://shop.test/p/1#p',
        image: ['http://shop.test/p/x.jpg'],
        name: ['Anvil'],
        offers: [
          {
            types: ['Offer'],
            priceCurrency: ['USD'],
            price: ['5.00'],
            availability: ['http://schema.org/InStock'],
            priceValidUntil: ['2020-11-05'],
            seller: [{ types: ['Organization'], name: ['ACME'] }],
          },
        ],
        sku: ['A1'],
      },
    ]);
  });

  it('is not there on a page that gives nothing a type', () => {
    expect(
      rdfaOf('<meta property="og:title" content=x><a rel=nofollow href=/>y</a><b property=name>z</b>'),
    ).toEqual([]);
  });

  it.each([
    ['<div vocab="http://schema.org/" typeof="Product"><b property="name">X</b></div>'],
    ['<div vocab="http://schema.org" typeof="Product"><b property="name">X</b></div>'],
    ['<body vocab="https://schema.org/"><div typeof="Product"><p><b property="name">X</b></p></div>'],
    ['<div typeof="schema:Product"><b property="schema:name">X</b></div>'],
    ['<div prefix="s: https://schema.org/" typeof="s:Product"><b property="s:name">X</b></div>'],
    [
      '<div prefix="a: http://a.test/# z: http://schema.org/" typeof="z:Product"><b property="z:name">X</b></div>',
    ],
    ['<html xmlns:q="http://schema.org/"><div typeof="q:Product"><b property="q:name">X</b></div>'],
    ['<div typeof="http://schema.org/Product"><b property="http://schema.org/name">X</b></div>'],
    ['<div typeof="Product"><b property="name">X</b></div>'],
  ])('finds the names of schema.org: %s', (html) => {
    expect(rdfaOf(html)).toEqual([{ types: ['Product'], name: ['X'] }]);
  });

  it('leaves names of other vocabularies whole', () => {
    const html = `<div vocab="http://schema.org/" typeof="Product og:product"><b property="og:title">X</b>
      <b vocab="http://other.test/#" property="name">Y</b></div>`;
    expect(rdfaOf(html)).toEqual([
      {
        types: ['Product', 'http://ogp.me/ns#product'],
        'http://ogp.me/ns#title': ['X'],
        'http://other.test/#name': ['Y'],
      },
    ]);
  });

  it('puts together what is said of one thing in several places', () => {
    const html = `<div prefix="s: http://schema.org/"><div about="#p" typeof="s:Product"><b property="s:name">P</b>
      <a rel="s:offers" href="#o">o</a></div><div about="#o" typeof="s:Offer"><i property="s:price">3</i></div>
      <div resource="#p"><i property="s:sku">SK</i></div><p about="#p" property="s:mpn" content="M"></p></div>`;
    expect(rdfaOf(html)).toEqual([
      {
        types: ['Product'],
        id: 'http://shop.test/p/1#p',
        name: ['P'],
        offers: [{ types: ['Offer'], id: 'http://shop.test/p/1#o', price: ['3'] }],
        sku: ['SK'],
        mpn: ['M'],
      },
    ]);
  });

  it('follows relations to what is inside them', () => {
    const html = `<div vocab="http://schema.org/" typeof="Product"><ul rel="offers">
      <li typeof="Offer"><b property="price">1</b></li><li typeof="Offer"><b property="price">2</b></li></ul>
      <div rel="brand"><b property="name">B</b></div><div rel="image"><img src="a.jpg"></div>
      <div rel="isRelatedTo" resource="/p/2"></div></div>`;
    expect(rdfaOf(html)).toEqual([
      {
        types: ['Product'],
        offers: [
          { types: ['Offer'], price: ['1'] },
          { types: ['Offer'], price: ['2'] },
        ],
        brand: [{ name: ['B'] }],
        image: ['http://shop.test/p/a.jpg'],
        isRelatedTo: ['http://shop.test/p/2'],
      },
    ]);
  });

  it('follows relations backwards', () => {
    const html = `<div prefix="s: http://schema.org/" typeof="s:Offer"><b property="s:price">1</b>
      <div rev="s:offers"><div typeof="s:Product"><b property="s:name">X</b></div></div></div>`;
    expect(rdfaOf(html)).toEqual([
      { types: ['Product'], name: ['X'], offers: [{ types: ['Offer'], price: ['1'] }] },
    ]);
  });

  it('is not led astray by links that say nothing', () => {
    const html = `<div vocab="http://schema.org/" typeof="Product"><a href="/x" rel="nofollow noopener">
      <b property="name">X</b></a><a property="url" href="/p/1"><i property="sku">S</i></a>
      <a property="brand" href="/acme">ACME</a></div>`;
    expect(rdfaOf(html)).toEqual([
      { types: ['Product'], name: ['X'], url: ['http://shop.test/p/1'], sku: ['S'], brand: ['ACME'] },
    ]);
  });

  it('tells GoodRelations in the words of schema.org', () => {
    const html = `<div xmlns:gr="http://purl.org/goodrelations/v1#" about="#offer" typeof="gr:Offering">
      <b property="gr:name">Name</b><div rel="gr:hasPriceSpecification"><div typeof="gr:UnitPriceSpecification">
      <i property="gr:hasCurrency" content="EUR">€</i><i property="gr:hasCurrencyValue" content="15.00">15</i></div></div>
      <div rel="foaf:depiction" resource="/img.jpg"></div><div rel="gr:includes">
      <div typeof="gr:SomeItems" about="#product"><i property="gr:hasEAN_UCC-13" content="4006381333931"></i></div></div></div>`;
    expect(rdfaOf(html)).toEqual([
      {
        types: ['Offer'],
        id: 'http://shop.test/p/1#offer',
        name: ['Name'],
        priceSpecification: [{ types: ['UnitPriceSpecification'], priceCurrency: ['EUR'], price: ['15.00'] }],
        image: ['http://shop.test/img.jpg'],
        itemOffered: [{ types: ['Product'], id: 'http://shop.test/p/1#product', gtin13: ['4006381333931'] }],
      },
    ]);
  });

  it('understands the vocabulary that was there before', () => {
    const html = `<div xmlns:v="http://rdf.data-vocabulary.org/#" typeof="v:Product"><b property="v:name">N</b>
      <span rel="v:review"><span typeof="v:Review-aggregate"><i property="v:average">4.4</i>
      <i property="v:count">89</i></span></span></div>`;
    expect(rdfaOf(html)).toEqual([
      {
        types: ['Product'],
        name: ['N'],
        aggregateRating: [{ types: ['AggregateRating'], ratingValue: ['4.4'], reviewCount: ['89'] }],
      },
    ]);
  });

  it('gives what stands on the body to the page', () => {
    const html = '<body vocab="http://schema.org/" typeof="Product"><b property="name">X</b></body>';
    expect(rdfaOf(html)).toEqual([{ types: ['Product'], id: 'http://shop.test/p/1', name: ['X'] }]);
  });

  it('has an end where things are about each other', () => {
    const html = `<div prefix="s: http://schema.org/"><div about="#a" typeof="s:A"><a rel="s:x" href="#b">b</a></div>
      <div about="#b" typeof="s:B"><a rel="s:y" href="#a">a</a></div></div>`;
    expect(rdfaOf(html)).toEqual([
      {
        types: ['A'],
        id: 'http://shop.test/p/1#a',
        x: [{ types: ['B'], id: 'http://shop.test/p/1#b' }],
      },
    ]);
  });
});
