import { describe, expect, it } from 'vitest';
import { groupByDomain, readSeed, type Seed } from '../../src/engine/frontier/seeds.ts';

function read(text: string): Seed {
  const reading = readSeed(text, false);
  if (reading.kind === 'bad') throw new Error(reading.reason);
  return reading.seed;
}

describe('readSeed', () => {
  it.each([
    ['https://Example.com', 'https://example.com/', 'example.com'],
    ['example.com', 'https://example.com/', 'example.com'],
    ['www.example.com/a', 'https://www.example.com/a', 'example.com'],
    ['example.com:8080/x', 'https://example.com:8080/x', 'example.com:8080'],
    ['localhost:3000', 'https://localhost:3000/', 'localhost:3000'],
    ['  http://a.example/x  ', 'http://a.example/x', 'a.example'],
    ['http://bücher.example/', 'http://xn--bcher-kva.example/', 'xn--bcher-kva.example'],
  ])('takes "%s" as %s of the domain %s', (text, url, domain) => {
    expect(read(text)).toMatchObject({ domain, candidate: { url, depth: 0, isSeed: true, priority: 3 } });
  });

  it.each([
    '',
    'ftp://a.example/',
    'mailto:x@a.example',
    'javascript:alert(1)',
    'http://',
    'https://a b/',
    'http://[half/',
  ])('refuses "%s" with a reason', (text) => {
    const reading = readSeed(text, false);
    expect(reading.kind).toBe('bad');
    expect(reading.kind === 'bad' && reading.reason.length).toBeGreaterThan(5);
  });

  it('two spellings of one page have one key', () => {
    expect(read('HTTP://A.example:80/x/../y?b=1&a=2#z').key).toBe(read('http://a.example/y?a=2&b=1').key);
  });
});

describe('groupByDomain', () => {
  it('keeps every seed, in order, under its domain', () => {
    const groups = groupByDomain(['a.example/1', 'b.example/1', 'www.a.example/2'].map(read));
    expect([...groups].map(([domain, list]) => [domain, list.map(({ url }) => url)])).toEqual([
      ['a.example', ['https://a.example/1', 'https://www.a.example/2']],
      ['b.example', ['https://b.example/1']],
    ]);
  });
});
