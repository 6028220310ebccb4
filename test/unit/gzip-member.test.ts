import { gunzipSync, gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { GrowingBuffer } from '../../src/engine/store/growing-buffer.ts';
import { compressMember, inflateMember } from '../../src/engine/store/gzip-member.ts';

const LIMIT = 1_000_000;

describe.each([0, 1, 9])('a member of level %d', (level) => {
  test.each([0, 1, 1000, 65_535, 65_536, 200_000])('holds %d bytes', (size) => {
    const bytes = Buffer.alloc(size, 'some text ');
    const output = new GrowingBuffer(100);
    const length = compressMember(bytes, level, output);
    expect(output.usedBytes).toBe(length);
    expect(gunzipSync(output.view()).equals(bytes)).toBe(true);
    const followed = Buffer.concat([output.view(), Buffer.from('whatever follows')]);
    const inflated = inflateMember(followed, LIMIT);
    expect(inflated).toMatchObject({ kind: 'whole', length });
    expect(inflated.kind === 'whole' && inflated.bytes.equals(bytes)).toBe(true);
  });

  test('is partial wherever it is cut', () => {
    const output = new GrowingBuffer(100);
    compressMember(Buffer.from('short text'), level, output);
    for (let end = 0; end < output.usedBytes; end++) {
      expect(inflateMember(output.view().subarray(0, end), LIMIT)).toEqual({ kind: 'partial' });
    }
  });
});

test('a member with optional header fields, as other tools write them, is understood', () => {
  const plain = gzipSync('text');
  const extra = Buffer.from([3, 0, 1, 2, 3]);
  const names = Buffer.from('name\0comment\0');
  const member = Buffer.concat([
    plain.subarray(0, 10),
    extra,
    names,
    Buffer.from([0, 0]),
    plain.subarray(10),
  ]);
  member[3] = 2 | 4 | 8 | 16;
  expect(inflateMember(member, LIMIT)).toEqual({
    kind: 'whole',
    bytes: Buffer.from('text'),
    length: member.length,
  });
  for (let end = 10; end < 31; end++) {
    expect(inflateMember(member.subarray(0, end), LIMIT)).toEqual({ kind: 'partial' });
  }
});

test('what is no member, has a wrong checksum or unfolds beyond the limit is corrupt', () => {
  const wrongSum = gzipSync('text');
  wrongSum[wrongSum.length - 5] = (wrongSum.at(-5) ?? 0) ^ 1;
  expect(inflateMember(wrongSum, LIMIT)).toMatchObject({ kind: 'corrupt' });
  expect(inflateMember(Buffer.alloc(20), LIMIT)).toMatchObject({ kind: 'corrupt' });
  expect(inflateMember(gzipSync(Buffer.alloc(5000)), 4999)).toMatchObject({ kind: 'corrupt' });
});

test('a growing buffer keeps what was claimed while it grows and gives the excess back', () => {
  const buffer = new GrowingBuffer(4);
  buffer.claim(3).write('abc');
  buffer.claim(10).write('defghijklm');
  expect(buffer.view().toString()).toBe('abcdefghijklm');
  buffer.clear();
  expect(buffer.view()).toHaveLength(0);
  expect(buffer.claim(4).buffer.byteLength).toBe(4);
});
