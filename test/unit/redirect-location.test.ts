import { expect, it } from 'vitest';
import { resolveLocation } from '../../src/engine/fetch/redirect-location.ts';

const base = new URL('https://example.com/dir/page?q=1#part');

it.each([
  ['/other', 'https://example.com/other'],
  ['other', 'https://example.com/dir/other'],
  ['../up', 'https://example.com/up'],
  ['?q=2', 'https://example.com/dir/page?q=2'],
  ['//cdn.example/x', 'https://cdn.example/x'],
  ['http://example.org', 'http://example.org/'],
  ['/other#fragment', 'https://example.com/other'],
  ['  /spaces  ', 'https://example.com/spaces'],
  ['http://0x7f.1/', 'http://127.0.0.1/'],
  ['file:///etc/passwd', 'file:///etc/passwd'],
])('resolves %j to the absolute URL without fragment', (location, resolved) => {
  expect(resolveLocation(location, base)).toBe(resolved);
});

it('reads raw bytes in a Location as UTF-8 where they are, otherwise as Latin-1', () => {
  const utf8 = Buffer.from('/caf\u00e9').toString('latin1');
  expect(resolveLocation(utf8, base)).toBe('https://example.com/caf%C3%A9');
  expect(resolveLocation('/caf\u00e9', base)).toBe('https://example.com/caf%C3%A9');
});

it('says when a Location is no URL', () => {
  expect(resolveLocation('http://[half/', base)).toBeUndefined();
  expect(resolveLocation('https://exa mple/', base)).toBeUndefined();
});
