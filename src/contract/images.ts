/** Images: what was found on pages and kept, and what was not. */
import { z } from 'zod';
import { endpoint } from './endpoint.ts';
import { pageOf, pageQuery } from './paging.ts';
import { crawledText, domainName, idParams, numberInText, rowIdInText, time } from './values.ts';

const IMAGE_TYPES = ['image/jpeg', 'image/png', 'image/webp', 'image/gif', 'image/avif'] as const;
export const REFUSAL_CODES = [
  ...([
    'not-an-image',
    'svg',
    'unsupported-type',
    'empty',
    'too-large',
    'too-many-pixels',
    'corrupt',
  ] as const),
] as const;

const imageFields = {
  id: z.int(),
  url: crawledText.nullable().describe('One of its addresses. Null: none is known any more'),
  contentType: z.enum(IMAGE_TYPES).describe('By its bytes, whatever its server says'),
  byteCount: z.int(),
  width: z.int().describe('Pixels, as it is looked at'),
  height: z.int(),
  hasThumbnail: z.boolean().describe('False: it is small enough as it is'),
  contentHash: z.string().describe('SHA-256 of its bytes, in hex'),
  firstSeenAt: time,
  lastSeenAt: time.describe('When it was last fetched, or found unchanged'),
};

export const imageSummary = z.object(imageFields).meta({ id: 'ImageSummary' });

export const imageDetails = z
  .object({
    ...imageFields,
    isHere: z.boolean().describe('Its bytes lie where this server looks for them'),
    urls: z
      .array(
        z.object({
          url: crawledText,
          domain: z.string(),
          fetchedAt: time,
          refusedCode: z
            .string()
            .nullable()
            .describe('Why it was refused when it was last fetched: it is kept as it was before'),
        }),
      )
      .describe('Where it lies: at most 100 addresses, the last fetched first'),
    places: z
      .array(
        z.object({
          pageUrl: crawledText.nullable().describe('Null: the URL of the page is not known any more'),
          pageDomain: z.string(),
          productId: z.int().nullable(),
          imageUrl: crawledText,
          position: z.int().describe('From 0, in the order of the page, or of the product'),
          alt: crawledText.nullable(),
          kind: z.enum(['primary', 'gallery', 'page']).describe('primary and gallery are a product’s'),
          discoveryType: z.enum(['discovery', 'refresh']),
          firstSeenAt: time,
          lastSeenAt: time,
        }),
      )
      .describe('Where it was seen: at most 200 places, the last seen first'),
  })
  .meta({ id: 'Image' });

export const refusedImage = z
  .object({
    url: crawledText,
    domain: z.string().describe('Which serves it'),
    code: z.enum(REFUSAL_CODES),
    reason: z.string(),
    fetchedAt: time,
    imageId: z.int().nullable().describe('What was there before, and is kept'),
  })
  .meta({ id: 'RefusedImage' });

const pixels = numberInText(1, 100_000).optional();

export const listImages = endpoint({
  ...{ name: 'listImages', method: 'GET', path: '/api/images', group: 'images', allows: 'read' },
  summary: 'Images, the newest first',
  description:
    'One for each distinct content, wherever it was found. With `domain`, those on the pages of a domain, wherever they ' +
    'lie; they come in an order of their own. With `product`, those of a product. Not both.',
  query: z
    .strictObject({
      ...pageQuery,
      domain: domainName.optional().describe('The domain on whose pages they were seen'),
      product: rowIdInText.optional().describe('The id of a product'),
      contentType: z.enum(IMAGE_TYPES).optional(),
      minWidth: pixels,
      minHeight: pixels,
    })
    .refine(({ domain, product }) => domain === undefined || product === undefined, {
      error: 'goes without a domain: a product has one',
      path: ['product'],
    }),
  answer: pageOf(imageSummary),
  problems: ['bad-cursor', 'bad-domain', 'unknown-domain', 'too-slow'],
});

export const listRefusedImages = endpoint({
  ...{
    name: 'listRefusedImages',
    method: 'GET',
    path: '/api/images/refused',
    group: 'images',
    allows: 'read',
  },
  summary: 'What was said to be an image and is not kept, with the reason, the last fetched first',
  query: z.strictObject({
    ...pageQuery,
    code: z.enum(REFUSAL_CODES).optional(),
    domain: domainName.optional().describe('The domain that serves it'),
  }),
  answer: pageOf(refusedImage),
  problems: ['bad-cursor', 'bad-domain', 'unknown-domain', 'too-slow'],
});

export const readImage = endpoint({
  ...{ name: 'readImage', method: 'GET', path: '/api/images/:id', group: 'images', allows: 'read' },
  summary: 'One image: what is known of it, where it lies and where it was seen',
  params: idParams,
  answer: imageDetails,
  problems: ['unknown-image'],
});

export const readImageContent = endpoint({
  ...{
    name: 'readImageContent',
    method: 'GET',
    path: '/api/images/:id/content',
    group: 'images',
    allows: 'read',
  },
  summary: 'The bytes of an image, as they were fetched',
  description:
    'With the type that its bytes have. They lie on the machine of the worker that has fetched them, unless workers and ' +
    'servers share a directory (`FORAGER_IMAGES_DIR`): a server elsewhere answers `image-not-here`.',
  params: idParams,
  contentType: 'image/*',
  headers: ['ETag'],
  problems: ['unknown-image', 'image-not-here'],
});

export const readImageThumbnail = endpoint({
  ...{ name: 'readImageThumbnail', method: 'GET', path: '/api/images/:id/thumbnail', group: 'images' },
  allows: 'read',
  summary: 'A small version of an image: at most 320 pixels wide and high',
  description:
    'WebP without what the image says of itself. Of one that is as small as that, the image itself.',
  params: idParams,
  contentType: 'image/*',
  headers: ['ETag'],
  problems: ['unknown-image', 'image-not-here'],
});

export const imageEndpoints = [
  listImages,
  listRefusedImages,
  readImage,
  readImageContent,
  readImageThumbnail,
];
