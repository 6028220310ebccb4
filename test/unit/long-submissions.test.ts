/** What a large submission costs everybody else: it is looked at in stretches, and only as far as needed. */
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { validate } from '../../src/api/validate.ts';
import { endpoint } from '../../src/contract/endpoint.ts';
import { readNamedUrls } from '../../src/control/frontier/read-named-urls.ts';
import { hasScheme } from '../../src/engine/frontier/seeds.ts';
import { hideUserinfo } from '../../src/platform/redact-url.ts';

describe('reading named URLs', () => {
  test.each([
    ['many short ones', 10_000, 'https://a.example/'],
    ['few long ones', 500, `https://a.example/${'x'.repeat(8000)}`],
  ])('lets others in between: %s', async (_what, count, url) => {
    let turns = 0;
    let isOver = false;
    const others = (): void => {
      turns += 1;
      if (!isOver) setImmediate(others);
    };
    setImmediate(others);
    const named = Array.from({ length: count }, () => ({ url, priority: 2, depth: 0 }));
    const { read } = await readNamedUrls(named, { isSeed: false, allowPrivate: false });
    isOver = true;
    expect(read).toHaveLength(count);
    expect(turns).toBeGreaterThan(20);
  });
});

describe('validating a long list', () => {
  const asked: unknown[] = [];
  const item = z.custom<string>((value) => {
    asked.push(value);
    return typeof value === 'string';
  });
  const list = endpoint({
    ...{ name: 'x', method: 'POST', path: '/x', group: 'frontier', summary: 'x', allows: 'read' },
    body: z.strictObject({ items: z.array(item).max(5000).optional() }),
  });
  const refusalOf = (items: unknown[]): unknown => {
    asked.length = 0;
    try {
      return validate(list, { params: {}, query: {}, body: { items } });
    } catch (error) {
      return error;
    }
  };

  test('looks at no item of a list that is too long', () => {
    expect(refusalOf(Array(50_000).fill(1))).toMatchObject({ code: 'invalid' });
    expect(asked).toHaveLength(0);
  });

  test('looks no further than the first twenty faults', () => {
    expect(refusalOf(Array(5000).fill(1))).toMatchObject({ code: 'invalid' });
    expect(asked).toHaveLength(20);
  });

  test('lets a list pass in which nothing is wrong', () => {
    expect(refusalOf(Array(5000).fill('a'))).toMatchObject({ body: { items: Array(5000).fill('a') } });
  });
});

test.each([
  ['https://a.example', true],
  ['localhost:8080/x', false],
  ['example.com:123456', false],
  ['mailto:me', true],
  ['localhost:123456', true],
  ['a.b:80?x', false],
  ['a.b:80x', true],
])('%s names a scheme: %s', (text, expected) => {
  expect(hasScheme(text)).toBe(expected);
});

test.each([
  ['https://a.example/@anna', 'https://a.example/@anna'],
  ['https://a.example:8080/@anna', 'https://a.example:8080/@anna'],
  ['mailto:me@a.example', 'mailto:me@a.example'],
  ['https://u:p@q/r@a.example/', 'https://***@a.example/'],
  ['https://u@a.example/@x', 'https://***@a.example/@x'],
  ['//u:p@a.example/x', '//***@a.example/x'],
  ['https://u:p/q#r@a.example/', 'https://***@a.example/'],
  ['u@a.example', '***@a.example'],
  ['https:u:p@a.example', '***@a.example'],
])('%s is shown as %s', (text, shown) => {
  expect(hideUserinfo(text)).toBe(shown);
});
