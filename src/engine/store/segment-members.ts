/** Walks the gzip members of a segment with a window that grows to the largest member and no further. */
import type { FileHandle } from 'node:fs/promises';
import { inflateMember } from './gzip-member.ts';
import { MAX_RECORD_BYTES } from './warc-record.ts';

export type SegmentMember =
  | { readonly kind: 'member'; readonly offset: number; readonly length: number; readonly bytes: Buffer }
  /** Always last. `clean`: the file ends with a member; `truncated`: in the middle of one. */
  | { readonly kind: 'end'; readonly offset: number; readonly state: 'clean' | 'truncated' }
  | { readonly kind: 'end'; readonly offset: number; readonly state: 'corrupt'; readonly message: string };

const WINDOW_BYTES = 1024 * 1024;
const MAX_WINDOW_BYTES = 2 * MAX_RECORD_BYTES;

export async function* walkMembers(file: FileHandle, fromOffset: number): AsyncGenerator<SegmentMember> {
  let window: Buffer = Buffer.alloc(0);
  let offset = fromOffset;
  let windowBytes = WINDOW_BYTES;
  let isAtEnd = false;
  for (;;) {
    const member =
      window.length === 0 ? ({ kind: 'partial' } as const) : inflateMember(window, MAX_RECORD_BYTES);
    if (member.kind === 'whole') {
      yield { kind: 'member', offset, length: member.length, bytes: member.bytes };
      window = window.subarray(member.length);
      offset += member.length;
      windowBytes = WINDOW_BYTES;
      continue;
    }
    if (member.kind === 'corrupt') {
      yield { kind: 'end', offset, state: 'corrupt', message: member.message };
      return;
    }
    if (isAtEnd) {
      yield { kind: 'end', offset, state: window.length === 0 ? 'clean' : 'truncated' };
      return;
    }
    if (window.length >= windowBytes) windowBytes *= 2;
    if (windowBytes > MAX_WINDOW_BYTES) {
      yield { kind: 'end', offset, state: 'corrupt', message: 'a record is larger than any that is written' };
      return;
    }
    const longer = await readWindow(file, offset, windowBytes);
    isAtEnd = longer.length < windowBytes;
    window = longer;
  }
}

/** Reads up to `length` bytes; fewer only at the end of the file. */
export async function readWindow(file: FileHandle, offset: number, length: number): Promise<Buffer> {
  const window = Buffer.allocUnsafe(length);
  let done = 0;
  while (done < length) {
    const { bytesRead } = await file.read(window, done, length - done, offset + done);
    if (bytesRead === 0) break;
    done += bytesRead;
  }
  return window.subarray(0, done);
}
