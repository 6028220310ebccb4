import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { SeenFilter } from '../../src/engine/frontier/seen-filter.ts';

const hash = (text: string): Buffer => createHash('sha256').update(text).digest();

function hasOrAdd(filter: SeenFilter, hash: Buffer): boolean {
  if (filter.hasKey(hash)) return true;
  filter.addKey(hash);
  return false;
}

describe('the filter of links already dealt with', () => {
  it('knows a key the second time', () => {
    const filter = new SeenFilter(100, 1024);
    expect(hasOrAdd(filter, hash('a'))).toBe(false);
    expect(hasOrAdd(filter, hash('a'))).toBe(true);
    expect(hasOrAdd(filter, hash('b'))).toBe(false);
  });

  it('never takes a new key for a known one', () => {
    const filter = new SeenFilter(100, 1 << 12);
    for (let i = 0; i < 20_000; i += 1) expect(hasOrAdd(filter, hash(`new ${i}`))).toBe(false);
  });

  it('remembers most of what fits and forgets the rest instead of growing', () => {
    const filter = new SeenFilter(100, 1 << 12);
    for (let i = 0; i < 1000; i += 1) hasOrAdd(filter, hash(`${i}`));
    let known = 0;
    for (let i = 0; i < 1000; i += 1) if (hasOrAdd(filter, hash(`${i}`))) known += 1;
    expect(known).toBeGreaterThan(950);
  });

  it('keeps the younger raw links when the older ones fall out', () => {
    const filter = new SeenFilter(10, 1024);
    for (let i = 0; i < 25; i += 1) filter.addRaw('http://a.test', `/${i}`);
    expect(filter.hasRaw('http://a.test', '/24')).toBe(true);
    expect(filter.hasRaw('http://a.test', '/12')).toBe(true);
    expect(filter.hasRaw('http://a.test', '/0')).toBe(false);
  });

  it('forgets everything when a batch was abandoned', () => {
    const filter = new SeenFilter(10, 1024);
    filter.addRaw('http://a.test', '/a');
    hasOrAdd(filter, hash('a'));
    filter.clear();
    expect(filter.hasRaw('http://a.test', '/a')).toBe(false);
    expect(hasOrAdd(filter, hash('a'))).toBe(false);
  });
});
