import { describe, expect, it } from 'vitest';
import type { FetchFailureReason, FetchResult, RawHeaders } from '../../src/engine/fetch/fetch-result.ts';
import { CONSEQUENCES, judgeFetch, retryDelayMs } from '../../src/engine/outcome.ts';

const now = new Date('2026-11-15T12:00:00Z');
const timing = { sentAtMs: 0, headersAtMs: 1, durationMs: 2 };

function response(status: number, headers: RawHeaders = []): FetchResult {
  const body = Buffer.from('x');
  const head = { status, headers, remoteAddress: undefined };
  return { kind: 'response', ...head, rawBody: body, body, isTruncated: false, timing };
}
const failure = (reason: FetchFailureReason): FetchResult => ({
  ...{ kind: 'failure', reason, message: 'why', status: undefined, timing },
});

describe('judgeFetch', () => {
  it.each([
    [200, 'page'],
    [206, 'bad-response'],
    [299, 'page'],
    [401, 'refused'],
    [403, 'refused'],
    [451, 'refused'],
    [404, 'gone'],
    [410, 'gone'],
    [400, 'client-error'],
    [418, 'client-error'],
    [408, 'timeout'],
    [429, 'throttled'],
    [500, 'server-error'],
    [503, 'server-error'],
    [599, 'server-error'],
    [300, 'bad-response'],
  ])('status %i ends as %s', (status, kind) => {
    expect(judgeFetch(response(status), now)).toMatchObject({ kind, httpStatus: status });
  });

  it('429 and 503 with Retry-After ask the domain to rest for as long', () => {
    const headers = ['Retry-After', '120'];
    expect(judgeFetch(response(429, headers), now)).toMatchObject({ kind: 'throttled', holdMs: 120_000 });
    expect(judgeFetch(response(503, headers), now)).toMatchObject({ kind: 'throttled', holdMs: 120_000 });
    expect(judgeFetch(response(429), now).holdMs).toBeUndefined();
    expect(judgeFetch(response(500, headers), now)).toMatchObject({
      kind: 'server-error',
      holdMs: undefined,
    });
  });

  it('401 asks for a login, 403 and 451 do not', () => {
    expect(judgeFetch(response(401), now)).toMatchObject({ login: 'status' });
    for (const status of [403, 451]) expect(judgeFetch(response(status), now).login).toBeUndefined();
  });

  it.each<[FetchFailureReason, string]>([
    ['dns-not-found', 'unreachable'],
    ['connect-refused', 'unreachable'],
    ['headers-timeout', 'timeout'],
    ['body-timeout', 'timeout'],
    ['dropped', 'connection-lost'],
    ['protocol-error', 'bad-response'],
    ['bad-length', 'bad-response'],
    ['bad-encoding', 'bad-response'],
    ['too-large', 'too-large'],
    ['tls-failed', 'tls-failed'],
    ['private-address', 'private-address'],
    ['aborted', 'aborted'],
    ['no-socket', 'aborted'],
    ['bad-port', 'private-address'],
    ['bad-url', 'client-error'],
  ])('a fetch that failed by %s ends as %s, with its sentence', (reason, kind) => {
    expect(judgeFetch(failure(reason), now)).toMatchObject({ kind, message: 'why', fetchFailure: reason });
  });
});

describe('the table of consequences', () => {
  it('never retries what succeeded, and never counts a success as an error', () => {
    for (const [kind, consequence] of Object.entries(CONSEQUENCES)) {
      if (consequence.closesAs !== 'fetched') continue;
      expect([kind, consequence.isRetryable, consequence.isError]).toEqual([kind, false, false]);
    }
  });

  it('opens no breaker for what the server answered properly', () => {
    for (const kind of ['page', 'redirect', 'gone', 'client-error', 'unwanted-type', 'too-large'] as const) {
      expect(CONSEQUENCES[kind].breaker).toBe('success');
    }
  });
});

describe('retryDelayMs', () => {
  it('doubles from one second up to a minute, with at most half a second of jitter', () => {
    const least = [1, 2, 3, 4, 7, 20].map((errors) => retryDelayMs(errors, () => 0));
    expect(least).toEqual([1000, 2000, 4000, 8000, 60_000, 60_000]);
    expect(retryDelayMs(1, () => 0.999)).toBeLessThan(1500);
  });
});
