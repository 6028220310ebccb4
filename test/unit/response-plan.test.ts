import { describe, expect, it } from 'vitest';
import type { FetchRequest, RawHeaders } from '../../src/engine/fetch/fetch-result.ts';
import { ERROR_BODY_MAX_BYTES, planResponse } from '../../src/engine/fetch/response-plan.ts';

const url = new URL('https://example.com/page');
const request: FetchRequest = {
  url: url.href,
  userAgent: 'ForagerBot',
  accept: 'page',
  maxBodyBytes: 1_000_000,
  timeoutMs: 1000,
  onOversize: 'fail',
};

function plan(
  status: number,
  headers: RawHeaders = ['Content-Type', 'text/html'],
  changes: Partial<FetchRequest> = {},
) {
  return planResponse({ ...request, ...changes }, url, status, headers);
}

describe('planResponse', () => {
  it.each([301, 302, 303, 307, 308])('ends %d with a Location as a redirect', (status) => {
    expect(plan(status, ['location', '/new#top'])).toMatchObject({
      kind: 'end',
      ending: { kind: 'redirect', location: 'https://example.com/new' },
    });
  });

  it('reads a redirect without Location like any other status, and refuses one that is no URL', () => {
    expect(plan(302)).toMatchObject({ kind: 'read', isStatusEnough: true });
    expect(plan(302, ['Location', ''])).toMatchObject({ kind: 'read' });
    expect(plan(302, ['Location', 'http://[half'])).toMatchObject({
      ending: { kind: 'failure', failure: { reason: 'protocol-error' } },
    });
  });

  it('does not take 300 or a 200 with a Location for redirects', () => {
    expect(plan(300, ['Location', '/a']).kind).toBe('read');
    expect(plan(200, ['Location', '/a', 'Content-Type', 'text/html']).kind).toBe('read');
  });

  it('ends 304 as not modified', () => {
    expect(plan(304, [])).toMatchObject({ kind: 'end', ending: { kind: 'not-modified' } });
  });

  it('does not read what is no page when a page was asked for', () => {
    const ending = { kind: 'unwanted-type', contentType: 'Image/PNG' };
    expect(plan(200, ['content-type', 'Image/PNG'])).toMatchObject({ kind: 'end', ending, mayDrain: false });
    expect(plan(200, ['content-type', 'image/png'], { accept: 'any' }).kind).toBe('read');
  });

  it('drains an unwanted body only when it is known to be short', () => {
    expect(plan(200, ['content-type', 'image/png', 'content-length', '70'])).toMatchObject({
      mayDrain: true,
    });
    expect(plan(200, ['content-type', 'image/png', 'content-length', '7000000'])).toMatchObject({
      mayDrain: false,
    });
  });

  it('sniffs pages that carry no type', () => {
    expect(plan(200, [])).toMatchObject({ kind: 'read', mustSniff: true });
    expect(plan(200, [], { accept: 'any' })).toMatchObject({ mustSniff: false });
    expect(plan(204, [])).toMatchObject({ mustSniff: false });
  });

  it('reads a little of an error page whatever its type, encoding and length', () => {
    const headers = ['content-type', 'image/png', 'content-encoding', 'exotic', 'content-length', '99999999'];
    expect(plan(503, headers)).toEqual({
      kind: 'read',
      encodings: [],
      maxBytes: ERROR_BODY_MAX_BYTES,
      keepsTruncated: true,
      isStatusEnough: true,
      mustSniff: false,
    });
  });

  it('refuses before reading what is announced to be too large, unless the start of it is wanted', () => {
    const headers = ['content-type', 'text/html', 'content-length', '1000001'];
    expect(plan(200, headers)).toMatchObject({ ending: { failure: { reason: 'too-large' } } });
    expect(plan(200, headers, { onOversize: 'truncate' })).toMatchObject({
      kind: 'read',
      keepsTruncated: true,
    });
  });

  it('refuses an encoding nobody can undo', () => {
    const headers = ['content-type', 'text/html', 'content-encoding', 'compress'];
    expect(plan(200, headers)).toMatchObject({ ending: { failure: { reason: 'bad-encoding' } } });
  });
});
