/** Lines of lists of proxies: what they mean, and what may be shown of them. */
import { describe, expect, test } from 'vitest';
import { readExitAddress } from '../../src/control/proxies/exit-address.ts';
import { poolSize } from '../../src/control/proxies/pool-sizing.ts';
import { readProxyLine, showProxyLine } from '../../src/control/proxies/proxy-line.ts';
import { writePlace } from '../../src/control/proxies/proxy-place.ts';

function parts(line: string): unknown[] | string | undefined {
  const reading = readProxyLine(line);
  if (reading?.kind !== 'proxy') return reading?.reason;
  const { protocol, host, port, username, password } = reading.proxy;
  return [protocol, host, port, username, password];
}

describe('a line', () => {
  test.each([
    ['http://a.example:80', ['http', 'a.example', 80, null, null]],
    ['HTTPS://u:p@A.EXAMPLE:443/', ['https', 'a.example', 443, 'u', 'p']],
    ['socks5h://u:p@a.example:1080', ['socks5', 'a.example', 1080, 'u', 'p']],
    ['http://u@a.example:80', ['http', 'a.example', 80, 'u', null]],
    ['http://u:@a.example:80', ['http', 'a.example', 80, 'u', null]],
    ['http://u:p:q:r@a.example:80', ['http', 'a.example', 80, 'u', 'p:q:r']],
    ['http://u:p@q@a.example:80', ['http', 'a.example', 80, 'u', 'p@q']],
    ['http://u:p/q?r#s@a.example:80', ['http', 'a.example', 80, 'u', 'p/q?r#s']],
    ['http://u%40x:p%3A%25%40@a.example:80', ['http', 'a.example', 80, 'u@x', 'p:%@']],
    ['http://u:50%off@a.example:80', ['http', 'a.example', 80, 'u', '50%off']],
    ['http://u:50%25off%@a.example:80', ['http', 'a.example', 80, 'u', '50%off%']],
    ['http://u:%C3%A4@a.example:80', ['http', 'a.example', 80, 'u', 'ä']],
    ['http://[2606:4700:0::1]:80', ['http', '2606:4700::1', 80, null, null]],
    ['http://u:p@[2606:4700::1]:80', ['http', '2606:4700::1', 80, 'u', 'p']],
    ['http://bücher.example:80', ['http', 'xn--bcher-kva.example', 80, null, null]],
    ['\ufeffa.example:80', ['http', 'a.example', 80, null, null]],
    ['u:p@a.example:80', ['http', 'a.example', 80, 'u', 'p']],
    ['a.example:80:u:p', ['http', 'a.example', 80, 'u', 'p']],
    ['a.example:80:u:p:%41', ['http', 'a.example', 80, 'u', 'p:%41']],
    ['8.8.8.8:3128', ['http', '8.8.8.8', 3128, null, null]],
  ])('%s is read', (line, expected) => {
    expect(parts(line)).toEqual(expected);
  });

  test.each(['', '   ', '# http://u:p@a.example:80', '\ufeff#'])('%j is none', (line) => {
    expect(readProxyLine(line)).toBeUndefined();
  });

  test.each([
    'http://u:geheim@a.example',
    'http://u:geheim@a.example:0',
    'http://u:geheim@a.example:99999',
    'http://u:geheim@a.example:80/path',
    'http://u:geheim@a.example:80?x',
    'http://u:geheim@a b:80',
    'http://u:geheim@[::zz]:80',
    'http://u:geheim%ff@a.example:80',
    'http://u:gehe\u0000im@a.example:80',
    'http://u%3Ax:geheim@a.example:80',
    'http://:geheim@a.example:80',
    'socks4://u:geheim@a.example:80',
    'ftp://u:geheim@a.example:80',
    `socks5://u:${'geheim'.repeat(50)}@a.example:80`,
    `http://u:${'geheim'.repeat(500)}@a.example:80`,
    'a.example:80:u:geheim@b.example:81',
    'http://u:geheim\ufffd@a.example:80',
    'http://u:p@geheim',
    'geheim',
    'u geheim a.example 80',
    'http://0x7f000001:80',
  ])('%j is refused, and nothing secret shown', (line) => {
    const reading = readProxyLine(line);
    expect(reading?.kind).toBe('refused');
    expect(JSON.stringify(reading)).not.toMatch(/gehe/);
    expect(showProxyLine(line, undefined)).not.toMatch(/gehe/);
  });

  test('is shown where there is nothing to hide in it', () => {
    expect(showProxyLine('http://a.example', undefined)).toBe('http://a.example');
    expect(showProxyLine('http://u:p@a.example', undefined)).toBe('http://***');
    expect(showProxyLine('a.example:80:u:p', undefined)).toBe('***');
  });

  test('is written so that it can be read again', () => {
    const place = { protocol: 'socks5', host: '2606:4700::1', port: 1, username: 'a:b@c %' } as const;
    expect(writePlace(place)).toBe('socks5://a%3Ab%40c%20%25@[2606:4700::1]:1');
    expect(readProxyLine(writePlace(place))).toEqual({ kind: 'proxy', proxy: { ...place, password: null } });
  });
});

test.each([
  [' 203.0.113.7\n', '203.0.113.7'],
  ['2001:db8::1', '2001:db8::1'],
  ['{"ip":"203.0.113.7"}', '203.0.113.7'],
  ['{"origin":"203.0.113.7, 10.0.0.1"}', '203.0.113.7'],
  ['{"query":"203.0.113.7"}', '203.0.113.7'],
  ['{"ip":7}', undefined],
  ['{"ip":', undefined],
  ['<html>203.0.113.7</html>', undefined],
  ['fe80::1%eth0', undefined],
  ['', undefined],
])('in %j the address is %s', (body, address) => {
  expect(readExitAddress(body)).toBe(address);
});

/** What is recommended for each rate of crawling. */
test.each([
  [10, 5, 2, 3],
  [10, 4, 2, 4],
  [100, 20, 5, 7],
  [1000, 20, 50, 70],
  [1000, 18, 50, 70],
])('%i URLs an hour at %i each: between %i and %i proxies', (urls, each, least, most) => {
  const { required, recommended } = poolSize(urls, each);
  expect(required).toBeGreaterThanOrEqual(least);
  expect(recommended).toBeLessThanOrEqual(most);
});
