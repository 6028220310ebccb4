import { describe, expect, it } from 'vitest';
import { fitTable } from '../../src/cli/fit-table.ts';
import { formatSpan } from '../../src/cli/moments.ts';
import type { Terminal } from '../../src/cli/terminal.ts';
import { wrapFor, wrapText } from '../../src/cli/wrap-text.ts';

const terminal = (isInteractive: boolean, columns: number): Terminal =>
  ({ isInteractive, columns }) as Terminal;

describe('sentences', () => {
  it('are broken between words, and a word too long for a line has its own', () => {
    expect(wrapText('one two three', 7)).toEqual(['one two', 'three']);
    expect(wrapText('a incomprehensible b', 6)).toEqual(['a', 'incomprehensible', 'b']);
    expect(wrapText('', 6)).toEqual(['']);
  });

  it('stay whole in a pipe', () => {
    const text = 'word '.repeat(40).trim();
    expect(wrapFor(terminal(false, 80), text, 4)).toEqual([text]);
    for (const line of wrapFor(terminal(true, 80), text, 4)) expect(line.length).toBeLessThanOrEqual(76);
  });
});

describe('tables', () => {
  const columns = [{ title: 'NAME' }, { title: 'COUNT', align: 'right' as const }];
  const rows = [['a-name-of-forty-characters-or-thereabouts', '1']];

  it('cut names to fit a terminal, and keep both their ends', () => {
    const lines = fitTable(terminal(true, 30), columns, rows);
    expect(Math.max(...lines.map((line) => line.length))).toBe(30);
    expect(lines[1]).toMatch(/^a-name-of-f…thereabouts +1$/);
  });

  it('show names in full in a pipe', () => {
    expect(fitTable(terminal(false, 30), columns, rows)[1]).toContain(rows[0]?.[0]);
  });
});

it.each([
  [3.4, '3 s'],
  [119, '119 s'],
  [600, '10 min'],
  [7200, '2 h'],
  [172_800, '2 d'],
  [-5, '0 s'],
])('%d seconds are %s', (seconds, text) => {
  expect(formatSpan(seconds)).toBe(text);
});
