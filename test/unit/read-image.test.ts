import { createHash } from 'node:crypto';
import { deflateSync } from 'node:zlib';
import sharp from 'sharp';
import { describe, expect, it } from 'vitest';
import { readImage } from '../../src/engine/images/read-image.ts';
import { bombPng, noisyJpeg, picture, rawPng, SCRIPTED_SVG } from '../support/pictures.ts';

async function codeOf(body: Buffer): Promise<string> {
  const { reading } = await readImage(body);
  return reading.kind === 'refused' ? reading.code : reading.kind;
}

describe('an image is what its bytes say', () => {
  for (const format of ['jpeg', 'png', 'webp', 'gif', 'avif'] as const) {
    it(`keeps a ${format}, with its size and a thumbnail`, async () => {
      const body = await picture(800, 600, 120, format);
      const { reading, thumbnail } = await readImage(body);
      expect(reading).toMatchObject({
        ...{ kind: 'kept', contentType: `image/${format}`, byteCount: body.length, width: 800, height: 600 },
        ...{ thumbnailType: 'image/webp', contentHash: createHash('sha256').update(body).digest() },
      });
      const { width, height, format: thumbnailFormat } = await sharp(thumbnail).metadata();
      expect([width, height, thumbnailFormat]).toEqual([320, 240, 'webp']);
    });
  }

  it('makes no thumbnail of one that is as small as that', async () => {
    const { reading, thumbnail } = await readImage(await picture(60, 40));
    expect(reading).toMatchObject({ kind: 'kept', width: 60, height: 40, thumbnailType: undefined });
    expect(thumbnail).toBeUndefined();
  });

  it('turns it the way it says it is to be turned, and carries nothing it says of itself into the thumbnail', async () => {
    const turned = await sharp(await picture(800, 600, 120, 'jpeg'))
      .withExif({ IFD0: { Copyright: 'somebody', Orientation: '6' } })
      .withMetadata({ orientation: 6 })
      .jpeg()
      .toBuffer();
    const { reading, thumbnail } = await readImage(turned);
    expect(reading).toMatchObject({ width: 600, height: 800 });
    const metadata = await sharp(thumbnail).metadata();
    expect([metadata.width, metadata.height, metadata.exif]).toEqual([240, 320, undefined]);
  });

  it('takes the first frame of one that moves', async () => {
    const frames = [await picture(400, 300, 10), await picture(400, 300, 200)];
    const moving = await sharp(frames, { join: { animated: true } })
      .gif()
      .toBuffer();
    const { reading, thumbnail } = await readImage(moving);
    expect(reading).toMatchObject({ kind: 'kept', contentType: 'image/gif', width: 400, height: 300 });
    expect((await sharp(thumbnail).metadata()).height).toBe(240);
  });
});

describe('what is no image, or too much of one, is refused with a reason', () => {
  it('an SVG, which may carry scripts', async () => {
    expect(await codeOf(Buffer.from(SCRIPTED_SVG))).toBe('svg');
    expect(await codeOf(Buffer.from('<svg onload="alert(1)"/>'))).toBe('svg');
    expect(await codeOf(Buffer.from(`\ufeff${SCRIPTED_SVG}`, 'utf16le'))).toBe('svg');
  });

  it('a web page, a text, nothing at all', async () => {
    expect(await codeOf(Buffer.from('<!doctype html><title>Not found</title>'))).toBe('not-an-image');
    expect(await codeOf(Buffer.from('Not found'))).toBe('not-an-image');
    expect(await codeOf(Buffer.alloc(0))).toBe('empty');
  });

  it('one of 0 × 0 or 1 × 1 pixels', async () => {
    expect(await codeOf(rawPng(0, 0, deflateSync(Buffer.alloc(0))))).toMatch(/^(?:empty|corrupt)$/);
    expect(await codeOf(rawPng(1, 1, deflateSync(Buffer.alloc(2))))).toBe('empty');
  });

  it('one whose header promises more pixels than there may be, before any of them is decoded', async () => {
    expect(await codeOf(rawPng(60_000, 60_000, deflateSync(Buffer.alloc(1000))))).toBe('too-many-pixels');
    expect(await codeOf(bombPng(12_000))).toBe('too-many-pixels');
  });

  it('one that ends too early, or is garbage behind its first bytes', async () => {
    const whole = await noisyJpeg(400, 400);
    expect(await codeOf(whole.subarray(0, whole.length >> 1))).toBe('corrupt');
    expect(await codeOf(rawPng(300, 300, deflateSync(Buffer.alloc(301 * 300)).subarray(0, 20)))).toBe(
      'corrupt',
    );
    expect(await codeOf(Buffer.concat([whole.subarray(0, 4), Buffer.alloc(500, 7)]))).toBe('corrupt');
    expect(await codeOf(Buffer.from('GIF89a'))).toBe('corrupt');
  });

  it('a kind that cannot be read here', async () => {
    const bitmap = Buffer.concat([Buffer.from('BM'), Buffer.alloc(60)]);
    expect(await codeOf(bitmap)).toBe('unsupported-type');
    expect(await codeOf(await picture(60, 40, 120, 'tiff'))).toBe('unsupported-type');
  });
});
