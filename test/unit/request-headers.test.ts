import { expect, it } from 'vitest';
import { type FetchRequest, headerValue } from '../../src/engine/fetch/fetch-result.ts';
import { buildRequestHeaders } from '../../src/engine/fetch/request-headers.ts';

const request: FetchRequest = {
  url: 'https://example.com/',
  userAgent: 'ForagerBot/1.0',
  accept: 'page',
  maxBodyBytes: 1000,
  timeoutMs: 1000,
  onOversize: 'fail',
};

it('asks for pages as pages and for anything as anything', () => {
  expect(headerValue(buildRequestHeaders(request), 'accept')).toMatch(/^text\/html,application\/xhtml\+xml/);
  expect(headerValue(buildRequestHeaders({ ...request, accept: 'any' }), 'accept')).toBe('*/*');
});

it('names itself and offers only encodings it can undo', () => {
  const headers = buildRequestHeaders(request);
  expect(headerValue(headers, 'user-agent')).toBe('ForagerBot/1.0');
  const offered = headerValue(headers, 'accept-encoding')?.split(', ');
  expect(offered).toEqual(expect.arrayContaining(['gzip', 'deflate', 'br']));
});

it('sends the validators it was given and none otherwise', () => {
  const plain = buildRequestHeaders(request);
  expect(headerValue(plain, 'if-none-match')).toBeUndefined();
  expect(headerValue(plain, 'if-modified-since')).toBeUndefined();
  const conditional = buildRequestHeaders({ ...request, etag: 'W/"a"', lastModified: 'yesterday' });
  expect(headerValue(conditional, 'if-none-match')).toBe('W/"a"');
  expect(headerValue(conditional, 'if-modified-since')).toBe('yesterday');
});

it('never lets a stored value smuggle a header in', () => {
  const headers = buildRequestHeaders({ ...request, userAgent: 'a\r\nX: 1', etag: '"a"\r\nCookie: b' });
  expect(headers.join('\n')).not.toContain('Cookie');
  expect(headerValue(headers, 'user-agent')).toBe('aX: 1');
});
