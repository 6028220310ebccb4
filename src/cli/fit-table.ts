/**
 * A table that is no wider than the terminal. Flexible columns share what the others leave them, cut in the middle.
 * Where that would leave too little of them, columns are dropped, the least needed first; where even that does not
 * help, the first flexible one gets a line of its own below the others.
 */
import { type Column, formatTable, shorten, visibleWidth, withoutColours } from './format.ts';
import type { Terminal } from './terminal.ts';

/** A URL shorter than this says little. */
export const SHORTEST_URL = 30;
const SHORTEST_NAME = 12;
const GAP = 2;
const INDENT = '  ';

export interface FitColumn extends Column {
  /** Where there is no room, the column with 1 is dropped first, then 2, and so on; one without it stays. */
  readonly drop?: number;
  /** Makes it a flexible one, of which at least so many characters are shown. What is cut loses its colours. */
  readonly least?: number;
}

/**
 * The head, then one text for each row (of two lines where a column has its own). Without `least` anywhere the first
 * column is the flexible one. A pipe gets every column in full, however long.
 */
export function fitTable(
  terminal: Pick<Terminal, 'isInteractive' | 'columns'>,
  columns: readonly FitColumn[],
  rows: readonly (readonly string[])[],
): string[] {
  if (!terminal.isInteractive) return formatTable(columns, rows);
  const isAnyFlexible = columns.some(({ least }) => least !== undefined);
  const leastOf = (i: number): number | undefined =>
    isAnyFlexible ? columns[i]?.least : i === 0 ? SHORTEST_NAME : undefined;
  const widths = columns.map(({ title }, i) =>
    Math.max(visibleWidth(title), ...rows.map((row) => visibleWidth(row[i] ?? ''))),
  );
  // Titles are never cut.
  const leasts = widths.map((width, i) =>
    Math.max(visibleWidth(columns[i]?.title ?? ''), Math.min(width, leastOf(i) ?? width)),
  );
  let shown = columns.map((_, i) => i);
  for (const dropped of [undefined, ...inDropOrder(columns)]) {
    shown = shown.filter((i) => i !== dropped);
    const taken = shown.reduce((sum, i) => sum + (leasts[i] ?? 0) + GAP, -GAP);
    if (taken > terminal.columns) continue;
    const shares = shareRoom(shown, leasts, widths, terminal.columns - taken);
    return draw(columns, rows, shown, shares);
  }
  const flexible = shown.find((i) => leastOf(i) !== undefined) ?? 0;
  const below = [columns[flexible]?.title ?? '', ...rows.map((row) => row[flexible] ?? '')];
  const others = shown.filter((i) => i !== flexible);
  return draw(columns, rows, others, leasts).map(
    (line, n) => `${line}\n${INDENT}${cut(below[n] ?? '', terminal.columns - INDENT.length)}`,
  );
}

/** What is left over goes to those that are cut, in equal parts, and no more than each can use. */
function shareRoom(
  shown: readonly number[],
  leasts: readonly number[],
  widths: readonly number[],
  room: number,
): number[] {
  const shares = [...leasts];
  const lacks = (i: number): number => (widths[i] ?? 0) - (leasts[i] ?? 0);
  const wanting = shown.filter((i) => lacks(i) > 0).sort((a, b) => lacks(a) - lacks(b));
  let left = room;
  for (const [n, i] of wanting.entries()) {
    const part = Math.min(lacks(i), Math.floor(left / (wanting.length - n)));
    shares[i] = (leasts[i] ?? 0) + part;
    left -= part;
  }
  return shares;
}

function cut(cell: string, width: number): string {
  return visibleWidth(cell) <= width ? cell : shorten(withoutColours(cell), width);
}

function inDropOrder(columns: readonly FitColumn[]): number[] {
  return columns
    .map(({ drop }, i) => ({ drop, i }))
    .filter(({ drop }) => drop !== undefined)
    .sort((a, b) => (a.drop ?? 0) - (b.drop ?? 0))
    .map(({ i }) => i);
}

function draw(
  columns: readonly FitColumn[],
  rows: readonly (readonly string[])[],
  shown: readonly number[],
  widths: readonly number[],
): string[] {
  const pick = <T>(all: readonly T[]): T[] => all.filter((_, i) => shown.includes(i));
  return formatTable(
    pick(columns),
    rows.map((row) => pick(row.map((cell, i) => cut(cell, widths[i] ?? 0)))),
  );
}
