/** One image: what is known of it, where it lies and where it was seen, and its bytes. */
import type { BlobStore, BlobVariant, OpenedBlob } from '../../engine/images/blob-store.ts';
import type { Database } from '../../platform/database.ts';
import { ForagerError } from '../../platform/errors.ts';
import { loadSql } from '../../platform/sql-file.ts';
import type { ImageRow } from './image-row.ts';

const load = (name: string): string => loadSql(import.meta.url, `./${name}.sql`);
const find = load('find-image');
const readUrls = load('read-image-urls');
const readPlaces = load('read-image-places');

const MOST_URLS = 100;
const MOST_PLACES = 200;

export interface ImageAddress {
  readonly url: string;
  readonly domain: string;
  readonly fetchedAt: Date;
  /** It was refused when it was last asked for: what it was before is kept. */
  readonly refusedCode: string | null;
}

export interface ImagePlace {
  /** Null: the URL of the page is not known any more. */
  readonly pageUrl: string | null;
  readonly pageDomain: string;
  readonly productId: number | null;
  readonly imageUrl: string;
  readonly position: number;
  readonly alt: string | null;
  readonly kind: 'primary' | 'gallery' | 'page';
  readonly discoveryType: 'discovery' | 'refresh';
  readonly firstSeenAt: Date;
  readonly lastSeenAt: Date;
}

export interface ImageDetails extends ImageRow {
  /** Its bytes lie on this machine. */
  readonly isHere: boolean;
  readonly urls: readonly ImageAddress[];
  readonly places: readonly ImagePlace[];
}

export async function showImage(db: Database, blobs: BlobStore, id: number): Promise<ImageDetails> {
  const image = await findImage(db, id);
  const [urls, places, isHere] = await Promise.all([
    db.query<ImageAddress>(readUrls, [id, MOST_URLS]),
    db.query<ImagePlace>(readPlaces, [id, MOST_PLACES]),
    blobs.has(Buffer.from(image.contentHash, 'hex')),
  ]);
  return { ...image, isHere, urls: urls.rows, places: places.rows };
}

export async function findImage(db: Database, id: number): Promise<ImageRow> {
  const image = (await db.query<ImageRow>(find, [id])).rows[0];
  if (image === undefined) throw new ForagerError('unknown-image', `There is no image ${id}.`);
  return image;
}

export interface ImageContent {
  readonly image: ImageRow;
  readonly contentType: string;
  readonly blob: OpenedBlob;
}

/** Of one that is small enough, the thumbnail is the image itself. */
export async function openImage(
  blobs: BlobStore,
  image: ImageRow,
  variant: BlobVariant,
): Promise<ImageContent> {
  const isThumbnail = variant === 'thumbnail' && image.hasThumbnail;
  const blob = await blobs.open(
    Buffer.from(image.contentHash, 'hex'),
    isThumbnail ? 'thumbnail' : 'original',
  );
  if (blob === undefined) throw notHere(image.id);
  return { image, contentType: isThumbnail ? 'image/webp' : image.contentType, blob };
}

function notHere(id: number): ForagerError {
  return new ForagerError('image-not-here', `The bytes of image ${id} are not on this machine.`, {
    hint: 'images lie on the machine of the worker that has fetched them: let workers and servers share a directory (FORAGER_IMAGES_DIR)',
  });
}
