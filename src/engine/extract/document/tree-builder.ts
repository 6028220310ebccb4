import { hashName } from '../../parse/html-names.ts';
import {
  findCdataEnd,
  findRawTextEnd,
  findScriptEnd,
  findTagOpen,
  skipComment,
  skipDeclaration,
} from '../../parse/skip-markup.ts';
import { DocumentElement, type DocumentSource } from './document-element.ts';
import {
  BREAKOUT,
  ENDS_P,
  elementFlags,
  elementId,
  elementNames,
  findElementId,
  METADATA,
  RAW,
  VOID,
} from './element-names.ts';
import { OpenElements } from './open-elements.ts';
import { MARK_SELF_CLOSING, readTagName, skipAttributes, skipped, tagName } from './tag-bytes.ts';

/** One forward pass over a page's bytes, from which its tree comes: an object for each element, and nothing else. */

export interface DocumentLimits {
  /** Elements deeper than this become siblings. */
  readonly maxDepth: number;
  /** What comes behind this many elements is not read. */
  readonly maxElements: number;
}

export const DOCUMENT_LIMITS: DocumentLimits = { maxDepth: 512, maxElements: 200_000 };

/** Building is synchronous, so one stack serves every page of the process. */
const kept = new OpenElements(DOCUMENT_LIMITS.maxDepth + 1);

const SLASH = 0x2f;
const BANG = 0x21;
const DASH = 0x2d;
const QUESTION = 0x3f;

const HTML = elementId('html');
const HEAD = elementId('head');
const BODY = elementId('body');
const FORM = elementId('form');
const TEMPLATE = elementId('template');
const SCRIPT = elementId('script');
const PLAINTEXT = elementId('plaintext');
const FRAMESET = elementId('frameset');
const TABLE = elementId('table');
const TBODY = elementId('tbody');
const THEAD = elementId('thead');
const TFOOT = elementId('tfoot');
const TR = elementId('tr');
const TD = elementId('td');
const TH = elementId('th');
const impliedHashes = new Map(
  [HTML, HEAD, BODY, TBODY, TR].map((tag) => [tag, hashName(elementNames[tag] as string)]),
);
const SVG = elementId('svg');
const MATH = elementId('math');

/** Fills in the elements of a document. */
export class TreeBuilder {
  /** MARK_… of all elements together. */
  marks = 0;
  private readonly source: DocumentSource;
  private readonly bytes: Buffer;
  private readonly elements: DocumentElement[];
  private readonly open: OpenElements;
  private readonly lastChild: Array<DocumentElement | null> = [];
  private readonly limits: DocumentLimits;

  constructor(source: DocumentSource, elements: DocumentElement[], limits: DocumentLimits) {
    this.source = source;
    this.bytes = source.bytes;
    this.elements = elements;
    this.limits = limits;
    this.open = limits.maxDepth === DOCUMENT_LIMITS.maxDepth ? kept : new OpenElements(limits.maxDepth + 1);
    this.open.reset();
  }

  /** Returns the root. */
  build(): DocumentElement {
    const root = new DocumentElement(this.source, -1, null, null, 0, 0, false, 0, 0, 0);
    this.open.push(root, 0);
    this.lastChild[0] = null;
    const stop = this.read();
    this.open.endTo(0, stop, this.elements.length, stop);
    // Held between pages, so that no page is.
    this.open.reset();
    return root;
  }

  private read(): number {
    const bytes = this.bytes;
    const end = bytes.length;
    let at = 0;
    for (;;) {
      at = findTagOpen(bytes, at);
      if (at + 1 >= end) return end;
      const next = bytes[at + 1] as number;
      if (isLetter(next)) {
        if (this.elements.length >= this.limits.maxElements) return at;
        at = this.readStartTag(at, end);
        // A tag cut off by the end of the page is no tag.
        if (at === -1) return end;
      } else if (next === SLASH) {
        at = this.readEndTag(at, end);
      } else if (next === BANG) {
        at = this.skipBang(at, end);
      } else if (next === QUESTION) {
        at = skipDeclaration(bytes, at, end);
      } else {
        at++;
      }
    }
  }

  private readStartTag(start: number, end: number): number {
    const { bytes, open, elements } = this;
    readTagName(bytes, start + 1, end);
    const { hash, end: nameEnd } = tagName;
    const behind = bytes[nameEnd] === 0x3e ? nameEnd + 1 : skipAttributes(bytes, nameEnd, end);
    if (behind === -1) return -1;
    const marks = behind === nameEnd + 1 ? 0 : skipped.marks;
    const tag = findElementId(hash, nameEnd - start - 1);
    const flags = elementFlags[tag] as number;
    if ((flags & BREAKOUT) !== 0 && open.isForeign) open.breakOut(start, elements.length);
    const { isForeign } = open;
    if (!isForeign) {
      if (this.isDropped(tag)) {
        if (tag !== FORM) this.adopt(tag, nameEnd, behind, marks);
        return behind;
      }
      if (open.topTag === HEAD && (flags & METADATA) === 0) {
        open.endTo(open.depth - 1, start, elements.length, start);
      }
      open.endBefore(tag, flags, (flags & ENDS_P) !== 0, start, elements.length);
      this.openImplied(tag, flags, start);
    }
    const isInForeign = isForeign || tag === SVG || tag === MATH;
    const element = this.add(tag, marks, isInForeign, start, nameEnd, behind);
    if (isInForeign) {
      if ((marks & MARK_SELF_CLOSING) !== 0) return behind;
    } else {
      if ((flags & VOID) !== 0) return behind;
      if ((flags & RAW) !== 0) return this.readRaw(element, end);
    }
    this.push(element, hash);
    return behind;
  }

