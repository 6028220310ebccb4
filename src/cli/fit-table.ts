/**
 * A table that is no wider than the terminal. One column is flexible: it takes what the others leave it, cut in the
 * middle. Where that would leave too little of it, columns are dropped, the least needed first; where even that
 * does not help, the flexible one gets a line of its own below the others.
 */
import { type Column, formatTable, shorten, visibleWidth } from './format.ts';
import type { Terminal } from './terminal.ts';

/** A URL shorter than this says little. */
export const SHORTEST_URL = 30;
const SHORTEST_NAME = 12;
const GAP = 2;
const INDENT = '  ';

export interface FitColumn extends Column {
  /** Where there is no room, the column with 1 is dropped first, then 2, and so on; one without it stays. */
  readonly drop?: number;
  /** Makes it the flexible one, of which at least so many characters are shown. It must be plain text. */
  readonly least?: number;
}

/**
 * The head, then one text for each row (of two lines where the flexible column has its own). Without `least`
 * anywhere the first column is the flexible one. A pipe gets every column in full, however long.
 */
export function fitTable(
  terminal: Pick<Terminal, 'isInteractive' | 'columns'>,
  columns: readonly FitColumn[],
  rows: readonly (readonly string[])[],
): string[] {
  if (!terminal.isInteractive) return formatTable(columns, rows);
  const flexible = Math.max(
    0,
    columns.findIndex(({ least }) => least !== undefined),
  );
  const least = columns[flexible]?.least ?? SHORTEST_NAME;
  const widths = columns.map(({ title }, i) =>
    Math.max(visibleWidth(title), ...rows.map((row) => visibleWidth(row[i] ?? ''))),
  );
  const goal = Math.min(least, widths[flexible] ?? 0);
  let shown = columns.map((_, i) => i);
  for (const dropped of [undefined, ...inDropOrder(columns, flexible)]) {
    shown = shown.filter((i) => i !== dropped);
    const taken = shown.map((i) => (i === flexible ? 0 : (widths[i] ?? 0) + GAP));
    const room = terminal.columns - taken.reduce((sum, width) => sum + width, 0);
    if (room >= goal)
      return draw(columns, rows, shown, (cell, i) => (i === flexible ? shorten(cell, room) : cell));
  }
  const others = shown.filter((i) => i !== flexible);
  const below = [columns[flexible]?.title ?? '', ...rows.map((row) => row[flexible] ?? '')];
  return draw(columns, rows, others, (cell) => cell).map(
    (line, n) => `${line}\n${INDENT}${shorten(below[n] ?? '', terminal.columns - INDENT.length)}`,
  );
}

function inDropOrder(columns: readonly FitColumn[], flexible: number): number[] {
  return columns
    .map(({ drop }, i) => ({ drop, i }))
    .filter(({ drop, i }) => drop !== undefined && i !== flexible)
    .sort((a, b) => (a.drop ?? 0) - (b.drop ?? 0))
    .map(({ i }) => i);
}

function draw(
  columns: readonly FitColumn[],
  rows: readonly (readonly string[])[],
  shown: readonly number[],
  cut: (cell: string, i: number) => string,
): string[] {
  const pick = <T>(all: readonly T[]): T[] => all.filter((_, i) => shown.includes(i));
  return formatTable(
    pick(columns),
    rows.map((row) => pick(row.map(cut))),
  );
}
