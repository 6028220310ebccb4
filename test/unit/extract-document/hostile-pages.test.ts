import { describe, expect, it } from 'vitest';
import { type PageDocument, parseDocument } from '../../../src/engine/extract/document/page-document.ts';
import { readMicrodata } from '../../../src/engine/extract/structured/microdata.ts';
import { readRdfa } from '../../../src/engine/extract/structured/rdfa.ts';
import type { StructuredItem } from '../../../src/engine/extract/structured/structured-item.ts';

const MANY = 100_000;
/** More than is kept of items. */
const PLENTY = 25_000;
const page = (html: string) => parseDocument(Buffer.from(html));

function deepest(document: PageDocument): number {
  const depths: number[] = [];
  let most = 0;
  for (const { index, parent } of document.elements) {
    const depth = 1 + (parent === null || parent.index === -1 ? 0 : (depths[parent.index] as number));
    depths[index] = depth;
    most = Math.max(most, depth);
  }
  return most;
}

/** All values of items, each item once; throws on a circle. */
function measure(items: readonly StructuredItem[]): {
  items: number;
  values: number;
  chars: number;
  depth: number;
} {
  const seen = new Set<StructuredItem>();
  const size = { items: 0, values: 0, chars: 0, depth: 0 };
  const visit = (item: StructuredItem, path: readonly StructuredItem[]): void => {
    if (path.includes(item)) throw new Error('an item is inside itself');
    size.depth = Math.max(size.depth, path.length + 1);
    if (seen.has(item)) return;
    seen.add(item);
    size.items++;
    for (const values of item.properties.values()) {
      for (const value of values) {
        size.values++;
        if (typeof value === 'string') size.chars += value.length;
        else visit(value, [...path, item]);
      }
    }
  };
  for (const item of items) visit(item, []);
  return size;
}

describe('a page made to be costly', () => {
  it.each([
    ['<div>'],
    ['<b>'],
    ['<a><div>'],
    ['<p><span>'],
    ['<table><tr><td>'],
    ['<svg><foreignObject><p>'],
    ['<math><mi>'],
    ['<ul><li>'],
    ['<select><option>'],
    ['<x-a>'],
    ['<button><i>'],
  ])('is never deeper than 512: %s, 100,000 times', (tags) => {
    const document = page(tags.repeat(MANY));
    expect(deepest(document)).toBeLessThanOrEqual(512);
    expect(document.elements.length).toBeLessThanOrEqual(200_000);
    expect(document.root.nextIndex).toBe(document.elements.length);
  });

  it('is read up to 200,000 elements', () => {
    const document = page('<i>x</i>'.repeat(250_000));
    expect(document.elements).toHaveLength(200_000);
    expect(document.root.text(5)).toBe('xxxxx');
  });

  it.each([
    ['</div>', ''],
    ['<!--', ''],
    ['<!', ''],
    ['<', '<<<<<'],
    ['<a href="', ''],
    ['<?', ''],
  ])('has no elements where there are none: %s, 100,000 times', (bytes, text) => {
    const document = page(bytes.repeat(MANY));
    expect(document.elements).toHaveLength(0);
    expect(document.root.text(5)).toBe(text);
  });

  it('has its 100,000 attributes on one tag, and the first of each name counts', () => {
    const names = Array.from({ length: MANY }, (_, index) => `a${index}=${index}`).join(' ');
    const element = page(`<div ${names} a5=no class=c>x`).selectFirst('.c');
    expect(element?.attributes().size).toBe(MANY + 1);
    expect(element?.attribute('a5')).toBe('5');
    expect(element?.attribute('a99999')).toBe('99999');
  });

  it('says no more in microdata than is kept', () => {
    const hostile = [
      '<div itemscope itemprop=a>'.repeat(PLENTY),
      `<div itemscope>${'<b itemprop=a>some text '.repeat(PLENTY)}`,
      `<div itemscope>${'<i itemprop=p itemscope></i>'.repeat(PLENTY)}`,
      `<div id=x>${'<i itemprop=p>v</i>'.repeat(10_000)}</div>${'<div itemscope itemref=x></div>'.repeat(20_000)}`,
      Array.from(
        { length: 20_000 },
        (_, i) => `<p id=d${i} itemscope itemprop=n itemref=d${i + 1}></p>`,
      ).join(''),
      `<div itemscope><i itemprop="${Array.from({ length: PLENTY }, (_, i) => `p${i}`).join(' ')}">x`,
      `<div itemscope>${'<b itemprop=a>'.repeat(500)}${'lorem ipsum '.repeat(200_000)}`,
    ];
    for (const html of hostile) {
      const size = measure(readMicrodata(page(html), 'http://a.test/')?.items ?? []);
      expect(size.items).toBeGreaterThan(0);
      expect(size.items).toBeLessThanOrEqual(10_000);
      expect(size.values).toBeLessThanOrEqual(50_000);
      expect(size.chars).toBeLessThanOrEqual(4_000_000);
      expect(size.depth).toBeLessThanOrEqual(64);
    }
  });

  it('says no more in RDFa than is kept', () => {
    const hostile = [
      '<div typeof=Product vocab=http://schema.org/ property=x>'.repeat(PLENTY),
      `<div vocab=http://schema.org/ typeof=A><div rel=offers>${'<a href=x>'.repeat(PLENTY)}`,
      `<div typeof=x>${'<i prefix="a: http://x/# b: http://y/#" property=a:b>'.repeat(PLENTY)}`,
      Array.from({ length: PLENTY }, (_, i) => `<i about=#x typeof=T${i}></i>`).join(''),
      `<div typeof=X>${'<div rel=s:x>'.repeat(PLENTY)}`,
      Array.from(
        { length: PLENTY },
        (_, i) => `<i about=#a${i} typeof=T rel=s:x resource=#a${i + 1}></i>`,
      ).join(''),
    ];
    for (const html of hostile) {
      const size = measure(readRdfa(page(html), 'http://a.test/')?.items ?? []);
      expect(size.items).toBeGreaterThan(0);
      expect(size.items).toBeLessThanOrEqual(10_000);
      expect(size.values).toBeLessThanOrEqual(50_000);
      expect(size.chars).toBeLessThanOrEqual(4_000_000);
      expect(size.depth).toBeLessThanOrEqual(64);
    }
  });

  it('cannot make one text long', () => {
    const html = `<div itemscope><p itemprop=a>${'x'.repeat(3_000_000)}</p><meta itemprop=b content="${'y'.repeat(3_000_000)}">
      <a itemprop=c href="/${'z'.repeat(3_000_000)}"></a></div>`;
    const item = readMicrodata(page(html), 'http://a.test/')?.items[0];
    for (const values of item?.properties.values() ?? [])
      expect(String(values[0]).length).toBeLessThanOrEqual(20_000);
    expect(item?.properties.size).toBe(3);
  });
});
