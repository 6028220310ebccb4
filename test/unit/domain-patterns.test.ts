import { describe, expect, test } from 'vitest';
import { findPatternProblem } from '../../src/control/domains/patterns/check-patterns.ts';

describe('patterns people use for links are taken', () => {
  test.each([
    ['/blog/'],
    ['\\.(?:jpg|png|gif)$'],
    ['^https://example\\.com/shop/'],
    ['^https?://[^/]+/blog/.*'],
    ['/shop/.*\\.html$'],
    ['/shop/.*/item-\\d+\\.html$'],
    ['\\?.*page=\\d+'],
    ['/(?:de|en|fr)/[a-z0-9-]+/?$'],
    ['^https://example\\.com/a/.*/b/.*/c'],
    ['.*foo.*'],
    ['/\\d{4}/\\d{2}/'],
    ['[?&]sort='],
    ['(?:ab|cd)+/'],
    ['/p/[^/]{1,40}/x'],
    ['a{2,3}b'],
    ['/[\\w.-]+\\.pdf'],
    ['/caf\\xe9/'],
    ['{id}'],
  ])('%s', (pattern) => {
    expect(findPatternProblem(pattern)).toBeUndefined();
  });
});

/** Each with a text on which a matcher that tries one way after another does not come to an end. */
const ENDLESS = [
  ['(a+)+$', /"\(a\+\)\+" repeats something that itself repeats/],
  ['(a*)*b', /repeats/],
  ['(?:a|a)+$', /alternatives that begin alike/],
  ['(?:a|ab)*c', /alternatives that begin alike/],
  ['(?:a|)+b', /alternatives/],
  ['(a?){30}a{30}', /is optional/],
  ['(?:x+x+)+y', /repeats/],
  ['(.*a){20}', /repeats/],
  ['(?:[^/]+/)+x', /repeats/],
  ['.*.*.*=.*', /end in many places/],
  ['a.*b.*c', /end in many places/],
  ['^.*a.*b.*c', /end in many places/],
  ['\\s+\\s+\\s+x', /end in many places/],
  ['a?a?a?a?a?a?a?a?a?a?a?aaaaaaaaaaa', /optional/],
  ['(?:a|ab)(?:b|bc)(?:c|cd)(?:d|de)(?:e|ef)(?:f|fg)(?:g|gh)(?:h|hi)(?:i|ij)(?:j|jk)x', /alternatives/],
  ['(a)\\1', /refers back/],
  ['(?<n>a)\\k<n>', /refers back/],
  ['^(?!.*x)', /looks ahead/],
  ['(?<=a)b', /looks ahead or behind/],
  ['(?:(?:a{99}){99}){99}', /too long/],
  ['(', /not a regular expression/],
  [' ', /empty/],
  ['a'.repeat(1001), /longer than/],
] as const;

describe('patterns that could stop a worker, or do not compile, are refused with the reason', () => {
  test.each(ENDLESS)('%s', (pattern, reason) => {
    expect(findPatternProblem(pattern)).toMatch(reason);
  });
});

test('whatever is taken ends on the worst of texts', () => {
  const texts = ['a', 'ab', '/', 'a/', '1', '?page=', '/shop/', 'item-1', '.'].map((part) =>
    `https://example.com/${part.repeat(3000)}`.slice(0, 4000),
  );
  const letters = ['a', '[^/]', '.', '\\d', '/', '(?:a|b)', 'x'];
  const marks = ['', '*', '+', '?', '{1,3}'];
  let taken = 0;
  for (let seed = 0; seed < 1500; seed += 1) {
    const pick = <T>(from: readonly T[], salt: number): T | undefined =>
      from[(seed * 7919 + salt * 104_729) % from.length];
    const parts = [0, 1, 2, 3].map((n) => `${pick(letters, n * 3 + seed)}${pick(marks, n * 5 + seed * 2)}`);
    const pattern = seed % 2 === 0 ? `^${parts.join('')}!` : `${parts.join('')}!`;
    if (findPatternProblem(pattern) !== undefined) continue;
    taken += 1;
    const compiled = new RegExp(pattern);
    for (const text of texts) expect(compiled.test(text)).toBe(false);
  }
  expect(taken).toBeGreaterThan(100);
});
