import { expect, it } from 'vitest';
import { parseIpv4, parseIpv6 } from '../../src/engine/fetch/ip-address.ts';

it('reads dotted decimal into 32 bits without losing the sign bit', () => {
  expect(parseIpv4('255.255.255.255')).toBe(0xffffffff);
  expect(parseIpv4('1.2.3.4')).toBe(0x01020304);
  expect(parseIpv4('1.2.3')).toBeUndefined();
});

it.each([
  ['::', [0, 0, 0, 0, 0, 0, 0, 0]],
  ['1::', [1, 0, 0, 0, 0, 0, 0, 0]],
  ['::1', [0, 0, 0, 0, 0, 0, 0, 1]],
  ['1:2:3:4:5:6:7:8', [1, 2, 3, 4, 5, 6, 7, 8]],
  ['fe80::a%lo', [0xfe80, 0, 0, 0, 0, 0, 0, 10]],
  ['::ffff:1.2.3.4', [0, 0, 0, 0, 0, 0xffff, 0x102, 0x304]],
  ['64:ff9b::1.2.3.4', [0x64, 0xff9b, 0, 0, 0, 0, 0x102, 0x304]],
])('reads every spelling of an IPv6 address into eight groups: %s', (text, groups) => {
  expect(parseIpv6(text)).toEqual(groups);
});

it('does not read what is not an IPv6 address', () => {
  expect(parseIpv6('1.2.3.4')).toBeUndefined();
  expect(parseIpv6('1:2:3')).toBeUndefined();
});
