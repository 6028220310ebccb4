import { ForeignContent } from './foreign-content.ts';
import { BLOCK, FACT, HIDES, IMPLIED_END, RAW_HIDDEN, SPECIAL, tagFlags, tagId, VOID } from './html-names.ts';
import type { PageFacts, TagPlace } from './page-facts.ts';
import {
  findCdataEnd,
  findRawTextEnd,
  findScriptEnd,
  findTagOpen,
  skipComment,
  skipDeclaration,
} from './skip-markup.ts';
import { attributeIds, TagReader } from './tag-reader.ts';
import { TextSink } from './text-sink.ts';

/**
 * One forward pass over a page's bytes: the tokenizer of the HTML standard, and of its tree construction
 * only what changes how bytes are read (raw text elements, SVG and MathML) or whether text is seen.
 *
 * Not seen: comments, script, style, title, textarea, select, datalist, template, noscript, the fallback
 * content of audio, video, canvas and frames, and elements with a `hidden` attribute that have an end tag
 * of their own. Links in template and noscript are read all the same: a crawler runs no scripts.
 */

const TAG_OPEN = 0x3c;
const SLASH = 0x2f;
const BANG = 0x21;
const DASH = 0x2d;
const QUESTION = 0x3f;

/** Held between pages, so that no page is. */
const NOTHING = Buffer.alloc(0);

const A = tagId('a');
const SCRIPT = tagId('script');
const STYLE = tagId('style');
const TITLE = tagId('title');
const DESC = tagId('desc');
const METADATA = tagId('metadata');
const TEXTAREA = tagId('textarea');
const XMP = tagId('xmp');
const PLAINTEXT = tagId('plaintext');
const SELECT = tagId('select');
const SVG = tagId('svg');
const MATH = tagId('math');
const NOSCRIPT = tagId('noscript');
const TEMPLATE = tagId('template');

const rawNames = new Map(
  ['style', 'noembed', 'noframes', 'iframe', 'title', 'textarea', 'xmp'].map((name) => [tagId(name), name]),
);

export interface ScannedPage {
  /** Visible text in UTF-8; valid until the next run. */
  readonly text: Buffer;
  /** Its length in UTF-16 code units, as a string would report it. */
  readonly characterCount: number;
}

export class PageScan implements TagPlace {
  isInTemplate = false;
  isInNoscript = false;

  private readonly tags = new TagReader();
  private readonly sink = new TextSink();
  private readonly foreign = new ForeignContent();
  private bytes: Buffer = NOTHING;

  /** The outermost unseen element: how deep in elements of its own name we are; 0 means text is seen. */
  private hiddenDepth = 0;
  private hiddenHash = 0;
  private hiddenBy = 0;
  private hiddenInForeignDepth = 0;

  run(bytes: Buffer, facts: PageFacts): ScannedPage {
    this.bytes = bytes;
    this.foreign.reset();
    this.show();
    this.tags.start(bytes);
    this.sink.start(bytes.length);
    this.scan(bytes, facts);
    const { bytes: text, characterCount } = this.sink.finish();
    this.tags.finish();
    this.bytes = NOTHING;
    return { text, characterCount };
  }

  private scan(bytes: Buffer, facts: PageFacts): void {
    const end = bytes.length;
    let at = 0;
    while (at < end) {
      at = this.hiddenDepth === 0 ? this.sink.copyText(bytes, at, end, false) : findTagOpen(bytes, at);
      if (at + 1 >= end) break;
      const next = bytes[at + 1] as number;
      if (isLetter(next)) {
        at = this.tags.read(at + 1, end);
        // A tag cut off by the end of the page is no tag.
        if (at === -1) return;
        at = this.readStartTag(at, end, facts);
      } else if (next === SLASH) {
        at = this.readEndTag(at, end);
      } else if (next === BANG) {
        at = this.readDeclaration(at, end);
      } else if (next === QUESTION) {
        at = skipDeclaration(bytes, at, end);
      } else {
        this.appendTagOpen();
        at++;
      }
    }
    // The page ends in a lone "<": text, like any other that opens no tag.
    if (at < end && bytes[at] === TAG_OPEN) this.appendTagOpen();
  }

  private appendTagOpen(): void {
    if (this.hiddenDepth === 0) this.sink.append('<');
  }

