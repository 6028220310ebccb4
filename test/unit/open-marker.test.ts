import { expect, test } from 'vitest';
import { formatMarker, parseMarker } from '../../src/engine/store/open-marker.ts';

test('a marker is read as it was written, and a torn one names nobody', () => {
  const marker = { syncedBytes: 123_456, writerId: 'w1', owner: 'host:42:"x"' };
  expect(parseMarker(formatMarker(marker))).toEqual(marker);
  for (const text of ['', '000', '000000000000009\n{"wri', '\0'.repeat(40), '000000000000009\nnull\n']) {
    expect(parseMarker(text)).toMatchObject({ writerId: '', owner: '' });
  }
});
