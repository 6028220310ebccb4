/** Rows as text: one JSON object a line, or CSV that a spreadsheet opens without running any of it. */
export type ExportFormat = 'jsonl' | 'csv';

export interface RowFormat {
  /** What comes before the first row; empty for none. */
  readonly head: string;
  format(row: Readonly<Record<string, unknown>>): string;
}

export function makeRowFormat(format: ExportFormat, fields: readonly string[]): RowFormat {
  if (format === 'csv') {
    return {
      head: formatCsvLine(fields),
      format: (row) => formatCsvLine(fields.map((field) => row[field])),
    };
  }
  return {
    head: '',
    format: (row) =>
      `${JSON.stringify(Object.fromEntries(fields.map((field) => [field, row[field] ?? null])))}\n`,
  };
}

/** RFC 4180: comma, quotes doubled, lines end in CRLF. */
export function formatCsvLine(values: readonly unknown[]): string {
  return `${values.map(formatCsvCell).join(',')}\r\n`;
}

/**
 * Spreadsheets run what begins like a formula, and a page's title is whatever its author wants: text that
 * begins so gets an apostrophe in front, which they show as text. Numbers are ours and stay numbers.
 */
export function formatCsvCell(value: unknown): string {
  if (value === null || value === undefined) return '';
  if (typeof value === 'number' || typeof value === 'boolean' || typeof value === 'bigint')
    return String(value);
  const text = toText(value);
  const safe = FORMULA_START.test(text) ? `'${text}` : text;
  return NEEDS_QUOTES.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

/** The wide forms are read as the plain ones in East Asian editions. */
const FORMULA_START = /^[=+\-@\t\r\n＝＋－＠]/;
const NEEDS_QUOTES = /[",\r\n]|^\s|\s$/;

function toText(value: unknown): string {
  if (typeof value === 'string') return value;
  if (value instanceof Date) return Number.isNaN(value.getTime()) ? '' : value.toISOString();
  return JSON.stringify(value);
}

/** `.csv` says CSV; everything else is JSON lines. */
export function guessFormat(file: string | undefined): ExportFormat {
  return file !== undefined && /\.csv$/i.test(file) ? 'csv' : 'jsonl';
}
