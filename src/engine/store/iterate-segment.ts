import { open } from 'node:fs/promises';
import type { RawHeaders } from '../fetch/fetch-result.ts';
import { walkMembers } from './segment-members.ts';
import { StoreError } from './store-error.ts';
import { parseRecord } from './warc-record.ts';

export interface SegmentRecord {
  /** The WARC fields, flat: name, value, name, value, … */
  readonly headers: RawHeaders;
  readonly block: Buffer;
  readonly offset: number;
  readonly length: number;
}

/**
 * Every record of a segment in order, one in memory at a time. A truncated tail, as a live or a killed writer
 * leaves it, ends the walk quietly; anything else that is not a record is an error.
 */
export async function* iterateSegment(path: string): AsyncGenerator<SegmentRecord> {
  const file = await open(path, 'r');
  try {
    for await (const member of walkMembers(file, 0)) {
      if (member.kind === 'end') {
        if (member.state === 'corrupt') throw corrupt(path, member.offset, member.message);
        return;
      }
      const record = parseRecord(member.bytes);
      if (!record) throw corrupt(path, member.offset, 'it is not a WARC record');
      yield { ...record, offset: member.offset, length: member.length };
    }
  } finally {
    await file.close();
  }
}

function corrupt(path: string, offset: number, reason: string): StoreError {
  return new StoreError(
    'CORRUPT_RECORD',
    path,
    `The record at byte ${offset} of ${path} is damaged: ${reason}.`,
  );
}
