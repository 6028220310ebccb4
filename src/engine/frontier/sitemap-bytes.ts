/** From the bytes of a sitemap to its text: gunzipped when they are gzip, decoded as they say, cut at the cap. */
import { Readable } from 'node:stream';
import { StringDecoder } from 'node:string_decoder';
import { createGunzip } from 'node:zlib';

export type SitemapBytesEnd = 'complete' | 'truncated-bytes' | 'bad-gzip';

/**
 * The text in pieces of a few ten thousand characters, to be iterated once. A bomb stops at the cap: zlib is
 * asked for one small piece at a time.
 */
export class SitemapText {
  /** Bytes read so far, after decompression. */
  byteCount = 0;
  /** How the bytes ended; holds once the iteration is over. */
  end: SitemapBytesEnd = 'complete';
  readonly #chunks: AsyncIterable<Uint8Array>;
  readonly #maxBytes: number;

  constructor(chunks: AsyncIterable<Uint8Array>, maxBytes: number) {
    this.#chunks = chunks;
    this.#maxBytes = maxBytes;
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<string, void> {
    const decoder = new SitemapTextDecoder();
    let text = '';
    try {
      for await (const chunk of gunzipIfGzip(this.#chunks)) {
        const room = this.#maxBytes - this.byteCount;
        const kept = chunk.length > room ? chunk.subarray(0, room) : chunk;
        this.byteCount += kept.length;
        text += decoder.write(kept);
        if (chunk.length > room) {
          this.end = 'truncated-bytes';
          break;
        }
        if (text.length >= TEXT_PIECE_CHARS) {
          yield text;
          text = '';
        }
      }
    } catch (error) {
      if (!isZlibError(error)) throw error;
      this.end = 'bad-gzip';
    }
    text += decoder.end();
    if (text !== '') yield text;
  }
}

const TEXT_PIECE_CHARS = 32_768;

async function* gunzipIfGzip(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array, void> {
  const source = chunks[Symbol.asyncIterator]();
  try {
    let head: Uint8Array = new Uint8Array();
    let isDone = false;
    while (head.length < 2 && !isDone) {
      const next = await source.next();
      if (next.done === true) isDone = true;
      else head = head.length === 0 ? next.value : Buffer.concat([head, next.value]);
    }
    const rest = resume(head, source);
    if (head[0] === 0x1f && head[1] === 0x8b) yield* gunzip(rest);
    else yield* rest;
  } finally {
    await source.return?.();
  }
}

async function* resume(
  head: Uint8Array,
  source: AsyncIterator<Uint8Array>,
): AsyncGenerator<Uint8Array, void> {
  if (head.length > 0) yield head;
  for (let next = await source.next(); next.done !== true; next = await source.next()) yield next.value;
}

async function* gunzip(compressed: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array, void> {
  const source = Readable.from(compressed, { highWaterMark: 1 });
  const unzipped = createGunzip();
  source.on('error', (error) => unzipped.destroy(error));
  source.pipe(unzipped);
  try {
    for await (const chunk of unzipped as AsyncIterable<Buffer>) yield chunk;
  } finally {
    source.destroy();
    unzipped.destroy();
  }
}

function isZlibError(error: unknown): boolean {
  return (
    error instanceof Error && 'code' in error && typeof error.code === 'string' && error.code.startsWith('Z_')
  );
}

/** Waits for enough bytes to tell the encoding: byte order mark, else the XML declaration, else UTF-8. */
class SitemapTextDecoder {
  #head: Uint8Array | undefined = new Uint8Array();
  #decode: ((bytes: Uint8Array | undefined) => string) | undefined;

  write(chunk: Uint8Array): string {
    if (this.#decode !== undefined) return this.#decode(chunk);
    this.#head = Buffer.concat([this.#head ?? new Uint8Array(), chunk]);
    return this.#head.length < HEAD_BYTES ? '' : this.#start();
  }

  end(): string {
    const begun = this.#decode === undefined ? this.#start() : '';
    return begun + (this.#decode?.(undefined) ?? '');
  }

  #start(): string {
    const head = this.#head ?? new Uint8Array();
    this.#head = undefined;
    this.#decode = createDecoder(detectEncoding(head));
    return this.#decode(head);
  }
}

const HEAD_BYTES = 256;

function detectEncoding(head: Uint8Array): string {
  if (head[0] === 0xff && head[1] === 0xfe) return 'utf-16le';
  if (head[0] === 0xfe && head[1] === 0xff) return 'utf-16be';
  if (head[0] === 0x3c && head[1] === 0x00) return 'utf-16le';
  if (head[0] === 0x00 && head[1] === 0x3c) return 'utf-16be';
  const start = Buffer.from(head.subarray(0, HEAD_BYTES)).toString('latin1');
  const declared = /^(?:\xef\xbb\xbf)?\s*<\?xml\s[^>]*?encoding\s*=\s*["']([A-Za-z0-9._:-]+)["']/.exec(
    start,
  )?.[1];
  // A declaration that could be read octet by octet is not in UTF-16, whatever it says.
  return declared === undefined || /^(?:utf-?(?:8|16.*)|us-ascii)$/i.test(declared) ? 'utf-8' : declared;
}

function createDecoder(encoding: string): (bytes: Uint8Array | undefined) => string {
  if (encoding === 'utf-8') return createUtf8Decoder();
  try {
    const decoder = new TextDecoder(encoding);
    return (bytes) => (bytes === undefined ? decoder.decode() : decoder.decode(bytes, { stream: true }));
  } catch {
    return createUtf8Decoder();
  }
}

/** Several times as fast as TextDecoder on streams. Its byte order mark is dropped by the reader. */
function createUtf8Decoder(): (bytes: Uint8Array | undefined) => string {
  const decoder = new StringDecoder('utf8');
  return (bytes) => (bytes === undefined ? decoder.end() : decoder.write(bytes));
}
