import { describe, expect, it } from 'vitest';
import { isPublicAddress, selectAddresses } from '../../src/engine/fetch/address-guard.ts';

describe('isPublicAddress', () => {
  it.each([
    ['0.0.0.0'],
    ['0.255.255.255'],
    ['10.0.0.0'],
    ['10.255.255.255'],
    ['100.64.0.0'],
    ['100.100.100.200'],
    ['100.127.255.255'],
    ['127.0.0.1'],
    ['127.255.255.254'],
    ['168.63.129.16'],
    ['169.254.169.254'],
    ['172.16.0.0'],
    ['172.31.255.255'],
    ['192.0.0.192'],
    ['192.0.2.1'],
    ['192.88.99.1'],
    ['192.168.0.1'],
    ['198.18.0.1'],
    ['198.19.255.255'],
    ['198.51.100.7'],
    ['203.0.113.9'],
    ['224.0.0.1'],
    ['239.255.255.255'],
    ['240.0.0.1'],
    ['255.255.255.255'],
  ])('refuses the special IPv4 address %s', (ip) => {
    expect(isPublicAddress(ip)).toBe(false);
  });

  it.each([
    ['1.1.1.1'],
    ['9.255.255.255'],
    ['11.0.0.0'],
    ['100.63.255.255'],
    ['100.128.0.0'],
    ['126.255.255.255'],
    ['128.0.0.1'],
    ['169.253.255.255'],
    ['172.15.255.255'],
    ['172.32.0.0'],
    ['192.167.255.255'],
    ['192.169.0.0'],
    ['198.17.255.255'],
    ['198.20.0.0'],
    ['223.255.255.255'],
  ])('lets the IPv4 address %s next to a special range pass', (ip) => {
    expect(isPublicAddress(ip)).toBe(true);
  });

  it.each([
    ['::'],
    ['::1'],
    ['0:0:0:0:0:0:0:1'],
    ['::7f00:1'],
    ['::127.0.0.1'],
    ['::8.8.8.8'],
    ['100::1'],
    ['64:ff9b:1::1'],
    ['fc00::1'],
    ['fd00:ec2::254'],
    ['fe80::1'],
    ['fe80::1%eth0'],
    ['fec0::1'],
    ['ff02::1'],
    ['2001::1'],
    ['2001:2::1'],
    ['2001:10::1'],
    ['2001:db8::1'],
    ['2001:DB8:ffff::1'],
    ['3fff::1'],
    ['5f00::1'],
  ])('refuses the special IPv6 address %s', (ip) => {
    expect(isPublicAddress(ip)).toBe(false);
  });

  it.each([['2606:4700:4700::1111'], ['2001:4860:4860::8888'], ['2a00:1450:4001:80e::200e'], ['2400::1']])(
    'lets the public IPv6 address %s pass',
    (ip) => {
      expect(isPublicAddress(ip)).toBe(true);
    },
  );

  it.each([
    ['mapped, dotted', '::ffff:127.0.0.1'],
    ['mapped, hexadecimal', '::ffff:7f00:1'],
    ['mapped, written out', '0:0:0:0:0:FFFF:0a00:0001'],
    ['NAT64', '64:ff9b::169.254.169.254'],
    ['NAT64, hexadecimal', '64:ff9b::a00:1'],
    ['6to4', '2002:7f00:1::1'],
    ['6to4', '2002:c0a8:101::'],
    ['Teredo', '2001:0:4136:e378:8000:63bf:3fff:fdd2'],
  ])('judges an IPv6 address that carries a private IPv4 one (%s) by what it carries', (_form, ip) => {
    expect(isPublicAddress(ip)).toBe(false);
  });

  it('lets embedded public IPv4 addresses pass where the packet goes to them', () => {
    expect(isPublicAddress('::ffff:8.8.8.8')).toBe(true);
    expect(isPublicAddress('64:ff9b::8.8.8.8')).toBe(true);
    expect(isPublicAddress('2002:808:808::1')).toBe(true);
  });

  it.each([
    [''],
    ['localhost'],
    ['127.1'],
    ['0177.0.0.1'],
    ['2130706433'],
    ['1.2.3.4.5'],
    [':::1'],
    ['[::1]'],
  ])('refuses %j, which is not an address', (text) => {
    expect(isPublicAddress(text)).toBe(false);
  });
});

describe('selectAddresses', () => {
  const mixed = ['127.0.0.1', '8.8.8.8', '::ffff:10.0.0.1', '2606:4700:4700::1111'];

  it('keeps only the public addresses of a name that mixes them, in their order', () => {
    expect(selectAddresses(mixed, false)).toEqual(['8.8.8.8', '2606:4700:4700::1111']);
  });

  it('keeps all of them when private ones are allowed', () => {
    expect(selectAddresses(mixed, true)).toEqual(mixed);
  });
});
