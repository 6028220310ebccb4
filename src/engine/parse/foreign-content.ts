import { BREAKOUT, tagId } from './html-names.ts';

/**
 * Whether the scanner stands inside <svg> or <math>, where <title>, <style> and <script> are ordinary
 * elements and CDATA sections exist. Of the stack of open elements only those that switch between the two
 * worlds are kept: svg, math, and the integration points inside them in which HTML resumes.
 */

/** Deeper nesting changes nothing a page could mean, and the bound keeps each end tag's search short. */
const MAX_DEPTH = 64;

const SVG = tagId('svg');
const MATH = tagId('math');
const svgIntegrationPoints = new Set(['foreignobject', 'desc', 'title'].map(tagId));
const mathIntegrationPoints = new Set(['annotation-xml', 'mi', 'mo', 'mn', 'ms', 'mtext'].map(tagId));

export class ForeignContent {
  /** True while tags are to be read as SVG or MathML. */
  isForeign = false;
  depth = 0;
  private readonly stack = new Uint8Array(MAX_DEPTH);

  reset(): void {
    this.depth = 0;
    this.isForeign = false;
  }

  /** Some HTML elements cannot stand in SVG or MathML: they end it, wherever it was left open. */
  breakOut(flags: number): boolean {
    if (!this.isForeign || (flags & BREAKOUT) === 0) return false;
    while (this.depth > 0 && this.isRoot(this.depth - 1)) this.depth--;
    this.update();
    return true;
  }

  /** Call for start tags that are svg or math, and for every start tag read as foreign. */
  open(tag: number): void {
    if (this.depth >= MAX_DEPTH) return;
    const isRoot = tag === SVG || tag === MATH;
    if (!isRoot && !this.isIntegrationPoint(tag)) return;
    this.stack[this.depth++] = tag;
    this.isForeign = isRoot;
  }

  close(tag: number): void {
    for (let at = this.depth - 1; at >= 0; at--) {
      if (this.stack[at] !== tag) continue;
      this.depth = at;
      this.update();
      return;
    }
  }

  private isIntegrationPoint(tag: number): boolean {
    if (!this.isForeign) return false;
    const points = this.stack[this.depth - 1] === SVG ? svgIntegrationPoints : mathIntegrationPoints;
    return points.has(tag);
  }

  private isRoot(at: number): boolean {
    return this.stack[at] === SVG || this.stack[at] === MATH;
  }

  private update(): void {
    this.isForeign = this.depth > 0 && this.isRoot(this.depth - 1);
  }
}
