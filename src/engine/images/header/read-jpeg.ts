/** JPEG: segments of a marker, a length and data, up to the first scan; what follows is the picture. */
import {
  type BadHeader,
  bad,
  type ImageHeader,
  MOST_METADATA_BYTES,
  MOST_PIXELS,
  MOST_PIXELS_WHOLE,
} from './image-header.ts';

const START_OF_SCAN = 0xda;
const END_OF_IMAGE = 0xd9;
/** Progressive ones have about ten; each of them is work for the whole picture. */
const MOST_SCANS = 100;

export function readJpeg(body: Buffer): ImageHeader | BadHeader {
  const parts = [body.subarray(0, 2)];
  let frame: { readonly width: number; readonly height: number; readonly isWhole: boolean } | undefined;
  let hasExif = false;
  let profileParts: Buffer[] = [];
  let profileBytes = 0;
  for (let at = 2; ; ) {
    const from = nextMarker(body, at);
    if (from === undefined) return bad('it ends before its picture begins');
    const marker = body[from + 1] ?? 0;
    if (marker === END_OF_IMAGE) return bad('it has no picture');
    // Of these there is nothing but the marker.
    if (marker === 0x01 || (marker >= 0xd0 && marker <= 0xd8)) {
      at = from + 2;
      continue;
    }
    if (from + 4 > body.length) return bad('it ends before its picture begins');
    const end = from + 2 + body.readUInt16BE(from + 2);
    if (end < from + 4 || end > body.length) return bad('a part of its header has no end');
    if (marker === START_OF_SCAN) {
      if (frame === undefined) return bad('its header names no size');
      const rest = body.subarray(from);
      if (countScans(rest) > MOST_SCANS) return bad(`it has more than ${MOST_SCANS} scans`);
      const { isWhole, ...size } = frame;
      const profile = profileBytes > MOST_METADATA_BYTES ? [] : profileParts;
      return {
        ...{ kind: 'header', ...size, toDecode: Buffer.concat([...parts, ...profile, rest]) },
        mostPixels: isWhole ? MOST_PIXELS_WHOLE : MOST_PIXELS,
      };
    }
    const segment = body.subarray(from, end);
    at = end;
    if (isFrame(marker)) {
      if (segment.length < 10 || frame !== undefined) return bad('its header names several sizes, or none');
      frame = {
        ...{ height: segment.readUInt16BE(5), width: segment.readUInt16BE(7) },
        isWhole: marker !== 0xc0 && marker !== 0xc1,
      };
      parts.push(segment);
    } else if (marker === 0xe1) {
      // Which way up it is.
      if (hasExif || segment.toString('latin1', 4, 9) !== 'Exif\0') continue;
      hasExif = true;
      parts.push(segment);
    } else if (marker === 0xe2) {
      if (segment.toString('latin1', 4, 15) !== 'ICC_PROFILE') continue;
      profileBytes += segment.length;
      profileParts = profileBytes > MOST_METADATA_BYTES ? [] : [...profileParts, segment];
    } else if (!isRemark(marker)) parts.push(segment);
  }
}

/** What stands between segments is skipped, and any number of 0xff may come before a marker. */
function nextMarker(body: Buffer, from: number): number | undefined {
  for (let at = body.indexOf(0xff, from); at !== -1; at = body.indexOf(0xff, at + 1)) {
    const next = body[at + 1];
    if (next === undefined) return undefined;
    if (next !== 0xff && next !== 0) return at;
  }
  return undefined;
}

/** Sizes are named by these, whichever way the picture is coded. */
function isFrame(marker: number): boolean {
  return marker >= 0xc0 && marker <= 0xcf && marker !== 0xc4 && marker !== 0xc8 && marker !== 0xcc;
}

/** Of programs (but for those that say how colours are meant, 0xe0 and 0xee), comments, and what nobody knows. */
function isRemark(marker: number): boolean {
  return (marker > 0xe0 && marker <= 0xef && marker !== 0xee) || marker >= 0xf0 || marker < 0xc0;
}

function countScans(picture: Buffer): number {
  const start = Buffer.from([0xff, START_OF_SCAN]);
  let count = 0;
  for (
    let at = picture.indexOf(start);
    at !== -1 && count <= MOST_SCANS;
    at = picture.indexOf(start, at + 2)
  ) {
    count += 1;
  }
  return count;
}
