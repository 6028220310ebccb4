import { findCdataEnd, skipComment, skipDeclaration } from '../../parse/skip-markup.ts';
import { TextSink } from '../../parse/text-sink.ts';
import type { DocumentElement } from './document-element.ts';
import { BLOCK, elementFlags, elementId, findElementId, RAW, UNSEEN } from './element-names.ts';
import { readTagName, skipAttributes, tagName } from './tag-bytes.ts';

/**
 * The text of an element, read from the page's bytes when it is asked for. The elements inside are known, so only the
 * gaps between their tags are looked at: text, references, comments, end tags, and start tags that became nothing.
 */

const TAG_OPEN = 0x3c;
const SLASH = 0x2f;
const BANG = 0x21;
const DASH = 0x2d;
const QUESTION = 0x3f;
const AMPERSAND = 0x26;

/** Where a number of characters is asked for, text is read in pieces of this size, so as not to read much more. */
const PIECE_BYTES = 4096;
const LONGEST_REFERENCE = 40;
/** What may be looked at, beyond 16 bytes a character, for a text with a bound: comments and tags are no text. */
const SPARE_BYTES = 256 * 1024;
const STEP_BYTES = 16;

const TITLE = elementId('title');
const TEXTAREA = elementId('textarea');

const sink = new TextSink();
let charactersWanted = Number.POSITIVE_INFINITY;
let bytesLeft = Number.POSITIVE_INFINITY;

export function collectText(element: DocumentElement, maxChars?: number): string {
  const { bytes, elements } = element.source;
  startText(element.contentEnd - element.contentStart, maxChars);
  if ((flagsOf(element) & RAW) !== 0) {
    appendRaw(bytes, element);
    return finishText(maxChars);
  }
  let at = element.contentStart;
  let index = element.index + 1;
  let isForeign = element.isForeign;
  while (index < element.nextIndex && !isEnough()) {
    const inner = elements[index] as DocumentElement;
    appendGap(bytes, at, inner.start, isForeign);
    bytesLeft -= STEP_BYTES;
    const flags = flagsOf(inner);
    if ((flags & BLOCK) !== 0) sink.appendSpace();
    if ((flags & (UNSEEN | RAW)) === 0) {
      at = inner.contentStart;
      index++;
      isForeign = inner.isForeign;
      continue;
    }
    if ((flags & UNSEEN) === 0) appendRaw(bytes, inner);
    if ((flags & BLOCK) !== 0) sink.appendSpace();
    at = inner.end;
    index = inner.nextIndex;
    isForeign = inner.parent?.isForeign ?? false;
  }
  appendGap(bytes, at, element.contentEnd, isForeign);
  return finishText(maxChars);
}

export function collectOwnText(element: DocumentElement, maxChars?: number): string {
  const { bytes, elements } = element.source;
  startText(element.contentEnd - element.contentStart, maxChars);
  if ((flagsOf(element) & RAW) !== 0) {
    appendRaw(bytes, element);
    return finishText(maxChars);
  }
  let at = element.contentStart;
  let index = element.index + 1;
  while (index < element.nextIndex && !isEnough()) {
    const child = elements[index] as DocumentElement;
    appendGap(bytes, at, child.start, element.isForeign);
    bytesLeft -= STEP_BYTES;
    sink.appendSpace();
    at = child.end;
    index = child.nextIndex;
  }
  appendGap(bytes, at, element.contentEnd, element.isForeign);
  return finishText(maxChars);
}

/** The text between two tags of one parent. */
export function collectGap(parent: DocumentElement, start: number, end: number, maxChars?: number): string {
  startText(end - start, maxChars);
  if ((flagsOf(parent) & RAW) !== 0) appendRaw(parent.source.bytes, parent);
  else appendGap(parent.source.bytes, start, end, parent.isForeign);
  return finishText(maxChars);
}

/** Whether there is more between two tags than comments and tags that became nothing. */
export function hasText(parent: DocumentElement, start: number, end: number): boolean {
  if ((flagsOf(parent) & RAW) !== 0) return start < end;
  const { bytes } = parent.source;
  let at = start;
  while (at < end) {
    if (bytes[at] !== TAG_OPEN || isText(bytes, at)) return true;
    at = skipMarkup(bytes, at, end, parent.isForeign);
    if (isCdata) return true;
  }
  return false;
}

function startText(rangeBytes: number, maxChars: number | undefined): void {
  if (maxChars === undefined) {
    charactersWanted = Number.POSITIVE_INFINITY;
    bytesLeft = Number.POSITIVE_INFINITY;
    sink.start(rangeBytes);
    return;
  }
  // One more, for the space at the end that is cut off.
  charactersWanted = maxChars + 1;
  bytesLeft = SPARE_BYTES + maxChars * STEP_BYTES;
  sink.start(Math.min(rangeBytes, (maxChars + 1) * 4 + 4 * PIECE_BYTES));
}

