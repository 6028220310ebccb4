/**
 * Finds tags and text in a stream of XML that may be broken. Made for sitemaps, where a general parser costs too
 * much: text nobody asked for is skipped without being copied, a comment or a DOCTYPE of any size takes no
 * memory, entities a document declares are never expanded, and a tag that never ends is given up, not waited for.
 */
import { decodeXmlEntities } from './sitemap-xml-entities.ts';

export interface XmlHandler {
  /** Name as written, with its prefix; attributes as raw text, to be read with `readAttribute` if wanted. */
  onOpenTag(name: string, attributes: string, isSelfClosing: boolean): void;
  onCloseTag(name: string): void;
  /** Called only while `isCapturing`; one element's text may come in several pieces. */
  onText(text: string): void;
  readonly isCapturing: boolean;
}

type Section = 'content' | 'comment' | 'cdata' | 'instruction' | 'doctype' | 'doctype-subset';

/** What ends each section that is skipped (or, for CDATA, taken) as a whole. */
const SECTION_ENDS = { comment: '-->', cdata: ']]>', instruction: '?>', 'doctype-subset': ']' } as const;

const MAX_TAG_CHARS = 16_384;
/** Longest reference worth waiting for when a piece of text ends in `&…`. */
const MAX_ENTITY_CHARS = 12;

export class XmlScanner {
  readonly #handler: XmlHandler;
  #section: Section = 'content';
  /** The unread end of what was written: a tag, an entity or a section's end cut in two. */
  #rest = '';

  constructor(handler: XmlHandler) {
    this.#handler = handler;
  }

  write(piece: string): void {
    const data = this.#rest === '' ? piece : this.#rest + piece;
    let position = 0;
    while (position < data.length) {
      const next =
        this.#section === 'content' ? this.#readContent(data, position) : this.#skip(data, position);
      if (next === undefined) break;
      position = next;
    }
    this.#rest = position < data.length ? data.slice(position) : '';
  }

  /** At the end of the document, what is left over is text or a torn tag. */
  end(): void {
    if (this.#section === 'content' && !this.#rest.startsWith('<')) this.#emitText(this.#rest);
    this.#rest = '';
  }

  /** Reads text up to a tag, or one tag. Undefined when more has to be written first. */
  #readContent(data: string, start: number): number | undefined {
    if (data.charCodeAt(start) === LESS_THAN) return this.#readMarkup(data, start);
    const tag = data.indexOf('<', start);
    if (tag !== -1) {
      if (this.#handler.isCapturing) this.#emitText(data.slice(start, tag));
      return tag;
    }
    if (!this.#handler.isCapturing) return data.length;
    const ampersand = data.lastIndexOf('&');
    const isTorn =
      ampersand >= start && data.length - ampersand < MAX_ENTITY_CHARS && !data.includes(';', ampersand);
    const end = isTorn ? ampersand : data.length;
    if (end === start) return undefined;
    this.#emitText(data.slice(start, end));
    return end;
  }

  #readMarkup(data: string, start: number): number | undefined {
    const second = data.charCodeAt(start + 1);
    if (second === EXCLAMATION) return this.#openDeclaration(data, start);
    if (second === QUESTION_MARK) {
      this.#section = 'instruction';
      return start + 2;
    }
    const end = findTagEnd(data, start + 1);
    if (end === undefined) return data.length - start > MAX_TAG_CHARS ? start + 1 : undefined;
    // Another tag begins before this one ends: the first is broken, go on with the second.
    if (data.charCodeAt(end) === LESS_THAN) return end;
    this.#emitTag(data, start + 1, end);
    return end + 1;
  }

  #openDeclaration(data: string, start: number): number | undefined {
    if (data.startsWith('<!--', start)) {
      this.#section = 'comment';
      return start + 4;
    }
    if (data.startsWith('<![CDATA[', start)) {
      this.#section = 'cdata';
      return start + 9;
    }
    if (data.length - start < 9) return undefined;
    this.#section = 'doctype';
    return start + 2;
  }

  #skip(data: string, start: number): number | undefined {
    if (this.#section === 'doctype') return this.#skipDoctype(data, start);
    if (this.#section === 'content') return start;
    const terminator = SECTION_ENDS[this.#section];
    const found = data.indexOf(terminator, start);
    const isCdata = this.#section === 'cdata';
    // Keep back what may be the first half of the terminator.
    const contentEnd = found === -1 ? Math.max(start, data.length - terminator.length + 1) : found;
    if (isCdata && this.#handler.isCapturing && contentEnd > start) {
      this.#handler.onText(data.slice(start, contentEnd));
    }
    if (found !== -1) {
      this.#section = this.#section === 'doctype-subset' ? 'doctype' : 'content';
      return found + terminator.length;
    }
    return contentEnd > start ? contentEnd : undefined;
  }

  #skipDoctype(data: string, start: number): number {
    for (let index = start; index < data.length; index += 1) {
      const code = data.charCodeAt(index);
      if (code === OPEN_BRACKET) {
        this.#section = 'doctype-subset';
        return index + 1;
      }
      if (code === GREATER_THAN) {
        this.#section = 'content';
        return index + 1;
      }
    }
    return data.length;
  }

  #emitText(text: string): void {
    if (text !== '' && this.#handler.isCapturing) this.#handler.onText(decodeXmlEntities(text));
  }

  #emitTag(data: string, start: number, end: number): void {
    if (data.charCodeAt(start) === SLASH) {
      this.#handler.onCloseTag(data.slice(start + 1, findNameEnd(data, start + 1, end)));
      return;
    }
    const nameEnd = findNameEnd(data, start, end);
    // "a < b" in text nobody escaped.
    if (nameEnd === start) return;
    const isSelfClosing = data.charCodeAt(end - 1) === SLASH;
    this.#handler.onOpenTag(data.slice(start, nameEnd), data.slice(nameEnd, end), isSelfClosing);
  }
}

const LESS_THAN = 0x3c;
const GREATER_THAN = 0x3e;
const EXCLAMATION = 0x21;
const QUESTION_MARK = 0x3f;
const SLASH = 0x2f;
const OPEN_BRACKET = 0x5b;
const DOUBLE_QUOTE = 0x22;
const SINGLE_QUOTE = 0x27;

/** Index of the `>` outside quotes that ends the tag, or of a `<`, which XML allows nowhere inside one. */
function findTagEnd(data: string, start: number): number | undefined {
  let quote = 0;
  for (let index = start; index < data.length; index += 1) {
    const code = data.charCodeAt(index);
    if (code === LESS_THAN) return index;
    if (quote !== 0) {
      if (code === quote) quote = 0;
    } else if (code === GREATER_THAN) {
      return index;
    } else if (code === DOUBLE_QUOTE || code === SINGLE_QUOTE) {
      quote = code;
    }
  }
  return undefined;
}

function findNameEnd(data: string, start: number, end: number): number {
  let index = start;
  while (index < end && data.charCodeAt(index) > 0x20 && data.charCodeAt(index) !== SLASH) index += 1;
  return index;
}
