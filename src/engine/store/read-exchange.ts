/** Gives an archived exchange back. What a row or a file claims is checked before it is believed. */
import { constants } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import { headerValue } from '../fetch/fetch-result.ts';
import type { BodyLocation, StoredExchange } from './body-store.ts';
import { type HttpHead, parseHttpHead } from './http-head.ts';
import { readWindow, walkMembers } from './segment-members.ts';
import { isSegmentName } from './segment-name.ts';
import { StoreError } from './store-error.ts';
import { MAX_RECORD_BYTES, type ParsedRecord, parseRecord, toUri } from './warc-record.ts';

const gunzipAsync = promisify(gunzip);

/**
 * Reads the exchange at `location`; a repeat is completed with the body of the record it refers to. With
 * `expectedUrl`, a record of any other URL is an error: the row and the archive do not belong together.
 */
export async function readExchange(
  directory: string,
  location: BodyLocation,
  expectedUrl?: string,
): Promise<StoredExchange> {
  const path = resolveSegment(directory, location);
  const file = await openSegment(path);
  try {
    const record = await readRecord(file, path, location);
    const url = headerValue(record.headers, 'warc-target-uri') ?? '';
    if (expectedUrl !== undefined && toUri(expectedUrl) !== url) {
      throw new StoreError(
        'WRONG_URL',
        path,
        `${where(path, location.offset)} holds ${url}, not ${expectedUrl}.`,
      );
    }
    const { head, rawBody } = await readPayload(file, path, location.offset, record);
    const fetchedAt = new Date(headerValue(record.headers, 'warc-date') ?? '');
    if (Number.isNaN(fetchedAt.getTime())) throw corrupt(path, location.offset, 'its date is not one');
    return { url, fetchedAt, status: head.status, headers: head.headers, rawBody };
  } finally {
    await file.close();
  }
}

function resolveSegment(directory: string, { segment, offset, length }: BodyLocation): string {
  const path = join(directory, isSegmentName(segment) ? segment : '');
  if (!isSegmentName(segment)) {
    throw new StoreError(
      'BAD_LOCATION',
      path,
      `"${segment.slice(0, 200)}" is not the name of an archive segment.`,
    );
  }
  const isPlace = Number.isSafeInteger(offset) && offset >= 0 && Number.isSafeInteger(length) && length > 0;
  if (!isPlace || length > MAX_RECORD_BYTES) {
    throw new StoreError('BAD_LOCATION', path, `Offset ${offset}, length ${length} is no place in ${path}.`);
  }
  return path;
}

async function openSegment(path: string): Promise<FileHandle> {
  try {
    return await open(path, constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0));
  } catch (error) {
    const reason =
      error instanceof Error && 'code' in error && error.code === 'ENOENT' ? 'is gone' : String(error);
    throw new StoreError(
      'MISSING_SEGMENT',
      path,
      `The archive segment ${path} cannot be read: it ${reason}.`,
    );
  }
}

async function readRecord(file: FileHandle, path: string, location: BodyLocation): Promise<ParsedRecord> {
  const compressed = await readWindow(file, location.offset, location.length);
  if (compressed.length < location.length) {
    throw new StoreError(
      'MISSING_RECORD',
      path,
      `${where(path, location.offset)} lies beyond the end of the file.`,
    );
  }
  let bytes: Buffer;
  try {
    bytes = await gunzipAsync(compressed, { maxOutputLength: MAX_RECORD_BYTES });
  } catch (error) {
    throw corrupt(path, location.offset, error instanceof Error ? error.message : String(error));
  }
  const record = parseRecord(bytes);
  if (!record) throw corrupt(path, location.offset, 'it is not one whole WARC record');
  return record;
}

async function readPayload(file: FileHandle, path: string, offset: number, record: ParsedRecord) {
  const type = headerValue(record.headers, 'warc-type');
  const head = parseHttpHead(record.block);
  if (!head || (type !== 'response' && type !== 'revisit')) {
    throw corrupt(path, offset, 'it holds no HTTP response');
  }
  if (type === 'response') return { head, rawBody: bodyOf(record, head) };
  return { head, rawBody: await readOriginalBody(file, path, offset, record) };
}

/** Repeats refer backwards within their segment, to a record that carries the body, never to another repeat. */
async function readOriginalBody(file: FileHandle, path: string, offset: number, repeat: ParsedRecord) {
  const originalText = headerValue(repeat.headers, 'warc-refers-to-file-offset') ?? '';
  const originalOffset = /^\d{1,15}$/.test(originalText) ? Number(originalText) : offset;
  if (originalOffset >= offset) throw corrupt(path, offset, 'it repeats a record that is not before it');
  const { value: member } = await walkMembers(file, originalOffset).next();
  const original = member?.kind === 'member' ? parseRecord(member.bytes) : undefined;
  const head = original && parseHttpHead(original.block);
  const isSame =
    original !== undefined &&
    headerValue(original.headers, 'warc-type') === 'response' &&
    headerValue(original.headers, 'warc-record-id') === headerValue(repeat.headers, 'warc-refers-to');
  if (!original || !head || !isSame)
    throw corrupt(path, originalOffset, 'it is not the record repeated later');
  return bodyOf(original, head);
}

/** A copy, so that keeping the body does not keep the record. */
function bodyOf(record: ParsedRecord, head: HttpHead): Buffer {
  return Buffer.from(record.block.subarray(head.bodyOffset));
}

function where(path: string, offset: number): string {
  return `The record at byte ${offset} of ${path}`;
}

function corrupt(path: string, offset: number, reason: string): StoreError {
  return new StoreError('CORRUPT_RECORD', path, `${where(path, offset)} is damaged: ${reason}.`);
}
