import type { DocumentElement } from './document-element.ts';
import {
  elementCount,
  elementFlags,
  elementId,
  FORMATTING,
  HEADING,
  IMPLIED_END,
  SCOPE,
  SPECIAL,
  TABLE_PART,
} from './element-names.ts';

/**
 * The elements that are open while a page is read, and the rules of the HTML standard by which one ends another. Where
 * the standard would move nodes about (formatting elements across blocks, text out of tables), they stay where they
 * stand: an element is always one stretch of the page.
 */

const P = elementId('p');
const A = elementId('a');
const LI = elementId('li');
const DD = elementId('dd');
const DT = elementId('dt');
const DIV = elementId('div');
const ADDRESS = elementId('address');
const UL = elementId('ul');
const OL = elementId('ol');
const OPTION = elementId('option');
const OPTGROUP = elementId('optgroup');
const BUTTON = elementId('button');
const SELECT = elementId('select');
const TABLE = elementId('table');
const TEMPLATE = elementId('template');
const TR = elementId('tr');
const TD = elementId('td');
const TH = elementId('th');
const CAPTION = elementId('caption');
const COLGROUP = elementId('colgroup');
const COL = elementId('col');
const TBODY = elementId('tbody');
const THEAD = elementId('thead');
const TFOOT = elementId('tfoot');
const DESC = elementId('desc');
const FOREIGN_OBJECT = elementId('foreignobject');
const TITLE = elementId('title');
const MATH = elementId('math');
const SVG = elementId('svg');
const mathPoints = new Set(['annotation-xml', 'mi', 'mo', 'mn', 'ms', 'mtext'].map(elementId));

const cells = [TD, TH, CAPTION];
const rowParts = [...cells, TR];
const sectionParts = [...rowParts, TBODY, THEAD, TFOOT, COLGROUP];
const tableParts = new Map<number, readonly number[]>([
  [TD, cells],
  [TH, cells],
  [TR, [...rowParts, COLGROUP]],
  [TBODY, sectionParts],
  [THEAD, sectionParts],
  [TFOOT, sectionParts],
  [CAPTION, sectionParts],
  [COLGROUP, sectionParts],
  [COL, cells],
]);

/** Of an element in the stack: in HTML, in SVG or MathML, or such that what is inside it is SVG or MathML as well. */
const FOREIGN = 1;
const FOREIGN_INSIDE = 2;

export class OpenElements {
  depth = 0;
  private readonly stack: DocumentElement[] = [];
  // What rules ask about the elements of the stack, as numbers: walking it is what a hostile page makes us do.
  private readonly hashes: Int32Array;
  private readonly tags: Uint16Array;
  /** Of element-names; none for SVG and MathML. */
  private readonly flags: Uint16Array;
  private readonly worlds: Uint8Array;
  /** The end tag has come, and the element waits for what is open inside it. */
  private readonly isEnding: Uint8Array;
  /** How many of each are open, so that most questions need no look at the stack. */
  private readonly counts = new Uint16Array(elementCount);
  private readonly hashCounts = new Uint16Array(256);

  constructor(maxDepth: number) {
    this.hashes = new Int32Array(maxDepth);
    this.tags = new Uint16Array(maxDepth);
    this.flags = new Uint16Array(maxDepth);
    this.worlds = new Uint8Array(maxDepth);
    this.isEnding = new Uint8Array(maxDepth);
  }

  /** For another page. */
  reset(): void {
    this.depth = 0;
    this.stack.length = 0;
    this.counts.fill(0);
    this.hashCounts.fill(0);
  }

  get top(): DocumentElement {
    return this.stack[this.depth - 1] as DocumentElement;
  }

  get topTag(): number {
    return this.tags[this.depth - 1] as number;
  }

  /** Whether a tag that comes now is SVG or MathML. */
  get isForeign(): boolean {
    return this.worlds[this.depth - 1] === FOREIGN_INSIDE;
  }

  has(tag: number): boolean {
    return (this.counts[tag] as number) > 0;
  }

  /** The outermost of that kind. */
  first(tag: number): DocumentElement | undefined {
    return this.stack.slice(0, Math.min(this.depth, 4)).find((element) => element.tag === tag);
  }

