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

export class OpenElements {
  depth = 0;
  readonly stack: DocumentElement[] = [];
  private readonly hashes: Int32Array;
  /** The end tag has come, and the element waits for what is open inside it. */
  private readonly isEnding: Uint8Array;
  /** How many of each are open, so that most questions need no look at the stack. */
  private readonly counts = new Uint16Array(elementCount);

  constructor(maxDepth: number) {
    this.hashes = new Int32Array(maxDepth);
    this.isEnding = new Uint8Array(maxDepth);
  }

  get top(): DocumentElement {
    return this.stack[this.depth - 1] as DocumentElement;
  }

  has(tag: number): boolean {
    return (this.counts[tag] as number) > 0;
  }

  push(element: DocumentElement, hash: number): void {
    this.stack[this.depth] = element;
    this.hashes[this.depth] = hash;
    this.isEnding[this.depth] = 0;
    this.depth++;
    this.counts[element.tag] = (this.counts[element.tag] as number) + 1;
  }

  /** Ends everything from `depth` up. `nextIndex` is that of the next element; the last one may have an end tag. */
  endTo(depth: number, at: number, nextIndex: number, behind: number): void {
    while (this.depth > depth) {
      const element = this.stack[--this.depth] as DocumentElement;
      this.counts[element.tag] = (this.counts[element.tag] as number) - 1;
      element.contentEnd = at;
      element.end = this.depth === depth ? behind : at;
      element.nextIndex = nextIndex;
    }
    const above = this.depth - 1;
    if (above > 0 && this.isEnding[above] === 1) this.endTo(above, behind, nextIndex, behind);
  }

  /** What a start tag of HTML ends before it. */
  endBefore(tag: number, flags: number, endsP: boolean, at: number, nextIndex: number): void {
    if (endsP && this.has(P)) this.endInScope(P, BUTTON, at, nextIndex);
    if ((flags & HEADING) !== 0) {
      const top = this.top;
      if (!top.isForeign && ((elementFlags[top.tag] as number) & HEADING) !== 0) this.pop(at, nextIndex);
    } else if (tag === LI) {
      if (this.has(LI)) this.endItem(LI, LI, at, nextIndex);
    } else if (tag === DD || tag === DT) {
      if (this.has(DD) || this.has(DT)) this.endItem(DD, DT, at, nextIndex);
    } else if (tag === OPTION || tag === OPTGROUP) {
      if (this.top.tag === OPTION) this.pop(at, nextIndex);
      if (tag === OPTGROUP && this.top.tag === OPTGROUP) this.pop(at, nextIndex);
    } else if (tag === A) {
      if (this.has(A)) this.endFormatting(A, at, nextIndex);
    } else if (tag === BUTTON || tag === SELECT) {
      if (this.has(tag)) this.endInScope(tag, 0, at, nextIndex);
    } else if (tag === TABLE) {
      const top = this.top.tag;
      const isInTable = top === TABLE || top === TR || top === TBODY || top === THEAD || top === TFOOT;
      if (isInTable) this.endInTable([TABLE], at, nextIndex);
    } else {
      const ended = tableParts.get(tag);
      if (ended !== undefined && this.has(TABLE)) this.endInTable(ended, at, nextIndex);
    }
  }

  /** An end tag. `at` is where it stands, `behind` where it ends. */
  end(tag: number, hash: number, at: number, behind: number, nextIndex: number): void {
    if (tag !== 0 && !this.has(tag) && ((elementFlags[tag] as number) & HEADING) === 0) return;
    if (this.top.isForeign && this.endForeign(hash, at, behind, nextIndex)) return;
    const depth = this.findEnded(tag, hash);
    if (depth > 0) this.endTo(depth, at, nextIndex, behind);
  }

  /** Some elements of HTML cannot stand in SVG or MathML: they end it, wherever it was left open. */
  breakOut(at: number, nextIndex: number): void {
    let depth = this.depth;
    while (depth > 1 && isForeignParent(this.stack[depth - 1] as DocumentElement)) depth--;
    this.endTo(depth, at, nextIndex, at);
  }

  private pop(at: number, nextIndex: number): void {
    if (this.depth > 1) this.endTo(this.depth - 1, at, nextIndex, at);
  }

