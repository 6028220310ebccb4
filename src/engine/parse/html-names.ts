/**
 * The element and attribute names the page scanner knows, and how it recognises them in bytes.
 *
 * A name is folded into a 32-bit FNV-1a hash while its bytes are being read anyway, so recognising it costs
 * one table look-up and no string. Length is compared too; what is left is a one-in-2^32 chance that an
 * unknown name is taken for a known one, which costs a page nothing worse than a wrongly placed space.
 */

export const NAME_HASH_SEED = 0x811c9dc5 | 0;
export const NAME_HASH_PRIME = 0x01000193;

/** Separates words: a space goes before and after it in the visible text. */
export const BLOCK = 1;
/** Carries a fact about the page: links, metas, images, language, a field for a password. */
export const FACT = 2;
/** Content is raw text that nobody sees. */
export const RAW_HIDDEN = 4;
/** Content is markup that nobody sees. */
export const HIDES = 8;
/** Has no content and no end tag. */
export const VOID = 16;
/** Ends an open <svg> or <math> when it turns up inside it (HTML standard, 13.2.6.5). */
export const BREAKOUT = 32;
/** Needs a look of its own before content is read on. */
export const SPECIAL = 64;
/** May lose its end tag, so a `hidden` attribute on it cannot be followed to an end without a tree. */
export const IMPLIED_END = 128;

const tagTable: ReadonlyArray<readonly [flags: number, names: string]> = [
  [
    BLOCK,
    `address article aside caption details dialog fieldset figcaption figure footer form frameset header
     hgroup legend main nav optgroup option search section summary tfoot thead tbody`,
  ],
  [BLOCK | IMPLIED_END, 'tr td th'],
  [BLOCK | BREAKOUT, 'blockquote center dir div dl h1 h2 h3 h4 h5 h6 menu ol pre table ul listing'],
  [BLOCK | BREAKOUT | IMPLIED_END, 'body dd dt li p'],
  [BLOCK | BREAKOUT | VOID, 'br hr'],
  [BREAKOUT, 'b big code em i nobr ruby s small span strong strike sub sup tt u var'],
  [BREAKOUT | IMPLIED_END, 'head'],
  [BREAKOUT | VOID, 'embed'],
  [VOID, 'col param track wbr'],
  [FACT, 'a'],
  [FACT | VOID, 'area base link input'],
  [FACT | VOID | BLOCK, 'frame'],
  [FACT | VOID | BREAKOUT, 'meta img'],
  [FACT | VOID, 'image source'],
  [FACT | IMPLIED_END, 'html'],
  [FACT | RAW_HIDDEN, 'iframe'],
  [RAW_HIDDEN, 'style noembed'],
  [RAW_HIDDEN | BLOCK, 'noframes'],
  [HIDES, 'noscript template audio video canvas datalist'],
  [HIDES | SPECIAL, 'select'],
  [SPECIAL, 'script title textarea plaintext svg math'],
  [SPECIAL | BLOCK, 'xmp'],
  // Markup inside <svg> and <math> that is read as HTML again (integration points) or is never shown.
  [0, 'foreignobject desc metadata annotation-xml mi mo mn ms mtext'],
];

export const attributeNames = [
  'href',
  'rel',
  'src',
  'srcset',
  'data-src',
  'data-srcset',
  'data-lazy-src',
  'data-original',
  'alt',
  'width',
  'height',
  'name',
  'property',
  'http-equiv',
  'content',
  'hreflang',
  'type',
  'lang',
  'xml:lang',
  'xlink:href',
  'hidden',
] as const;
export type AttributeName = (typeof attributeNames)[number];

/** Open-addressed hash table from name hash and length to a small id; id 0 is "no name we know". */
export class NameTable {
  private readonly mask: number;
  private readonly hashes: Int32Array;
  private readonly lengths: Uint8Array;
  private readonly ids: Uint8Array;

  constructor(names: readonly string[]) {
    const slots = 1 << (33 - Math.clz32(names.length * 2));
    this.mask = slots - 1;
    this.hashes = new Int32Array(slots);
    this.lengths = new Uint8Array(slots);
    this.ids = new Uint8Array(slots);
    names.forEach((name, index) => {
      const hash = hashName(name);
      let slot = hash & this.mask;
      while (this.ids[slot] !== 0) slot = (slot + 1) & this.mask;
      this.hashes[slot] = hash;
      this.lengths[slot] = name.length;
      this.ids[slot] = index + 1;
    });
  }

  find(hash: number, length: number): number {
    let slot = hash & this.mask;
    for (;;) {
      const id = this.ids[slot] as number;
      if (id === 0) return 0;
      if (this.hashes[slot] === hash && this.lengths[slot] === length) return id;
      slot = (slot + 1) & this.mask;
    }
  }
}

/** Setting bit 5 folds ASCII letters to lower case; digits, hyphen and colon carry it already. */
export function hashName(name: string): number {
  let hash = NAME_HASH_SEED;
  for (let i = 0; i < name.length; i++) {
    hash = Math.imul(hash ^ (name.charCodeAt(i) | 0x20), NAME_HASH_PRIME);
  }
  return hash;
}

const tagNames: string[] = [];
const flagsByTag: number[] = [0];
for (const [flags, names] of tagTable) {
  for (const name of names.split(/\s+/)) {
    tagNames.push(name);
    flagsByTag.push(flags);
  }
}

export const tags = new NameTable(tagNames);
export const attributes = new NameTable(attributeNames);
export const tagFlags: Uint8Array = Uint8Array.from(flagsByTag);

export function tagId(name: string): number {
  return tags.find(hashName(name), name.length);
}

export function attributeId(name: AttributeName): number {
  return attributes.find(hashName(name), name.length);
}
