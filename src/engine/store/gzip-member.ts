/**
 * Gzip members, one per record. Members are also found without knowing their length, which node:zlib's own
 * gunzip cannot do: it reads on into the next member.
 */
import { type constants, crc32, gzipSync, inflateRawSync } from 'node:zlib';
import type { GrowingBuffer } from './growing-buffer.ts';

const HEADER_BYTES = 10;
const TRAILER_BYTES = 8;
const MAX_STORED_BLOCK = 0xffff;
/** Magic, method deflate, no flags, no time, no hint about effort, unknown system. */
const PLAIN_HEADER = Buffer.from([0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 255]);

/**
 * Adds `bytes` to `output` as one member and returns its length. Level 0 is written by hand: setting zlib up
 * costs more than copying a page.
 */
export function compressMember(bytes: Buffer, level: number, output: GrowingBuffer): number {
  if (level === 0) return storeMember(bytes, output);
  const member = gzipSync(bytes, { level });
  return member.copy(output.claim(member.length));
}

function storeMember(bytes: Buffer, output: GrowingBuffer): number {
  const blockCount = Math.max(1, Math.ceil(bytes.length / MAX_STORED_BLOCK));
  const member = output.claim(HEADER_BYTES + blockCount * 5 + bytes.length + TRAILER_BYTES);
  let at = PLAIN_HEADER.copy(member, 0);
  for (let block = 0; block < blockCount; block++) {
    const from = block * MAX_STORED_BLOCK;
    const size = Math.min(MAX_STORED_BLOCK, bytes.length - from);
    at = member.writeUInt8(block === blockCount - 1 ? 1 : 0, at);
    at = member.writeUInt16LE(size, at);
    at = member.writeUInt16LE(size ^ 0xffff, at);
    at += bytes.copy(member, at, from, from + size);
  }
  at = member.writeUInt32LE(crc32(bytes), at);
  return member.writeUInt32LE(bytes.length, at);
}

export type InflatedMember =
  | { readonly kind: 'whole'; readonly bytes: Buffer; readonly length: number }
  /** A member begins here and goes on beyond what was given. */
  | { readonly kind: 'partial' }
  | { readonly kind: 'corrupt'; readonly message: string };

/** Inflates the member at the start of `input`, whatever follows it. */
export function inflateMember(input: Buffer, maxBytes: number): InflatedMember {
  const header = measureHeader(input);
  if (header.kind !== 'whole') return header;
  let inflated: { readonly buffer: Buffer; readonly engine: { readonly bytesWritten: number } };
  try {
    inflated = inflateRawSync(input.subarray(header.length), {
      info: true,
      maxOutputLength: maxBytes,
    }) as unknown as typeof inflated;
  } catch (error) {
    if (isZlibError(error, 'Z_BUF_ERROR')) return { kind: 'partial' };
    return { kind: 'corrupt', message: error instanceof Error ? error.message : String(error) };
  }
  const trailerAt = header.length + inflated.engine.bytesWritten;
  if (input.length < trailerAt + TRAILER_BYTES) return { kind: 'partial' };
  const { buffer } = inflated;
  if (
    input.readUInt32LE(trailerAt) !== crc32(buffer) ||
    input.readUInt32LE(trailerAt + 4) !== buffer.length
  ) {
    return { kind: 'corrupt', message: 'the checksum does not match' };
  }
  return { kind: 'whole', bytes: buffer, length: trailerAt + TRAILER_BYTES };
}

type MeasuredHeader =
  | { readonly kind: 'whole'; readonly length: number }
  | Exclude<InflatedMember, { kind: 'whole' }>;

const FLAG_CHECKSUM = 2;
const FLAG_EXTRA = 4;
const FLAG_NAME = 8;
const FLAG_COMMENT = 16;

/** RFC 1952 §2.3: ten fixed bytes, then optional fields. Other writers set them; ours does not. */
function measureHeader(input: Buffer): MeasuredHeader {
  for (let i = 0; i < 3 && i < input.length; i++) {
    if (input[i] !== PLAIN_HEADER[i]) return { kind: 'corrupt', message: 'no gzip member begins here' };
  }
  if (input.length < HEADER_BYTES) return { kind: 'partial' };
  const flags = input[3] ?? 0;
  let at = HEADER_BYTES;
  if (flags & FLAG_EXTRA) {
    if (input.length < at + 2) return { kind: 'partial' };
    at += 2 + input.readUInt16LE(at);
  }
  for (const flag of [FLAG_NAME, FLAG_COMMENT]) {
    if ((flags & flag) === 0) continue;
    const zero = input.indexOf(0, at);
    if (zero < 0) return { kind: 'partial' };
    at = zero + 1;
  }
  if (flags & FLAG_CHECKSUM) at += 2;
  return at > input.length ? { kind: 'partial' } : { kind: 'whole', length: at };
}

function isZlibError(error: unknown, code: keyof typeof constants): boolean {
  return error instanceof Error && 'code' in error && error.code === code;
}
