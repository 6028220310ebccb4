import { describe, expect, it } from 'vitest';
import { type FitColumn, fitTable } from '../../src/cli/fit-table.ts';

const URL_TEXT = 'https://shop.example/catalogue/garden/chairs/folding/a-chair-of-oak?colour=green';
const columns: FitColumn[] = [
  { title: 'ID', align: 'right' },
  { title: 'STATE' },
  { title: 'MADE', drop: 2 },
  { title: 'BATCH', drop: 1 },
  { title: 'URL', least: 30 },
];
const rows = [
  ['7', '\u001b[32mcompleted\u001b[39m', '2026-01-02 03:04', 'Black Friday', URL_TEXT],
  ['12', 'failed', '2026-01-02 03:05', '-', 'https://a.example/'],
];
const drawAt = (width: number, isInteractive = true): string[] =>
  fitTable({ isInteractive, columns: width }, columns, rows);
const plain = (text: string): string => text.replace(/\u001b\[\d+m/g, '');
const widest = (lines: readonly string[]): number =>
  Math.max(...lines.flatMap((line) => plain(line).split('\n')).map((line) => line.length));

describe('a table for a terminal', () => {
  it.each([200, 120, 100, 80, 70, 60, 50, 45, 40, 30])('is no wider than its %d columns', (width) => {
    expect(widest(drawAt(width))).toBeLessThanOrEqual(width);
  });

  it('leaves a URL as it is where there is room for everything', () => {
    expect(drawAt(200)[1]).toContain(URL_TEXT);
    expect(drawAt(200)[0]).toMatch(/^ID +STATE +MADE +BATCH +URL$/);
  });

  it('cuts the URL in the middle as long as enough of it stays', () => {
    const [head, line = ''] = drawAt(80);
    expect(head).toMatch(/^ID +STATE +MADE +BATCH +URL$/);
    const url = plain(line).slice(plain(line).indexOf('http'));
    expect(url).toMatch(/^https:\/\/shop\..*….*green$/);
    expect(url.length).toBeGreaterThanOrEqual(30);
  });

  it('drops the least needed columns first', () => {
    expect(drawAt(70)[0]).toMatch(/^ID +STATE +MADE +URL$/);
    expect(drawAt(50)[0]).toMatch(/^ID +STATE +URL$/);
  });

  it('gives the URL a line of its own where little of it would be left', () => {
    const lines = drawAt(40);
    expect(lines).toHaveLength(1 + rows.length);
    expect(plain(lines[1] ?? '')).toMatch(/^ 7 {2}completed\n {2}https:\/\/shop\..*….*green$/);
    expect(lines[2]).toBe('12  failed\n  https://a.example/');
  });

  it('drops nothing for a URL that is short anyway', () => {
    const short = fitTable({ isInteractive: true, columns: 66 }, columns, rows.slice(1));
    expect(short[0]).toMatch(/BATCH/);
    expect(short[1]).toContain('https://a.example/');
  });

  it('is whole in a pipe', () => {
    const lines = drawAt(20, false);
    expect(lines[0]).toMatch(/^ID +STATE +MADE +BATCH +URL$/);
    expect(lines[1]).toContain(URL_TEXT);
  });
});
