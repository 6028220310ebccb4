/** How connections are opened, kept, shared and given up. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Fetcher } from '../../src/engine/fetch/fetcher.ts';
import { monotonicMs } from '../../src/platform/clock.ts';
import { closeAfterAnswer, dropBeforeHeaders, dropSecondOnConnection } from '../origin/behaviours/raw.ts';
import { hang } from '../origin/behaviours/slow.ts';
import { typed } from '../origin/behaviours/types.ts';
import { createTestFetcher, expectResponse, pageRequest } from '../origin/fetch-from.ts';
import { goodSite, goodSitePath } from '../origin/good-site.ts';
import { type Origin, startOrigin } from '../origin/origin.ts';

let origin: Origin;
let fetcher: Fetcher;

beforeEach(async () => {
  origin = await startOrigin();
  fetcher = createTestFetcher({ maxConnectionsPerOrigin: 2, maxOrigins: 3 });
});

afterEach(async () => {
  await fetcher.close();
  await origin.close();
});

const portsOf = (site: string) => new Set(origin.requestsTo(site).map((request) => request.clientPort));
const fetchFrom = (site: string, path: string, changes = {}) =>
  fetcher.fetch(pageRequest(origin.hostUrl(site, path), changes));

describe('connections', () => {
  it('are kept and used again', async () => {
    origin.site('kept', goodSite({ pages: 5, linksPerPage: 2 }));
    for (let index = 0; index < 5; index++) expectResponse(await fetchFrom('kept', goodSitePath(index)));
    expect(portsOf('kept').size).toBe(1);
  });

  it('are never more than allowed to one origin, and every waiting request is served', async () => {
    origin.site('shared', goodSite({ pages: 20, linksPerPage: 2 }));
    const paths = Array.from({ length: 20 }, (_, index) => goodSitePath(index));
    const results = await Promise.all(paths.map((path) => fetchFrom('shared', path)));
    expect(results.map((result) => expectResponse(result).status)).toEqual(paths.map(() => 200));
    expect(portsOf('shared').size).toBe(2);
  });

  it('that a server closed meanwhile are replaced without the caller noticing', async () => {
    origin.site('closing', { pages: { '/': closeAfterAnswer('<p>bye') } });
    for (let round = 0; round < 10; round++) {
      expect(expectResponse(await fetchFrom('closing', '/')).body.toString()).toBe('<p>bye');
    }
  });

  it('that die at the moment of reuse cost one more request, not the page', async () => {
    origin.site('dying', { pages: { '/': dropSecondOnConnection(typed('text/html', 'alive')) } });
    for (let round = 0; round < 3; round++) {
      expect(expectResponse(await fetchFrom('dying', '/')).body.toString()).toBe('alive');
    }
    // The first fetch, then twice a dead connection followed by a fresh one.
    expect(origin.requestsTo('dying')).toHaveLength(5);
  });

  it('that die at reuse are replaced no sooner than the request allows, since the server may have seen it', async () => {
    origin.site('patient', { pages: { '/': dropSecondOnConnection(typed('text/html', 'alive')) } });
    expectResponse(await fetchFrom('patient', '/'));
    expectResponse(await fetchFrom('patient', '/', { repeatDelayMs: 300 }));
    const [, dropped, repeated] = origin.requestsTo('patient');
    expect((repeated?.atMs ?? 0) - (dropped?.atMs ?? 0)).toBeGreaterThanOrEqual(299);
  });

  it('that were fresh and died are not tried again: that is the server\u2019s answer', async () => {
    origin.site('dead', { pages: { '/': dropBeforeHeaders } });
    expect(await fetchFrom('dead', '/')).toMatchObject({ kind: 'failure', reason: 'dropped' });
    expect(origin.requestsTo('dead')).toHaveLength(1);
  });

  it('survive an answer nobody wanted if it was short', async () => {
    origin.site('typed', { pages: { '/image': typed('image/png', 'small'), '/': 'page' } });
    expect((await fetchFrom('typed', '/image')).kind).toBe('unwanted-type');
    expect((await fetchFrom('typed', '/')).kind).toBe('response');
    expect(portsOf('typed').size).toBe(1);
  });

  it('are not leaked by answers that were cut off', async () => {
    origin.site('large', { pages: { '/*': typed('image/png', Buffer.alloc(1_000_000)) } });
    for (let index = 0; index < 6; index++) {
      expect((await fetchFrom('large', `/${index}`)).kind).toBe('unwanted-type');
    }
    await origin.waitUntilAlone();
  });

  it('to the least recently used origins are closed beyond the maximum of origins', async () => {
    for (const name of ['one', 'two', 'three', 'four']) origin.site(name, { pages: { '/': name } });
    for (const name of ['one', 'two', 'three', 'one', 'four']) expectResponse(await fetchFrom(name, '/'));
    for (const name of ['one', 'two']) expectResponse(await fetchFrom(name, '/'));
    expect(portsOf('one').size).toBe(1);
    expect(portsOf('two').size).toBe(2);
  });

  it('in use are not closed to make room for other origins', async () => {
    origin.site('busy', {
      pages: { '/': ({ response }) => void release.then(() => response.end('at last')) },
    });
    let answer = () => {};
    const release = new Promise<void>((resolve) => {
      answer = resolve;
    });
    const pending = fetchFrom('busy', '/', { accept: 'any' });
    await origin.waitForRequest((request) => request.site === 'busy');
    for (const name of ['a', 'b', 'c', 'd', 'e']) {
      origin.site(name, { pages: { '/': name } });
      expectResponse(await fetchFrom(name, '/'));
    }
    answer();
    expect(expectResponse(await pending).body.toString()).toBe('at last');
  });
});

describe('waiting', () => {
  it('for a free connection counts against the deadline', async () => {
    origin.site('full', { pages: { '/*': hang } });
    const holders = [fetchFrom('full', '/1'), fetchFrom('full', '/2')];
    await origin.waitForRequest((request) => request.path === '/2');
    const result = await fetchFrom('full', '/3', { timeoutMs: 100 });
    expect(result).toMatchObject({ kind: 'failure', reason: 'connect-timeout' });
    expect(origin.requestsTo('full', '/3')).toHaveLength(0);
    await fetcher.close();
    for (const holder of holders) expect(await holder).toMatchObject({ reason: 'aborted' });
  });

  it('does not make a request seem to have been sent earlier than it was', async () => {
    let answer = () => {};
    const released = new Promise<void>((resolve) => {
      answer = resolve;
    });
    origin.site('queue', {
      pages: { '/hold/*': ({ response }) => void released.then(() => response.end()), '/next': 'next' },
    });
    const holders = [fetchFrom('queue', '/hold/1'), fetchFrom('queue', '/hold/2')];
    await origin.waitForRequest((request) => request.path === '/hold/2');
    const waiting = fetchFrom('queue', '/next');
    const releasedAtMs = monotonicMs();
    answer();
    const { timing } = expectResponse(await waiting);
    await Promise.all(holders);
    expect(timing.sentAtMs).toBeGreaterThanOrEqual(releasedAtMs);
    expect(timing.headersAtMs).toBeGreaterThanOrEqual(timing.sentAtMs);
    expect(timing.durationMs).toBeGreaterThanOrEqual((timing.headersAtMs ?? 0) - timing.sentAtMs);
  });
});

describe('closing the fetcher', () => {
  it('ends what is under way, closes every connection and refuses what comes later', async () => {
    origin.site('open', { pages: { '/hang': hang, '/': 'page' } });
    expectResponse(await fetchFrom('open', '/'));
    const pending = fetchFrom('open', '/hang');
    await origin.waitForRequest((request) => request.path === '/hang');
    await fetcher.close();
    expect(await pending).toMatchObject({ kind: 'failure', reason: 'aborted' });
    expect(await fetchFrom('open', '/')).toMatchObject({ kind: 'failure', reason: 'aborted' });
    await origin.waitUntilAlone();
  });
});

describe('requests', () => {
  it('carry the host, the headers of a polite crawler and the path as the URL has it', async () => {
    origin.site('polite', { pages: { '/*': 'page' } });
    await fetchFrom('polite', '/a%20b/\u00fc?q=1&q=2#part');
    const [request] = origin.requestsTo('polite');
    expect(request?.path).toBe('/a%20b/%C3%BC?q=1&q=2');
    expect(request?.headers).toMatchObject({
      host: `polite.localhost:${origin.port}`,
      'user-agent': 'ForagerBot/0.1 (+https://example.com/bot)',
      accept: expect.stringContaining('text/html'),
      'accept-encoding': expect.stringContaining('gzip'),
      'accept-language': expect.stringContaining('en'),
      connection: 'keep-alive',
    });
  });

  it('do not carry the credentials of a URL', async () => {
    origin.site('127.0.0.1', { pages: { '/': 'page' } });
    await fetcher.fetch(pageRequest(`http://user:secret@127.0.0.1:${origin.port}/`));
    expect(origin.requestsTo('127.0.0.1')[0]?.headers.authorization).toBeUndefined();
  });
});
