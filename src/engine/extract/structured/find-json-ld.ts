/**
 * Where the JSON-LD of a page lies, found by a search over its bytes: most pages have none, and those that have some
 * need no tree for it.
 */

export interface ByteRange {
  readonly start: number;
  readonly end: number;
}

/** In whichever case, with parameters behind it, and with the plus as some frameworks write it in an attribute. */
const TYPE = /\stype\s*=\s*["']?\s*application\/ld(?:\+|&#43;|&#x2b;|&plus;)json(?![\w+.-])/i;
/** A script's start tag is not longer than this: ids, classes and a nonce. */
const MAX_TAG_BYTES = 2000;
const MAX_BLOCKS = 100;
const CLOSE = 0x3e;

export function findJsonLd(html: Buffer): readonly ByteRange[] {
  const blocks = findBlocks(html, '<script');
  // Whoever writes tags in capitals does it everywhere.
  return blocks.length > 0 ? blocks : findBlocks(html, '<SCRIPT');
}

function findBlocks(html: Buffer, open: string): readonly ByteRange[] {
  const blocks: ByteRange[] = [];
  let at = html.indexOf(open);
  while (at !== -1 && blocks.length < MAX_BLOCKS) {
    const block = readBlock(html, at, at + open.length);
    if (block !== undefined) blocks.push(block);
    at = html.indexOf(open, block?.end ?? at + open.length);
  }
  return blocks;
}

function readBlock(html: Buffer, open: number, afterName: number): ByteRange | undefined {
  // Most scripts have no attributes at all.
  if (html[afterName] === CLOSE) return undefined;
  const close = html.indexOf(CLOSE, afterName);
  if (close === -1 || close - open > MAX_TAG_BYTES) return undefined;
  if (!TYPE.test(html.toString('latin1', afterName, close)) || isInComment(html, open)) return undefined;
  return { start: close + 1, end: findEnd(html, close + 1) };
}

function isInComment(html: Buffer, at: number): boolean {
  // Forward, which is by far the quicker way, as long as there is none.
  if (!html.subarray(0, at).includes('<!--')) return false;
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