  private findEnded(tag: number, hash: number): number {
    const flags = elementFlags[tag] as number;
    const isSpecial = (flags & SPECIAL) !== 0;
    const isTablePart = tag === TABLE || tableParts.has(tag);
    const isForeign = tag === SVG || tag === MATH || tag === FOREIGN_OBJECT;
    for (let depth = this.depth - 1; depth > 0; depth--) {
      const open = this.stack[depth] as DocumentElement;
      if (this.hashes[depth] === hash && open.tag === tag && open.isForeign === isForeign) return depth;
      // Whatever HTML was left open in it: a picture ends with its end tag.
      if (isForeign) continue;
      const openFlags = open.isForeign ? 0 : (elementFlags[open.tag] as number);
      if ((flags & HEADING) !== 0 && (openFlags & HEADING) !== 0) return depth;
      if (isTablePart) {
        if (open.tag === TABLE || open.tag === TEMPLATE) return 0;
      } else if (isSpecial) {
        if ((openFlags & SCOPE) !== 0 || open.tag === SVG || open.tag === MATH) return 0;
        if (tag === P && open.tag === BUTTON) return 0;
        if (tag === LI && (open.tag === UL || open.tag === OL)) return 0;
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
      const open = this.stack[depth] as DocumentElement;
      if (open.tag === tag && !open.isForeign && this.isEnding[depth] === 0) {
        this.isEnding[depth] = 1;
        return;
      }
      if (((elementFlags[open.tag] as number) & SCOPE) !== 0) return;
    }
  }

  private endForeign(hash: number, at: number, behind: number, nextIndex: number): boolean {
    for (let depth = this.depth - 1; depth > 0; depth--) {
      const open = this.stack[depth] as DocumentElement;
      if (!open.isForeign) return false;
      if (this.hashes[depth] !== hash) continue;
      this.endTo(depth, at, nextIndex, behind);
      return true;
    }
    return false;
  }

  private endInScope(tag: number, barrier: number, at: number, nextIndex: number): void {
    for (let depth = this.depth - 1; depth > 0; depth--) {
      const open = (this.stack[depth] as DocumentElement).tag;
      if (open === tag) {
        this.endTo(depth, at, nextIndex, at);
        return;
      }
      if (((elementFlags[open] as number) & SCOPE) !== 0 || (barrier !== 0 && open === barrier)) return;
    }
  }

  private endItem(tag: number, other: number, at: number, nextIndex: number): void {
    for (let depth = this.depth - 1; depth > 0; depth--) {
      const open = (this.stack[depth] as DocumentElement).tag;
      if (open === tag || open === other) {
        this.endTo(depth, at, nextIndex, at);
        return;
      }
      const isPassable = open === ADDRESS || open === DIV || open === P;
      if (((elementFlags[open] as number) & SPECIAL) !== 0 && !isPassable) return;
    }
  }

  private endInTable(ended: readonly number[], at: number, nextIndex: number): void {
    let lowest = 0;
    for (let depth = this.depth - 1; depth > 0; depth--) {
      const open = (this.stack[depth] as DocumentElement).tag;
      if (ended.includes(open)) lowest = depth;
      if (open === TABLE || open === TEMPLATE) break;
    }
    if (lowest > 0) this.endTo(lowest, at, nextIndex, at);
  }

  private endFormatting(tag: number, at: number, nextIndex: number): void {
    for (let depth = this.depth - 1; depth > 0; depth--) {
      const open = (this.stack[depth] as DocumentElement).tag;
      if (open === tag) {
        this.endTo(depth, at, nextIndex, at);
        return;
      }
      const flags = elementFlags[open] as number;
      if ((flags & SPECIAL) !== 0 && (flags & IMPLIED_END) === 0) {
        this.endLater(tag, depth);
        return;
      }
    }
  }
}

/** Whether what is inside it is SVG or MathML as well. */
export function isForeignParent(element: DocumentElement): boolean {
  if (!element.isForeign) return false;
  const { tag } = element;
  if (tag === SVG || tag === MATH) return true;
  return tag !== DESC && tag !== TITLE && tag !== FOREIGN_OBJECT && !mathPoints.has(tag);
}
