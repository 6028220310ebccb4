import { expect, test } from 'vitest';
import { formatSegmentName, isSegmentName, isWriterId } from '../../src/engine/store/segment-name.ts';

test('segment names are made from time, writer and serial number, and recognised', () => {
  const name = formatSegmentName(new Date('2026-11-15T07:43:18.999Z'), 'w_1', 12);
  expect(name).toBe('forager-20261115T074318Z-w_1-00012.warc.gz');
  expect(isSegmentName(name)).toBe(true);
  for (const other of [`${name}.open`, `../${name}`, `${name}\n`, name.toUpperCase(), 'a.warc.gz']) {
    expect(isSegmentName(other)).toBe(false);
  }
  expect([isWriterId('Worker_7'), isWriterId(''), isWriterId('a/b'), isWriterId('a'.repeat(65))]).toEqual([
    true,
    false,
    false,
    false,
  ]);
});
