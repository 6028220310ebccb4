/**
 * A page as a tree, for extraction: built in one pass over its bytes at about the price of the scan for links, and
 * read lazily. The root is no element of the page; what it holds is.
 */
import type { DocumentElement, DocumentSource } from './document-element.ts';
import { selectAll, selectOne } from './selectors.ts';
import { DOCUMENT_LIMITS, type DocumentLimits, TreeBuilder } from './tree-builder.ts';

export type { DocumentElement, DocumentNode, DocumentText } from './document-element.ts';

export interface PageDocument {
  /** `#document`. */
  readonly root: DocumentElement;
  /** All of them, in the order of the page. */
  readonly elements: readonly DocumentElement[];
  /** MARK_… of tag-bytes, of all elements together: whether there is microdata or RDFa at all. */
  readonly marks: number;
  /** In the order of the page. Relative to `from` and inside it, where it is given. */
  select(selector: string, from?: DocumentElement): DocumentElement[];
  selectFirst(selector: string, from?: DocumentElement): DocumentElement | undefined;
  /** By name in small letters, in the order of the page. */
  named(name: string): DocumentElement[];
  /** The first that has this id. */
  byId(id: string): DocumentElement | undefined;
}

/** From UTF-8, as toUtf8Html returns it. Never throws for what a page contains; costs time linear in its size. */
export function parseDocument(html: Buffer, limits: Partial<DocumentLimits> = {}): PageDocument {
  return new ParsedDocument(html, { ...DOCUMENT_LIMITS, ...limits });
}

class ParsedDocument implements PageDocument, DocumentSource {
  readonly bytes: Buffer;
  readonly elements: DocumentElement[] = [];
  readonly root: DocumentElement;
  readonly marks: number;
  private ids: Map<string, DocumentElement> | undefined = undefined;

  constructor(bytes: Buffer, limits: DocumentLimits) {
    this.bytes = bytes;
    const builder = new TreeBuilder(this, this.elements, limits);
    this.root = builder.build();
    this.marks = builder.marks;
  }

  select(selector: string, from: DocumentElement = this.root): DocumentElement[] {
    return selectAll(selector, from);
  }

  selectFirst(selector: string, from: DocumentElement = this.root): DocumentElement | undefined {
    return selectOne(selector, from);
  }

  named(name: string): DocumentElement[] {
    return this.elements.filter((element) => element.name === name);
  }

  byId(id: string): DocumentElement | undefined {
    if (this.ids === undefined) {
      this.ids = new Map();
      for (const element of this.elements) {
        const own = element.attribute('id');
        if (own !== undefined && !this.ids.has(own)) this.ids.set(own, element);
      }
    }
    return this.ids.get(id);
  }
}
