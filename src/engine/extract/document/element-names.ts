import { hashName, NameTable } from '../../parse/html-names.ts';

/**
 * The elements of HTML and what their names mean for a tree: which have no content, which end others, which separate
 * words. Names are recognised in bytes by hash and length, as the page scanner does it.
 */

/** Separates words. */
export const BLOCK = 1;
/** Has no content and no end tag. */
export const VOID = 2;
/** Content is text up to the end tag, whatever it looks like. */
export const RAW = 4;
/** An end tag of another name does not reach beyond it ("special" in the HTML standard). */
export const SPECIAL = 8;
/** What is open outside of it cannot be ended from within ("scope"). */
export const SCOPE = 16;
/** Ends an open paragraph. */
export const ENDS_P = 32;
/** May stand in <head>. */
export const METADATA = 64;
/** Not part of anybody's text. */
export const UNSEEN = 128;
/** Ends an open <svg> or <math>. */
export const BREAKOUT = 256;
/** Its end tag counts even where blocks have been opened since. */
export const FORMATTING = 512;
/** h1 to h6: any of them ends any other. */
export const HEADING = 1024;
/** Ends by itself where its parent ends or the next of its kind begins. */
export const IMPLIED_END = 2048;
/** Of a table, and ends other parts of it. */
export const TABLE_PART = 4096;

const table: ReadonlyArray<readonly [flags: number, names: string]> = [
  [SPECIAL | SCOPE | BLOCK, 'html'],
  [SPECIAL | BREAKOUT | BLOCK, 'body'],
  [SPECIAL | BREAKOUT, 'head'],
  [SPECIAL | VOID | METADATA, 'base basefont bgsound link'],
  [SPECIAL | VOID | METADATA | BREAKOUT, 'meta'],
  [SPECIAL | RAW | METADATA, 'title'],
  [SPECIAL | RAW | METADATA | UNSEEN, 'script style'],
  [SPECIAL | RAW | METADATA | UNSEEN | BLOCK, 'noframes'],
  [SPECIAL | SCOPE | METADATA | UNSEEN, 'template'],
  [SPECIAL | METADATA | UNSEEN, 'noscript'],
  [SPECIAL | RAW | UNSEEN, 'iframe noembed'],
  [SPECIAL | RAW, 'textarea'],
  [SPECIAL | RAW | BLOCK | ENDS_P, 'xmp plaintext'],
  [
    SPECIAL | BLOCK | ENDS_P,
    `address article aside details dialog fieldset figcaption figure footer header hgroup main nav search section
     summary form`,
  ],
  [SPECIAL | BLOCK | ENDS_P | BREAKOUT, 'blockquote center dir div dl menu ol ul pre listing table'],
  [SPECIAL | BLOCK | ENDS_P | BREAKOUT | IMPLIED_END, 'p li dd dt'],
  [SPECIAL | BLOCK | ENDS_P | BREAKOUT | HEADING, 'h1 h2 h3 h4 h5 h6'],
  [SPECIAL | BLOCK | ENDS_P | BREAKOUT | VOID, 'hr'],
  [SPECIAL | BLOCK | BREAKOUT | VOID, 'br'],
  [SPECIAL | BLOCK | SCOPE | IMPLIED_END | TABLE_PART, 'td th caption'],
  [SPECIAL | BLOCK | IMPLIED_END | TABLE_PART, 'tr tbody thead tfoot'],
  [SPECIAL | IMPLIED_END | TABLE_PART, 'colgroup'],
  [SPECIAL | VOID, 'area input keygen param source track wbr'],
  [SPECIAL | VOID | TABLE_PART, 'col'],
  [SPECIAL | VOID | BREAKOUT, 'embed img image'],
  [SPECIAL | SCOPE, 'applet marquee object'],
  [SPECIAL | BLOCK, 'frameset select'],
  [SPECIAL | BLOCK | VOID, 'frame'],
  [SPECIAL, 'button'],
  [BLOCK, 'legend'],
  [BLOCK | IMPLIED_END, 'option optgroup'],
  [IMPLIED_END, 'rb rp rt rtc'],
  [FORMATTING, 'a font'],
  [FORMATTING | BREAKOUT, 'b big code em i nobr s small strike strong tt u'],
  [BREAKOUT, 'span sub sup var ruby'],
  [
    0,
    `abbr acronym audio bdi bdo canvas cite data datalist del dfn ins kbd label map mark meter output picture progress
     q samp slot time video`,
  ],
  [SCOPE, 'svg math'],
  [0, 'desc foreignobject annotation-xml mi mo mn ms mtext g path use rect circle symbol defs'],
];

const names: string[] = [''];
const flags: number[] = [0];
for (const [meaning, list] of table) {
  for (const name of list.split(/\s+/)) {
    names.push(name);
    flags.push(meaning);
  }
}

const known = new NameTable(names.slice(1));

/** By id; the name of id 0 is one that is not known. */
export const elementNames: readonly string[] = names;
export const elementFlags: Uint16Array = Uint16Array.from(flags);
export const elementCount: number = names.length;

/** 0: not known. */
export function findElementId(hash: number, length: number): number {
  return known.find(hash, length);
}

export function elementId(name: string): number {
  return known.find(hashName(name), name.length);
}
