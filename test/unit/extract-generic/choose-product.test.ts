import { describe, expect, it } from 'vitest';
import { genericParser } from '../../../src/engine/extract/generic/generic-parser.ts';
import type { Extraction } from '../../../src/engine/extract/product-fields.ts';

const URL = 'https://shop.example/lamps/arc';

function extract(body: string, url = URL): Extraction {
  const html = `<html lang="en"><head><title>Lighting</title></head><body>${body}</body></html>`;
  return genericParser.extract({ html: Buffer.from(html), url, baseUrl: url, language: 'en' });
}

function data(...items: readonly unknown[]): string {
  const graph = { '@context': 'https://schema.org', '@graph': items };
  return `<script type="application/ld+json">${JSON.stringify(graph)}</script>`;
}

function values(extraction: Extraction): Record<string, unknown> {
  const found = Object.entries(extraction.fields).map(([name, field]) => [name, field?.value]);
  return { verdict: extraction.verdict, ...Object.fromEntries(found) };
}

const offer = (price: string, more: object = {}): object => ({
  '@type': 'Offer',
  price,
  priceCurrency: 'EUR',
  availability: 'https://schema.org/InStock',
  ...more,
});

describe('one product among others that are only named', () => {
  const arc = { '@type': 'Product', name: 'Arc lamp', offers: offer('89') };
  const bare = (name: string): object => ({ '@type': 'Product', name });

  it('is the one that is for sale', () => {
    const found = values(extract(data(bare('Shade'), arc, bare('Bulb'), bare('Cable'))));
    expect(found).toMatchObject({ verdict: 'valid', name: 'Arc lamp', price: '89' });
  });

  it('is none where several are for sale', () => {
    const others = ['Shade', 'Bulb'].map((name) => ({ ...bare(name), offers: offer('9') }));
    expect(extract(data(arc, ...others)).verdict).toBe('none');
  });

  it('is not what it names as related, by whichever name', () => {
    for (const name of ['related_products', 'crossSell', 'recommendations', 'worksWith']) {
      const others = [bare('Shade'), bare('Bulb'), { ...bare('Lighting'), offers: offer('5') }];
      expect(values(extract(data({ ...arc, [name]: others })))).toMatchObject({ name: 'Arc lamp' });
    }
  });
});

describe('a group beside its variants', () => {
  const group = { '@type': 'ProductGroup', '@id': '#arc', name: 'Arc lamp', productGroupID: 'ARC' };
  const variant = (color: string, price: string, more: object = {}): object => ({
    '@type': 'Product',
    name: `Arc lamp, ${color}`,
    color,
    inProductGroupWithID: 'ARC',
    offers: offer(price, { url: `${URL}?color=${color}` }),
    ...more,
  });

  it('is what the page is about, with the range of its variants', () => {
    const found = values(extract(data(group, variant('black', '89'), variant('brass', '109'))));
    expect(found).toMatchObject({ name: 'Arc lamp', price: '89', priceHigh: '109', currency: 'EUR' });
    expect(found.variants).toHaveLength(2);
  });

  it('gives way to the variant that has the page’s own address', () => {
    const html = data(group, variant('black', '89'), variant('brass', '109'));
    const found = values(extract(html, `${URL}?color=brass`));
    expect(found).toMatchObject({ name: 'Arc lamp, brass', price: '109' });
  });

  it('has no variant of which only an address is told', () => {
    const elsewhere = { '@type': 'Product', url: 'https://shop.example/lamps/arc-xl' };
    const hasVariant = [variant('black', '89'), elsewhere];
    const found = values(extract(data({ ...group, hasVariant })));
    expect(found.variants).toEqual([expect.objectContaining({ name: 'Arc lamp, black' })]);
  });

  it('counts variants that can be ordered, though they are not there yet', () => {
    const late = variant('brass', '109', { offers: offer('109', { availability: 'BackOrder' }) });
    const gone = variant('white', '129', { offers: offer('129', { availability: 'OutOfStock' }) });
    expect(
      values(extract(data({ ...group, hasVariant: [variant('black', '89'), late, gone] }))),
    ).toMatchObject({ price: '89', priceHigh: '109', availability: 'in_stock' });
  });
});

describe('a price for so much of a thing', () => {
  const oil = (referenceQuantity: object): object => ({
    '@type': 'Product',
    name: 'Lamp oil',
    offers: {
      '@type': 'Offer',
      priceSpecification: {
        '@type': 'UnitPriceSpecification',
        price: '12.50',
        priceCurrency: 'EUR',
        referenceQuantity,
      },
    },
  });

  it('is the thing’s own, where a measure to compare it by is told beside it', () => {
    const quantity = { value: '750', unitCode: 'MLT', valueReference: { value: '1', unitCode: 'LTR' } };
    expect(values(extract(data(oil(quantity))))).toMatchObject({ price: '12.5', currency: 'EUR' });
  });

  it('is not its price otherwise, but tells the currency', () => {
    const found = values(extract(data(oil({ value: '1', unitCode: 'LTR' }))));
    expect(found).toMatchObject({ verdict: 'partial', currency: 'EUR' });
    expect(found).not.toHaveProperty('price');
  });
});
