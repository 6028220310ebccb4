import { describe, expect, test } from 'vitest';
import { resolveLink } from '../../src/engine/frontier/resolve-link.ts';

const BASE = 'http://example.com/dir/page?q=1';

describe('a link resolves as the URL standard says', () => {
  test.each([
    ['/a/b?c=d', 'http://example.com/a/b?c=d'],
    ['next', 'http://example.com/dir/next'],
    ['../up', 'http://example.com/up'],
    ['./', 'http://example.com/dir/'],
    ['?q=2', 'http://example.com/dir/page?q=2'],
    ['//cdn.example/x', 'http://cdn.example/x'],
    ['/\\other.example/x', 'http://other.example/x'],
    ['\\a\\b', 'http://example.com/a/b'],
    ['/a/../b', 'http://example.com/b'],
    ['/a/%2e%2E/b', 'http://example.com/b'],
    ['/.hidden', 'http://example.com/.hidden'],
    ['/a b', 'http://example.com/a%20b'],
    ["/a'b?c'd", "http://example.com/a'b?c%27d"],
    ['/é', 'http://example.com/%C3%A9'],
    ['  /a\n', 'http://example.com/a'],
    ['/a\tb\nc', 'http://example.com/abc'],
    ['http://example.com/a', 'http://example.com/a'],
    ['http://example.com', 'http://example.com/'],
    ['http://example.com?a', 'http://example.com/?a'],
    ['http://example.com.evil.example/', 'http://example.com.evil.example/'],
    ['http://example.com:81/', 'http://example.com:81/'],
    ['HTTPS://Other.Example', 'https://other.example/'],
    ['http:rel', 'http://example.com/dir/rel'],
    ['https:rel', 'https://rel/'],
    ['foo/bar:8', 'http://example.com/dir/foo/bar:8'],
  ])('%s → %s', (href, absolute) => {
    expect(resolveLink(href, BASE)).toBe(absolute);
  });

  test.each([
    ['/a#b', 'http://example.com/a'],
    ['/a?b#c', 'http://example.com/a?b'],
    ['x#y', 'http://example.com/dir/x'],
    ['http://example.com/a#', 'http://example.com/a'],
  ])('and loses its fragment: %s → %s', (href, absolute) => {
    expect(resolveLink(href, BASE)).toBe(absolute);
  });
});

describe('what leads to no page is dropped', () => {
  test.each([
    '',
    '   ',
    '\n',
    '#',
    '#top',
    ' #top',
    '\t#top',
    'javascript:void(0)',
    'JavaScript:x',
    'java\nscript:x',
    ' javascript:x',
    'mailto:a@b.c',
    'tel:+123',
    'data:text/html,x',
    'ftp://example.com/',
    'localhost:8001/a',
    'blob:http://example.com/1',
    'http://[bad',
    'http://exa mple/',
    '//',
  ])('%j', (href) => {
    expect(resolveLink(href, BASE)).toBeUndefined();
  });

  test('as is everything on a base that is no web page', () => {
    expect(resolveLink('/a', 'not a url')).toBeUndefined();
    expect(resolveLink('a', 'mailto:a@b.c')).toBeUndefined();
    expect(resolveLink('/a', 'file:///etc/passwd')).toBeUndefined();
    expect(resolveLink('http://e.com/', 'not a url')).toBeUndefined();
  });
});

test('for any link, the answer is that of the URL parser', () => {
  const pieces = [
    '/',
    '/',
    '.',
    '..',
    '%2e',
    '%41',
    '%',
    'a',
    'B',
    '1',
    '?',
    '=',
    '&',
    '#',
    ' ',
    '\t',
    '\\',
    ':',
    '@',
    ';',
    "'",
    '"',
    '<',
    '|',
    '[',
    '^',
    '{',
    '~',
    'é',
    '(',
    '+',
    'http://example.com',
    'http:',
    '//',
    'x.com',
    '\u0000',
    '\u007f',
    '`',
  ];
  const bases = [
    BASE,
    'https://u:p@Example.com:8443/x/',
    'http://example.com',
    'http://xn--mnchen-3ya.de/a?b#c',
  ];
  let state = 7;
  const random = (limit: number) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 2 ** 32) * limit);
  };
  let resolvedCount = 0;
  for (let round = 0; round < 20_000; round++) {
    const prefix = ['', '/', '/', 'http://example.com/'][random(4)] ?? '';
    const href = prefix + Array.from({ length: random(9) }, () => pieces[random(pieces.length)]).join('');
    const base = bases[random(bases.length)] ?? BASE;
    const expected = resolveByParser(href, base);
    expect(resolveLink(href, base), JSON.stringify([href, base])).toBe(expected);
    if (expected !== undefined) resolvedCount++;
  }
  expect(resolvedCount).toBeGreaterThan(10_000);
});

function resolveByParser(href: string, base: string): string | undefined {
  if (/^[\0-\x20]*(?:#|$)/.test(href)) return undefined;
  try {
    const url = new URL(href, base);
    if (url.protocol !== 'http:' && url.protocol !== 'https:') return undefined;
    url.hash = '';
    return url.href;
  } catch {
    return undefined;
  }
}