  push(element: DocumentElement, hash: number): void {
    const { depth } = this;
    const { tag } = element;
    this.stack[depth] = element;
    this.hashes[depth] = hash;
    this.tags[depth] = tag;
    this.flags[depth] = element.isForeign ? 0 : (elementFlags[tag] as number);
    this.worlds[depth] = element.isForeign ? worldOf(tag) : 0;
    this.isEnding[depth] = 0;
    this.depth = depth + 1;
    this.counts[tag] = (this.counts[tag] as number) + 1;
    this.hashCounts[hash & 255] = (this.hashCounts[hash & 255] as number) + 1;
  }

  /** Ends everything from `depth` up. `nextIndex` is that of the next element; the last one may have an end tag. */
  endTo(depth: number, at: number, nextIndex: number, behind: number): void {
    while (this.depth > depth) {
      const last = --this.depth;
      const element = this.stack[last] as DocumentElement;
      const bucket = (this.hashes[last] as number) & 255;
      this.counts[element.tag] = (this.counts[element.tag] as number) - 1;
      this.hashCounts[bucket] = (this.hashCounts[bucket] as number) - 1;
      element.contentEnd = at;
      element.end = last === depth ? behind : at;
      element.nextIndex = nextIndex;
    }
    const above = this.depth - 1;
    if (above > 0 && this.isEnding[above] === 1) this.endTo(above, behind, nextIndex, behind);
  }

  /** What a start tag of HTML ends before it. */
  endBefore(tag: number, flags: number, endsP: boolean, at: number, nextIndex: number): void {
    if (endsP && this.has(P)) this.endInScope(P, BUTTON, at, nextIndex);
    if ((flags & HEADING) !== 0) {
      if (((this.flags[this.depth - 1] as number) & HEADING) !== 0) this.pop(at, nextIndex);
    } else if (tag === LI) {
      if (this.has(LI)) this.endItem(LI, LI, at, nextIndex);
    } else if (tag === DD || tag === DT) {
      if (this.has(DD) || this.has(DT)) this.endItem(DD, DT, at, nextIndex);
    } else if (tag === OPTION || tag === OPTGROUP) {
      if (this.topTag === OPTION) this.pop(at, nextIndex);
      if (tag === OPTGROUP && this.topTag === OPTGROUP) this.pop(at, nextIndex);
    } else if (tag === A) {
      if (this.has(A)) this.endFormatting(A, at, nextIndex);
    } else if (tag === BUTTON || tag === SELECT) {
      if (this.has(tag)) this.endInScope(tag, 0, at, nextIndex);
    } else if (tag === TABLE) {
      const top = this.topTag;
      const isInTable = top === TABLE || top === TR || top === TBODY || top === THEAD || top === TFOOT;
      if (isInTable) this.endInTable([TABLE], at, nextIndex);
    } else if ((flags & TABLE_PART) !== 0 && this.has(TABLE)) {
      this.endInTable(tableParts.get(tag) ?? [], at, nextIndex);
    }
  }

  /** An end tag. `at` is where it stands, `behind` where it ends. */
  end(tag: number, hash: number, at: number, behind: number, nextIndex: number): void {
    const last = this.depth - 1;
    if (last > 0 && this.hashes[last] === hash) {
      // Nearly always: it is the end of what was opened last.
      this.endTo(last, at, nextIndex, behind);
      return;
    }
    if (this.hashCounts[hash & 255] === 0 && ((elementFlags[tag] as number) & HEADING) === 0) return;
    if (this.worlds[this.depth - 1] !== 0 && this.endForeign(hash, at, behind, nextIndex)) return;
    const depth = this.findEnded(tag, hash);
    if (depth > 0) this.endTo(depth, at, nextIndex, behind);
  }

  /** Some elements of HTML cannot stand in SVG or MathML: they end it, wherever it was left open. */
  breakOut(at: number, nextIndex: number): void {
    let depth = this.depth;
    while (depth > 1 && this.worlds[depth - 1] === FOREIGN_INSIDE) depth--;
    this.endTo(depth, at, nextIndex, at);
  }

  private pop(at: number, nextIndex: number): void {
    if (this.depth > 1) this.endTo(this.depth - 1, at, nextIndex, at);
  }

