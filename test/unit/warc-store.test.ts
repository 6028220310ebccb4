import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import type { BodyLocation } from '../../src/engine/store/body-store.ts';
import { decodeStoredBody } from '../../src/engine/store/decode-stored-body.ts';
import { readExchange } from '../../src/engine/store/read-exchange.ts';
import { createWarcStore, type WarcStoreOptions } from '../../src/engine/store/warc-store.ts';
import {
  expectDigestsHold,
  listSegments,
  makeDirectory,
  makeExchange,
  readWithWarcio,
} from './archive-fixture.ts';

async function openStore(changes: Partial<WarcStoreOptions> = {}) {
  const directory = changes.directory ?? (await makeDirectory());
  return createWarcStore({
    writerId: 'w1',
    software: 'forager/0.1.0',
    ...changes,
    directory,
  });
}

async function readOnlySegment(directory: string) {
  const segments = await listSegments(directory);
  expect(segments).toHaveLength(1);
  return readWithWarcio(join(directory, segments[0] ?? ''));
}

describe('what is appended', () => {
  test('comes back whole from its location', async () => {
    const store = await openStore();
    const exchange = makeExchange();
    const location = await store.append(exchange);
    await store.sync();
    const { remoteAddress: _, ...expected } = exchange;
    expect(await readExchange(store.directory, location)).toEqual(expected);
    await store.close();
    expect(await readExchange(store.directory, location, exchange.url)).toEqual(expected);
  });

  test('may be changed by the caller as soon as append() has been called', async () => {
    const store = await openStore();
    const rawBody = Buffer.from('the page as it was received');
    const appended = store.append(makeExchange({ rawBody }));
    rawBody.fill(0);
    const stored = await readExchange(store.directory, await appended);
    expect(stored.rawBody.toString()).toBe('the page as it was received');
    await store.close();
  });

  test('is headed by whether robots.txt was obeyed', async () => {
    const store = await openStore({ robots: 'ignore' });
    await store.append(makeExchange());
    await store.close();
    const [info] = await readOnlySegment(store.directory);
    expect(info?.payload.toString()).toMatch(/\r\nrobots: ignore\r\n$/);
  });

  test('is a response record with the fields WARC 1.1 asks for', async () => {
    const store = await openStore();
    const location = await store.append(makeExchange());
    await store.close();
    const [info, response] = await readOnlySegment(store.directory);
    expect(info?.type).toBe('warcinfo');
    expect(info?.warc('WARC-Filename')).toBe(location.segment);
    expect(info?.payload.toString()).toMatch(
      /^software: forager\/0\.1\.0\r\nformat: WARC File Format 1\.1\r\nconformsTo: \S+\r\nrobots: obey\r\n$/,
    );
    expect(response?.type).toBe('response');
    expect(response?.url).toBe('https://example.com/page?a=1&b=2');
    expect(response?.offset).toBe(location.offset);
    expect(response?.warc('WARC-Date')).toBe('2026-11-15T07:43:18.123Z');
    expect(response?.warc('WARC-IP-Address')).toBe('93.184.216.34');
    expect(response?.warc('WARC-Record-ID')).toMatch(/^<urn:uuid:[0-9a-f-]{36}>$/);
    expect(response?.warc('Content-Type')).toBe('application/http;msgtype=response');
    expect(response?.status).toBe(200);
    expect(response?.http('Content-Type')).toBe('text/html; charset=utf-8');
  });

  test.each([
    ['gzip', gzipSync],
    ['br', brotliCompressSync],
  ])('stays encoded as %s in the archive and is decoded on request', async (encoding, encode) => {
    const store = await openStore();
    const page = Buffer.from('<p>encoded</p>'.repeat(500));
    const headers = ['Content-Encoding', encoding, 'Transfer-Encoding', 'chunked'];
    const location = await store.append(makeExchange({ rawBody: encode(page), headers }));
    await store.close();
    const [, response] = await readOnlySegment(store.directory);
    expect(response?.payload).toEqual(encode(page));
    expect(response?.http('Transfer-Encoding')).toBeNull();
    const stored = await readExchange(store.directory, location);
    expect(stored.headers).toEqual(headers);
    expect(decodeStoredBody(stored, 100_000)).toEqual(page);
    expect(() => decodeStoredBody(stored, 100)).toThrow(/more than 100 bytes/);
  });

  test('may have an empty body, no headers, an odd status or a URL that is no URI', async () => {
    const store = await openStore();
    const exchanges = [
      makeExchange({ rawBody: Buffer.alloc(0), headers: [] }),
      makeExchange({ rawBody: Buffer.from('\r\n\r\nstarts with blank lines'), headers: [] }),
      makeExchange({ status: 799, remoteAddress: undefined }),
      makeExchange({ url: 'https://example.com/a b\r\nWARC-Type: evil/ü' }),
    ];
    const locations = await Promise.all(exchanges.map((exchange) => store.append(exchange)));
    await store.close();
    const records = (await readOnlySegment(store.directory)).slice(1);
    expect(records.map((record) => record.payload)).toEqual(exchanges.map((exchange) => exchange.rawBody));
    expect(records.map((record) => record.type)).toEqual(['response', 'response', 'response', 'response']);
    expect(records[2]?.status).toBe(799);
    expect(records[3]?.url).toBe('https://example.com/a%20b%0D%0AWARC-Type:%20evil/%C3%BC');
    expectDigestsHold(records);
    await readExchange(store.directory, locations[3] as BodyLocation, exchanges[3]?.url);
    const last = await readExchange(store.directory, locations[1] as BodyLocation);
    expect(last.rawBody.toString()).toBe('\r\n\r\nstarts with blank lines');
  });
});

