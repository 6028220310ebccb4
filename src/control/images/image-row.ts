import type { ImageType } from '../../engine/images/image-reading.ts';

/** An image as lists have it. */
export interface ImageRow {
  readonly id: number;
  readonly contentType: ImageType;
  readonly byteCount: number;
  readonly width: number;
  readonly height: number;
  readonly hasThumbnail: boolean;
  /** SHA-256 of its bytes, in hex. */
  readonly contentHash: string;
  readonly firstSeenAt: Date;
  readonly lastSeenAt: Date;
  /** One of its addresses; null: none is known any more. */
  readonly url: string | null;
}
