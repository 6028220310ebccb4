import { describe, expect, test } from 'vitest';
import { trapReason } from '../../src/engine/frontier/path-traps.ts';

describe('a trap is recognised', () => {
  test.each([
    '/a/b/a/b/a/b',
    '/x/x/x/x',
    '/a/b/c/a/b/c/a/b/c',
    '/start/a/b/a/b/a/b/end.html',
    '/shop/x/shop/y/shop/z/shop/',
    '/2020/a/2020/a/2020/a',
    '/css/css/css/css/style.css?v=1',
    '/a/////b',
  ])('by segments that come round again: %s', (path) => {
    expect(trapReason(`http://e.com${path}`)).toBe('repeating-segments');
  });

  test('by the number of its segments, parameters and characters', () => {
    const segments = (count: number) =>
      `http://e.com${Array.from({ length: count }, (_, index) => `/s${index}`).join('')}`;
    expect(trapReason(segments(20))).toBeUndefined();
    expect(trapReason(`${segments(20)}/`)).toBeUndefined();
    expect(trapReason(segments(21))).toBe('too-many-segments');

    const parameters = (count: number) =>
      `http://e.com/?${Array.from({ length: count }, (_, index) => `p${index}=1`).join('&')}`;
    expect(trapReason(parameters(20))).toBeUndefined();
    expect(trapReason(parameters(21))).toBe('too-many-parameters');

    const prefix = 'http://e.com/';
    expect(trapReason(prefix + 'a'.repeat(2048 - prefix.length))).toBeUndefined();
    expect(trapReason(prefix + 'a'.repeat(2049 - prefix.length))).toBe('too-long');
  });
});

describe('a real page is not taken for one', () => {
  test.each([
    'http://e.com',
    'http://e.com/',
    'http://e.com/2020/2020',
    'http://e.com/en/en/',
    'http://e.com/x/x/x',
    'http://e.com/a/b/a/b',
    'http://e.com/tiles/0/0/0/0/0',
    'http://e.com/1/2/1/2/1/2',
    'http://e.com/2024/05/12/05/12/title',
    'http://e.com/docs/api/v1/docs/guide/docs/intro',
    'http://web.archive.org/web/2020/http://a.com/b/http/',
    'http://e.com/search?u=/a/a/a/a/a/a',
  ])('%s', (url) => {
    expect(trapReason(url)).toBeUndefined();
  });
});

test('a link that goes one level deeper each time is caught within a few steps', () => {
  let url = 'http://e.com/docs/guide/';
  let steps = 0;
  while (trapReason(url) === undefined && steps < 50) {
    url = new URL('docs/guide/', url).href;
    steps++;
  }
  expect(steps).toBe(2);
});