test('a thousand records are read by warcio one by one, in order, with right digests', async () => {
  const store = await openStore();
  const bodies = Array.from({ length: 1000 }, (_, i) => Buffer.from(`<p>${i}</p>`.repeat(i % 200)));
  const places = await Promise.all(
    bodies.map((rawBody, i) => store.append(makeExchange({ rawBody, url: `https://example.com/${i}` }))),
  );
  await store.close();
  const records = (await readOnlySegment(store.directory)).slice(1);
  expect(records.map((record) => record.url)).toEqual(bodies.map((_, i) => `https://example.com/${i}`));
  expect(records.map((record) => record.offset)).toEqual(places.map((place) => place.offset));
  expect(records.filter((record) => record.type === 'response').length).toBeGreaterThan(100);
  expectDigestsHold(records);
  for (const i of [0, 1, 500, 999]) {
    const stored = await readExchange(store.directory, places[i] as BodyLocation, `https://example.com/${i}`);
    expect(stored.rawBody).toEqual(bodies[i]);
  }
  expect(store.counts().records).toBe(1000);
});

describe('segments', () => {
  test('are begun anew at the size limit, each readable by itself', async () => {
    const store = await openStore({ maxSegmentBytes: 5000 });
    const bodies = Array.from({ length: 20 }, (_, i) => gzipSync(Buffer.from(`${i}`.repeat(5000 + i))));
    const noise = bodies.map((body, i) => Buffer.concat([body, Buffer.alloc(1500, i)]));
    const places = [];
    for (const rawBody of noise)
      places.push(await store.append(makeExchange({ rawBody, headers: ['Content-Encoding', 'gzip'] })));
    await store.close();
    const segments = await listSegments(store.directory);
    expect(segments.length).toBeGreaterThan(3);
    expect(new Set(places.map((place) => place.segment))).toEqual(new Set(segments));
    for (const segment of segments) {
      const records = await readWithWarcio(join(store.directory, segment));
      expect(records[0]?.type).toBe('warcinfo');
      expect(records.length).toBeGreaterThan(1);
      expectDigestsHold(records);
    }
    for (const [i, place] of places.entries()) {
      expect((await readExchange(store.directory, place)).rawBody).toEqual(noise[i]);
    }
  });

  test('are closed when their time has come even if nothing new arrives', async () => {
    const store = await openStore({ maxSegmentAgeMs: 30 });
    await store.append(makeExchange());
    const isMarked = async () => (await readdir(store.directory)).some((name) => name.endsWith('.open'));
    expect(await isMarked()).toBe(true);
    await expect.poll(isMarked).toBe(false);
    const next = await store.append(makeExchange());
    expect(next.segment).toMatch(/-00001\.warc\.gz$/);
    await store.close();
  });

  test('leave nothing behind when nothing was appended', async () => {
    const store = await openStore();
    await store.sync();
    await store.close();
    expect(await readdir(store.directory)).toEqual([]);
  });

  test('of two stores with one writer id, opened in the same second, do not meet', async () => {
    const first = await openStore();
    const second = await openStore({ directory: first.directory });
    const places = await Promise.all([first.append(makeExchange()), second.append(makeExchange())]);
    await Promise.all([first.close(), second.close()]);
    expect(new Set(places.map((place) => place.segment)).size).toBe(2);
    for (const place of places) await readExchange(first.directory, place);
  });
});

