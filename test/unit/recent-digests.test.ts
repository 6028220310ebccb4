import { expect, test } from 'vitest';
import { RecentDigests } from '../../src/engine/store/recent-digests.ts';

test('only the most recently met payloads are remembered', () => {
  const recent = new RecentDigests(2);
  const record = { recordId: '<urn:uuid:1>', url: 'https://example.com/', date: '', offset: 1 };
  recent.remember('a', record);
  recent.remember('b', record);
  expect(recent.find('a')).toBe(record);
  recent.remember('c', record);
  expect([recent.find('a'), recent.find('b'), recent.find('c')]).toEqual([record, undefined, record]);
  recent.clear();
  expect(recent.find('a')).toBeUndefined();
});
