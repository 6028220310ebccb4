import type { ImageType } from '../image-reading.ts';
import type { BadHeader, ImageHeader } from './image-header.ts';
import { readAvif } from './read-avif.ts';
import { readGif } from './read-gif.ts';
import { readJpeg } from './read-jpeg.ts';
import { readPng } from './read-png.ts';
import { readWebp } from './read-webp.ts';

const READERS: Readonly<Record<ImageType, (body: Buffer) => ImageHeader | BadHeader>> = {
  'image/jpeg': readJpeg,
  'image/png': readPng,
  'image/webp': readWebp,
  'image/gif': readGif,
  'image/avif': readAvif,
};

export function readHeader(body: Buffer, type: ImageType): ImageHeader | BadHeader {
  return READERS[type](body);
}
