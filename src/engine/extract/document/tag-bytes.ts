import { NAME_HASH_PRIME, NAME_HASH_SEED } from '../../parse/html-names.ts';

/** The bytes of one tag: where it ends, which attributes it has, and what they say. Only ever walks forward. */

const SPACE = 0x20;
const QUOTE = 0x22;
const APOSTROPHE = 0x27;
const SLASH = 0x2f;
const EQUALS = 0x3d;
const TAG_CLOSE = 0x3e;
const NEAR_BYTES = 64;

/** 1: ends a tag name; 2: ends an attribute name as well. */
const delimiter = new Uint8Array(256);
for (const byte of [0x09, 0x0a, 0x0c, 0x0d, SPACE, SLASH, TAG_CLOSE]) delimiter[byte] = 1;
delimiter[EQUALS] = 2;

const whitespace = new Uint8Array(256);
for (const byte of [0x09, 0x0a, 0x0c, 0x0d, SPACE]) whitespace[byte] = 1;

/** What the attributes of a tag hint at, seen from the first letters of their names while they are skipped. */
export const MARK_ITEM = 1;
export const MARK_RDFA = 2;
export const MARK_SELF_CLOSING = 4;
/** typeof, without which RDFa says nothing about a product. */
export const MARK_TYPEOF = 8;
/** Which of item…: seen from one more letter. */
export const MARK_ITEMPROP = 16;
export const MARK_ITEMSCOPE = 32;
export const MARK_ITEMREF = 64;
export const MARK_ITEMID = 128;

/** The name read last: reused, so that reading one allocates nothing. */
export const tagName = { hash: 0, end: 0 };

/** Reads the name of a tag that begins at `start` into `tagName`. */
export function readTagName(bytes: Buffer, start: number, end: number): void {
  let at = start;
  let hash = NAME_HASH_SEED;
  while (at < end) {
    const byte = bytes[at] as number;
    if (delimiter[byte] === 1) break;
    hash = Math.imul(hash ^ (byte | 0x20), NAME_HASH_PRIME);
    at++;
  }
  tagName.hash = hash;
  tagName.end = at;
}

/** Set by `skipAttributes`. */
export const skipped = { marks: 0 };

/** From behind the name of a tag to behind its `>`, or -1 where the page ends first. */
export function skipAttributes(bytes: Buffer, start: number, end: number): number {
  let at = start;
  let marks = 0;
  while (at < end) {
    let byte = bytes[at] as number;
    if (byte === TAG_CLOSE) {
      skipped.marks = marks;
      return at + 1;
    }
    if (whitespace[byte] === 1) {
      at++;
      continue;
    }
    if (byte === SLASH) {
      at++;
      if (bytes[at] === TAG_CLOSE) marks |= MARK_SELF_CLOSING;
      continue;
    }
    marks |= markOf(bytes, at, byte | 0x20);
    // An equals sign in first place belongs to the name.
    do at++;
    while (at < end && delimiter[bytes[at] as number] === 0);
    while (at < end && whitespace[bytes[at] as number] === 1) at++;
    if (at >= end) return -1;
    if (bytes[at] !== EQUALS) continue;
    do at++;
    while (at < end && whitespace[bytes[at] as number] === 1);
    if (at >= end) return -1;
    byte = bytes[at] as number;
    if (byte === QUOTE || byte === APOSTROPHE) {
      at = findByte(bytes, at + 1, end, byte) + 1;
    } else {
      while (at < end && bytes[at] !== TAG_CLOSE && whitespace[bytes[at] as number] === 0) at++;
    }
  }
  return -1;
}

/** item… is microdata's; property, typeof, vocab, prefix, resource, about, rel and rev may be RDFa's. */
function markOf(bytes: Buffer, at: number, first: number): number {
  if (first === 0x69) {
    const isItem = ((bytes[at + 1] as number) | 0x20) === 0x74 && ((bytes[at + 2] as number) | 0x20) === 0x65;
    if (!isItem) return 0;
    switch ((bytes[at + 4] as number) | 0x20) {
      case 0x70:
        return MARK_ITEM | MARK_ITEMPROP;
      case 0x73:
        return MARK_ITEM | MARK_ITEMSCOPE;
      case 0x72:
        return MARK_ITEM | MARK_ITEMREF;
      case 0x69:
        return MARK_ITEM | MARK_ITEMID;
      default:
        return MARK_ITEM;
    }
  }
  const second = (bytes[at + 1] as number) | 0x20;
  if (first === 0x70) return second === 0x72 ? MARK_RDFA : 0; // property, prefix
  if (first === 0x74) {
    // typeof, not type
    return second === 0x79 && ((bytes[at + 4] as number) | 0x20) === 0x6f ? MARK_RDFA | MARK_TYPEOF : 0;
  }
  if (first === 0x76) return second === 0x6f ? MARK_RDFA : 0; // vocab
  if (first === 0x61) return second === 0x62 ? MARK_RDFA : 0; // about
  if (first === 0x72) return second === 0x65 ? MARK_RDFA : 0; // rel, rev, resource
  if (first === 0x78) return second === 0x6d ? MARK_RDFA : 0; // xmlns:…
  return 0;
}

function findByte(bytes: Buffer, start: number, end: number, wanted: number): number {
  const near = Math.min(end, start + NEAR_BYTES);
  let at = start;
  while (at < near && bytes[at] !== wanted) at++;
  if (at < near) return at;
  const found = near < end ? bytes.indexOf(wanted, near) : -1;
  return found === -1 || found > end ? end : found;
}

/** The attribute read last: reused, so that reading one allocates nothing. */
export const attributeAt = { nameStart: 0, nameEnd: 0, hash: 0, valueStart: 0, valueEnd: 0 };

/**
 * Reads the next attribute of a tag into `attributeAt`, from `start` (behind the tag's name or another attribute), and
 * returns where it ends: -1 if there is none before `end`, which is behind the tag's `>`.
 */
export function readAttribute(bytes: Buffer, start: number, end: number): number {
  let at = start;
  let byte = bytes[at] as number;
  while (at < end && (whitespace[byte] === 1 || byte === SLASH)) byte = bytes[++at] as number;
  if (at >= end || byte === TAG_CLOSE) return -1;
  attributeAt.nameStart = at;
  // An equals sign in first place belongs to the name.
  let hash = NAME_HASH_SEED;
  do {
    hash = Math.imul(hash ^ (byte | 0x20), NAME_HASH_PRIME);
    byte = bytes[++at] as number;
  } while (at < end && delimiter[byte] === 0);
  attributeAt.hash = hash;
  attributeAt.nameEnd = at;
  while (at < end && whitespace[bytes[at] as number] === 1) at++;
  attributeAt.valueStart = at;
  attributeAt.valueEnd = at;
  if (at >= end || bytes[at] !== EQUALS) return at;
  do at++;
  while (at < end && whitespace[bytes[at] as number] === 1);
  byte = bytes[at] as number;
  if (byte === QUOTE || byte === APOSTROPHE) {
    attributeAt.valueStart = at + 1;
    attributeAt.valueEnd = findByte(bytes, at + 1, end, byte);
    return attributeAt.valueEnd + 1;
  }
  attributeAt.valueStart = at;
  while (at < end && bytes[at] !== TAG_CLOSE && whitespace[bytes[at] as number] === 0) at++;
  attributeAt.valueEnd = at;
  return at;
}
