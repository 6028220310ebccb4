/** The images a page shows, as it writes them; gathered only where somebody wants them. */
import type { RawImage } from './parsed-page.ts';
import { attributeIds, type TagReader } from './tag-reader.ts';

const MAX_URL_BYTES = 8192;
const MAX_SRCSET_BYTES = 32_768;
const MAX_ALT_BYTES = 4000;
const MAX_ALT_CHARS = 500;
/** Far more than are ever fetched, of which some turn out to be the same. */
const MOST_IMAGES = 1000;
const IMAGE_METAS: ReadonlySet<string> = new Set([
  'og:image',
  'og:image:url',
  'og:image:secure_url',
  'twitter:image',
  'twitter:image:src',
]);

export class PageImages {
  readonly found: RawImage[] = [];
  /** How many carried their bytes within the page. */
  inlineCount = 0;
  /** How many were said to be no larger than a pixel. */
  pixelCount = 0;
  /** The best of the <source>s since the last <img>: what its <picture> shows where it can. */
  #ofPicture: string | undefined;

  readMeta(reader: TagReader, name: string): void {
    if (!IMAGE_METAS.has(name)) return;
    this.#add(reader.trimmedValue(attributeIds.content, MAX_URL_BYTES), undefined);
  }

  readLink(reader: TagReader): void {
    this.#add(reader.trimmedValue(attributeIds.href, MAX_URL_BYTES), undefined);
  }

  readSource(reader: TagReader): void {
    this.#ofPicture ??= bestOf(reader, attributeIds.srcset) ?? bestOf(reader, attributeIds['data-srcset']);
  }

  /** Of all that an <img> names the largest: scripts put the true one elsewhere than into src, and a stopgap there. */
  readImage(reader: TagReader): void {
    const ofPicture = this.#ofPicture;
    this.#ofPicture = undefined;
    if (isPixel(reader, attributeIds.width) || isPixel(reader, attributeIds.height)) {
      this.pixelCount += 1;
      return;
    }
    const named = [
      bestOf(reader, attributeIds['data-srcset']),
      bestOf(reader, attributeIds.srcset),
      reader.trimmedValue(attributeIds['data-src'], MAX_URL_BYTES),
      reader.trimmedValue(attributeIds['data-lazy-src'], MAX_URL_BYTES),
      reader.trimmedValue(attributeIds['data-original'], MAX_URL_BYTES),
      reader.trimmedValue(attributeIds.src, MAX_URL_BYTES),
      ofPicture,
    ];
    const chosen = named.find((url) => url !== undefined && url !== '' && !isInline(url));
    if (chosen === undefined) {
      // One that is too long to be read is of this kind, too.
      if (reader.has(attributeIds.src) && reader.trimmedValue(attributeIds.src, 64) !== '')
        this.inlineCount += 1;
      return;
    }
    this.#add(chosen, readAlt(reader));
  }

  #add(url: string | undefined, alt: string | undefined): void {
    if (url === undefined || url === '' || this.found.length >= MOST_IMAGES) return;
    if (isInline(url)) this.inlineCount += 1;
    else this.found.push({ url, alt });
  }
}

/**
 * A srcset names the same image in several sizes: by width or by density the largest; the first where none is said.
 * Read as the HTML standard says (4.8.4.2.2): a URL may have commas in it, except at its end.
 */
export function bestOfSrcset(srcset: string): string | undefined {
  let best: string | undefined;
  let bestSize = Number.NEGATIVE_INFINITY;
  let at = 0;
  while (at < srcset.length) {
    while (at < srcset.length && isBetween(srcset.charCodeAt(at))) at += 1;
    const start = at;
    while (at < srcset.length && srcset.charCodeAt(at) > SPACE) at += 1;
    let stop = at;
    while (stop > start && srcset.charCodeAt(stop - 1) === COMMA) stop -= 1;
    if (stop === start) continue;
    let size = 1;
    if (stop === at) {
      const comma = srcset.indexOf(',', at);
      const end = comma < 0 ? srcset.length : comma;
      size = readDescriptor(srcset.slice(at, Math.min(end, at + MAX_DESCRIPTOR_CHARS)));
      at = end;
    }
    if (size > bestSize) {
      best = srcset.slice(start, stop);
      bestSize = size;
    }
  }
  return best;
}

const SPACE = 0x20;
const COMMA = 0x2c;
const MAX_DESCRIPTOR_CHARS = 100;

function isBetween(code: number): boolean {
  return code <= SPACE || code === COMMA;
}

/** "640w", "2x", or "640w 480h", of which the first counts. */
function readDescriptor(text: string): number {
  const match = /^\s*(\d{1,9}(?:\.\d{1,9})?)[wx]\b/.exec(text);
  return match === null ? 1 : Number(match[1]);
}

function bestOf(reader: TagReader, attribute: number): string | undefined {
  if (!reader.has(attribute)) return undefined;
  const srcset = reader.trimmedValue(attribute, MAX_SRCSET_BYTES);
  return srcset === undefined ? undefined : bestOfSrcset(srcset);
}

function isInline(url: string): boolean {
  return /^(?:data|blob|javascript|about):/i.test(url);
}

function isPixel(reader: TagReader, attribute: number): boolean {
  if (!reader.has(attribute)) return false;
  return /^[01](?:px)?$/.test(reader.trimmedValue(attribute, 8) ?? '');
}

function readAlt(reader: TagReader): string | undefined {
  const text = reader.trimmedValue(attributeIds.alt, MAX_ALT_BYTES)?.replace(/\s+/g, ' ').trim();
  if (text === undefined || text === '') return undefined;
  // A copy: a slice would pin the whole text.
  return text.length <= MAX_ALT_CHARS ? text : Buffer.from(text.slice(0, MAX_ALT_CHARS)).toString();
}