  private findEnded(tag: number, hash: number): number {
    const flags = elementFlags[tag] as number;
    const isSpecial = (flags & SPECIAL) !== 0;
    const isTablePart = tag === TABLE || (flags & TABLE_PART) !== 0;
    // Whatever HTML was left open in it: a picture ends with its end tag.
    const isPicture = tag === SVG || tag === MATH || tag === FOREIGN_OBJECT;
    for (let depth = this.depth - 1; depth > 0; depth--) {
      const open = this.tags[depth] as number;
      const isForeign = this.worlds[depth] !== 0;
      if (this.hashes[depth] === hash && isForeign === isPicture) return depth;
      if (isPicture) continue;
      const openFlags = this.flags[depth] as number;
      if ((flags & openFlags & HEADING) !== 0) return depth;
      if (isTablePart) {
        if (open === TABLE || open === TEMPLATE) return 0;
      } else if (isSpecial) {
        if ((openFlags & SCOPE) !== 0 || isForeign) return 0;
        if (tag === P && open === BUTTON) return 0;
        if (tag === LI && (open === UL || open === OL)) return 0;
      } else if ((openFlags & SPECIAL) !== 0) {
        if ((flags & FORMATTING) !== 0) this.endLater(tag, depth);
        return 0;
      }
    }
    return 0;
  }

  /** The end of a formatting element in a block that it was opened outside of: it ends where the block does. */
  private endLater(tag: number, from: number): void {
    for (let depth = from; depth > 0; depth--) {
      if (this.tags[depth] === tag && this.worlds[depth] === 0 && this.isEnding[depth] === 0) {
        this.isEnding[depth] = 1;
        return;
      }
      if (((this.flags[depth] as number) & SCOPE) !== 0) return;
    }
  }

  private endForeign(hash: number, at: number, behind: number, nextIndex: number): boolean {
    for (let depth = this.depth - 1; depth > 0 && this.worlds[depth] !== 0; depth--) {
      if (this.hashes[depth] !== hash) continue;
      this.endTo(depth, at, nextIndex, behind);
      return true;
    }
    return false;
  }

  private endInScope(tag: number, barrier: number, at: number, nextIndex: number): void {
    for (let depth = this.depth - 1; depth > 0; depth--) {
      const open = this.tags[depth] as number;
      if (open === tag) {
        this.endTo(depth, at, nextIndex, at);
        return;
      }
      if (((this.flags[depth] as number) & SCOPE) !== 0 || (barrier !== 0 && open === barrier)) return;
    }
  }

  private endItem(tag: number, other: number, at: number, nextIndex: number): void {
    for (let depth = this.depth - 1; depth > 0; depth--) {
      const open = this.tags[depth] as number;
      if (open === tag || open === other) {
        this.endTo(depth, at, nextIndex, at);
        return;
      }
      const isPassable = open === ADDRESS || open === DIV || open === P;
      if (((this.flags[depth] as number) & SPECIAL) !== 0 && !isPassable) return;
    }
  }

  private endInTable(ended: readonly number[], at: number, nextIndex: number): void {
    let lowest = 0;
    for (let depth = this.depth - 1; depth > 0; depth--) {
      const open = this.tags[depth] as number;
      if (ended.includes(open)) lowest = depth;
      if (open === TABLE || open === TEMPLATE) break;
    }
    if (lowest > 0) this.endTo(lowest, at, nextIndex, at);
  }

  private endFormatting(tag: number, at: number, nextIndex: number): void {
    for (let depth = this.depth - 1; depth > 0; depth--) {
      const open = this.tags[depth] as number;
      if (open === tag) {
        this.endTo(depth, at, nextIndex, at);
        return;
      }
      const flags = this.flags[depth] as number;
      if ((flags & SPECIAL) !== 0 && (flags & IMPLIED_END) === 0) {
        this.endLater(tag, depth);
        return;
      }
    }
  }
}

function worldOf(tag: number): number {
  const isPoint = tag === DESC || tag === TITLE || tag === FOREIGN_OBJECT || mathPoints.has(tag);
  return isPoint ? FOREIGN : FOREIGN_INSIDE;
}
