import { describe, expect, test } from 'vitest';
import { checkPatterns, weighPatternText } from '../../src/control/domains/patterns/check-patterns.ts';
import { scopeOfDomain } from '../../src/engine/frontier/domain-scope.ts';
import type { Scope } from '../../src/engine/frontier/scope.ts';

function findPatternProblem(text: string): string | undefined {
  const weight = weighPatternText(text);
  return weight.kind === 'bad' ? weight.problem : undefined;
}

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
    ['^https://[^/]+/(en|de)/'],
    ['\\.(jpg|png|pdf)$'],
    ['[?&]page=\\d+'],
    ['.*\\.(?:html?|php)$'],
    ['/.*-p\\d+\\.html'],
    ['\\.(jpe?g|png|gif|webp|svg|pdf|zip|mp4)(\\?.*)?$'],
    ['/(?:login|logout|register|cart|checkout)(?:/|$|\\?)'],
    ['^https://example\\.com/.*/.*\\.html'],
  ])('%s', (pattern) => {
    expect(findPatternProblem(pattern)).toBeUndefined();
  });
});

const ALIKE = '(?:[ab]|[ac]|[ad]|[ae]|[af]|[ag]|[ah]|[ai]|[aj]|[ak])';

/** Each with a text on which a matcher that tries one way after another does not come to an end. */
const ENDLESS = [
  [`^.*${ALIKE}.*${ALIKE}${ALIKE}!`, /alternatives/],
  [`^.*${ALIKE}.*!`, /alternatives/],
  [`/.*${ALIKE}!`, /alternatives/],
  ['/.*a{900}b', /long/],
  ['^.*.*[^/]{500}!', /long/],
  ['/.*.*x', /end in many places/],
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

describe('a list of patterns', () => {
  const check = (patterns: readonly string[]) => () => checkPatterns('exclude', patterns);
  const slow = '\\?.*page=\\d+';

  test('has at most twenty', () => {
    expect(check(Array.from({ length: 20 }, (_, n) => `/part-${n}/`))).not.toThrow();
    expect(check(Array.from({ length: 21 }, (_, n) => `/part-${n}/`))).toThrow(/more than 20/);
  });

  test('may hold some that take a while, but not many', () => {
    expect(check([slow, slow])).not.toThrow();
    expect(check([slow, slow, slow, slow])).toThrow(/too long together/);
  });
});

describe('a domain with patterns', () => {
  const defaults = { scope: 'host', maxDepth: 10 } as const;
  const scopeOf = (include: string[] | null, exclude: string[] | null) =>
    scopeOfDomain({ domain: 'a.example', scope: null, max_depth: null, include, exclude }, defaults);
  const long = `https://a.example/shop/${'x'.repeat(3000)}`;
  const verdict = (scope: Scope, url: string, depth = 1) => {
    const admission = scope.admits(url, 'a.example', depth);
    return admission.admitted || admission.reason;
  };

  test('holds none of them against URLs that are too long, and follows none of those', () => {
    expect(verdict(scopeOf(['/shop/'], null), long)).toBe('include');
    expect(verdict(scopeOf(null, ['/blog/']), long)).toBe('exclude');
    expect(verdict(scopeOf(['/shop/'], null), long, 0)).toBe(true);
    expect(verdict(scopeOf(null, null), long)).toBe(true);
  });

  test.each([
    ['.*\\.html$', 'x.html', true],
    ['.*\\.html$', 'x.htm', 'include'],
    ['.*', 'x', true],
    ['.*?/y', 'x/y', true],
    ['.*|b', 'x', true],
    ['.*a|b', 'b', true],
    ['.*/a|/b/', 'c', 'include'],
  ])('finds %s in %s as anybody would: %s', (pattern, path, expected) => {
    expect(verdict(scopeOf([pattern], null), `https://host.example/${path}`)).toBe(expected);
  });
});
