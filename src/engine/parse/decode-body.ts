import { isAscii, isUtf8 } from 'node:buffer';
import { decodeBytes } from './decode-bytes.ts';
import { encodingFromContentType } from './encoding-labels.ts';
import { countUtf8, guessEncoding } from './guess-encoding.ts';
import { prescanMeta } from './prescan-meta.ts';

/** As far as the standard's prescan looks. */
const PRESCAN_BYTES = 1024;
/**
 * A parser that meets a declaration further down starts over with it ("changing the encoding while
 * parsing"); looking this far comes to the same for any head worth the name.
 */
const LATE_META_BYTES = 65_536;

/** The page as a string, and the name of the encoding it was in. */
export function decodeHtml(
  body: Buffer,
  contentType: string | undefined,
): { text: string; encoding: string } {
  const { encoding, bomBytes } = sniffEncoding(body, contentType);
  return { text: decodeBytes(bomBytes === 0 ? body : body.subarray(bomBytes), encoding), encoding };
}

/**
 * The page as valid UTF-8, for `parseHtml`: for the great majority of pages the body itself, without a copy
 * and without a string of it ever being made.
 */
export function toUtf8Html(
  body: Buffer,
  contentType: string | undefined,
): { html: Buffer; encoding: string } {
  const { encoding, bomBytes } = sniffEncoding(body, contentType);
  const content = bomBytes === 0 ? body : body.subarray(bomBytes);
  if (encoding === 'utf-8' && isUtf8(content)) return { html: content, encoding };
  return { html: Buffer.from(decodeBytes(content, encoding), 'utf8'), encoding };
}

/**
 * The encoding sniffing algorithm of the HTML standard (13.2.3.2), with one departure: UTF-8 that is
 * declared but is not what the bytes are does not stand. A server configured to say utf-8 of everything is
 * common, and its pages would come out as replacement characters.
 */
function sniffEncoding(
  body: Buffer,
  contentType: string | undefined,
): { encoding: string; bomBytes: number } {
  if (body[0] === 0xef && body[1] === 0xbb && body[2] === 0xbf) return { encoding: 'utf-8', bomBytes: 3 };
  if (body[0] === 0xfe && body[1] === 0xff) return { encoding: 'utf-16be', bomBytes: 2 };
  if (body[0] === 0xff && body[1] === 0xfe) return { encoding: 'utf-16le', bomBytes: 2 };
  const declared = encodingFromContentType(contentType);
  if (declared !== undefined && !isLyingUtf8(declared, body)) return { encoding: declared, bomBytes: 0 };
  const inMarkup = prescanMeta(body, PRESCAN_BYTES) ?? lateMeta(body);
  if (inMarkup !== undefined && !isLyingUtf8(inMarkup, body)) return { encoding: inMarkup, bomBytes: 0 };
  return { encoding: isMostlyUtf8(body) ? 'utf-8' : guessEncoding(body), bomBytes: 0 };
}

function lateMeta(body: Buffer): string | undefined {
  // All ASCII reads the same in any encoding a late declaration could name.
  return isAscii(body) ? undefined : prescanMeta(body, LATE_META_BYTES);
}

function isLyingUtf8(encoding: string, body: Buffer): boolean {
  return encoding === 'utf-8' && !isMostlyUtf8(body);
}

/** A stray byte or a character cut in half is damage, not another encoding: the majority decides. */
function isMostlyUtf8(body: Buffer): boolean {
  if (isUtf8(body)) return true;
  const { sequences, errors } = countUtf8(body);
  return sequences >= errors;
}
