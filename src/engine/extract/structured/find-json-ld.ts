/**
 * Where the JSON-LD of a page lies, found by a search over its bytes: most pages have none, and those that have some
 * need no tree for it.
 */

export interface ByteRange {
  readonly start: number;
  readonly end: number;
}

const MEDIA_TYPE = 'application/ld';
const MEDIA_TYPE_IN_CAPITALS = 'APPLICATION/LD';
const MEDIA_TYPE_HALF_IN_CAPITALS = 'application/LD';
/** `+json`, and as some frameworks write the plus inside an attribute. */
const SUBTYPE = /^(?:\+|&#43;|&#x2b;|&plus;)json(?![\w+.-])/i;
/** A script's start tag is not longer than this: ids, classes and a nonce. */
const MAX_TAG_BYTES = 2000;
const MAX_BLOCKS = 100;
const CLOSE = 0x3e;

export function findJsonLd(html: Buffer): readonly ByteRange[] {
  const blocks: ByteRange[] = [];
  for (const needle of [MEDIA_TYPE, MEDIA_TYPE_IN_CAPITALS, MEDIA_TYPE_HALF_IN_CAPITALS]) {
    let at = html.indexOf(needle);
    while (at !== -1 && blocks.length < MAX_BLOCKS) {
      const block = readBlock(html, at, at + needle.length);
      if (block !== undefined) blocks.push(block);
      at = html.indexOf(needle, block?.end ?? at + needle.length);
    }
  }
  return blocks;
}

function readBlock(html: Buffer, at: number, afterType: number): ByteRange | undefined {
  if (!SUBTYPE.test(html.toString('latin1', afterType, afterType + 16))) return undefined;
  const open = html.lastIndexOf('<', at);
  if (open === -1 || at - open > MAX_TAG_BYTES) return undefined;
  if (!/^<script[\s/]/i.test(html.toString('latin1', open, open + 8))) return undefined;
  // Between the tag's beginning and the type the tag must not have ended: that would be a script that speaks of it.
  const closedBefore = html.indexOf(CLOSE, open);
  if (closedBefore !== -1 && closedBefore < at && !isQuoted(html, open, closedBefore)) return undefined;
  const close = html.indexOf(CLOSE, at);
  if (close === -1 || isInComment(html, open)) return undefined;
  return { start: close + 1, end: findEnd(html, close + 1) };
}

function isQuoted(html: Buffer, open: number, at: number): boolean {
  const before = html.toString('latin1', open, at);
  return (before.split('"').length - 1) % 2 === 1;
}

function isInComment(html: Buffer, at: number): boolean {
  const opened = html.lastIndexOf('<!--', at);
  return opened !== -1 && html.lastIndexOf('-->', at) < opened && !endsInScript(html, opened, at);
}

/** A script may hold `<!--` without ever closing it: its own end ends that. */
function endsInScript(html: Buffer, opened: number, at: number): boolean {
  const lastOpen = html.lastIndexOf('<script', opened);
  if (lastOpen === -1) return false;
  const end = html.indexOf('</script', lastOpen);
  return end > opened && end < at;
}

/** A script that is never closed goes to the end of the page. */
function findEnd(html: Buffer, start: number): number {
  let at = html.indexOf('</', start);
  while (at !== -1) {
    if (html.toString('latin1', at + 2, at + 8).toLowerCase() === 'script') return at;
    at = html.indexOf('</', at + 2);
  }
  return html.length;
}
