/**
 * The HTTP head in an archived block. The client has already undone the transfer coding, so a head that
 * still promised chunks would make readers look for chunk sizes in the page: such fields are kept under
 * another name and given their own back on reading.
 */
import { STATUS_CODES } from 'node:http';
import type { RawHeaders } from '../fetch/fetch-result.ts';

const ORIGINAL_PREFIX = 'X-Forager-Orig-';

/** Status line, fields and the empty line, one byte per character (HTTP heads are bytes, not text). */
export function formatHttpHead(status: number, headers: RawHeaders, bodyBytes: number): string {
  let head = `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? 'Unknown'}\r\n`;
  let fieldCount = 0;
  let hasOriginalLength = false;
  for (let i = 0; i + 1 < headers.length; i += 2) {
    const name = cleanName(headers[i] ?? '');
    if (name === '') continue;
    const value = cleanValue(headers[i + 1] ?? '');
    const lowerName = name.length === 14 || name.length === 17 ? name.toLowerCase() : '';
    if (lowerName === 'transfer-encoding') {
      head += `${ORIGINAL_PREFIX}${name}: ${value}\r\n`;
    } else if (lowerName === 'content-length' && value !== String(bodyBytes)) {
      head += `${ORIGINAL_PREFIX}${name}: ${value}\r\n`;
      hasOriginalLength = true;
    } else {
      head += `${name}: ${value}\r\n`;
      fieldCount++;
    }
  }
  // A wrong length is replaced; and readers such as warcio.js take a head without any field to go on
  // until the first empty line of the body, so there is always at least one.
  if (hasOriginalLength || fieldCount === 0) head += `Content-Length: ${bodyBytes}\r\n`;
  return `${head}\r\n`;
}

export interface HttpHead {
  readonly status: number;
  readonly headers: RawHeaders;
  readonly bodyOffset: number;
}

/** Reads a head back as it was received; undefined if the block does not begin with one. */
export function parseHttpHead(block: Buffer): HttpHead | undefined {
  const end = block.indexOf('\r\n\r\n');
  if (end < 0) return undefined;
  const lines = block.toString('latin1', 0, end).split('\r\n');
  const status = /^HTTP\/\d(?:\.\d)? (\d{1,3})(?: |$)/.exec(lines[0] ?? '')?.[1];
  if (status === undefined) return undefined;
  const fields = lines.slice(1).map(parseField);
  const hasOriginalLength = fields.some(([name]) => isOriginal(name, 'content-length'));
  const headers: string[] = [];
  for (const [name, value] of fields) {
    if (hasOriginalLength && name.toLowerCase() === 'content-length') continue;
    const isRenamed = isOriginal(name, 'content-length') || isOriginal(name, 'transfer-encoding');
    headers.push(isRenamed ? name.slice(ORIGINAL_PREFIX.length) : name, value);
  }
  return { status: Number(status), headers, bodyOffset: end + 4 };
}

export function parseField(line: string): readonly [name: string, value: string] {
  const colon = line.indexOf(':');
  if (colon < 0) return [line.trim(), ''];
  return [line.slice(0, colon).trim(), line.slice(colon + 1).trim()];
}

function isOriginal(name: string, field: string): boolean {
  return name.toLowerCase() === `${ORIGINAL_PREFIX.toLowerCase()}${field}`;
}

const NOT_TOKEN = /[^!#$%&'*+\-.^_`|~0-9A-Za-z]/g;

function cleanName(name: string): string {
  return name.replace(NOT_TOKEN, '_');
}

const LINE_BREAK_OR_NUL = /[\r\n\0]+/g;
const BEYOND_LATIN1 = /[^\0-\xff]/;

/**
 * A value must stay on its line. Characters above U+00FF mean that the field was decoded as UTF-8: its bytes
 * are restored; anything else is taken as one byte per character, the way HTTP clients hand over raw fields.
 */
function cleanValue(value: string): string {
  const line = value.replace(LINE_BREAK_OR_NUL, ' ').trim();
  return BEYOND_LATIN1.test(line) ? Buffer.from(line, 'utf8').toString('latin1') : line;
}
