import { expect, it } from 'vitest';
import { editDistance, findSimilarNames } from '../../src/control/domains/similar-names.ts';

it('finds the names that differ by a slip of the finger, the closest first', () => {
  const names = ['example.com', 'example.org', 'exemple.com', 'unrelated.net', 'shop.example.com'];
  expect(findSimilarNames('exmaple.com', names)).toEqual(['example.com', 'exemple.com']);
  expect(findSimilarNames('example.co', names)[0]).toBe('example.com');
});

it('takes parents, children and other ports of a name for close', () => {
  expect(findSimilarNames('example.com', ['shop.example.com'])).toEqual(['shop.example.com']);
  expect(findSimilarNames('a.b.example.com', ['example.com'])).toEqual(['example.com']);
  expect(findSimilarNames('localhost:8002', ['localhost:18443', 'other:8002'])[0]).toBe('localhost:18443');
});

it('suggests nothing rather than anything', () => {
  expect(findSimilarNames('example.com', ['wikipedia.org', 'a.de'])).toEqual([]);
});

it('measures distance in letters added, dropped or changed, up to a limit', () => {
  expect(editDistance('kitten', 'sitting', 5)).toBe(3);
  expect(editDistance('', 'abc', 5)).toBe(3);
  expect(editDistance('same', 'same', 2)).toBe(0);
  expect(editDistance('kitten', 'sitting', 2)).toBe(3);
  expect(editDistance('a', 'abcdefgh', 2)).toBe(3);
});
