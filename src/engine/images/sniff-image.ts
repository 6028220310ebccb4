/** What a file is, by its first bytes: neither its name nor what its server says of it counts. */
import { looksLikeHtml } from '../fetch/content-type.ts';
import type { ImageType } from './image-reading.ts';

export type Sniffed =
  | { readonly kind: 'image'; readonly type: ImageType }
  | { readonly kind: 'svg' }
  /** A picture that is not read here. */
  | { readonly kind: 'unsupported'; readonly name: string }
  | { readonly kind: 'html' }
  | { readonly kind: 'unknown' };

const PNG = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
/** How far comments and declarations are looked through for the root of an XML document. */
const SVG_LOOK_BYTES = 4096;

export function sniffImage(body: Buffer): Sniffed {
  if (body[0] === 0xff && body[1] === 0xd8 && body[2] === 0xff) return image('image/jpeg');
  if (body.subarray(0, 8).equals(PNG)) return image('image/png');
  const start = body.toString('latin1', 0, 16);
  if (start.startsWith('GIF87a') || start.startsWith('GIF89a')) return image('image/gif');
  if (start.startsWith('RIFF') && start.slice(8, 12) === 'WEBP') return image('image/webp');
  // Of tiles, strips and kinds of packing there is no end in it, and browsers do not show it.
  if (start.startsWith('II*\0') || start.startsWith('MM\0*')) return { kind: 'unsupported', name: 'TIFF' };
  if (start.slice(4, 8) === 'ftyp') return sniffBrands(body);
  if (start.startsWith('BM') && body.length > 26) return { kind: 'unsupported', name: 'BMP' };
  if (start.startsWith('\0\0\x01\0')) return { kind: 'unsupported', name: 'icon' };
  if (start.startsWith('\xff\x0a') || start.startsWith('\0\0\0\x0cJXL ')) {
    return { kind: 'unsupported', name: 'JPEG XL' };
  }
  if (isSvg(body)) return { kind: 'svg' };
  return body.length > 0 && looksLikeHtml(body) ? { kind: 'html' } : { kind: 'unknown' };
}

function image(type: ImageType): Sniffed {
  return { kind: 'image', type };
}

/** ISO base media file format: the first box names what the file is compatible with. */
function sniffBrands(body: Buffer): Sniffed {
  const boxBytes = Math.min(body.readUInt32BE(0), body.length, 256);
  for (let at = 8; at + 4 <= boxBytes; at += 4) {
    const brand = body.toString('latin1', at, at + 4);
    if (brand === 'avif' || brand === 'avis') return image('image/avif');
    if (brand === 'heic' || brand === 'heix' || brand === 'hevc')
      return { kind: 'unsupported', name: 'HEIC' };
  }
  return { kind: 'unknown' };
}

function isSvg(body: Buffer): boolean {
  const isWide = (body[0] === 0xff && body[1] === 0xfe) || (body[0] === 0xfe && body[1] === 0xff);
  const text = body.toString('latin1', 0, SVG_LOOK_BYTES);
  // In two bytes a letter, every other byte is none.
  const start = isWide ? text.replaceAll('\0', '') : text;
  if (!/^(?:\xef\xbb\xbf|\xff\xfe|\xfe\xff)?\s*</.test(start)) return false;
  return /<(?:[\w-]+:)?svg[\s>/]/i.test(start) && !/<html[\s>]/i.test(start);
}
