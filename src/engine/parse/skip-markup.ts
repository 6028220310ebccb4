/**
 * Where comments, declarations and raw text end, by the tokenizer states of the HTML standard. Each function
 * walks forward only, so a page costs time in proportion to its length whatever it contains.
 */

const BANG = 0x21;
const DASH = 0x2d;
const SLASH = 0x2f;
const TAG_OPEN = 0x3c;
const TAG_CLOSE = 0x3e;
const BRACKET = 0x5d;

const NEAR_BYTES = 96;

/** `start` is at `<!--`. `-->` and `--!>` end it, and so do `<!-->` and `<!--->`. */
export function skipComment(bytes: Buffer, start: number, end: number): number {
  const content = start + 4;
  for (let at = content; at < end; at++) {
    if (bytes[at] !== TAG_CLOSE) continue;
    if (bytes[at - 1] === DASH && bytes[at - 2] === DASH) return at + 1;
    const isBangEnd = bytes[at - 1] === BANG && bytes[at - 2] === DASH && bytes[at - 3] === DASH;
    // The dashes that open a comment do not also end it with a bang.
    if (isBangEnd && at - 3 >= content) return at + 1;
  }
  return end;
}

/** Doctypes, processing instructions and malformed declarations run to the next `>`. */
export function skipDeclaration(bytes: Buffer, start: number, end: number): number {
  let at = start;
  while (at < end && bytes[at] !== TAG_CLOSE) at++;
  return at < end ? at + 1 : end;
}

/** Where `]]>` begins, or `end`. */
export function findCdataEnd(bytes: Buffer, start: number, end: number): number {
  for (let at = start; at + 2 < end; at++) {
    if (bytes[at] === BRACKET && bytes[at + 1] === BRACKET && bytes[at + 2] === TAG_CLOSE) return at;
  }
  return end;
}

/** Where the next `<` is, or the end of the bytes. */
export function findTagOpen(bytes: Buffer, start: number): number {
  // A native search beats a loop on long stretches (embedded JSON of 100 KB is not rare) and costs as much
  // as a hundred steps of one to call: so the loop goes first, for a while.
  const near = Math.min(bytes.length, start + NEAR_BYTES);
  let at = start;
  while (at < near && bytes[at] !== TAG_OPEN) at++;
  if (at < near || near === bytes.length) return at;
  const found = bytes.indexOf(TAG_OPEN, near);
  return found === -1 ? bytes.length : found;
}

/** Where the end tag of raw text begins (its `<`), or `end`. `name` is in lower case. */
export function findRawTextEnd(bytes: Buffer, start: number, end: number, name: string): number {
  let at = findTagOpen(bytes, start);
  while (at < end) {
    if (bytes[at + 1] === SLASH && isNameAt(bytes, at + 2, end, name)) return at;
    at = findTagOpen(bytes, at + 1);
  }
  return end;
}

/**
 * The same for script data, where `<!--` begins a stretch in which `<script` … `</script` pair up and an
 * inner end tag ends nothing, until `-->`.
 */
export function findScriptEnd(bytes: Buffer, start: number, end: number): number {
  let isEscaped = false;
  let isDoubleEscaped = false;
  let at = start;
  while (at < end) {
    if (!isEscaped) at = findTagOpen(bytes, at);
    if (at >= end) break;
    const byte = bytes[at] as number;
    if (byte === TAG_OPEN) {
      const next = bytes[at + 1];
      if (next === SLASH && isNameAt(bytes, at + 2, end, 'script')) {
        if (!isDoubleEscaped) return at;
        isDoubleEscaped = false;
        at += 8;
        continue;
      }
      if (!isEscaped) {
        if (next === BANG && bytes[at + 2] === DASH && bytes[at + 3] === DASH) {
          isEscaped = true;
          // The dashes count towards `-->` too: `<!-->` is already closed.
          at += 2;
          continue;
        }
      } else if (!isDoubleEscaped && isNameAt(bytes, at + 1, end, 'script')) {
        isDoubleEscaped = true;
        at += 7;
        continue;
      }
    } else if (isEscaped && byte === DASH && bytes[at + 1] === DASH) {
      let close = at + 2;
      while (close < end && bytes[close] === DASH) close++;
      if (bytes[close] === TAG_CLOSE) {
        isEscaped = false;
        isDoubleEscaped = false;
      }
      at = close;
      continue;
    }
    at++;
  }
  return end;
}

/** Whether a tag name stands at `start`, in any case, followed by whitespace, `/` or `>`. */
function isNameAt(bytes: Buffer, start: number, end: number, name: string): boolean {
  const stop = start + name.length;
  if (stop >= end) return false;
  for (let i = 0; i < name.length; i++) {
    if (((bytes[start + i] as number) | 0x20) !== name.charCodeAt(i)) return false;
  }
  const after = bytes[stop] as number;
  return (
    after === TAG_CLOSE ||
    after === SLASH ||
    after === 0x20 ||
    (after >= 0x09 && after <= 0x0d && after !== 0x0b)
  );
}
