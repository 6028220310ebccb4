/** Pictures made on the spot: good ones of every kind, and those that should be refused. */
import { deflateSync } from 'node:zlib';
import sharp from 'sharp';

type Format = 'jpeg' | 'png' | 'webp' | 'gif' | 'avif' | 'tiff';

/** The same bytes for the same arguments; another shade makes another picture. */
export function picture(width: number, height: number, shade = 120, format: Format = 'png'): Promise<Buffer> {
  const background = { r: shade, g: 255 - shade, b: 90 };
  return sharp({ create: { width, height, channels: 3, background } })
    .toFormat(format)
    .toBuffer();
}

/** What does not compress: its second half is needed. */
export function noisyJpeg(width: number, height: number): Promise<Buffer> {
  const bytes = Buffer.alloc(width * height * 3);
  let seed = 42;
  for (let i = 0; i < bytes.length; i += 1) {
    seed = (Math.imul(seed, 1_103_515_245) + 12_345) & 0x7fffffff;
    bytes[i] = seed >> 16;
  }
  return sharp(bytes, { raw: { width, height, channels: 3 } })
    .jpeg()
    .toBuffer();
}

/** A grey PNG whose header says so many pixels, with whatever is given as its compressed rows. */
export function rawPng(
  width: number,
  height: number,
  rows: Buffer,
  extra: readonly (readonly [name: string, data: Buffer])[] = [],
): Buffer {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header[8] = 8;
  return Buffer.concat([
    Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
    chunk('IHDR', header),
    ...extra.map(([name, data]) => chunk(name, data)),
    chunk('IDAT', rows),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

/** All of its pixels are there, and black: a few hundred kilobytes that unfold to hundreds of megabytes. */
export function bombPng(side: number): Buffer {
  return rawPng(side, side, deflateSync(Buffer.alloc((side + 1) * side), { level: 9 }));
}

export const SCRIPTED_SVG =
  '<?xml version="1.0"?><!-- a comment --><svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>';

function chunk(type: string, data: Buffer): Buffer {
  const named = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const length = Buffer.alloc(4);
  length.writeUInt32BE(data.length);
  const check = Buffer.alloc(4);
  check.writeUInt32BE(crc32(named));
  return Buffer.concat([length, named, check]);
}

function crc32(bytes: Buffer): number {
  let crc = 0xffffffff;
  for (const byte of bytes) {
    crc ^= byte;
    for (let bit = 0; bit < 8; bit += 1) crc = crc & 1 ? (crc >>> 1) ^ 0xedb88320 : crc >>> 1;
  }
  return (crc ^ 0xffffffff) >>> 0;
}

/** A text in a PNG that is a few kilobytes there and this many bytes once it is unfolded. */
export function foldedText(byteCount: number): readonly [name: string, data: Buffer] {
  return ['zTXt', Buffer.concat([Buffer.from('Comment\0\0'), deflateSync(Buffer.alloc(byteCount, 0x30))])];
}

/** A GIF of two colours and this many frames of 2 × 2 pixels. */
export function movingGif(frameCount: number): Buffer {
  const start = Buffer.from('47494638396102000200800000000000ffffff', 'hex');
  const frame = Buffer.from('21f90400000000002c0000000002000200000202845100', 'hex');
  return Buffer.concat([start, ...Array<Buffer>(frameCount).fill(frame), Buffer.from([0x3b])]);
}
