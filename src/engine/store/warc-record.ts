/** WARC/1.1 records as bytes: three types are written, any can be parsed. */
import { createHash, randomUUID } from 'node:crypto';
import type { RawHeaders } from '../fetch/fetch-result.ts';
import type { Exchange } from './body-store.ts';
import type { GrowingBuffer } from './growing-buffer.ts';
import { formatHttpHead, parseField } from './http-head.ts';

/** No record is written or read beyond this, compressed or not; pages are capped far below by the fetcher. */
export const MAX_RECORD_BYTES = 128 * 1024 * 1024;
export const MAX_BODY_BYTES = MAX_RECORD_BYTES - 16 * 1024 * 1024;

const CONFORMS_TO = 'http://iipc.github.io/warc-specifications/specifications/warc-format/warc-1.1/';
const IDENTICAL_PAYLOAD = 'http://netpreserve.org/warc/1.1/revisit/identical-payload-digest';
const RECORD_END = '\r\n\r\n';

/** The record a repeat refers to; always earlier in the same segment. */
export interface OriginalRecord {
  readonly recordId: string;
  readonly url: string;
  readonly date: string;
  readonly offset: number;
}

/** What a later repeat needs to know of a record. */
export type RecordIdentity = Omit<OriginalRecord, 'offset'>;

export interface WarcinfoFields {
  readonly software: string;
  readonly robots: string;
}

export function encodeWarcinfo(
  fileName: string,
  createdAt: Date,
  fields: WarcinfoFields,
  output: GrowingBuffer,
): void {
  const block =
    `software: ${oneLine(fields.software)}\r\nformat: WARC File Format 1.1\r\n` +
    `conformsTo: ${CONFORMS_TO}\r\nrobots: ${oneLine(fields.robots)}\r\n`;
  const body = Buffer.from(block, 'utf8');
  const head =
    `WARC/1.1\r\nWARC-Type: warcinfo\r\nWARC-Record-ID: ${newRecordId()}\r\n` +
    `WARC-Date: ${createdAt.toISOString()}\r\n` +
    `WARC-Filename: ${fileName}\r\nContent-Type: application/warc-fields\r\nContent-Length: ${body.length}\r\n\r\n`;
  assemble(head, '', body, output);
}

/** With an `original`, a `revisit` that carries only the head; without, a `response` with the body. */
export function encodeExchange(
  exchange: Exchange,
  payloadDigest: string,
  segment: string,
  original: OriginalRecord | undefined,
  output: GrowingBuffer,
): RecordIdentity {
  const httpHead = formatHttpHead(exchange.status, exchange.headers, exchange.rawBody.length);
  const [recordId, date, url] = [newRecordId(), exchange.fetchedAt.toISOString(), toUri(exchange.url)];
  const blockBytes = httpHead.length + (original ? 0 : exchange.rawBody.length);
  let head =
    `WARC/1.1\r\nWARC-Type: ${original ? 'revisit' : 'response'}\r\nWARC-Record-ID: ${recordId}\r\n` +
    `WARC-Date: ${date}\r\nWARC-Target-URI: ${url}\r\nWARC-Payload-Digest: ${payloadDigest}\r\n`;
  if (exchange.remoteAddress !== undefined) head += `WARC-IP-Address: ${oneLine(exchange.remoteAddress)}\r\n`;
  if (exchange.origin !== undefined) head += `X-Forager-Origin: ${oneLine(exchange.origin)}\r\n`;
  if (original) {
    head +=
      `WARC-Profile: ${IDENTICAL_PAYLOAD}\r\nWARC-Refers-To: ${original.recordId}\r\n` +
      `WARC-Refers-To-Target-URI: ${original.url}\r\nWARC-Refers-To-Date: ${original.date}\r\n` +
      `WARC-Refers-To-Filename: ${segment}\r\nWARC-Refers-To-File-Offset: ${original.offset}\r\n`;
  }
  head += `Content-Type: application/http;msgtype=response\r\nContent-Length: ${blockBytes}\r\n\r\n`;
  assemble(head, httpHead, original ? NO_BODY : exchange.rawBody, output);
  return { recordId, url, date };
}

/** SHA-256, since a repeat is recognised by it and SHA-1 collisions can be served on purpose. */
export function digestPayload(body: Buffer): string {
  return `sha256:${createHash('sha256').update(body).digest('hex')}`;
}

export interface ParsedRecord {
  readonly headers: RawHeaders;
  readonly block: Buffer;
}

/** Parses the bytes of exactly one record; undefined if they are anything else. */
export function parseRecord(bytes: Buffer): ParsedRecord | undefined {
  const end = bytes.indexOf('\r\n\r\n');
  if (end < 0) return undefined;
  const lines = bytes.toString('utf8', 0, end).split('\r\n');
  if (!/^WARC\/1\.[01]$/.test(lines[0] ?? '')) return undefined;
  const headers = lines.slice(1).flatMap(parseField);
  const lengthAt = headers.findIndex((text, i) => i % 2 === 0 && text.toLowerCase() === 'content-length');
  const lengthText = lengthAt < 0 ? '' : (headers[lengthAt + 1] ?? '');
  if (!/^\d{1,12}$/.test(lengthText)) return undefined;
  const blockStart = end + 4;
  const blockEnd = blockStart + Number(lengthText);
  if (bytes.length !== blockEnd + RECORD_END.length) return undefined;
  if (bytes.toString('latin1', blockEnd) !== RECORD_END) return undefined;
  return { headers, block: bytes.subarray(blockStart, blockEnd) };
}

const NO_BODY = Buffer.alloc(0);

function assemble(head: string, httpHead: string, body: Buffer, output: GrowingBuffer): void {
  const bytes = output.claim(head.length + httpHead.length + body.length + RECORD_END.length);
  let at = bytes.write(head, 0, 'latin1');
  at += bytes.write(httpHead, at, 'latin1');
  at += body.copy(bytes, at);
  bytes.write(RECORD_END, at, 'latin1');
}

function newRecordId(): string {
  return `<urn:uuid:${randomUUID()}>`;
}

function oneLine(text: string): string {
  return text.replaceAll(/[^\x20-\x7e]+/g, ' ').trim();
}

const NOT_URI = /[^\x21-\x7e]/gu;

/** URLs arrive encoded; whatever is not a URI character all the same is percent-encoded. */
export function toUri(url: string): string {
  return url.replaceAll(NOT_URI, percentEncode);
}

function percentEncode(character: string): string {
  return Buffer.from(character, 'utf8').toString('hex').toUpperCase().replaceAll(/../g, '%$&');
}
