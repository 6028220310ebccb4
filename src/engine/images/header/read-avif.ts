/** AVIF: boxes in boxes (ISO base media). What is shown is an item, whose size is one of its properties. */
import { type BadHeader, bad, type ImageHeader, MOST_PIXELS_AVIF } from './image-header.ts';

/** Boxes that are looked into, and how many bytes stand before those within. */
const CONTAINERS: Readonly<Record<string, number>> = { meta: 4, iprp: 0, ipco: 0 };
/** Nobody has more; each is looked at once. */
const MOST_BOXES = 10_000;
/** Things packed within: texts that unfold, pictures that are not AV1. */
const PACKED = ['deflate', 'compress_zlib', 'cmpC', 'unci'];

export function readAvif(body: Buffer): ImageHeader | BadHeader {
  let width = 0;
  let height = 0;
  let boxCount = 0;
  const films: number[] = [];
  let isPacked = false;
  const look = (from: number, end: number): boolean => {
    for (let at = from; at + 8 <= end; ) {
      boxCount += 1;
      const box = readBox(body, at, end);
      if (box === undefined || boxCount > MOST_BOXES) return false;
      const { name, content } = box;
      if (name === 'ispe' && content + 12 <= box.end) {
        width = Math.max(width, body.readUInt32BE(content + 4));
        height = Math.max(height, body.readUInt32BE(content + 8));
      }
      if (name === 'moov') films.push(at + 4);
      if (name === 'meta') isPacked ||= PACKED.some((word) => body.subarray(content, box.end).includes(word));
      const skipped = CONTAINERS[name];
      if (skipped !== undefined && !look(content + skipped, box.end)) return false;
      at = box.end;
    }
    return true;
  };
  if (!look(0, body.length)) return bad('its boxes do not fit into each other');
  if (isPacked) return bad('it has packed parts');
  if (width === 0 || height === 0) return bad('its header names no size');
  return {
    ...{ kind: 'header', width, height, mostPixels: MOST_PIXELS_AVIF },
    toDecode: films.length === 0 ? body : withoutFilms(body, films),
  };
}

function readBox(
  body: Buffer,
  at: number,
  end: number,
): { readonly name: string; readonly content: number; readonly end: number } | undefined {
  const name = body.toString('latin1', at + 4, at + 8);
  const bytes = body.readUInt32BE(at);
  // Up to the end of what it is in.
  if (bytes === 0) return { name, content: at + 8, end };
  if (bytes > 1)
    return bytes < 8 || at + bytes > end ? undefined : { name, content: at + 8, end: at + bytes };
  if (at + 16 > end || body.readUInt32BE(at + 8) !== 0) return undefined;
  const wideBytes = body.readUInt32BE(at + 12);
  return wideBytes < 16 || at + wideBytes > end ? undefined : { name, content: at + 16, end: at + wideBytes };
}

/** One that moves is its still picture. Everything stays where it was: places are told as distances from the start. */
function withoutFilms(body: Buffer, names: readonly number[]): Buffer {
  const copy = Buffer.from(body);
  for (const at of names) copy.write('free', at, 'latin1');
  return copy;
}
