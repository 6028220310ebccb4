import iconv from 'iconv-lite';

/**
 * Decoders for the encodings of the WHATWG Encoding standard, by name. TextDecoder serves those that Node
 * gets right. Measured against the standard's indexes (Node 20, ICU 78), it does not for:
 * - windows-1252, whose bytes 0x80–0x9F it decodes as Latin-1 (and with it everything labelled iso-8859-1);
 * - big5, euc-kr, euc-jp and shift_jis, which lack whole rows or map them to private use: iconv-lite's
 *   tables are those of the standard;
 * - gbk, which by the standard is decoded as gb18030;
 * - single bytes of windows-874, windows-1253, windows-1255 and koi8-u;
 * - iso-8859-16, x-user-defined and replacement, which it does not know.
 */

const REPLACEMENT = 0xfffd;
const viaIconv = new Set(['big5', 'euc-kr', 'euc-jp', 'shift_jis', 'iso-8859-16']);

/** Bytes from 0x80 up that TextDecoder gets wrong, and what they are. */
const corrections: Readonly<Record<string, ReadonlyArray<readonly [byte: number, point: number]>>> = {
  'windows-874': [0xdb, 0xdc, 0xdd, 0xde, 0xfc, 0xfd, 0xfe, 0xff].map((byte) => [byte, REPLACEMENT] as const),
  'windows-1252': [...'€\u0081‚ƒ„…†‡ˆ‰Š‹Œ\u008dŽ\u008f\u0090‘’“”•–—˜™š›œ\u009džŸ'].map(
    (character, index) => [0x80 + index, character.charCodeAt(0)] as const,
  ),
  'windows-1253': [[0xaa, REPLACEMENT]],
  'windows-1255': [[0xca, 0x05ba]],
  'koi8-u': [
    [0xae, 0x045e],
    [0xbe, 0x040e],
  ],
};

const tables = new Map<string, Uint16Array>();

export function decodeBytes(bytes: Buffer, encoding: string): string {
  if (encoding === 'utf-8') return bytes.toString('utf8');
  if (encoding === 'replacement') return bytes.length === 0 ? '' : '\ufffd';
  if (encoding === 'x-user-defined' || corrections[encoding] !== undefined) {
    return decodeByTable(bytes, tableOf(encoding));
  }
  if (viaIconv.has(encoding)) return iconv.decode(bytes, encoding, { stripBOM: false });
  return new TextDecoder(encoding === 'gbk' ? 'gb18030' : encoding).decode(bytes);
}

function decodeByTable(bytes: Buffer, table: Uint16Array): string {
  const units = new Uint16Array(bytes.length);
  for (let i = 0; i < bytes.length; i++) units[i] = table[bytes[i] as number] as number;
  return Buffer.from(units.buffer).toString('utf16le');
}

function tableOf(encoding: string): Uint16Array {
  const known = tables.get(encoding);
  if (known !== undefined) return known;
  const table = new Uint16Array(256);
  const decoder = encoding === 'x-user-defined' ? undefined : new TextDecoder(encoding);
  for (let byte = 0; byte < 256; byte++) {
    if (byte < 0x80) table[byte] = byte;
    else table[byte] = decoder?.decode(Uint8Array.of(byte)).charCodeAt(0) ?? 0xf700 + byte;
  }
  for (const [byte, point] of corrections[encoding] ?? []) table[byte] = point;
  tables.set(encoding, table);
  return table;
}
