/** Pictures of a product: absolute, the main one first, each once. */
import type { ProductImage } from '../product-fields.ts';
import type { StructuredItem, StructuredValue } from '../structured/structured-item.ts';
import { cleanLine } from '../values/clean-value.ts';
import { LONGEST_LINE } from './found-fields.ts';
import { firstText, values } from './item-values.ts';
import { absoluteUrl } from './page-urls.ts';

export const MAX_IMAGES = 50;

export function readImages(item: StructuredItem, baseUrl: string): readonly ProductImage[] | undefined {
  const found = new Map<string, ProductImage>();
  for (const name of ['image', 'images', 'photo']) {
    for (const value of values(item, name)) {
      if (found.size >= MAX_IMAGES) break;
      const image = readImage(value, baseUrl);
      if (image !== undefined && !found.has(image.url)) found.set(image.url, image);
    }
  }
  return found.size === 0 ? undefined : [...found.values()];
}

export function makeImage(
  address: string,
  alt: string | undefined,
  baseUrl: string,
): ProductImage | undefined {
  const url = absoluteUrl(address, baseUrl);
  if (url === undefined) return undefined;
  const text = alt === undefined ? '' : cleanLine(alt, LONGEST_LINE);
  return text === '' ? { url } : { url, alt: text };
}

function readImage(value: StructuredValue, baseUrl: string): ProductImage | undefined {
  if (typeof value === 'string') return makeImage(value, undefined, baseUrl);
  const address = firstText(value, 'contentUrl', 'url', 'image', 'thumbnailUrl', 'src') ?? value.id;
  return address === undefined ? undefined : makeImage(address, firstText(value, 'caption', 'name'), baseUrl);
}
