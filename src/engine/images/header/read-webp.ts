/** WebP: chunks of a name, a length and data, in a RIFF container. */
import { type BadHeader, bad, type ImageHeader, MOST_METADATA_BYTES, MOST_PIXELS } from './image-header.ts';

const CONTAINER_BYTES = 12;
const PICTURE = new Set(['VP8X', 'VP8 ', 'VP8L', 'ALPH', 'ANIM', 'ANMF']);
/** What colours mean, and which way up it is. */
const METADATA = new Set(['ICCP', 'EXIF']);

export function readWebp(body: Buffer): ImageHeader | BadHeader {
  if (body.length < CONTAINER_BYTES) return bad('it has no header');
  const fileEnd = Math.min(body.length, 8 + body.readUInt32LE(4));
  let size: Size | undefined;
  let frameCount = 0;
  let metadataBytes = 0;
  const parts: Buffer[] = [];
  for (let at = CONTAINER_BYTES; at + 8 <= fileEnd; ) {
    const name = body.toString('latin1', at, at + 4);
    const dataBytes = body.readUInt32LE(at + 4);
    const next = at + 8 + dataBytes + (dataBytes % 2);
    if (at + 8 + dataBytes > fileEnd) return bad('it ends too early');
    const chunk = body.subarray(at, next);
    at = next;
    if (METADATA.has(name)) {
      metadataBytes += dataBytes;
      if (metadataBytes > MOST_METADATA_BYTES) continue;
    } else if (!PICTURE.has(name)) continue;
    if (name === 'ANMF') {
      frameCount += 1;
      // Of one that moves, the first frame.
      if (frameCount > 1) continue;
    }
    size = larger(size, readSize(name, chunk));
    parts.push(chunk);
  }
  if (size === undefined) return bad('its header names no size');
  const content = Buffer.concat(parts);
  const container = Buffer.from(body.subarray(0, CONTAINER_BYTES));
  container.writeUInt32LE(4 + content.length, 4);
  return {
    ...{ kind: 'header', ...size, mostPixels: MOST_PIXELS },
    toDecode: Buffer.concat([container, content]),
  };
}

interface Size {
  readonly width: number;
  readonly height: number;
}

function readSize(name: string, chunk: Buffer): Size | undefined {
  const data = chunk.subarray(8);
  if (name === 'VP8X' && data.length >= 10) {
    return { width: 1 + data.readUIntLE(4, 3), height: 1 + data.readUIntLE(7, 3) };
  }
  if (name === 'ANMF' && data.length >= 16) {
    return { width: 1 + data.readUIntLE(6, 3), height: 1 + data.readUIntLE(9, 3) };
  }
  if (name === 'VP8 ' && data.length >= 10) {
    return { width: data.readUInt16LE(6) & 0x3fff, height: data.readUInt16LE(8) & 0x3fff };
  }
  if (name === 'VP8L' && data.length >= 5) {
    const bits = data.readUInt32LE(1);
    return { width: 1 + (bits & 0x3fff), height: 1 + ((bits >>> 14) & 0x3fff) };
  }
  return undefined;
}

function larger(one: Size | undefined, other: Size | undefined): Size | undefined {
  if (one === undefined || other === undefined) return one ?? other;
  return { width: Math.max(one.width, other.width), height: Math.max(one.height, other.height) };
}
