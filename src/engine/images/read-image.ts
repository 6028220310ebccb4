/**
 * From the bytes of a file to what is known of the image in it, and its thumbnail.
 *
 * Whoever serves an image decides what is in it, so each step is bounded before it is taken: the type by the first
 * bytes, the size by the header, which we read ourselves, and only then is it decoded, in threads of the library, large
 * ones one at a time and each for so long. The library is given what makes the picture, nothing else (header/): what a
 * file says of itself unfolds to any size, and is not carried over into the thumbnail.
 */
import { hash } from 'node:crypto';
import type { Metadata, Sharp, SharpOptions } from 'sharp';
import { Lanes } from '../lanes.ts';
import { readHeader } from './header/read-header.ts';
import type { ImageReading, ImageType, KeptImage, RefusalCode, RefusedImage } from './image-reading.ts';
import { sniffImage } from './sniff-image.ts';

export const THUMBNAIL_SIDE = 320;
const THUMBNAIL_QUALITY = 78;
const MOST_AT_ONCE = 2;
/** Of these there is one at a time: it may take a few hundred megabytes while it is decoded. */
const LARGE_PIXELS = 4_000_000;
const DECODE_SECONDS = 20;

export interface ReadImage {
  readonly reading: ImageReading;
  /** The bytes of its thumbnail, where it has one. */
  readonly thumbnail: Buffer | undefined;
}

const lanes = new Lanes(MOST_AT_ONCE);
const largeLane = new Lanes(1);

/** Never rejects for what is in the file. */
export async function readImage(body: Buffer): Promise<ReadImage> {
  if (body.length === 0) return refuse('empty', 'The answer has no bytes.');
  const sniffed = sniffImage(body);
  switch (sniffed.kind) {
    case 'image':
      return judgeHeader(body, sniffed.type);
    case 'svg':
      return refuse('svg', 'It is an SVG, which may carry scripts; SVG images are not kept.');
    case 'unsupported':
      return refuse('unsupported-type', `It is an image of a kind that is not read here (${sniffed.name}).`);
    case 'html':
      return refuse('not-an-image', 'It is a web page, not an image.');
    case 'unknown':
      return refuse('not-an-image', 'Its bytes are those of no image.');
  }
}

type OpenImage = (input: Buffer, options: SharpOptions) => Sharp;

let library: Promise<OpenImage> | undefined;

/** Loaded with the first image: most processes never see one. */
function openLibrary(): Promise<OpenImage> {
  library ??= import('sharp').then(({ default: sharp }) => {
    // Images are read once: nothing is worth keeping, and memory should be what two of them take.
    sharp.cache(false);
    sharp.concurrency(1);
    return sharp;
  });
  return library;
}

function judgeHeader(body: Buffer, type: ImageType): Promise<ReadImage> | ReadImage {
  const header = readHeader(body, type);
  if (header.kind === 'bad') return refuse('corrupt', `Its header cannot be read: ${header.why}.`);
  const { width, height, mostPixels, toDecode } = header;
  const pixels = width * height;
  if (pixels <= 1) return refuse('empty', `It is ${width} × ${height} pixels.`);
  if (pixels > mostPixels) {
    const reason = `It has ${width} × ${height} pixels; one like this may have ${mostPixels} in all.`;
    return refuse('too-many-pixels', reason);
  }
  const run = () => lanes.run(() => decode(body, type, toDecode, mostPixels));
  return pixels > LARGE_PIXELS ? largeLane.run(run) : run();
}

async function decode(
  body: Buffer,
  type: ImageType,
  toDecode: Buffer,
  mostPixels: number,
): Promise<ReadImage> {
  const open = await openLibrary();
  const input = { failOn: 'error', limitInputPixels: mostPixels, sequentialRead: true, pages: 1 } as const;
  try {
    const size = readSize(await open(toDecode, input).metadata());
    // Also a small one is decoded: only that shows whether it is whole.
    const thumbnail = await open(toDecode, input)
      .timeout({ seconds: DECODE_SECONDS })
      .autoOrient()
      .resize(THUMBNAIL_SIDE, THUMBNAIL_SIDE, { fit: 'inside', withoutEnlargement: true })
      .webp({ quality: THUMBNAIL_QUALITY })
      .toBuffer();
    const isSmall = Math.max(size.width, size.height) <= THUMBNAIL_SIDE;
    return keep(body, type, size, isSmall ? undefined : thumbnail);
  } catch (error) {
    return refuse('corrupt', `It cannot be decoded: ${describe(error)}.`);
  }
}

/** As it is looked at; of one that moves, a single frame. */
function readSize({ width, height, pageHeight, autoOrient }: Metadata): { width: number; height: number } {
  if (pageHeight !== undefined) return { width, height: pageHeight };
  return { width: autoOrient?.width ?? width, height: autoOrient?.height ?? height };
}

function keep(
  body: Buffer,
  contentType: ImageType,
  size: { readonly width: number; readonly height: number },
  thumbnail: Buffer | undefined,
): ReadImage {
  const reading: KeptImage = {
    ...{ kind: 'kept', contentHash: hash('sha256', body, 'buffer'), contentType, byteCount: body.length },
    ...{ width: size.width, height: size.height },
    thumbnailType: thumbnail === undefined ? undefined : 'image/webp',
  };
  return { reading, thumbnail };
}

export function refused(code: RefusalCode, reason: string): RefusedImage {
  return { kind: 'refused', code, reason };
}

function refuse(code: RefusalCode, reason: string): ReadImage {
  return { reading: refused(code, reason), thumbnail: undefined };
}

const MAX_MESSAGE_CHARS = 200;

/** The library's words, which may quote the file, on one line. */
function describe(error: unknown): string {
  const text = error instanceof Error ? error.message : String(error);
  return text
    .replace(/[^\x20-\x7e]+/g, ' ')
    .trim()
    .replace(/\.$/, '')
    .slice(0, MAX_MESSAGE_CHARS);
}
