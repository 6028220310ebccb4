/** What whole answers become: encodings, redirects, statuses, types, validators. */
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { headerValue, headerValues } from '../../src/engine/fetch/fetch-result.ts';
import type { Fetcher } from '../../src/engine/fetch/fetcher.ts';
import * as encodings from '../origin/behaviours/encodings.ts';
import { withRobotsTag } from '../origin/behaviours/markup.ts';
import { redirectTo } from '../origin/behaviours/redirects.ts';
import { stallBody } from '../origin/behaviours/slow.ts';
import { httpDateIn, tooManyRequests } from '../origin/behaviours/statuses.ts';
import { typed } from '../origin/behaviours/types.ts';
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

describe('content encodings', () => {
  const text = '<!doctype html><title>Encoded</title>'.repeat(20);
  it.each([
    ['gzip', encodings.gzipped(text)],
    ['deflate', encodings.deflated(text)],
    ['deflate without header', encodings.deflatedRaw(text)],
    ['brotli', encodings.brotlied(text)],
    ['gzip twice', encodings.gzippedTwice(text)],
    ['brotli in gzip', encodings.brotliInGzip(text)],
    ['gzip without its trailer', encodings.truncatedGzip(text)],
  ])('are undone, and the body as received is kept beside: %s', async (_name, handler) => {
    origin.site('encoded', { pages: { '/': handler } });
    const result = expectResponse(await fetcher.fetch(pageRequest(origin.hostUrl('encoded', '/'))));
    expect(result.body.toString()).toBe(text);
    expect(result.rawBody.length).toBe(Number(headerValue(result.headers, 'content-length')));
    expect(result.rawBody.equals(result.body)).toBe(false);
  });

  it.each(['/not-gzip', '/corrupt-gzip', '/unknown-encoding', '/deep-gzip'])(
    'that cannot be undone are a failure of their own: %s',
    async (path) => {
      expect(await fetchBad(path)).toMatchObject({ kind: 'failure', reason: 'bad-encoding' });
    },
  );

  it('that are corrupt beyond the small size are noticed too', async () => {
    origin.site('corrupt', { pages: { '/': encodings.corruptGzip(400_000) } });
    const result = await fetcher.fetch(pageRequest(origin.hostUrl('corrupt', '/')));
    expect(result).toMatchObject({ kind: 'failure', reason: 'bad-encoding' });
  });

  it('do not hide an error status', async () => {
    origin.site('encoded-error', {
      pages: {
        '/': ({ response }) => {
          response.writeHead(500, { 'content-encoding': 'gzip' });
          response.end('not gzip at all');
        },
      },
    });
    const result = await fetcher.fetch(pageRequest(origin.hostUrl('encoded-error', '/')));
    expect(result).toMatchObject({ kind: 'response', status: 500 });
  });
});

describe('redirects', () => {
  it.each([
    ['/redirect-loop', '/redirect-loop'],
    ['/redirect-ping', '/redirect-pong'],
    ['/redirect-chain/3', '/redirect-chain/2'],
    ['/redirect-endless-body', '/elsewhere'],
  ])('are told, not followed: %s', async (path, target) => {
    const location = origin.hostUrl('bad', target);
    expect(await fetchBad(path)).toMatchObject({ kind: 'redirect', status: 302, location });
  });

  it.each([
    ['/redirect-metadata', 'http://169.254.169.254/latest/meta-data/'],
    ['/redirect-private', 'http://10.0.0.1/'],
    ['/redirect-file', 'file:///etc/passwd'],
  ])('are told as they are, wherever they point: %s', async (path, location) => {
    expect(await fetchBad(path)).toMatchObject({ kind: 'redirect', location });
  });

  it('without a target are responses, and with a senseless one failures', async () => {
    expect(await fetchBad('/redirect-nowhere')).toMatchObject({ kind: 'response', status: 302 });
    expect(await fetchBad('/redirect-unparsable')).toMatchObject({
      kind: 'failure',
      reason: 'protocol-error',
    });
  });

  it('end as redirects even when their body stalls', async () => {
    origin.site('stalled-redirect', {
      pages: {
        '/': ({ response }) => {
          response.writeHead(301, { location: '/next' });
          response.write('moving');
        },
      },
    });
    const result = await fetcher.fetch(
      pageRequest(origin.hostUrl('stalled-redirect', '/'), { timeoutMs: 200 }),
    );
    expect(result).toMatchObject({ kind: 'redirect', location: origin.hostUrl('stalled-redirect', '/next') });
  });

  it('keep their connection', async () => {
    origin.site('moved', { pages: { '/old': redirectTo('/new', 301), '/new': 'here' } });
    await fetcher.fetch(pageRequest(origin.hostUrl('moved', '/old')));
    await fetcher.fetch(pageRequest(origin.hostUrl('moved', '/new')));
    const ports = origin.requestsTo('moved').map((request) => request.clientPort);
    expect(ports).toHaveLength(2);
    expect(new Set(ports).size).toBe(1);
  });
});

