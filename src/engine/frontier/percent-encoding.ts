/**
 * One spelling per path or query, by RFC 3986 §6.2.2: upper-case hex, unreserved characters decoded, reserved
 * ones never (`%2F` is not `/`).
 *
 * Characters that no URI may hold raw in a path or query (`[ ] { } | \ ^ " and the backquote) are encoded: the
 * URL standard leaves some of them as written, in a set that has changed over time, while a key is stored and
 * must not depend on the version of the parser. So `a[]=1` and `a%5B%5D=1`, the same page everywhere, share a key.
 *
 * A `%` that starts no valid triplet is left alone. The input is ASCII, as WHATWG serialises it.
 */
export function normalizePercentEncoding(text: string): string {
  if (!NEEDS_WORK.test(text)) return text;

  let output = '';
  let copiedTo = 0;
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index);
    if (code !== PERCENT) {
      const encoded = ENCODED_FORMS[code];
      if (encoded === undefined) continue;
      output += text.slice(copiedTo, index) + encoded;
      copiedTo = index + 1;
      continue;
    }
    const high = hexValue(text.charCodeAt(index + 1));
    const low = hexValue(text.charCodeAt(index + 2));
    if (high === -1 || low === -1) continue;
    const decodedCode = high * 16 + low;
    output += text.slice(copiedTo, index);
    const isDecodable = isUnreserved(decodedCode) && !endsInsideBrokenTriplet(output);
    output += isDecodable ? String.fromCharCode(decodedCode) : `%${toHex(high)}${toHex(low)}`;
    index += 2;
    copiedTo = index + 1;
  }
  return output + text.slice(copiedTo);
}

const NEEDS_WORK = /[%"[\\\]^`{|}]/;
const PERCENT = 0x25;

const ENCODED_FORMS: ReadonlyArray<string | undefined> = (() => {
  const forms: Array<string | undefined> = new Array(128).fill(undefined);
  for (const char of '"[\\]^`{|}') {
    const code = char.charCodeAt(0);
    forms[code] = `%${code.toString(16).toUpperCase()}`;
  }
  return forms;
})();

/**
 * Decoding right after a stray `%` or `%4` would complete a triplet that the input never had (`%%34%31` would
 * become `%41`, and `A` the next time). A valid triplet's last two characters never match: they are preceded
 * by its own `%`.
 */
function endsInsideBrokenTriplet(output: string): boolean {
  const end = output.length;
  if (output.charCodeAt(end - 1) === PERCENT) return true;
  return output.charCodeAt(end - 2) === PERCENT && hexValue(output.charCodeAt(end - 1)) !== -1;
}

function isUnreserved(code: number): boolean {
  return (
    (code >= 0x61 && code <= 0x7a) || // a-z
    (code >= 0x41 && code <= 0x5a) || // A-Z
    (code >= 0x30 && code <= 0x39) || // 0-9
    code === 0x2d || // -
    code === 0x2e || // .
    code === 0x5f || // _
    code === 0x7e // ~
  );
}

/** -1 for what is no hex digit, NaN (past the end) included. */
function hexValue(code: number): number {
  if (code >= 0x30 && code <= 0x39) return code - 0x30;
  if (code >= 0x41 && code <= 0x46) return code - 0x37;
  if (code >= 0x61 && code <= 0x66) return code - 0x57;
  return -1;
}

function toHex(digit: number): string {
  return '0123456789ABCDEF'.charAt(digit);
}
