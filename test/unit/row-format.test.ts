import { describe, expect, it } from 'vitest';
import {
  formatCsvCell,
  formatCsvLine,
  guessFormat,
  makeRowFormat,
} from '../../src/control/export/row-format.ts';

describe('a CSV cell', () => {
  it.each([
    ['=1+1', "'=1+1"],
    ['+49 30 1234', "'+49 30 1234"],
    ['-1', "'-1"],
    ['@SUM(A1)', "'@SUM(A1)"],
    ['＝1+1', "'＝1+1"],
    ['=HYPERLINK("http://x","y")', '"\'=HYPERLINK(""http://x"",""y"")"'],
    ['\t=1', "'\t=1"],
    ['\r=1', '"\'\r=1"'],
    ['\n=1', '"\'\n=1"'],
  ])('that a spreadsheet would run, %j, is made text by an apostrophe', (value, cell) => {
    expect(formatCsvCell(value)).toBe(cell);
  });

  it.each([
    ['plain', 'plain'],
    ['a=b', 'a=b'],
    ["it's", "it's"],
    ['a,b', '"a,b"'],
    ['say "hi"', '"say ""hi"""'],
    ['two\nlines', '"two\nlines"'],
    ['two\r\nlines', '"two\r\nlines"'],
    [' padded ', '" padded "'],
    ['naïve ☕', 'naïve ☕'],
    ['', ''],
  ])('holding %j is quoted only where RFC 4180 needs it', (value, cell) => {
    expect(formatCsvCell(value)).toBe(cell);
  });

  it('keeps our own numbers numbers, also negative ones', () => {
    expect([-5, 0, 1.5, 12345678901234567890n, true, false].map(formatCsvCell)).toEqual([
      '-5',
      '0',
      '1.5',
      '12345678901234567890',
      'true',
      'false',
    ]);
  });

  it('is empty for what is missing, ISO for a moment and JSON for an object', () => {
    expect(formatCsvCell(null)).toBe('');
    expect(formatCsvCell(undefined)).toBe('');
    expect(formatCsvCell(new Date('2026-02-05T14:30:00Z'))).toBe('2026-02-05T14:30:00.000Z');
    expect(formatCsvCell(new Date(Number.NaN))).toBe('');
    expect(formatCsvCell({ a: 1 })).toBe('"{""a"":1}"');
  });
});

describe('a row', () => {
  it('ends in CRLF as CSV, after a line of the field names', () => {
    const csv = makeRowFormat('csv', ['url', 'title']);
    expect(csv.head).toBe('url,title\r\n');
    expect(csv.format({ title: 'T', url: 'http://a/', other: 1 })).toBe('http://a/,T\r\n');
    expect(formatCsvLine([])).toBe('\r\n');
  });

  it('has every field in order as JSON, null where there is nothing, and stays on one line', () => {
    const jsonl = makeRowFormat('jsonl', ['url', 'title', 'text']);
    expect(jsonl.head).toBe('');
    expect(jsonl.format({ text: 'two\nlines\u2028', url: 'http://a/', other: 1 })).toBe(
      '{"url":"http://a/","title":null,"text":"two\\nlines\u2028"}\n',
    );
  });
});

it('guesses the format from the name of the file', () => {
  expect(['a.csv', 'A.CSV', 'a.jsonl', 'a.csv.gz', 'csv', undefined].map(guessFormat)).toEqual([
    'csv',
    'csv',
    'jsonl',
    'jsonl',
    'jsonl',
    'jsonl',
  ]);
});
