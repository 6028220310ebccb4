import { describe, expect, it } from 'vitest';
import { genericParser } from '../../../src/engine/extract/generic/generic-parser.ts';

const URL = 'https://shop.example/p/kettle';

function extract(body: string, url = URL, head = ''): Record<string, unknown> {
  const html = `<html><head><title>Kettle</title>${head}</head><body><main><h1>Kettle</h1>${body}</main></body></html>`;
  const { fields } = genericParser.extract({
    html: Buffer.from(html),
    url,
    baseUrl: url,
    language: undefined,
  });
  return Object.fromEntries(Object.entries(fields).map(([name, field]) => [name, field?.value]));
}

const BUTTON = '<button>Add to cart</button>';

describe('a visible price', () => {
  it.each([
    ['<div class="price"><div class="price__sale"><s>$30.00</s> <span>$24.00</span></div></div>', '24', '30'],
    ['<p class="price"><span class="sale"><del>£45.00</del> <ins>£42.00</ins></span></p>', '42', '45'],
  ])('is told from the old one inside what is called the new one: %s', (html, price, listPrice) => {
    expect(extract(html + BUTTON)).toMatchObject({ price, listPrice });
  });

  it.each([
    ['$<span>499</span><sup>99</sup>', '499.99'],
    ['<sup>$</sup>499<sup>99</sup>', '499.99'],
    ['<span>$</span><span>499</span><span>99</span>', '499.99'],
    ['$<span>1,499</span><sup>99</sup>', '1499.99'],
    ['<span>1.499</span><sup>99</sup> €', '1499.99'],
    ['$<span>499</span><span>.</span><span>99</span>', '499.99'],
    ['$<span>499.</span><span>99</span>', '499.99'],
  ])('has its cents in an element of their own: %s', (html, price) => {
    expect(extract(`<div class="price">${html}</div>${BUTTON}`)).toMatchObject({ price });
  });

  it('is none with more than three decimals', () => {
    expect(extract(`<div class="price">$4.12345</div>${BUTTON}`)).not.toHaveProperty('price');
  });
});

describe('what is seen', () => {
  const body = `<div class="price">$20.00</div><p class="stock">In stock</p>`;

  it('fills in a product that only metas tell', () => {
    const metas =
      '<meta property="og:type" content="product"><meta property="og:title" content="Kettle">' +
      '<meta property="product:price:amount" content="20.00"><meta property="product:price:currency" content="USD">';
    expect(extract(body, URL, metas)).toMatchObject({ price: '20', availability: 'in_stock' });
  });

  it('makes no product of a front page', () => {
    expect(extract(body + BUTTON)).toMatchObject({ price: '20' });
    expect(extract(body + BUTTON, 'https://shop.example/')).toEqual({});
  });
});

describe('a price of nothing in data', () => {
  const data = (type: string): string =>
    `<script type="application/ld+json">${JSON.stringify({
      '@context': 'https://schema.org',
      '@type': type,
      name: 'Kettle',
      offers: { '@type': 'Offer', price: '0', priceCurrency: 'USD' },
    })}</script>`;

  it.each(['SoftwareApplication', 'MobileApplication', 'WebApplication', 'Course', 'Book'])(
    'is believed of a %s, unless another price is to be seen',
    (type) => {
      expect(extract('', URL, data(type))).toMatchObject({ price: '0', currency: 'USD' });
      expect(extract(`<div class="price">$20.00</div>${BUTTON}`, URL, data(type))).toMatchObject({
        price: '20',
      });
    },
  );

  it('is not of a thing', () => {
    expect(extract('', URL, data('Product'))).not.toHaveProperty('price');
  });
});
