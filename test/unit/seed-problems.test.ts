import { describe, expect, it } from 'vitest';
import { findPrivateHost } from '../../src/engine/frontier/seed-problems.ts';
import { readSeed } from '../../src/engine/frontier/seeds.ts';

function reasonAgainst(text: string): string | undefined {
  const reading = readSeed(text, false);
  return reading.kind === 'bad' ? reading.reason : undefined;
}

function domainOf(text: string): string | undefined {
  const reading = readSeed(text, false);
  return reading.kind === 'ok' ? reading.seed.domain : undefined;
}

describe('a seed that is taken', () => {
  it.each([
    ['a public address', '8.8.8.8', '8.8.8.8'],
    ['a public IPv6 address', 'http://[2606:4700::1111]/', '[2606:4700::1111]'],
    ['another port, as part of the name', 'example.com:8443', 'example.com:8443'],
    ["a scheme's own port, which is no part of it", 'http://example.com:80/', 'example.com'],
    ['an international name, as punycode', 'MÜNCHEN.de', 'xn--mnchen-3ya.de'],
    ['a suffix that a company runs', 'github.io', 'github.io'],
    ['a www that is no site of a suffix', 'www.gov.uk', 'www.gov.uk'],
    ['a name of 253 characters', `${'a.'.repeat(124)}abcde`, `${'a.'.repeat(124)}abcde`],
    ['a part of 63 characters', `${'a'.repeat(63)}.com`, `${'a'.repeat(63)}.com`],
    ['an underscore', 'my_shop.example.com', 'my_shop.example.com'],
    ['a trailing dot', 'example.com.', 'example.com'],
    ['a protocol-relative URL', '//example.com/x', 'example.com'],
    ['an @ in a path', 'example.com/@someone', 'example.com'],
  ])('%s: %s', (_what, text, domain) => {
    expect(domainOf(text)).toBe(domain);
  });
});

describe('a seed that is refused, and why', () => {
  it.each([
    ['com', 'public suffix'],
    ['co.uk', 'public suffix'],
    ['https://co.uk/shop', 'public suffix'],
    ['公司.cn', 'public suffix'],
    [
      `${'a'.repeat(60)}.${'b'.repeat(60)}.${'c'.repeat(60)}.${'d'.repeat(60)}.${'e'.repeat(56)}`,
      '300 characters',
    ],
    [`${'a'.repeat(64)}.com`, '64 characters'],
    ['https://user:secret@example.com/', 'user name or password'],
    ['https://user@example.com/', 'user name or password'],
    ['user:secret@example.com', 'user name or password'],
    ['someone@example.com', 'email address'],
    ['mailto:someone@example.com', 'the scheme mailto:'],
    ['ftp://example.com/', 'the scheme ftp:'],
    ['javascript:alert(1)', 'the scheme javascript:'],
    ['exam\tple.com', 'control characters'],
    ['example.com\u0007', 'control characters'],
    ['example.com/a\u009bb', 'control characters'],
    ['example.com and more', 'a space'],
    ['https://example.com/a b', 'a space'],
    ['example.com/\ufffd', 'UTF-8'],
    [`https://example.com/${'a'.repeat(9000)}`, 'longer than 8192'],
    ['example.com:99999', 'host or port'],
    ['example.com:25', 'port 25 is not for the web'],
    ['http://8.8.8.8:22/', 'port 22 is not for the web'],
    ['https://[2606:4700::1111]:6667/', 'port 6667 is not for the web'],
    ['example.com:123456', 'host or port'],
    ['example.com:0', 'port 0'],
    ['*.example.com', '"*"'],
    ['1,example.com', '","'],
    ['a..example.com', 'empty part'],
    ['12345678', '0.188.97.78'],
    ['http://1.2/', '1.0.0.2'],
    ['/path/only', 'names no host'],
    ['?q=1', 'names no host'],
    ['', 'empty'],
    ['.', 'names no host'],
  ])('%.60s: %s', (text, reason) => {
    expect(reasonAgainst(text)).toContain(reason);
  });
});

describe('without --allow-private', () => {
  it.each([
    'http://127.0.0.1:8080/',
    'http://10.1.2.3/',
    'http://192.168.0.1/',
    'http://169.254.169.254/',
    'http://[::1]/',
    'http://[fd00::1]:8080/',
    'http://localhost/',
    'http://shop.localhost:3000/',
  ])('%s is refused by name', (url) => {
    expect(findPrivateHost(url)).toContain('--allow-private');
  });

  it('a name without a dot is refused: it means something on the own network at most', () => {
    expect(findPrivateHost('http://intranet/')).toContain('it has no dot');
  });

  it.each(['http://8.8.8.8/', 'https://[2606:4700::1111]/', 'https://example.com/'])(
    '%s is not: what a name leads to shows when it is fetched',
    (url) => {
      expect(findPrivateHost(url)).toBeUndefined();
    },
  );
});
