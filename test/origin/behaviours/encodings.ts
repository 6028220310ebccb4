import { brotliCompressSync, constants, deflateRawSync, deflateSync, gzipSync } from 'node:zlib';
import type { Handler } from '../site.ts';

function encoded(contentEncoding: string, body: Buffer): Handler {
  return ({ response }) => {
    response.writeHead(200, {
      'content-type': 'text/html; charset=utf-8',
      'content-encoding': contentEncoding,
      'content-length': body.length,
    });
    response.end(body);
  };
}

export const gzipped = (text: string): Handler => encoded('gzip', gzipSync(text));
export const deflated = (text: string): Handler => encoded('deflate', deflateSync(text));
export const deflatedRaw = (text: string): Handler => encoded('deflate', deflateRawSync(text));
export const brotlied = (text: string): Handler => encoded('br', brotliCompressSync(text));
/** Encoded twice, and says so. */
export const gzippedTwice = (text: string): Handler => encoded('gzip, gzip', gzipSync(gzipSync(text)));
export const brotliInGzip = (text: string): Handler =>
  encoded('br, gzip', gzipSync(brotliCompressSync(text)));
/** Encoded more often than anyone would by accident. */
export function gzippedDeep(text: string, depth: number): Handler {
  let body = Buffer.from(text);
  for (let i = 0; i < depth; i++) body = gzipSync(body);
  return encoded(new Array<string>(depth).fill('gzip').join(', '), body);
}
export const unknownEncoding: Handler = encoded('compress', Buffer.from('whatever this is'));
/** Says gzip, sends text: a common misconfiguration. */
export const notGzip: Handler = encoded('gzip', Buffer.from('<p>plain text</p>'));
export const emptyGzip: Handler = encoded('gzip', Buffer.alloc(0));

/** Starts as gzip, goes on as noise. */
export function corruptGzip(bytes = 20_000): Handler {
  const body = gzipSync(incompressible(bytes));
  body.fill(0x55, Math.floor(body.length / 2), Math.floor(body.length / 2) + 200);
  return encoded('gzip', body);
}

/** The last bytes of the stream, check sum and all, are missing. */
export function truncatedGzip(text: string): Handler {
  return encoded('gzip', gzipSync(text).subarray(0, -8));
}

/** Text that hardly compresses, so that the wire size is near the size asked for. */
export function incompressible(bytes: number): Buffer {
  const body = Buffer.alloc(bytes);
  let seed = 12_345;
  for (let i = 0; i < bytes; i++) {
    seed = (seed * 1_103_515_245 + 12_345) & 0x7fffffff;
    body[i] = 33 + ((seed >> 16) % 90);
  }
  return body;
}

/** Ten megabytes of zeros in ten kilobytes; members may follow each other, so any size can be made of it. */
const zeroMember = () => gzipSync(Buffer.alloc(10_000_000), { level: 9 });

/** A few hundred kilobytes that unfold to `megabytes`. */
export function gzipBomb(megabytes = 300): Handler {
  let body: Buffer | undefined;
  return (exchange) => {
    body ??= Buffer.concat(new Array<Buffer>(Math.ceil(megabytes / 10)).fill(zeroMember()));
    return encoded('gzip', body)(exchange);
  };
}

/** A few kilobytes that unfold to hundreds of megabytes, twice wrapped. */
export function nestedGzipBomb(megabytes = 500): Handler {
  let body: Buffer | undefined;
  return (exchange) => {
    body ??= gzipSync(Buffer.concat(new Array<Buffer>(Math.ceil(megabytes / 10)).fill(zeroMember())));
    return encoded('gzip, gzip', body)(exchange);
  };
}

export function brotliBomb(megabytes = 100): Handler {
  let body: Buffer | undefined;
  return (exchange) => {
    body ??= brotliCompressSync(Buffer.alloc(megabytes * 1_000_000), {
      params: { [constants.BROTLI_PARAM_QUALITY]: 5 },
    });
    return encoded('br', body)(exchange);
  };
}

/** A bomb without end: members follow each other as long as the client reads. */
export const endlessGzip: Handler = ({ response }) => {
  response.writeHead(200, { 'content-type': 'text/html', 'content-encoding': 'gzip' });
  const member = zeroMember();
  const pour = () => {
    while (!response.destroyed && response.write(member));
  };
  response.on('drain', pour);
  pour();
};
