/** What no request may carry: found without more work than the limit allows. */
import { describe, expect, it } from 'vitest';
import { findExcess } from '../../src/api/count-values.ts';
import { findFault, hasMoreValues } from '../../src/api/plain-values.ts';

/** A list that counts how often somebody looks at something of it. */
function counting(items: readonly unknown[]): { readonly list: unknown; readonly looks: () => number } {
  let looks = 0;
  const list = new Proxy(items, {
    get: (target, name) => {
      looks += 1;
      return Reflect.get(target, name) as unknown;
    },
    ownKeys: (target) => {
      looks += target.length;
      return Reflect.ownKeys(target);
    },
  });
  return { list, looks: () => looks };
}

const nested = (levels: number): unknown => {
  let value: unknown = 1;
  for (let level = 0; level < levels; level += 1) value = [value];
  return value;
};

describe('a list that is too long', () => {
  it.each([
    ['a fault', (list: unknown) => findFault('body', { list }, 1000)?.message],
    ['more values', (list: unknown) => hasMoreValues({ list }, 1000)],
  ])('is not gone through to find %s', (_what, look) => {
    const { list, looks } = counting(Array.from({ length: 100_000 }, (_, n) => n));
    expect(look(list)).toEqual(_what === 'a fault' ? 'More than 1000 values' : true);
    expect(looks()).toBeLessThan(20);
  });

  it('is found too long when all its parts together are', () => {
    const parts = Array.from({ length: 10 }, () => [1, 2, 3]);
    expect(hasMoreValues(parts, 40)).toBe(true);
    expect(hasMoreValues(parts, 41)).toBe(false);
    expect(findFault('body', parts, 40)?.message).toBe('More than 40 values');
    expect(findFault('body', parts, 41)).toBeUndefined();
  });
});

describe('a fault', () => {
  it.each([
    [{ a: [1, { b: 'x\0' }] }, 'body.a.1.b'],
    [{ a: [{ 'b\0': 1 }] }, 'body.a.0'],
    [['ok', '\ud800'], 'body.1'],
  ])('of %j is told with its place', (value, path) => {
    expect(findFault('body', value)).toMatchObject({
      path,
      message: expect.stringMatching(/^NUL and halves/),
    });
  });

  it('is nesting of more than 32 levels', () => {
    expect(findFault('body', nested(32))).toBeUndefined();
    expect(findFault('body', nested(33))?.message).toBe('Nested more than 32 deep');
    expect(findFault('body', nested(100_000))?.message).toBe('Nested more than 32 deep');
  });
});

describe('a text of JSON', () => {
  const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);

  it('is counted before it is parsed', () => {
    expect(findExcess(bytes(`[${'1,'.repeat(5000)}1]`), 5000)).toBe('More than 5000 values');
    expect(findExcess(bytes(`[${'1,'.repeat(4000)}1]`), 5000)).toBeUndefined();
    expect(findExcess(bytes('['.repeat(1_000_000)), 10_000_000)).toBe('Nested more than 50000 deep');
  });

  it('may have any number of commas and brackets within its texts', () => {
    const text = JSON.stringify({ html: '[{,"\\'.repeat(10_000), more: ['\\', '\\"', ',,,'.repeat(5000)] });
    expect(findExcess(bytes(text), 2000)).toBeUndefined();
    expect(findExcess(bytes(`${text.slice(0, -1)},"list":[${'1,'.repeat(3000)}1]}`), 2000)).toBe(
      'More than 2000 values',
    );
  });

  it('that ends within a text is left to the parser', () => {
    expect(findExcess(bytes(`["${'x'.repeat(5000)}`), 2000)).toBeUndefined();
  });
});
