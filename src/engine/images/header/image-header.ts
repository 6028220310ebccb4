/**
 * What the header of a file says, read by ourselves before any library sees the file, and what of the file is decoded.
 *
 * Libraries read everything a file carries: texts that inflate to gigabytes, profiles, a hundred thousand frames. None
 * of it is needed for the picture, so none of it is handed on; what is stored is the file as it came.
 */

export interface ImageHeader {
  readonly kind: 'header';
  /** Before it is turned the way it says it is to be turned; the largest where a file names several. */
  readonly width: number;
  readonly height: number;
  /** The most pixels that one like this may have. */
  readonly mostPixels: number;
  /** The parts that make the picture, as a file of the same type. */
  readonly toDecode: Buffer;
}

export interface BadHeader {
  readonly kind: 'bad';
  /** A clause: what is wrong with it. */
  readonly why: string;
}

/** What a decoder takes for a pixel: row by row a few bytes, or the whole picture at once, and more than once. */
export const MOST_PIXELS = 50_000_000;
/** Held whole while it is decoded: interlaced, progressive, or twice as deep. About 12 bytes a pixel. */
export const MOST_PIXELS_WHOLE = 20_000_000;
/** Some 20 bytes a pixel. */
export const MOST_PIXELS_AVIF = 16_000_000;

/** What a picture may say of itself and be heard (its orientation, its colours); of more, nothing is. */
export const MOST_METADATA_BYTES = 65_536;

export function bad(why: string): BadHeader {
  return { kind: 'bad', why };
}