describe('statuses', () => {
  it('come with their headers: Retry-After in both forms, until the server has calmed down', async () => {
    origin.site('busy', {
      pages: {
        '/seconds': tooManyRequests({ retryAfter: '120', clearsAfter: 2 }),
        '/date': tooManyRequests({ retryAfter: httpDateIn(120), clearsAfter: 1 }),
      },
    });
    const fetchBusy = async (path: string) =>
      expectResponse(await fetcher.fetch(pageRequest(origin.hostUrl('busy', path))));
    const first = await fetchBusy('/seconds');
    expect([first.status, headerValue(first.headers, 'retry-after')]).toEqual([429, '120']);
    const dated = await fetchBusy('/date');
    expect(headerValue(dated.headers, 'retry-after')).toMatch(/^\w{3}, \d\d \w{3} \d{4} .* GMT$/);
    expect((await fetchBusy('/seconds')).status).toBe(429);
    expect((await fetchBusy('/seconds')).status).toBe(200);
    expect((await fetchBusy('/date')).status).toBe(200);
  });

  it('of errors bring a little of their body, whatever its type and size', async () => {
    const result = expectResponse(await fetchBad('/huge-error'));
    expect(result).toMatchObject({ status: 500, isTruncated: true });
    expect(result.body.length).toBe(65_536);
    expect(expectResponse(await fetchBad('/gone')).body.toString()).toContain('Status 410');
  });

  it('keep repeated headers apart', async () => {
    origin.site('tagged', { pages: { '/': withRobotsTag('noindex', 'otherbot: nofollow') } });
    const { headers } = expectResponse(await fetcher.fetch(pageRequest(origin.hostUrl('tagged', '/'))));
    expect(headerValues(headers, 'X-Robots-Tag')).toEqual(['noindex', 'otherbot: nofollow']);
  });
});

describe('content types', () => {
  it.each([
    ['/pdf', 'application/pdf'],
    ['/image', 'image/png'],
    ['/endless-video', 'video/mp4'],
    ['/untyped-binary', ''],
  ])('that are no page are not read: %s', async (path, contentType) => {
    expect(await fetchBad(path)).toMatchObject({ kind: 'unwanted-type', contentType, status: 200 });
  });

  it('that are missing are guessed from the content', async () => {
    expect(expectResponse(await fetchBad('/untyped')).body.toString()).toContain('No type');
    origin.site('untyped', { pages: { '/': typed(undefined, 'just words') } });
    const result = await fetcher.fetch(pageRequest(origin.hostUrl('untyped', '/')));
    expect(result.kind).toBe('unwanted-type');
  });

  it('do not matter when anything is wanted', async () => {
    expect(expectResponse(await fetchBad('/pdf', { accept: 'any' })).body.toString()).toContain('%PDF');
  });

  it('are believed: bytes that lie about themselves are the parser\u2019s business', async () => {
    for (const path of ['/image-as-html', '/cyrillic-as-utf8', '/japanese-as-utf8', '/broken-html']) {
      const { body, rawBody } = expectResponse(await fetchBad(path));
      expect(body).toBe(rawBody);
      expect(body.length).toBeGreaterThan(0);
    }
  });
});

describe('conditional requests', () => {
  it('end as not modified when the validator still holds, and as the page when it does not', async () => {
    const lastModified = 'Tue, 01 Oct 2024 10:00:00 GMT';
    expect(await fetchBad('/cacheable')).toMatchObject({ kind: 'response', status: 200 });
    expect(await fetchBad('/cacheable', { etag: '"v1"' })).toMatchObject({
      kind: 'not-modified',
      status: 304,
    });
    expect(await fetchBad('/cacheable', { lastModified })).toMatchObject({ kind: 'not-modified' });
    expect(await fetchBad('/cacheable', { etag: '"v0"', lastModified })).toMatchObject({ kind: 'response' });
  });
});

describe('pages of unusual size', () => {
  it.each([
    ['/many-links', 200_000],
    ['/million-links', 1_000_000],
  ])('arrive whole when the cap allows it: %s', async (path, count) => {
    const { body } = expectResponse(await fetchBad(path, { maxBodyBytes: 50_000_000 }));
    expect(body.toString().split('<a href=').length - 1).toBe(count);
  });
});

describe('a caller that loses interest', () => {
  it('ends the exchange as aborted, before and in the middle of it', async () => {
    const controller = new AbortController();
    origin.site('left', { pages: { '/': stallBody } });
    const pending = fetcher.fetch(pageRequest(origin.hostUrl('left', '/'), { signal: controller.signal }));
    await origin.waitForRequest((request) => request.site === 'left');
    controller.abort();
    expect(await pending).toMatchObject({ kind: 'failure', reason: 'aborted' });
    const late = await fetcher.fetch(pageRequest(origin.hostUrl('left', '/'), { signal: controller.signal }));
    expect(late).toMatchObject({ kind: 'failure', reason: 'aborted' });
    expect(origin.requestsTo('left')).toHaveLength(1);
  });
});
