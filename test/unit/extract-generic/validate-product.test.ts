import { describe, expect, it } from 'vitest';
import type { FoundField, FoundFields, ProductFields } from '../../../src/engine/extract/product-fields.ts';
import { judgeProduct } from '../../../src/engine/extract/validate-product.ts';

function found(values: Partial<ProductFields>): FoundFields {
  return Object.fromEntries(
    Object.entries(values).map(([name, value]): [string, FoundField<unknown>] => [
      name,
      { value, source: 'json-ld', confidence: 0.9 },
    ]),
  ) as FoundFields;
}

function judge(values: Partial<ProductFields>): [string, string[]] {
  const { verdict, problems } = judgeProduct(found(values));
  return [verdict, problems.map(({ field, code }) => `${field}:${code}`)];
}

describe('the judgement of a product', () => {
  it('asks for a name, a price and its currency', () => {
    expect(judge({ name: 'A', price: '1', currency: 'EUR' })).toEqual(['valid', []]);
    expect(judge({ price: '1', currency: 'EUR' })).toEqual(['partial', ['name:missing']]);
    expect(judge({ name: 'A', availability: 'in_stock' })).toEqual(['partial', ['price:missing']]);
    expect(judge({ name: 'A', price: '1' })).toEqual(['partial', ['currency:missing']]);
  });

  it('asks for no price of what is sold out, and for no currency of what is free', () => {
    expect(judge({ name: 'A', availability: 'out_of_stock' })).toEqual(['valid', []]);
    expect(judge({ name: 'A', price: '0' })).toEqual(['valid', []]);
  });

  it('refuses names that are none', () => {
    for (const name of ['undefined', '???', '{{ product.name }}', '[object Object]']) {
      expect(judge({ name, price: '1', currency: 'EUR' })).toEqual(['invalid', ['name:bad-format']]);
    }
  });

  it('refuses prices that are none, or more than anything costs in that currency', () => {
    expect(judge({ name: 'A', price: '1e308', currency: 'EUR' })[0]).toBe('invalid');
    expect(judge({ name: 'A', price: '-5', currency: 'EUR' })[0]).toBe('invalid');
    expect(judge({ name: 'A', price: '10000001', currency: 'EUR' })).toEqual([
      'invalid',
      ['price:implausible'],
    ]);
    expect(judge({ name: 'A', price: '250000000', currency: 'IDR' })).toEqual(['valid', []]);
    expect(judge({ name: 'A', price: '25000000', currency: 'JPY' })).toEqual(['valid', []]);
  });

  it('leaves out lesser fields that cannot be right, and says so', () => {
    const { verdict, problems, fields } = judgeProduct(
      found({
        name: 'A',
        price: '10',
        currency: 'EUR',
        listPrice: '1000.01',
        priceHigh: '9',
        rating: '7',
        reviewCount: -1,
      }),
    );
    expect(verdict).toBe('valid');
    expect(problems.map(({ field }) => field).sort()).toEqual([
      'listPrice',
      'priceHigh',
      'rating',
      'reviewCount',
    ]);
    expect(Object.keys(fields).sort()).toEqual(['currency', 'name', 'price']);
  });

  it('keeps a list price of a hundred times the price, and leaves out what is no currency', () => {
    expect(
      judgeProduct(found({ name: 'A', price: '10', currency: 'EUR', listPrice: '1000' })).fields.listPrice,
    ).toBeDefined();
    expect(judge({ name: 'A', price: '10', currency: 'XYZ' })).toEqual([
      'partial',
      ['currency:unknown', 'currency:missing'],
    ]);
  });
});
