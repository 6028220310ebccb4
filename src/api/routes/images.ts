/** Images over HTTP. What is in them was made by strangers: they are sent as images and as nothing else. */
import { z } from 'zod';
import {
  listImages,
  listRefusedImages,
  readImage,
  readImageContent,
  readImageThumbnail,
} from '../../contract/images.ts';
import { rowId } from '../../contract/values.ts';
import { imagesDirectory } from '../../control/images/images-directory.ts';
import { listImages as list, listDomainImages, listRefused } from '../../control/images/list-images.ts';
import { findImage, openImage, showImage } from '../../control/images/show-image.ts';
import { type BlobVariant, localBlobStore } from '../../engine/images/blob-store.ts';
import { momentInCursor, readCursor, toPage, writeCursor } from '../cursor.ts';
import { type Call, type Route, route } from '../route.ts';
import type { ServerParts } from '../server-parts.ts';

const hashInCursor = z.string().regex(/^[0-9a-f]{64}$/);
const byId = z.tuple([rowId]);
const byHash = z.tuple([hashInCursor]);
const byMoment = z.tuple([momentInCursor, rowId, hashInCursor]);

export function imagesRoutes({ db, config }: ServerParts): Route[] {
  const blobs = () => localBlobStore(imagesDirectory(config));

  async function send({ params, request, reply }: Call<typeof readImageContent>, variant: BlobVariant) {
    const image = await findImage(db, params.id);
    const tag = `"${image.contentHash.slice(0, 32)}-${variant}"`;
    const caching = { etag: tag, 'cache-control': 'private, max-age=31536000, immutable' };
    if (isKnown(request.headers['if-none-match'], tag)) return reply.status(304).headers(caching).send();
    const { contentType, blob } = await openImage(blobs(), image, variant);
    const extension = contentType.slice('image/'.length);
    return reply
      .headers({
        ...caching,
        'content-type': contentType,
        'content-length': String(blob.byteCount),
        'content-disposition': `inline; filename="image-${image.id}.${extension}"`,
        'content-security-policy': "default-src 'none'; sandbox",
        'x-content-type-options': 'nosniff',
      })
      .send(blob.stream);
  }

  return [
    route(listImages, async ({ query }) => {
      const { cursor, limit, domain, product, ...filter } = query;
      if (domain !== undefined) {
        const [from] = readCursor('images:domain', byHash, cursor) ?? [];
        const rows = await listDomainImages(db, domain, filter, from, limit + 1);
        const page = toPage(rows, limit, (last) => writeCursor('images:domain', [last.urlHash]));
        return { ...page, items: page.items.map(({ urlHash: _place, ...image }) => image) };
      }
      const [from] = readCursor('images', byId, cursor) ?? [];
      const rows = await list(db, { ...filter, product }, from, limit + 1);
      return toPage(rows, limit, (last) => writeCursor('images', [last.id]));
    }),
    route(listRefusedImages, async ({ query }) => {
      const { cursor, limit, ...filter } = query;
      const from = readCursor('images:refused', byMoment, cursor);
      const rows = await listRefused(db, filter, from, limit + 1);
      const page = toPage(rows, limit, (last) =>
        writeCursor('images:refused', [last.cursorMoment, last.domainId, last.urlHash]),
      );
      return {
        ...page,
        items: page.items.map(({ cursorMoment: _moment, domainId: _id, urlHash: _hash, ...image }) => image),
      };
    }),
    route(readImage, ({ params }) => showImage(db, blobs(), params.id)),
    route(readImageContent, (call) => send(call, 'original')),
    route(readImageThumbnail, (call) => send(call, 'thumbnail')),
  ];
}

function isKnown(header: string | undefined, tag: string): boolean {
  const known = (header ?? '').split(',').map((one) => one.trim().replace(/^W\//, ''));
  return known.includes(tag) || known.includes('*');
}
