/**
 * How much there is in a text of JSON, before it is parsed: what has millions of values, or nests them millions deep,
 * would take seconds and gigabytes to become objects, whatever is said of them then. This takes one look at each byte
 * and keeps nothing.
 */
const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COMMA = 0x2c;
const OPENS = new Set([0x5b, 0x7b]);
const CLOSES = new Set([0x5d, 0x7d]);
/** Whoever says exactly what is too deep does so later, and names the place. */
const DEEPEST = 50_000;

/** Undefined: there is not too much. Counts an empty list as if it had a value in it. */
export function findExcess(json: Uint8Array, most: number): string | undefined {
  // Each value takes a byte and, but for one, something to tell it from the next.
  if (json.length <= Math.min(most, DEEPEST)) return undefined;
  let values = 1;
  let depth = 0;
  for (let at = 0; at < json.length; at += 1) {
    const byte = json[at] ?? 0;
    if (byte === QUOTE) {
      at = endOfText(json, at);
      continue;
    }
    if (byte === COMMA) values += 1;
    else if (OPENS.has(byte)) {
      values += 1;
      depth += 1;
    } else if (CLOSES.has(byte)) depth -= 1;
    if (values > most) return `More than ${most} values`;
    if (depth > DEEPEST) return `Nested more than ${DEEPEST} deep`;
  }
  return undefined;
}

/** Where the text that begins here ends. */
function endOfText(json: Uint8Array, start: number): number {
  let end = start;
  do {
    end = json.indexOf(QUOTE, end + 1);
    if (end === -1) return json.length;
  } while (isEscaped(json, end));
  return end;
}

function isEscaped(json: Uint8Array, at: number): boolean {
  let first = at;
  while (json[first - 1] === BACKSLASH) first -= 1;
  return (at - first) % 2 === 1;
}
