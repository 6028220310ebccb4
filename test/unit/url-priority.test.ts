import { describe, expect, test } from 'vitest';
import { urlPriority } from '../../src/engine/frontier/url-priority.ts';

describe('priority', () => {
  test.each([
    ['http://e.com/', 9],
    ['http://e.com', 9],
    ['http://e.com/a/b', 1],
    ['http://e.com/a/b', 2],
    ['http://e.com/about', 2],
  ])('is high for homepages and shallow pages: %s at depth %i', (url, depth) => {
    expect(urlPriority(url, depth, false)).toBe(3);
  });

  test('is high for seeds whatever they look like', () => {
    expect(urlPriority('http://e.com/archive?page=3', 0, true)).toBe(3);
  });

  test.each([
    ['http://e.com/product/5', 3],
    ['http://e.com/2024/05/a-post', 5],
    ['http://e.com/p/2', 3],
    ['http://e.com/?p=12', 3],
    ['http://e.com/homepage', 3],
    ['http://e.com/pages/about', 3],
    ['http://e.com/product/2024', 3],
    ['http://e.com/archived-thoughts', 4],
  ])('is medium for content pages: %s at depth %i', (url, depth) => {
    expect(urlPriority(url, depth, false)).toBe(2);
  });

  test.each([
    ['http://e.com/blog/page/2', 1],
    ['http://e.com/page-3.html', 1],
    ['http://e.com/shoes?page=2', 1],
    ['http://e.com/shoes?sort=price&offset=40', 2],
    ['http://e.com/archive/', 1],
    ['http://e.com/archives.html', 1],
    ['http://e.com/2024/05/', 1],
    ['http://e.com/blog/2024/05/12', 2],
    ['http://e.com/2024/', 1],
    ['http://e.com/product/5', 6],
  ])(
    'is low for paginated pages and archives at any depth, and for deep pages: %s at depth %i',
    (url, depth) => {
      expect(urlPriority(url, depth, false)).toBe(1);
    },
  );
});
