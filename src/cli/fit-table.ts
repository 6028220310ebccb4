/** A table that fits the terminal: where it would not, the names in its first column are cut in the middle. */
import { type Column, formatTable, shorten, visibleWidth } from './format.ts';
import type { Terminal } from './terminal.ts';

const SHORTEST_NAME = 12;

/** The first column must be plain text. A pipe gets every name in full, however long. */
export function fitTable(
  terminal: Terminal,
  columns: readonly Column[],
  rows: readonly (readonly string[])[],
): string[] {
  const lines = formatTable(columns, rows);
  const excess = Math.max(...lines.map(visibleWidth)) - terminal.columns;
  if (!terminal.isInteractive || excess <= 0) return lines;
  const longest = Math.max(...rows.map(([name = '']) => name.length));
  const width = Math.max(SHORTEST_NAME, longest - excess);
  return formatTable(
    columns,
    rows.map(([name = '', ...rest]) => [shorten(name, width), ...rest]),
  );
}
