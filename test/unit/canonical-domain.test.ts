import { describe, expect, test } from 'vitest';
import { canonicalDomain, registrableDomain } from '../../src/engine/frontier/canonical-domain.ts';

const NAMES: ReadonlyArray<readonly [string, string]> = [
  ['https://example.com', 'example.com'],
  ['https://www.example.com/a?b#c', 'example.com'],
  ['HTTP://WWW.Example.COM./', 'example.com'],
  ['http://example.com:80/', 'example.com'],
  ['http://example.com:443/', 'example.com'],
  ['https://example.com:80/', 'example.com'],
  ['http://example.com:8080/', 'example.com:8080'],
  ['http://www.example.com.:8080/', 'example.com:8080'],
  ['http://user:pw@blog.example.com/', 'blog.example.com'],
  ['http://blog.example.com/', 'blog.example.com'],
  ['http://münchen.de/', 'xn--mnchen-3ya.de'],
  ['http://www.com/', 'www.com'],
  ['http://www.co.uk/', 'www.co.uk'],
  ['http://www.www.com/', 'www.com'],
  ['http://www.example.co.uk/', 'example.co.uk'],
  ['http://www.me.github.io/', 'me.github.io'],
  ['http://www.github.io/', 'www.github.io'],
  ['http://www2.example.com/', 'www2.example.com'],
  ['http://wwwexample.com/', 'wwwexample.com'],
  ['http://www.www.example.com/', 'example.com'],
  ['http://127.0.0.1:8001/', '127.0.0.1:8001'],
  ['http://0x7f.1/', '127.0.0.1'],
  ['http://[::1]:8001/', '[::1]:8001'],
  ['http://[0:0::1]/', '[::1]'],
  ['http:\\\\example.com\\a', 'example.com'],
  ['http:example.com', 'example.com'],
  ['Example.COM', 'example.com'],
  ['  www.example.com ', 'example.com'],
  ['example.com/a/b', 'example.com'],
  ['example.com:443', 'example.com'],
  ['//example.com/a', 'example.com'],
  ['münchen.de', 'xn--mnchen-3ya.de'],
  ['localhost', 'localhost'],
  ['localhost:8001', 'localhost:8001'],
  ['www.localhost', 'www.localhost'],
  ['www.shop.localhost:8001', 'shop.localhost:8001'],
  ['[::1]:8001', '[::1]:8001'],
  ['http://http:8080/', 'http:8080'],
  ['http:8080', 'http:8080'],
  ['HTTPS:443/x', 'https'],
];

describe('the canonical domain', () => {
  test.each(NAMES)('of %s is %s', (input, domain) => {
    expect(canonicalDomain(input)).toBe(domain);
  });

  test('is its own canonical domain', () => {
    for (const [, domain] of NAMES) {
      expect(canonicalDomain(domain)).toBe(domain);
      expect(canonicalDomain(`https://${domain}/x`)).toBe(domain);
    }
  });

  test('is the same for a URL object', () => {
    expect(canonicalDomain(new URL('https://WWW.example.com:8443/'))).toBe('example.com:8443');
    expect(canonicalDomain(new URL('ftp://example.com/'))).toBeUndefined();
  });

  test.each([
    '',
    '   ',
    '/a/b',
    '#a',
    'http://',
    'http://./',
    'http://www..example.com/',
    'http://example.com../',
    'http://exa mple.com/',
    'ftp://example.com/',
    'mailto:a@example.com',
    'a@example.com',
    'javascript:alert(1)',
    'example.com:99999',
    `http://${'abcdefg.'.repeat(32)}com/`,
  ])('of %s is undefined', (input) => {
    expect(canonicalDomain(input)).toBeUndefined();
  });

  test('stays right when more hosts pass by than are remembered', () => {
    for (let index = 0; index < 12_000; index++) canonicalDomain(`http://www.h${index}.example/`);
    expect(canonicalDomain('http://www.h0.example/')).toBe('h0.example');
    expect(canonicalDomain('http://www.h11999.example/')).toBe('h11999.example');
  });
});

describe('the registrable domain', () => {
  test.each([
    ['example.com', 'example.com'],
    ['a.b.example.com', 'example.com'],
    ['shop.example.co.uk:8080', 'example.co.uk'],
    ['me.github.io', 'me.github.io'],
    ['blog.me.github.io', 'me.github.io'],
    ['github.io', 'github.io'],
    ['a.xn--85x722f.xn--55qx5d.cn', 'xn--85x722f.xn--55qx5d.cn'],
    ['a.city.kobe.jp', 'city.kobe.jp'],
    ['a.b.shop.test', 'shop.test'],
    ['localhost', 'localhost'],
    ['localhost:8001', 'localhost:8001'],
    ['127.0.0.1:8001', '127.0.0.1:8001'],
    ['[::1]:8001', '[::1]:8001'],
    ['[::1]', '[::1]'],
    ['com', 'com'],
  ])('of %s is %s', (domain, registrable) => {
    expect(registrableDomain(domain)).toBe(registrable);
    expect(registrableDomain(domain)).toBe(registrable);
  });
});
