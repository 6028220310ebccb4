import type { Span } from './content-block.ts';
import { weighText } from './measure-text.ts';
import type { PageElement, PageNode } from './page-tree.ts';

interface TableShape {
  rows: number;
  columns: number;
  hasHeaderCell: boolean;
  hasNestedTable: boolean;
  longestCell: number;
}

/** Cells longer than this hold articles, not data. */
const LONGEST_DATA_CELL = 600;

/** Does the table hold data, or does an old page merely arrange its columns with it? */
export function isDataTable(table: PageElement): boolean {
  const role = table.attributes.role;
  if (role === 'presentation' || role === 'none') return false;
  const shape = shapeOf(table);
  if (shape.hasNestedTable || shape.rows === 0 || shape.columns < 2) return false;
  if (shape.hasHeaderCell) return shape.longestCell <= LONGEST_DATA_CELL * 4;
  return shape.rows >= 2 && shape.longestCell <= LONGEST_DATA_CELL;
}

function shapeOf(table: PageElement): TableShape {
  const shape: TableShape = {
    rows: 0,
    columns: 0,
    hasHeaderCell: false,
    hasNestedTable: false,
    longestCell: 0,
  };
  let columns = 0;
  let cell = 0;
  const stack: PageNode[] = [...table.children].reverse();
  while (stack.length > 0) {
    const node = stack.pop();
    if (node === undefined) break;
    if (node.type === 'text') {
      cell += weighText(node.data);
      shape.longestCell = Math.max(shape.longestCell, cell);
      continue;
    }
    if (node.removed) continue;
    if (node.name === 'table') {
      // Enough known: reading on would cost depth times size on tables nested in tables.
      shape.hasNestedTable = true;
      return shape;
    }
    if (node.name === 'tr') {
      shape.rows += 1;
      columns = 0;
    }
    if (node.name === 'td' || node.name === 'th') {
      columns += 1;
      cell = 0;
      shape.columns = Math.max(shape.columns, columns);
      if (node.name === 'th') shape.hasHeaderCell = true;
    }
    for (let index = node.children.length - 1; index >= 0; index -= 1) {
      const child = node.children[index];
      if (child !== undefined) stack.push(child);
    }
  }
  return shape;
}

export function readTable(
  table: PageElement,
  readCell: (cell: PageElement) => Span[],
): { rows: Span[][][]; hasHeader: boolean } {
  const rows: Span[][][] = [];
  let hasHeader = false;
  const stack: PageNode[] = [...table.children].reverse();
  while (stack.length > 0) {
    const node = stack.pop();
    if (node === undefined) break;
    if (node.type === 'text' || node.removed) continue;
    if (node.name !== 'tr') {
      for (let index = node.children.length - 1; index >= 0; index -= 1) {
        const child = node.children[index];
        if (child !== undefined) stack.push(child);
      }
      continue;
    }
    const cells = node.children.filter(
      (child): child is PageElement =>
        child.type === 'element' && !child.removed && (child.name === 'td' || child.name === 'th'),
    );
    const row = cells.map(readCell);
    if (!row.some((cell) => cell.length > 0)) continue;
    if (rows.length === 0)
      hasHeader = cells.every((cell) => cell.name === 'th') || node.parent?.name === 'thead';
    rows.push(row);
  }
  return { rows, hasHeader };
}
