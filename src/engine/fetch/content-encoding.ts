/**
 * Undoing Content-Encoding within a cap. Small bodies are decoded in one synchronous call, several times
 * cheaper than a stream through the thread pool; larger ones are decoded while they arrive, so that a few
 * kilobytes that unfold into gigabytes are cut off at the cap and not after the download.
 */
import * as zlib from 'node:zlib';

export type Encoding = 'gzip' | 'deflate' | 'br' | 'zstd';

export type EncodingList =
  | { readonly kind: 'known'; readonly encodings: readonly Encoding[] }
  | { readonly kind: 'unknown'; readonly message: string };

/** Servers stack encodings by mistake, seldom more than two; a tower of them is an attack. */
const MAX_ENCODINGS = 4;

/** zstd came to node:zlib after Node 20; used where it is there. */
interface ZstdSupport {
  readonly zstdDecompressSync: (data: Buffer, options: { maxOutputLength: number }) => Buffer;
  readonly createZstdDecompress: () => zlib.Gunzip;
}

const zstd: ZstdSupport | undefined =
  'zstdDecompressSync' in zlib && 'createZstdDecompress' in zlib
    ? (zlib as unknown as ZstdSupport)
    : undefined;

export const ACCEPT_ENCODING = zstd ? 'gzip, deflate, br, zstd' : 'gzip, deflate, br';

/** Reads the Content-Encoding header into the order in which the encodings were applied. */
export function parseContentEncoding(header: string | undefined): EncodingList {
  const encodings: Encoding[] = [];
  for (const token of (header ?? '').toLowerCase().split(',')) {
    const name = token.trim();
    if (name === '' || name === 'identity') continue;
    if (name === 'gzip' || name === 'x-gzip') encodings.push('gzip');
    else if (name === 'deflate' || name === 'br') encodings.push(name);
    else if (name === 'zstd' && zstd) encodings.push('zstd');
    else return { kind: 'unknown', message: `The body is encoded as "${name}", which was not asked for.` };
  }
  if (encodings.length > MAX_ENCODINGS) {
    return { kind: 'unknown', message: `The body is encoded ${encodings.length} times over.` };
  }
  return { kind: 'known', encodings };
}

export type SyncDecoded =
  | { readonly kind: 'decoded'; readonly body: Buffer }
  | { readonly kind: 'too-large' }
  | { readonly kind: 'bad-encoding'; readonly message: string };

export function decodeSmallBody(raw: Buffer, encodings: readonly Encoding[], maxBytes: number): SyncDecoded {
  let body = raw;
  for (const encoding of encodings.toReversed()) {
    // Some servers label an empty body with an encoding; there is nothing to undo.
    if (body.length === 0) break;
    try {
      body = decodeOnce(body, encoding, maxBytes);
    } catch (error) {
      if (error instanceof RangeError) return { kind: 'too-large' };
      return { kind: 'bad-encoding', message: describeBadEncoding(encoding, error) };
    }
  }
  return { kind: 'decoded', body };
}

function decodeOnce(data: Buffer, encoding: Encoding, maxBytes: number): Buffer {
  const options = { ...LENIENT, maxOutputLength: Math.max(maxBytes, 1) };
  if (encoding === 'gzip') return zlib.gunzipSync(data, options);
  if (encoding === 'br') return zlib.brotliDecompressSync(data, { ...options, ...LENIENT_BROTLI });
  if (encoding === 'zstd' && zstd) return zstd.zstdDecompressSync(data, options);
  return hasZlibHeader(data) ? zlib.inflateSync(data, options) : zlib.inflateRawSync(data, options);
}

/** One stream per encoding, created when its first bytes are known: deflate comes with and without a header. */
export function createDecodeStream(encoding: Encoding, firstChunk: Buffer): zlib.Gunzip {
  if (encoding === 'gzip') return zlib.createGunzip(LENIENT);
  if (encoding === 'br') return zlib.createBrotliDecompress(LENIENT_BROTLI);
  if (encoding === 'zstd' && zstd) return zstd.createZstdDecompress();
  return hasZlibHeader(firstChunk) ? zlib.createInflate(LENIENT) : zlib.createInflateRaw(LENIENT);
}

export function describeBadEncoding(encoding: Encoding, error: unknown): string {
  return `The body is not valid ${encoding}: ${error instanceof Error ? error.message : String(error)}.`;
}

/** Servers that leave off the last bytes of a stream are common, and browsers show what there is. */
const CHUNK_BYTES = 32_768;
const LENIENT = { finishFlush: zlib.constants.Z_SYNC_FLUSH, chunkSize: CHUNK_BYTES };
const LENIENT_BROTLI = { finishFlush: zlib.constants.BROTLI_OPERATION_FLUSH, chunkSize: CHUNK_BYTES };

/** RFC 1950 §2.2: compression method 8, and a header that is a multiple of 31. */
function hasZlibHeader(data: Buffer): boolean {
  const first = data[0] ?? 0;
  return (first & 0x0f) === 8 && (first * 256 + (data[1] ?? 0)) % 31 === 0;
}
