import { describe, expect, it } from 'vitest';
import { mayBeProxy } from '../../src/engine/fetch/address-guard.ts';
import { hostToTell } from '../../src/engine/fetch/open-through-proxy.ts';
import { findProxyFailure } from '../../src/engine/fetch/proxy-answer.ts';
import type { ProxyEndpoint } from '../../src/engine/fetch/proxy-endpoint.ts';
import { buildRequestHeaders } from '../../src/engine/fetch/request-headers.ts';
import { pageRequest } from '../origin/fetch-from.ts';

describe('where a proxy may be', () => {
  it.each(['93.184.216.34', '2606:4700::1111'])('%s is public: always', (address) => {
    expect(mayBeProxy(address, false)).toBe(true);
    expect(mayBeProxy(address, true)).toBe(true);
  });

  it.each([
    '127.0.0.1',
    '10.0.0.1',
    '172.20.1.1',
    '192.168.1.9',
    '100.64.0.1',
    '::1',
    'fd12:3456::1',
    '::ffff:10.0.0.1',
  ])('%s is private: only where that is allowed', (address) => {
    expect(mayBeProxy(address, false)).toBe(false);
    expect(mayBeProxy(address, true)).toBe(true);
  });

  it.each([
    ...[
      '169.254.169.254',
      '169.254.1.1',
      'fe80::1',
      'fe80::1%eth0',
      '100.100.100.200',
      '168.63.129.16',
      '192.0.0.192',
    ],
    ...['fd00:ec2::254', 'fd20:ce::254', '::ffff:169.254.169.254', '64:ff9b::a9fe:a9fe', '2002:a9fe:a9fe::1'],
    ...['0.0.0.0', '::', '224.0.0.1', 'ff02::1', '255.255.255.255', 'not an address', ''],
  ])('%s is never one', (address) => {
    expect(mayBeProxy(address, true)).toBe(false);
  });
});

describe('what a proxy is told', () => {
  const target = { protocol: 'https:', hostname: 'site.example', port: 443 } as const;

  it('is the name, where it is elsewhere', () => {
    expect(hostToTell('93.184.216.34', target, ['192.0.32.10'])).toBe('site.example');
  });

  it.each(['127.0.0.1', '10.0.0.1', '::1', 'fd00::1'])(
    'is the vetted address, where it is at %s',
    (address) => {
      expect(hostToTell(address, target, ['192.0.32.10', '192.0.32.11'])).toBe('192.0.32.10');
    },
  );
});

describe('an answer in absolute form', () => {
  const proxy: ProxyEndpoint = {
    ...{ id: 1, protocol: 'http', host: 'proxy.example', port: 3128, key: '1' },
    ...{ username: 'me', password: 'secret' },
  };
  const reasonOf = (status: number, ...headers: string[]) =>
    findProxyFailure(proxy, 'site.example', status, headers)?.reason;

  it.each<[string, number, string[]]>([
    [
      'squid',
      503,
      ['Server', 'squid/5.7', 'X-Squid-Error', 'ERR_CONNECT_FAIL 111', 'Via', '1.1 a (squid/5.7)'],
    ],
    ['the standard header', 502, ['Proxy-Status', 'a.example; error=connection_refused; details="x"']],
    ['tinyproxy', 500, ['Server', 'tinyproxy/1.11.1']],
  ])('is the proxy’s own by %s', (_what, status, headers) => {
    expect(reasonOf(status, ...headers)).toBe('proxy-tunnel');
  });

  it('is a refusal of credentials with 407, and with 401 if the proxy made it', () => {
    expect(reasonOf(407)).toBe('proxy-auth');
    expect(reasonOf(401, 'Server', 'tinyproxy/1.11.1')).toBe('proxy-auth');
    expect(reasonOf(401, 'Server', 'nginx')).toBeUndefined();
  });

  it.each<[string, number, string[]]>([
    ['a good one', 200, ['X-Squid-Error', 'ERR_NONE 0']],
    ['an error without a sign', 503, ['Server', 'nginx']],
    [
      'an error that came by way of another proxy',
      503,
      ['X-Squid-Error', 'ERR_DNS_FAIL 0', 'Via', '1.1 theirs, 1.1 ours'],
    ],
    [
      'an error of a hop before the last',
      502,
      ['Proxy-Status', 'cdn; error=dns_error, ours; received-status=502'],
    ],
  ])('is the site’s: %s', (_what, status, headers) => {
    expect(reasonOf(status, ...headers)).toBeUndefined();
  });

  it('is told without user name and password', () => {
    const failure = findProxyFailure(proxy, 'site.example', 407, []);
    expect(failure?.message).toBe(
      'The proxy http://proxy.example:3128 does not accept the user name and password.',
    );
  });
});

describe('the Cookie header', () => {
  const cookieOf = (cookie: string | undefined) => {
    const headers = buildRequestHeaders(pageRequest('http://site.example/', { cookie }));
    const index = headers.indexOf('cookie');
    return index < 0 ? undefined : headers[index + 1];
  };

  it('is sent as given, or left out where it would break the request', () => {
    expect(cookieOf('a=1; b="2"')).toBe('a=1; b="2"');
    for (const bad of ['a=1\r\nX-Evil: 1', 'a=\0', 'a=☃', '', undefined])
      expect(cookieOf(bad)).toBeUndefined();
  });
});