function finishText(maxChars: number | undefined): string {
  const { bytes, characterCount } = sink.finish();
  const text = bytes.toString(bytes.length === characterCount ? 'latin1' : 'utf8');
  return maxChars === undefined || text.length <= maxChars ? text : cut(text, maxChars);
}

/** Not in the middle of a character, nor behind a space. */
function cut(text: string, maxChars: number): string {
  const last = text.charCodeAt(maxChars - 1);
  const isHalf = last >= 0xd800 && last <= 0xdbff;
  return text.slice(0, isHalf ? maxChars - 1 : maxChars).trimEnd();
}

function isEnough(): boolean {
  return sink.characterCount >= charactersWanted || bytesLeft <= 0;
}

function appendGap(bytes: Buffer, start: number, end: number, isForeign: boolean): void {
  let at = start;
  while (at < end && !isEnough()) {
    if (bytes[at] !== TAG_OPEN) {
      at = appendPiece(bytes, at, end, false);
    } else if (isText(bytes, at)) {
      sink.append('<');
      at++;
    } else {
      const stop = skipMarkup(bytes, at, end, isForeign);
      bytesLeft -= stop - at;
      if (isCdata) appendStretch(bytes, at + 9, Math.min(stop - 3, end));
      at = stop;
    }
  }
}

function appendStretch(bytes: Buffer, start: number, end: number): void {
  let at = start;
  while (at < end && !isEnough()) at = appendPiece(bytes, at, end, true);
}

/** Set by skipMarkup: what it went over was a CDATA section, whose content is text. */
let isCdata = false;

/** From a `<` that begins no text to behind what it begins; the end of a block is a space. */
function skipMarkup(bytes: Buffer, at: number, end: number, isForeign: boolean): number {
  isCdata = false;
  const next = bytes[at + 1];
  if (next === BANG) {
    if (bytes[at + 2] === DASH && bytes[at + 3] === DASH) return skipComment(bytes, at, end);
    if (isForeign && bytes.toString('latin1', at + 2, at + 9) === '[CDATA[') {
      isCdata = true;
      return Math.min(end, findCdataEnd(bytes, at + 9, end) + 3);
    }
    return skipDeclaration(bytes, at, end);
  }
  if (next === QUESTION) return skipDeclaration(bytes, at, end);
  const nameStart = next === SLASH ? at + 2 : at + 1;
  if (!isLetter(bytes[nameStart])) return skipDeclaration(bytes, at + 2, end);
  readTagName(bytes, nameStart, end);
  const id = findElementId(tagName.hash, tagName.end - nameStart);
  if (((elementFlags[id] as number) & BLOCK) !== 0) sink.appendSpace();
  const stop = skipAttributes(bytes, tagName.end, end);
  return stop === -1 ? end : stop;
}

/** The content of an element in which tags mean nothing; in title and textarea, references do. */
function appendRaw(bytes: Buffer, element: DocumentElement): void {
  const isRaw = element.tag !== TITLE && element.tag !== TEXTAREA;
  let at = element.contentStart;
  while (at < element.contentEnd && !isEnough()) {
    at = appendPiece(bytes, at, element.contentEnd, isRaw);
    if (isRaw || at >= element.contentEnd || bytes[at] !== TAG_OPEN) continue;
    sink.append('<');
    at++;
  }
}

function appendPiece(bytes: Buffer, at: number, end: number, isRaw: boolean): number {
  const stop = charactersWanted === Number.POSITIVE_INFINITY ? end : endOfPiece(bytes, at, end);
  const next = Math.min(end, sink.copyText(bytes, at, stop, isRaw));
  bytesLeft -= next - at;
  return next;
}

/** Not in the middle of a character or of a reference. */
function endOfPiece(bytes: Buffer, start: number, end: number): number {
  let stop = start + PIECE_BYTES;
  if (stop >= end) return end;
  while (((bytes[stop] as number) & 0xc0) === 0x80) stop--;
  for (let at = stop - 1; at > stop - LONGEST_REFERENCE; at--) {
    if (bytes[at] === AMPERSAND) return at;
  }
  return stop;
}

function flagsOf(element: DocumentElement): number {
  return element.isForeign ? 0 : (elementFlags[element.tag] as number);
}

/** Whether the `<` here is just a character. */
function isText(bytes: Buffer, at: number): boolean {
  const next = bytes[at + 1];
  if (next === SLASH) return at + 2 >= bytes.length;
  return next !== BANG && next !== QUESTION && !isLetter(next);
}

function isLetter(byte: number | undefined): boolean {
  const folded = (byte ?? 0) | 0x20;
  return folded >= 0x61 && folded <= 0x7a;
}
