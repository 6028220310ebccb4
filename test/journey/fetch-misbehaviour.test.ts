/** Every way a server can misbehave, and the one FetchResult each of them ends in. */
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { type FetchFailureReason, headerValue } from '../../src/engine/fetch/fetch-result.ts';
import type { Fetcher } from '../../src/engine/fetch/fetcher.ts';
import * as encodings from '../origin/behaviours/encodings.ts';
import { createTestFetcher, expectResponse, pageRequest } from '../origin/fetch-from.ts';
import { misbehavingSite } from '../origin/misbehaving-site.ts';
import { type Origin, startOrigin } from '../origin/origin.ts';

let origin: Origin;
let fetcher: Fetcher;

beforeAll(async () => {
  origin = await startOrigin();
  origin.site('bad', misbehavingSite());
  fetcher = createTestFetcher();
});

afterEach(async () => {
  // Whatever happened, the connection still serves (or was replaced) and the next page arrives whole.
  const next = await fetcher.fetch(pageRequest(origin.hostUrl('bad', '/good')));
  expect(expectResponse(next).body.toString()).toContain('A page that arrives whole.');
});

afterAll(async () => {
  await fetcher.close();
  await origin.waitUntilAlone();
  await origin.close();
});

const fetchBad = (path: string, changes = {}) =>
  fetcher.fetch(pageRequest(origin.hostUrl('bad', path), changes));

describe('a server that is slow', () => {
  it.each<[string, FetchFailureReason]>([
    ['/hang', 'headers-timeout'],
    ['/slow-headers', 'headers-timeout'],
    ['/drip-body', 'body-timeout'],
    ['/stall-body', 'body-timeout'],
  ])('is given up at the deadline of the whole exchange: %s', async (path, reason) => {
    const result = await fetchBad(path, { timeoutMs: 300 });
    expect(result).toMatchObject({ kind: 'failure', reason });
  });

  it('may still have told its status: a slow error page is an error page', async () => {
    origin.site('slow-error', {
      pages: {
        '/': (exchange) => {
          exchange.response.writeHead(503, { 'retry-after': '7' });
          exchange.response.write('please wait');
        },
      },
    });
    const result = await fetcher.fetch(pageRequest(origin.hostUrl('slow-error', '/'), { timeoutMs: 300 }));
    expect(result).toMatchObject({ kind: 'response', status: 503, isTruncated: true });
    expect(expectResponse(result).body.toString()).toBe('please wait');
  });
});

describe('a body of the wrong size', () => {
  it.each([
    '/endless-body',
    '/huge-page',
    '/gzip-bomb',
    '/nested-gzip-bomb',
    '/brotli-bomb',
    '/endless-gzip',
  ])('is refused at the cap: %s', async (path) => {
    const result = await fetchBad(path);
    expect(result).toMatchObject({ kind: 'failure', reason: 'too-large', status: 200 });
  });

  it.each(['/endless-body', '/huge-page', '/gzip-bomb', '/nested-gzip-bomb', '/endless-gzip'])(
    'is cut at the cap when the start of it is wanted: %s',
    async (path) => {
      const result = await fetchBad(path, { onOversize: 'truncate', maxBodyBytes: 500_000 });
      const { body, isTruncated } = expectResponse(result);
      expect(isTruncated).toBe(true);
      expect(body.length).toBe(500_000);
    },
  );

  it('is not downloaded any further once it is known to be too large', async () => {
    let sentBytes = 0;
    origin.site('counted', {
      pages: {
        '/': (exchange) => {
          const { socket } = exchange.response;
          exchange.response.once('close', () => {
            sentBytes = socket?.bytesWritten ?? 0;
          });
          return encodings.endlessGzip(exchange);
        },
      },
    });
    await fetcher.fetch(pageRequest(origin.hostUrl('counted', '/')));
    await expect.poll(() => sentBytes).toBeGreaterThan(0);
    // The server would send for ever: it stopped at the cap, give or take what sockets buffer on the way.
    expect(sentBytes).toBeLessThan(25_000_000);
  });

  it.each<[string, FetchFailureReason]>([
    ['/short-body', 'bad-length'],
    ['/drop-mid-body', 'dropped'],
    ['/negative-length', 'protocol-error'],
    ['/two-lengths', 'protocol-error'],
  ])('that does not fit its length is not taken for a page: %s', async (path, reason) => {
    expect(await fetchBad(path)).toMatchObject({ kind: 'failure', reason });
  });

  it('that is cut by a reset is no page either', async () => {
    const result = await fetchBad('/reset-mid-body');
    // Whether the reset or the end of the data is seen first is the kernel's choice.
    expect(result).toMatchObject({
      kind: 'failure',
      reason: expect.stringMatching(/^(dropped|bad-length)$/),
    });
  });

  it('that goes on after its length ends there, and what follows is nobody\u2019s answer', async () => {
    const result = expectResponse(await fetchBad('/long-body'));
    expect(result.body.toString()).toBe('<p>right');
  });

  it('may end with the connection when no length was promised', async () => {
    expect(expectResponse(await fetchBad('/until-close')).body.toString()).toBe('<p>old');
  });

  it('may be empty', async () => {
    expect(expectResponse(await fetchBad('/empty')).body.length).toBe(0);
    expect(expectResponse(await fetchBad('/empty-gzip')).body.length).toBe(0);
  });
});

describe('a server that does not speak HTTP', () => {
  it.each<[string, FetchFailureReason]>([
    ['/drop-before-headers', 'dropped'],
    ['/reset-before-headers', 'dropped'],
    ['/drop-mid-headers', 'dropped'],
    ['/not-http', 'protocol-error'],
    ['/bare-html', 'protocol-error'],
    ['/bad-chunk-size', 'protocol-error'],
    ['/bad-status-line', 'protocol-error'],
    ['/invalid-header-name', 'protocol-error'],
    ['/invalid-header-bytes', 'protocol-error'],
    ['/header-flood', 'protocol-error'],
  ])('ends as a failure that says so: %s', async (path, reason) => {
    const result = await fetchBad(path);
    expect(result).toMatchObject({ kind: 'failure', reason });
    expect(result.kind === 'failure' && result.message).toContain('bad.localhost');
  });

  it('may send odd but legal bytes in a header, which are kept as they came', async () => {
    const { headers } = expectResponse(await fetchBad('/high-header-bytes'));
    expect(headerValue(headers, 'x-name')).toBe('\u00c3\u00a9\u00ff');
  });

  it('may send interim answers before the real one', async () => {
    expect(expectResponse(await fetchBad('/early-hints'))).toMatchObject({ status: 200 });
  });
});
