import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { BodyReader, type ReadBody } from '../../src/engine/fetch/body-reader.ts';
import {
  decodeSmallBody,
  type Encoding,
  parseContentEncoding,
} from '../../src/engine/fetch/content-encoding.ts';

describe('parseContentEncoding', () => {
  it.each<[string | undefined, Encoding[]]>([
    [undefined, []],
    ['', []],
    ['identity', []],
    ['gzip', ['gzip']],
    ['X-GZIP', ['gzip']],
    ['br, gzip', ['br', 'gzip']],
    [' deflate ,, identity ', ['deflate']],
  ])('reads %j', (header, encodings) => {
    expect(parseContentEncoding(header)).toEqual({ kind: 'known', encodings });
  });

  it('refuses encodings it cannot undo, and towers of those it can', () => {
    expect(parseContentEncoding('compress').kind).toBe('unknown');
    expect(parseContentEncoding('gzip, gzip, gzip, gzip, gzip').kind).toBe('unknown');
  });
});

const text = Buffer.from('The quick brown fox jumps over the lazy dog. '.repeat(50));

describe('decodeSmallBody', () => {
  it.each<[string, Encoding[], Buffer]>([
    ['gzip', ['gzip'], gzipSync(text)],
    ['deflate with its header', ['deflate'], deflateSync(text)],
    ['deflate without header', ['deflate'], deflateRawSync(text)],
    ['brotli', ['br'], brotliCompressSync(text)],
    ['two encodings, last one first', ['br', 'gzip'], gzipSync(brotliCompressSync(text))],
    [
      'several gzip members',
      ['gzip'],
      Buffer.concat([gzipSync(text.subarray(0, 99)), gzipSync(text.subarray(99))]),
    ],
    ['gzip without its trailer', ['gzip'], gzipSync(text).subarray(0, -8)],
  ])('undoes %s', (_name, encodings, raw) => {
    expect(decodeSmallBody(raw, encodings, 10_000)).toEqual({ kind: 'decoded', body: text });
  });

  it('stops at the cap', () => {
    expect(decodeSmallBody(gzipSync(text), ['gzip'], text.length).kind).toBe('decoded');
    expect(decodeSmallBody(gzipSync(text), ['gzip'], text.length - 1).kind).toBe('too-large');
  });

  it('says what is wrong with data that is not what it claims to be', () => {
    const decoded = decodeSmallBody(text, ['gzip'], 10_000);
    expect(decoded).toMatchObject({
      kind: 'bad-encoding',
      message: expect.stringContaining('not valid gzip'),
    });
  });
});

describe('BodyReader', () => {
  /** Bytes that gzip cannot shrink below the size at which decoding becomes streaming. */
  const large = Buffer.alloc(300_000);
  for (let i = 0, seed = 7; i < large.length; i++) {
    seed = (seed * 48_271) % 0x7fffffff;
    large[i] = seed & 0xff;
  }

  async function read(
    raw: Buffer,
    options: {
      encodings: Encoding[];
      maxBytes: number;
      keepsTruncated?: boolean;
      mustSniff?: boolean;
      chunkBytes?: number;
    },
  ): Promise<{ read: ReadBody; endedEarly: boolean }> {
    const { encodings, maxBytes, keepsTruncated = false, mustSniff = false, chunkBytes = 16_000 } = options;
    let endedEarly = false;
    const reader = new BodyReader({ encodings, maxBytes, keepsTruncated, mustSniff }, () => {
      endedEarly = true;
    });
    for (let at = 0; at < raw.length && !endedEarly; at += chunkBytes) {
      reader.push(raw.subarray(at, at + chunkBytes));
      await new Promise(setImmediate);
    }
    return { read: await reader.finish(), endedEarly };
  }

  it.each<[string, Encoding[], Buffer]>([
    ['not encoded', [], large],
    ['gzip', ['gzip'], gzipSync(large)],
    ['deflate', ['deflate'], deflateSync(large)],
    ['raw deflate', ['deflate'], deflateRawSync(large)],
    ['brotli', ['br'], brotliCompressSync(large)],
    ['gzip in gzip', ['gzip', 'gzip'], gzipSync(gzipSync(large))],
  ])('gathers a large body that comes in chunks: %s', async (_name, encodings, raw) => {
    const { read: body, endedEarly } = await read(raw, { encodings, maxBytes: 1_000_000 });
    expect(body.kind === 'read' && body.body.equals(large) && body.rawBody.equals(raw)).toBe(true);
    expect(body).toMatchObject({ isTruncated: false });
    expect(endedEarly).toBe(false);
  });

  it('gives the very buffer back when one chunk was all and nothing had to be decoded', async () => {
    const { read: body } = await read(text, { encodings: [], maxBytes: 10_000 });
    expect(body.kind === 'read' && body.body === body.rawBody && body.body.buffer === text.buffer).toBe(true);
  });

  it.each<[string, Encoding[], Buffer]>([
    ['not encoded', [], large],
    ['a small bomb', ['gzip'], gzipSync(Buffer.alloc(5_000_000))],
    ['a large bomb', ['gzip'], Buffer.concat(new Array<Buffer>(20).fill(gzipSync(Buffer.alloc(10_000_000))))],
    ['a bomb within a bomb', ['gzip', 'gzip'], gzipSync(gzipSync(Buffer.alloc(50_000_000)))],
  ])('calls a body beyond the cap too large: %s', async (_name, encodings, raw) => {
    const { read: body } = await read(raw, { encodings, maxBytes: 200_000 });
    expect(body.kind).toBe('too-large');
  });

  it.each<[string, Encoding[], Buffer]>([
    ['not encoded', [], large],
    ['encoded, small', ['gzip'], gzipSync(Buffer.concat([large.subarray(0, 40_000), Buffer.alloc(200_000)]))],
    ['encoded, large', ['gzip'], gzipSync(large)],
    ['encoded twice', ['gzip', 'br'], brotliCompressSync(gzipSync(large))],
  ])('keeps exactly the part before the cap when asked to: %s', async (_name, encodings, raw) => {
    const { read: body } = await read(raw, { encodings, maxBytes: 100_000, keepsTruncated: true });
    expect(body).toMatchObject({ kind: 'read', isTruncated: true });
    const kept = body.kind === 'read' ? body.body : Buffer.alloc(0);
    expect(kept.subarray(0, 40_000).equals(large.subarray(0, 40_000))).toBe(true);
    expect(kept.length).toBeLessThanOrEqual(100_000);
    expect(kept.length).toBeGreaterThan(40_000);
  });

  it('stops reading when a large body turns out not to be decodable', async () => {
    const corrupt = gzipSync(large);
    corrupt.fill(0xff, 80_000, 81_000);
    const { read: body, endedEarly } = await read(corrupt, { encodings: ['gzip'], maxBytes: 1_000_000 });
    expect(body.kind).toBe('bad-encoding');
    expect(endedEarly).toBe(true);
  });

  it('stops reading a body without type as soon as it does not look like HTML', async () => {
    const options = { maxBytes: 1_000_000, mustSniff: true };
    const plain = await read(large, { ...options, encodings: [] });
    expect([plain.read.kind, plain.endedEarly]).toEqual(['not-html', true]);
    expect(plain.read.rawBody.length).toBe(16_000);
    const packed = await read(gzipSync(text), { ...options, encodings: ['gzip'] });
    expect(packed.read.kind).toBe('not-html');
    const page = Buffer.concat([Buffer.from('<!doctype html>'), text]);
    expect((await read(page, { ...options, encodings: [] })).read).toMatchObject({
      kind: 'read',
      body: page,
    });
  });
});
