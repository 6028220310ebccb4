/** PNG: chunks of a length, a name, data and a checksum, the header first. */
import { type BadHeader, bad, type ImageHeader, MOST_PIXELS, MOST_PIXELS_WHOLE } from './image-header.ts';

const SIGNATURE_BYTES = 8;
const CHUNK_AROUND_BYTES = 12;
const HEADER_DATA_BYTES = 13;
/** Small, and of a fixed form: the palette, what is transparent, and what the numbers mean as colours. */
const TAKEN = new Set(['PLTE', 'tRNS', 'gAMA', 'cHRM', 'sRGB', 'IDAT']);
const MOST_SMALL_BYTES = 1024;

export function readPng(body: Buffer): ImageHeader | BadHeader {
  const isHeaderFirst = body.toString('latin1', 12, 16) === 'IHDR' && body.length >= 33;
  if (!isHeaderFirst || body.readUInt32BE(8) !== HEADER_DATA_BYTES) return bad('it has no header');
  const width = body.readUInt32BE(16);
  const height = body.readUInt32BE(20);
  const isWhole = body[28] !== 0 || body[24] === 16;
  const end = SIGNATURE_BYTES + CHUNK_AROUND_BYTES + HEADER_DATA_BYTES;
  const parts = [body.subarray(0, end)];
  const taken = new Set<string>();
  for (let at = end; at + CHUNK_AROUND_BYTES <= body.length; ) {
    const dataBytes = body.readUInt32BE(at);
    const name = body.toString('latin1', at + 4, at + 8);
    const next = at + CHUNK_AROUND_BYTES + dataBytes;
    if (next > body.length) break;
    const chunk = body.subarray(at, next);
    at = next;
    if (name === 'IEND') {
      parts.push(chunk);
      return {
        ...{ kind: 'header', width, height, toDecode: Buffer.concat(parts) },
        mostPixels: isWhole ? MOST_PIXELS_WHOLE : MOST_PIXELS,
      };
    }
    if (!TAKEN.has(name)) continue;
    if (name !== 'IDAT') {
      if (taken.has(name) || dataBytes > MOST_SMALL_BYTES) continue;
      taken.add(name);
    }
    // Any number of empty ones is work for nothing.
    if (dataBytes > 0) parts.push(chunk);
  }
  return bad('it ends too early');
}
