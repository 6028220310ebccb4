import { decodeAttribute } from '../../parse/char-refs.ts';
import { hashName } from '../../parse/html-names.ts';
import { elementNames } from './element-names.ts';
import { collectGap, collectOwnText, collectText, hasText } from './element-text.ts';
import { attributeAt, readAttribute } from './tag-bytes.ts';

/**
 * A node of the tree knows where it stands in the page's bytes, and little else: attributes and text are read from
 * there when somebody asks. Elements stand in one list in the order of the page, so that what is inside an element is
 * the stretch of the list behind it, and no lists of children need to be kept.
 */

export interface DocumentSource {
  readonly bytes: Buffer;
  readonly elements: readonly DocumentElement[];
}

export type DocumentNode = DocumentElement | DocumentText;

/** A tag with more bytes than this has its attributes listed once, instead of being walked for each question. */
const LISTED_BYTES = 1024;

const hashes = new Map<string, number>();

export class DocumentElement {
  readonly kind = 'element';
  readonly source: DocumentSource;
  /** Its place in `elements`; -1 for the root, which is none of them. */
  readonly index: number;
  readonly parent: DocumentElement | null;
  /** The element before it in the same parent. */
  readonly previous: DocumentElement | null;
  /** Id of element-names; 0 for a name that is not known there. */
  readonly tag: number;
  /** MARK_… of tag-bytes. */
  marks: number;
  /** In SVG or MathML. */
  readonly isForeign: boolean;
  /** Where its `<` stands, and where its content begins: the same place, if its tag was left out. */
  readonly start: number;
  readonly contentStart: number;
  /** Where its name ends and its tag does. */
  nameEnd: number;
  tagEnd: number;
  /** Where its content ends, and where its end tag does. */
  contentEnd: number;
  end: number;
  /** The first index that is not inside it. */
  nextIndex: number;
  private childNodes: readonly DocumentNode[] | undefined = undefined;
  private attributeList: Map<string, string> | undefined = undefined;

  constructor(
    source: DocumentSource,
    index: number,
    parent: DocumentElement | null,
    previous: DocumentElement | null,
    tag: number,
    marks: number,
    isForeign: boolean,
    start: number,
    nameEnd: number,
    contentStart: number,
  ) {
    this.source = source;
    this.index = index;
    this.parent = parent;
    this.previous = previous;
    this.tag = tag;
    this.marks = marks;
    this.isForeign = isForeign;
    this.start = start;
    this.contentStart = contentStart;
    this.nameEnd = nameEnd;
    this.tagEnd = contentStart;
    this.contentEnd = contentStart;
    this.end = contentStart;
    this.nextIndex = index + 1;
  }

  /** In small letters; `#document` for the root. */
  get name(): string {
    if (this.tag !== 0) return elementNames[this.tag] as string;
    if (this.index === -1) return '#document';
    return this.source.bytes.toString('utf8', this.start + 1, this.nameEnd).toLowerCase();
  }

  /** Elements and texts, in order. */
  get children(): readonly DocumentNode[] {
    if (this.childNodes === undefined) this.childNodes = this.readChildren();
    return this.childNodes;
  }

  get childElements(): DocumentElement[] {
    const found: DocumentElement[] = [];
    const { elements } = this.source;
    let at = this.index + 1;
    while (at < this.nextIndex) {
      const child = elements[at] as DocumentElement;
      found.push(child);
      at = child.nextIndex;
    }
    return found;
  }

  /** Decoded; an attribute without a value is ''. `name` in small letters. */
  attribute(name: string): string | undefined {
    const length = this.tagEnd - this.nameEnd;
    if (length < 3) return undefined;
    if (length > LISTED_BYTES) return this.attributes().get(name);
    return this.find(name)
      ? decodeAttribute(this.source.bytes, attributeAt.valueStart, attributeAt.valueEnd)
      : undefined;
  }

  hasAttribute(name: string): boolean {
    const length = this.tagEnd - this.nameEnd;
    if (length < 3) return false;
    return length > LISTED_BYTES ? this.attributes().has(name) : this.find(name);
  }

  /** All of them, by name in small letters. */
  attributes(): ReadonlyMap<string, string> {
    if (this.attributeList !== undefined) return this.attributeList;
    const { bytes } = this.source;
    const list = new Map<string, string>();
    let at = readAttribute(bytes, this.nameEnd, this.tagEnd);
    for (; at !== -1; at = readAttribute(bytes, at, this.tagEnd)) {
      const name = bytes.toString('utf8', attributeAt.nameStart, attributeAt.nameEnd).toLowerCase();
      if (list.has(name)) continue;
      list.set(name, decodeAttribute(bytes, attributeAt.valueStart, attributeAt.valueEnd));
    }
    this.attributeList = list;
    return list;
  }

  /** What a reader sees of it: whitespace collapsed, blocks apart, without script, style, template and noscript. */
  text(maxChars?: number): string {
    return collectText(this, maxChars);
  }

  /** The text that stands in it directly; where an element is between, a space is. */
  ownText(maxChars?: number): string {
    return collectOwnText(this, maxChars);
  }

  /** Its content as written, for scripts and the like. */
  rawText(): string {
    return this.source.bytes.toString('utf8', this.contentStart, this.contentEnd);
  }

  contains(other: DocumentElement): boolean {
    return other.index > this.index && other.index < this.nextIndex;
  }

  private find(name: string): boolean {
    const { bytes } = this.source;
    let wanted = hashes.get(name);
    if (wanted === undefined) {
      wanted = hashName(name);
      if (hashes.size >= 1000) hashes.clear();
      hashes.set(name, wanted);
    }
    let at = readAttribute(bytes, this.nameEnd, this.tagEnd);
    for (; at !== -1; at = readAttribute(bytes, at, this.tagEnd)) {
      const length = attributeAt.nameEnd - attributeAt.nameStart;
      if (attributeAt.hash === wanted && length === name.length) return true;
    }
    return false;
  }

  private readChildren(): readonly DocumentNode[] {
    const nodes: DocumentNode[] = [];
    let at = this.contentStart;
    for (const child of this.childElements) {
      this.addText(nodes, at, child.start);
      nodes.push(child);
      at = child.end;
    }
    this.addText(nodes, at, this.contentEnd);
    return nodes;
  }

  private addText(nodes: DocumentNode[], start: number, end: number): void {
    if (start < end && hasText(this, start, end)) nodes.push(new DocumentText(this, start, end));
  }
}

/** What stands between two tags. */
export class DocumentText {
  readonly kind = 'text';
  readonly parent: DocumentElement;
  readonly start: number;
  readonly end: number;

  constructor(parent: DocumentElement, start: number, end: number) {
    this.parent = parent;
    this.start = start;
    this.end = end;
  }

  /** Whitespace collapsed, and none around it. */
  text(maxChars?: number): string {
    return collectGap(this.parent, this.start, this.end, maxChars);
  }
}