  private add(
    tag: number,
    marks: number,
    isForeign: boolean,
    start: number,
    nameEnd: number,
    behind: number,
  ): DocumentElement {
    const { elements, open, source, lastChild } = this;
    const above = open.depth - 1;
    const previous = lastChild[above] as DocumentElement | null;
    const parent = open.top;
    const element = new DocumentElement(
      source,
      elements.length,
      parent,
      previous,
      tag,
      marks,
      isForeign,
      start,
      nameEnd,
      behind,
    );
    elements.push(element);
    lastChild[above] = element;
    this.marks |= marks;
    return element;
  }

  private push(element: DocumentElement, hash: number): void {
    const { depth } = this.open;
    if (depth >= this.limits.maxDepth) return;
    this.open.push(element, hash);
    this.lastChild[depth] = null;
  }

  /** Elements whose tags may be left out are there all the same: html, head, body, tbody and tr. */
  private openImplied(tag: number, flags: number, at: number): void {
    const { open } = this;
    if (open.depth === 1 && tag !== HTML) this.imply(HTML, at);
    if (open.topTag === HTML && open.depth === 2) {
      if (tag === HEAD || tag === BODY || tag === FRAMESET) return;
      const isMetadata = (flags & METADATA) !== 0;
      if (!isMetadata) this.imply(BODY, at);
      else if (this.lastChild[1] === null) this.imply(HEAD, at);
      return;
    }
    if (tag !== TR && tag !== TD && tag !== TH) return;
    if (open.topTag === TABLE) this.imply(TBODY, at);
    if (tag !== TR && isTableSection(open.topTag)) this.imply(TR, at);
  }

  private imply(tag: number, at: number): void {
    this.push(this.add(tag, 0, false, at, at, at), impliedHashes.get(tag) ?? 0);
  }

  /** The tag of an element that was implied before it came: what it says counts. */
  private adopt(tag: number, nameEnd: number, behind: number, marks: number): void {
    const implied = this.open.first(tag);
    if (implied === undefined || implied.tagEnd !== implied.start) return;
    implied.nameEnd = nameEnd;
    implied.tagEnd = behind;
    implied.marks |= marks;
    this.marks |= marks;
  }

  /** A second one of these is none. */
  private isDropped(tag: number): boolean {
    if (tag === HTML || tag === BODY || tag === HEAD) return this.open.has(tag);
    return tag === FORM && this.open.has(FORM) && !this.open.has(TEMPLATE);
  }

  private readRaw(element: DocumentElement, end: number): number {
    const { bytes } = this;
    const { tag, contentStart } = element;
    if (tag === PLAINTEXT) element.contentEnd = end;
    else if (tag === SCRIPT) element.contentEnd = findScriptEnd(bytes, contentStart, end);
    else element.contentEnd = findRawTextEnd(bytes, contentStart, end, elementNames[tag] as string);
    if (element.contentEnd >= end) {
      element.end = end;
      return end;
    }
    readTagName(bytes, element.contentEnd + 2, end);
    const behind = skipAttributes(bytes, tagName.end, end);
    element.end = behind === -1 ? end : behind;
    return element.end;
  }

  private readEndTag(start: number, end: number): number {
    const { bytes } = this;
    if (!isLetter(start + 2 < end ? (bytes[start + 2] as number) : 0)) {
      return skipDeclaration(bytes, start + 2, end);
    }
    readTagName(bytes, start + 2, end);
    const { hash, end: nameEnd } = tagName;
    const behind = bytes[nameEnd] === 0x3e ? nameEnd + 1 : skipAttributes(bytes, nameEnd, end);
    if (behind === -1) return end;
    const tag = findElementId(hash, nameEnd - start - 2);
    // What follows the end of a page belongs to its body all the same.
    if (tag !== HTML && tag !== BODY) this.open.end(tag, hash, start, behind, this.elements.length);
    return behind;
  }

  private skipBang(at: number, end: number): number {
    const { bytes } = this;
    if (bytes[at + 2] === DASH && bytes[at + 3] === DASH) return skipComment(bytes, at, end);
    if (this.open.isForeign && bytes.toString('latin1', at + 2, at + 9) === '[CDATA[') {
      return Math.min(end, findCdataEnd(bytes, at + 9, end) + 3);
    }
    return skipDeclaration(bytes, at, end);
  }
}

function isTableSection(tag: number): boolean {
  return tag === TBODY || tag === THEAD || tag === TFOOT;
}

function isLetter(byte: number): boolean {
  const folded = byte | 0x20;
  return folded >= 0x61 && folded <= 0x7a;
}
