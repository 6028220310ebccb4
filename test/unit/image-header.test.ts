import { deflateSync } from 'node:zlib';
import sharp from 'sharp';
import { describe, expect, it } from 'vitest';
import { readHeader } from '../../src/engine/images/header/read-header.ts';
import type { ImageType } from '../../src/engine/images/image-reading.ts';
import { readImage } from '../../src/engine/images/read-image.ts';
import { foldedText, movingGif, picture, rawPng } from '../support/pictures.ts';

function header(body: Buffer, type: ImageType) {
  const read = readHeader(body, type);
  if (read.kind === 'bad') throw new Error(read.why);
  return read;
}

async function codeOf(body: Buffer): Promise<string> {
  const { reading } = await readImage(body);
  return reading.kind === 'refused' ? reading.code : reading.kind;
}

const rows = deflateSync(Buffer.alloc(41 * 40));

describe('what of a file reaches the library', () => {
  it('of a PNG neither texts, nor profiles, nor chunks that nobody knows', async () => {
    const folded = foldedText(1_000_000);
    const body = rawPng(40, 40, rows, [
      folded,
      ['iTXt', Buffer.from('Comment\0\0\0\0\0words')],
      ['iCCP', Buffer.concat([Buffer.from('x\0\0'), deflateSync(Buffer.alloc(1_000_000))])],
      ['eXIf', Buffer.alloc(100)],
      ['gAMA', Buffer.from([0, 0, 0xb1, 0x8f])],
      ['prVt', Buffer.alloc(100)],
    ]);
    const { toDecode } = header(body, 'image/png');
    expect(toDecode).toEqual(rawPng(40, 40, rows, [['gAMA', Buffer.from([0, 0, 0xb1, 0x8f])]]));
    expect(await codeOf(body)).toBe('kept');
  });

  it('so that texts which unfold to gigabytes take nothing', async () => {
    const folded = foldedText(50_000_000);
    const body = rawPng(
      40,
      40,
      rows,
      Array.from({ length: 60 }, () => folded),
    );
    const before = process.resourceUsage().maxRSS;
    expect(await codeOf(body)).toBe('kept');
    // In kilobytes. Unfolded, they are 3 GB.
    expect(process.resourceUsage().maxRSS - before).toBeLessThan(300_000);
  });

  it('of a JPEG its picture, its colours and which way up it is', async () => {
    const plain = await picture(80, 60, 120, 'jpeg');
    const remark = Buffer.concat([Buffer.from([0xff, 0xe1, 0xff, 0xff]), Buffer.alloc(65_533, 0x41)]);
    const exif = Buffer.concat([Buffer.from([0xff, 0xe1, 0, 10]), Buffer.from('Exif\0\0II')]);
    const body = Buffer.concat([plain.subarray(0, 2), remark, remark, exif, exif, plain.subarray(2)]);
    const { toDecode } = header(body, 'image/jpeg');
    expect(toDecode.length).toBe(plain.length + exif.length);
    expect(await codeOf(body)).toBe('kept');
  });

  it('of a GIF and a WebP that move the first frame', async () => {
    const gif = movingGif(50_000);
    expect(header(gif, 'image/gif').toDecode).toEqual(movingGif(1));
    const frames = [await picture(400, 300, 10), await picture(400, 300, 200), await picture(400, 300, 90)];
    const webp = await sharp(frames, { join: { animated: true } })
      .webp()
      .toBuffer();
    const { toDecode } = header(webp, 'image/webp');
    expect((await sharp(toDecode, { pages: -1 }).metadata()).pages ?? 1).toBe(1);
    expect((await readImage(webp)).reading).toMatchObject({ kind: 'kept', width: 400, height: 300 });
  });
});

describe('sizes are read from the header', () => {
  for (const format of ['jpeg', 'png', 'webp', 'gif', 'avif'] as const) {
    it(`of a ${format}`, async () => {
      const read = header(await picture(123, 45, 120, format), `image/${format}`);
      expect([read.width, read.height]).toEqual([123, 45]);
    });
  }

  it('of a WebP without losses and one that is extended', async () => {
    const lossless = await sharp(await picture(123, 45))
      .webp({ lossless: true })
      .toBuffer();
    const extended = await sharp({
      create: { width: 123, height: 45, channels: 4, background: { r: 1, g: 2, b: 3, alpha: 0.5 } },
    })
      .webp()
      .toBuffer();
    for (const body of [lossless, extended]) {
      expect(header(body, 'image/webp')).toMatchObject({ width: 123, height: 45 });
    }
  });

  it('of a GIF whose frame is larger than its screen, the larger', async () => {
    const body = movingGif(1);
    body.writeUInt16LE(65_535, 32);
    body.writeUInt16LE(65_535, 34);
    expect(await codeOf(body)).toBe('too-many-pixels');
  });

  it('of which there may be fewer where the whole picture is held at once', async () => {
    const deep = rawPng(5000, 4001, Buffer.alloc(10));
    expect(header(deep, 'image/png').mostPixels).toBe(50_000_000);
    deep[24] = 16;
    expect(await codeOf(deep)).toBe('too-many-pixels');
    deep[24] = 8;
    deep[28] = 1;
    expect(await codeOf(deep)).toBe('too-many-pixels');
    const avif = await picture(60, 40, 120, 'avif');
    const size = avif.indexOf('ispe') + 8;
    avif.writeUInt32BE(4001, size);
    avif.writeUInt32BE(4001, size + 4);
    expect(await codeOf(avif)).toBe('too-many-pixels');
  });
});

describe('headers that lie', () => {
  it('are refused wherever they are cut, and never take the process down', async () => {
    for (const format of ['jpeg', 'png', 'webp', 'gif', 'avif'] as const) {
      const body = await picture(60, 40, 120, format);
      for (let bytes = 1; bytes < Math.min(body.length, 700); bytes += 1) {
        expect(() => readHeader(body.subarray(0, bytes), `image/${format}`)).not.toThrow();
      }
      expect(await codeOf(body.subarray(0, 40))).toMatch(/^(?:corrupt|not-an-image)$/);
    }
  });

  it('of a JPEG with more scans than any has', async () => {
    const body = await sharp(await picture(64, 64))
      .jpeg({ progressive: true })
      .toBuffer();
    const scan = body.subarray(body.lastIndexOf(Buffer.from([0xff, 0xda])), body.length - 2);
    const many = Buffer.concat([body.subarray(0, -2), ...Array<Buffer>(200).fill(scan), body.subarray(-2)]);
    expect(await codeOf(many)).toBe('corrupt');
  });
});
