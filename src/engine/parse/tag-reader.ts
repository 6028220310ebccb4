import { decodeAttribute } from './char-refs.ts';
import {
  type AttributeName,
  attributeId,
  attributeNames,
  attributes,
  NAME_HASH_PRIME,
  NAME_HASH_SEED,
  tags,
} from './html-names.ts';

/**
 * Reads one tag by the tag, attribute and value states of the HTML standard (13.2.5.8 to 13.2.5.40). Only
 * where the attributes we know begin and end is noted; a value becomes a string when someone asks for it.
 */

const TAB = 0x09;
const SPACE = 0x20;
const QUOTE = 0x22;
const APOSTROPHE = 0x27;
const SLASH = 0x2f;
const EQUALS = 0x3d;
const TAG_CLOSE = 0x3e;

/** Held between pages, so that no page is. */
const NOTHING = Buffer.alloc(0);

/** 1: ends a tag name; 2: ends an attribute name as well. */
const delimiter = new Uint8Array(256);
for (const byte of [TAB, 0x0a, 0x0c, 0x0d, SPACE, SLASH, TAG_CLOSE]) delimiter[byte] = 1;
delimiter[EQUALS] = 2;

const whitespace = new Uint8Array(256);
for (const byte of [TAB, 0x0a, 0x0c, 0x0d, SPACE]) whitespace[byte] = 1;

export class TagReader {
  /** Id of the tag just read; 0 for a name we do not know. */
  tag = 0;
  nameHash = 0;
  isSelfClosing = false;

  private bytes: Buffer = NOTHING;
  /** Counts tags, so that what an earlier tag left in the slots is not cleared but recognised as old. */
  private serial = 0;
  private readonly seenIn = new Float64Array(attributeNames.length + 1);
  private readonly valueStart = new Int32Array(attributeNames.length + 1);
  private readonly valueEnd = new Int32Array(attributeNames.length + 1);

  start(bytes: Buffer): void {
    this.bytes = bytes;
  }

  /** Lets go of the page. */
  finish(): void {
    this.bytes = NOTHING;
  }

  /** Reads a tag whose name begins at `position`; returns where it ends, or -1 if the page ends first. */
  read(position: number, end: number): number {
    const bytes = this.bytes;
    this.serial++;
    this.isSelfClosing = false;
    let at = position;
    let hash = NAME_HASH_SEED;
    let byte = 0;
    while (at < end) {
      byte = bytes[at] as number;
      if (delimiter[byte] === 1) break;
      hash = Math.imul(hash ^ (byte | 0x20), NAME_HASH_PRIME);
      at++;
    }
    this.nameHash = hash;
    this.tag = tags.find(hash, at - position);
    if (at >= end) return -1;
    if (byte === TAG_CLOSE) return at + 1;
    return this.readAttributes(at, end);
  }

  has(attribute: number): boolean {
    return this.seenIn[attribute] === this.serial;
  }

  /** Value with references decoded; undefined when the attribute is absent. */
  value(attribute: number): string | undefined {
    if (this.seenIn[attribute] !== this.serial) return undefined;
    return decodeAttribute(
      this.bytes,
      this.valueStart[attribute] as number,
      this.valueEnd[attribute] as number,
    );
  }

  /** Value without the whitespace and control characters around it; undefined beyond `maxBytes`. */
  trimmedValue(attribute: number, maxBytes: number): string | undefined {
    if (this.seenIn[attribute] !== this.serial) return undefined;
    const bytes = this.bytes;
    let start = this.valueStart[attribute] as number;
    let stop = this.valueEnd[attribute] as number;
    while (start < stop && (bytes[start] as number) <= SPACE) start++;
    while (stop > start && (bytes[stop - 1] as number) <= SPACE) stop--;
    if (stop - start > maxBytes) return undefined;
    return decodeAttribute(bytes, start, stop);
  }

  /** Is it this keyword (small letters), in whatever case? Asked without making a string of it. */
  isKeyword(attribute: number, keyword: string): boolean {
    if (this.seenIn[attribute] !== this.serial) return false;
    const bytes = this.bytes;
    let start = this.valueStart[attribute] as number;
    let stop = this.valueEnd[attribute] as number;
    while (start < stop && (bytes[start] as number) <= SPACE) start++;
    while (stop > start && (bytes[stop - 1] as number) <= SPACE) stop--;
    if (stop - start !== keyword.length) return false;
    for (let i = 0; i < keyword.length; i++) {
      if (((bytes[start + i] as number) | 0x20) !== keyword.charCodeAt(i)) return false;
    }
    return true;
  }

  private readAttributes(position: number, end: number): number {
    const bytes = this.bytes;
    let at = position;
    while (at < end) {
      let byte = bytes[at] as number;
      if (byte === TAG_CLOSE) return at + 1;
      if (whitespace[byte] === 1) {
        at++;
        continue;
      }
      if (byte === SLASH) {
        at++;
        if (at < end && bytes[at] === TAG_CLOSE) this.isSelfClosing = true;
        continue;
      }
      // An equals sign in first place belongs to the name.
      const nameStart = at;
      let hash = NAME_HASH_SEED;
      do {
        hash = Math.imul(hash ^ (byte | 0x20), NAME_HASH_PRIME);
        at++;
        if (at >= end) return -1;
        byte = bytes[at] as number;
      } while (delimiter[byte] === 0);
      const attribute = attributes.find(hash, at - nameStart);
      while (whitespace[byte] === 1) {
        at++;
        if (at >= end) return -1;
        byte = bytes[at] as number;
      }
      if (byte !== EQUALS) {
        if (attribute !== 0) this.note(attribute, at, at);
        continue;
      }
      do {
        at++;
        if (at >= end) return -1;
        byte = bytes[at] as number;
      } while (whitespace[byte] === 1);
      let valueStart = at;
      if (byte === QUOTE || byte === APOSTROPHE) {
        const quote = byte;
        valueStart = ++at;
        while (at < end && bytes[at] !== quote) at++;
        if (at >= end) return -1;
        if (attribute !== 0) this.note(attribute, valueStart, at);
        at++;
      } else {
        while (at < end && bytes[at] !== TAG_CLOSE && whitespace[bytes[at] as number] === 0) at++;
        if (at >= end) return -1;
        if (attribute !== 0) this.note(attribute, valueStart, at);
      }
    }
    return -1;
  }

  /** The first of several attributes of one name wins. */
  private note(attribute: number, start: number, stop: number): void {
    if (this.seenIn[attribute] === this.serial) return;
    this.seenIn[attribute] = this.serial;
    this.valueStart[attribute] = start;
    this.valueEnd[attribute] = stop;
  }
}

/** Attribute ids by name, for those who ask the reader for values. */
export const attributeIds = Object.fromEntries(
  attributeNames.map((name) => [name, attributeId(name)]),
) as Readonly<Record<AttributeName, number>>;
