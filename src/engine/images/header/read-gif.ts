/** GIF: a screen, then blocks. Of one that moves the first frame is taken, and nothing behind it is looked at. */
import { type BadHeader, bad, type ImageHeader, MOST_PIXELS } from './image-header.ts';

const SCREEN_END = 13;
const EXTENSION = 0x21;
const FRAME = 0x2c;
const TRAILER = Buffer.from([0x3b]);
/** Says how long a frame is shown, and which of its colours is transparent. */
const CONTROL = 0xf9;

export function readGif(body: Buffer): ImageHeader | BadHeader {
  if (body.length < SCREEN_END) return bad('it has no header');
  let at = SCREEN_END + paletteBytes(body[10] ?? 0);
  const parts = [body.subarray(0, at)];
  let control: Buffer | undefined;
  while (at < body.length) {
    const from = at;
    if (body[at] === EXTENSION) {
      at = skipBlocks(body, at + 2);
      if (body[from + 1] === CONTROL) control = body.subarray(from, at);
    } else if (body[at] === FRAME && at + 10 < body.length) {
      const width = Math.max(body.readUInt16LE(6), body.readUInt16LE(at + 1) + body.readUInt16LE(at + 5));
      const height = Math.max(body.readUInt16LE(8), body.readUInt16LE(at + 3) + body.readUInt16LE(at + 7));
      // Behind its place stands its palette, then the size of its codes, then the codes.
      const end = skipBlocks(body, at + 11 + paletteBytes(body[at + 9] ?? 0));
      if (control !== undefined) parts.push(control);
      parts.push(body.subarray(from, end), TRAILER);
      return { kind: 'header', width, height, mostPixels: MOST_PIXELS, toDecode: Buffer.concat(parts) };
    } else break;
  }
  return bad('it has no frame');
}

function paletteBytes(flags: number): number {
  return (flags & 0x80) === 0 ? 0 : 3 * 2 ** ((flags & 7) + 1);
}

/** Each block tells how long it is, up to one of no length. */
function skipBlocks(body: Buffer, from: number): number {
  let at = from;
  while (at < body.length && body[at] !== 0) at += 1 + (body[at] ?? 0);
  return Math.min(at + 1, body.length);
}
