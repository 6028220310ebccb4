/** What came of a file that was said to be an image. */

export const IMAGE_TYPES = ['image/jpeg', 'image/png', 'image/webp', 'image/gif', 'image/avif'] as const;
export type ImageType = (typeof IMAGE_TYPES)[number];

/** Why an image is not kept. */
export type RefusalCode =
  /** Something else: a web page, a text, nothing we know. */
  | 'not-an-image'
  /** An image, of a kind that is not kept: it may carry scripts. */
  | 'svg'
  /** An image, of a kind that cannot be read here. */
  | 'unsupported-type'
  /** No bytes, no size, or a single pixel: what counts visits, not what is looked at. */
  | 'empty'
  | 'too-large'
  | 'too-many-pixels'
  /** It ends too early, or its bytes make no picture. */
  | 'corrupt';

export interface KeptImage {
  readonly kind: 'kept';
  /** SHA-256 of its bytes: the name under which they lie in the blob store. */
  readonly contentHash: Buffer;
  readonly contentType: ImageType;
  readonly byteCount: number;
  /** As it is looked at: turned the way it says it is to be turned. */
  readonly width: number;
  readonly height: number;
  /** Undefined: it is small enough as it is. */
  readonly thumbnailType: 'image/webp' | undefined;
}

export interface RefusedImage {
  readonly kind: 'refused';
  readonly code: RefusalCode;
  /** A sentence. */
  readonly reason: string;
}

export type ImageReading = KeptImage | RefusedImage;

/** Where on a page an image was found. */
export interface PageImage {
  readonly hash: Buffer;
  readonly url: string;
  /** The canonical domain of its URL. */
  readonly domain: string;
  readonly position: number;
  readonly alt: string | undefined;
  readonly kind: 'primary' | 'gallery' | 'page';
}