  /** `at` is behind the tag; returns where to read on, which for raw text is its end tag. */
  private readStartTag(at: number, end: number, facts: PageFacts): number {
    const reader = this.tags;
    const tag = reader.tag;
    const flags = tagFlags[tag] as number;
    if (this.foreign.depth > 0) {
      if (this.foreign.breakOut(flags)) this.showAfterForeign();
      if (this.foreign.isForeign) {
        this.readForeignStartTag(facts);
        return at;
      }
    }
    if ((flags & FACT) !== 0) facts.readTag(reader, this);
    if (this.hiddenDepth === 0) {
      if ((flags & BLOCK) !== 0) this.sink.appendSpace();
      if ((flags & HIDES) !== 0) this.hide();
      else if (
        reader.has(attributeIds.hidden) &&
        (flags & (VOID | IMPLIED_END | RAW_HIDDEN | SPECIAL)) === 0
      ) {
        this.hide();
      }
    } else if (reader.nameHash === this.hiddenHash) {
      // A select inside a select ends it; anything else nests.
      if (this.hiddenBy === SELECT) this.show();
      else this.hiddenDepth++;
    }
    if ((flags & RAW_HIDDEN) !== 0) return findRawTextEnd(this.bytes, at, end, rawNames.get(tag) ?? '');
    if ((flags & SPECIAL) !== 0) return this.readSpecial(tag, at, end, facts);
    return at;
  }

  private readSpecial(tag: number, at: number, end: number, facts: PageFacts): number {
    const bytes = this.bytes;
    if (tag === SCRIPT) return findScriptEnd(bytes, at, end);
    if (tag === SVG || tag === MATH) {
      if (!this.tags.isSelfClosing) this.foreign.open(tag);
      return at;
    }
    if (tag === SELECT) return at;
    const isSeen = this.hiddenDepth === 0;
    if (tag === PLAINTEXT) {
      if (isSeen) this.sink.copyText(bytes, at, end, true);
      return end;
    }
    const stop = findRawTextEnd(bytes, at, end, rawNames.get(tag) ?? '');
    if (tag === XMP && isSeen) this.sink.copyText(bytes, at, stop, true);
    else if (tag === TITLE) facts.readTitle(bytes, at, stop, this);
    else if (tag === TEXTAREA && this.hiddenBy === SELECT) this.show();
    return stop;
  }

  private readForeignStartTag(facts: PageFacts): void {
    const { tag, isSelfClosing, nameHash } = this.tags;
    if (tag === A) facts.readSvgLink(this.tags);
    if (isSelfClosing) return;
    if (this.hiddenDepth > 0) {
      if (nameHash === this.hiddenHash) this.hiddenDepth++;
    } else if (tag === TITLE || tag === DESC || tag === STYLE || tag === SCRIPT || tag === METADATA) {
      this.hide();
    }
    this.foreign.open(tag);
  }

  private readEndTag(at: number, end: number): number {
    const first = at + 2 < end ? (this.bytes[at + 2] as number) : 0;
    if (!isLetter(first)) {
      if (at + 2 >= end) {
        this.appendTagOpen();
        if (this.hiddenDepth === 0) this.sink.append('/');
      }
      // "</>" is nothing at all, "</ anything>" a comment: both end at the next ">".
      return skipDeclaration(this.bytes, at + 2, end);
    }
    const stop = this.tags.read(at + 2, end);
    if (stop === -1) return end;
    const { tag, nameHash } = this.tags;
    const flags = tagFlags[tag] as number;
    if (this.foreign.depth > 0) {
      if (!this.foreign.breakOut(flags)) this.foreign.close(tag);
      this.showAfterForeign();
    }
    if (this.hiddenDepth > 0 && nameHash === this.hiddenHash && --this.hiddenDepth === 0) this.show();
    if ((flags & BLOCK) !== 0 && this.hiddenDepth === 0) this.sink.appendSpace();
    return stop;
  }

  private readDeclaration(at: number, end: number): number {
    const bytes = this.bytes;
    if (bytes[at + 2] === DASH && bytes[at + 3] === DASH) return skipComment(bytes, at, end);
    if (!this.foreign.isForeign || bytes.toString('latin1', at + 2, at + 9) !== '[CDATA[') {
      return skipDeclaration(bytes, at, end);
    }
    const stop = findCdataEnd(bytes, at + 9, end);
    if (this.hiddenDepth === 0) this.sink.copyText(bytes, at + 9, stop, true);
    return Math.min(end, stop + 3);
  }

  private hide(): void {
    this.hiddenDepth = 1;
    this.hiddenHash = this.tags.nameHash;
    this.hiddenBy = this.tags.tag;
    this.hiddenInForeignDepth = this.foreign.depth;
    this.isInTemplate = this.hiddenBy === TEMPLATE;
    this.isInNoscript = this.hiddenBy === NOSCRIPT;
  }

  private show(): void {
    this.hiddenDepth = 0;
    this.hiddenBy = 0;
    this.isInTemplate = false;
    this.isInNoscript = false;
  }

  /** What was hidden inside SVG or MathML cannot outlive it. */
  private showAfterForeign(): void {
    if (this.hiddenDepth > 0 && this.foreign.depth < this.hiddenInForeignDepth) this.show();
  }
}

function isLetter(byte: number): boolean {
  const folded = byte | 0x20;
  return folded >= 0x61 && folded <= 0x7a;
}