describe('a payload that the segment already holds', () => {
  const rawBody = Buffer.from('<p>the same again</p>'.repeat(100));

  test('is written as a revisit that refers to the first', async () => {
    const store = await openStore();
    const first = await store.append(makeExchange({ rawBody, url: 'https://example.com/first' }));
    await store.append(
      makeExchange({ rawBody, url: 'https://example.com/second', headers: ['X-Own', 'head'] }),
    );
    await store.close();
    const [, response, revisit] = await readOnlySegment(store.directory);
    expect(revisit?.type).toBe('revisit');
    expect(revisit?.payload).toHaveLength(0);
    expect(revisit?.http('X-Own')).toBe('head');
    expect(revisit?.warc('WARC-Profile')).toBe(
      'http://netpreserve.org/warc/1.1/revisit/identical-payload-digest',
    );
    expect(revisit?.warc('WARC-Refers-To')).toBe(response?.warc('WARC-Record-ID'));
    expect(revisit?.warc('WARC-Refers-To-Target-URI')).toBe('https://example.com/first');
    expect(revisit?.warc('WARC-Refers-To-Date')).toBe(response?.warc('WARC-Date'));
    expect(revisit?.warc('WARC-Refers-To-File-Offset')).toBe(String(first.offset));
    expect(revisit?.warc('WARC-Payload-Digest')).toBe(response?.warc('WARC-Payload-Digest'));
    expect(store.counts().revisits).toBe(1);
  });

  test('is given back in full, with its own head', async () => {
    const store = await openStore();
    await store.append(makeExchange({ rawBody, url: 'https://example.com/first' }));
    const repeat = makeExchange({ rawBody, url: 'https://example.com/second', headers: ['X-Own', 'head'] });
    const place = await store.append(repeat);
    await store.close();
    const { remoteAddress: _, ...expected } = repeat;
    expect(await readExchange(store.directory, place)).toEqual({
      ...expected,
      headers: ['X-Own', 'head'],
    });
  });

  test('is written in full in the next segment, which can then stand alone', async () => {
    const store = await openStore({ maxSegmentBytes: 1 });
    const places = [];
    for (let i = 0; i < 3; i++) places.push(await store.append(makeExchange({ rawBody })));
    await store.close();
    expect(new Set(places.map((place) => place.segment)).size).toBe(3);
    expect(store.counts().revisits).toBe(0);
  });
});

describe('the store', () => {
  test('makes append() wait while more than the allowed bytes are queued, and loses none', async () => {
    const store = await openStore({ maxQueuedBytes: 10_000 });
    let peakBytes = 0;
    const appends = Array.from({ length: 100 }, async (_, i) => {
      const place = store.append(makeExchange({ rawBody: Buffer.alloc(5000, i) }));
      peakBytes = Math.max(peakBytes, store.queuedBytes);
      return place;
    });
    const places = await Promise.all(appends);
    expect(peakBytes).toBeLessThan(16_000);
    expect(store.queuedBytes).toBe(0);
    expect(new Set(places.map((place) => place.offset)).size).toBe(100);
    await store.close();
  });

  test('takes bodies far larger than one message', async () => {
    const store = await openStore();
    const rawBody = Buffer.alloc(3_000_000, 'large ');
    const places = await Promise.all([
      store.append(makeExchange()),
      store.append(makeExchange({ rawBody })),
      store.append(makeExchange()),
    ]);
    await store.close();
    expect((await readExchange(store.directory, places[1])).rawBody.equals(rawBody)).toBe(true);
  });

  test('compresses, unless the body is encoded already', async () => {
    const store = await openStore();
    const page = Buffer.from('<p>words</p>'.repeat(2000));
    const plain = await store.append(makeExchange({ rawBody: page }));
    const packed = gzipSync(page);
    const encoded = await store.append(
      makeExchange({ rawBody: packed, headers: ['Content-Encoding', 'gzip'] }),
    );
    expect(plain.length).toBeLessThan(page.length / 10);
    expect(encoded.length).toBeGreaterThan(packed.length);
    await store.close();
  });

  test('refuses to append or sync after it was closed, and may be closed twice', async () => {
    const store = await openStore();
    await store.close();
    await store.close();
    await expect(store.append(makeExchange())).rejects.toMatchObject({ code: 'CLOSED' });
    await expect(store.sync()).rejects.toMatchObject({ code: 'CLOSED' });
  });

  test.each([
    [{ writerId: '../up' }, /writer id/],
    [{ writerId: 'a-b' }, /writer id/],
    [{ compressionLevel: 10 }, /compression level/],
    [{ maxSegmentBytes: 0 }, /above zero/],
  ])('refuses %j', async (options, message) => {
    await expect(openStore(options)).rejects.toThrow(message);
  });

  test('says in one sentence that its directory cannot be made', async () => {
    await expect(openStore({ directory: '/dev/null/archive' })).rejects.toThrow(
      /^Page bodies cannot be written to \/dev\/null\/archive: .+\.$/,
    );
  });
});
