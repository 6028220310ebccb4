/**
 * Orders in a file, as a stream: a URL in each line, columns with a header, or an object in each line. What a line says
 * is held to the same contract as a request; a bad line comes out as such, with its number.
 */

import { findFault } from '../api/plain-values.ts';
import { toCamelCase } from '../api/snake-case.ts';
import { readTaskItem } from '../api/task-items.ts';
import type { TaskOrder } from '../control/tasks/task-order.ts';
import { splitCells } from '../engine/seeds/csv-cells.ts';
import { MAX_LINE_BYTES, splitLines, type TextLine } from '../engine/seeds/text-lines.ts';
import { unpack } from '../engine/seeds/unpack.ts';
import { type Columns, readHeader } from './task-header.ts';

export type OrderLine =
  | { readonly kind: 'order'; readonly line: number; readonly order: TaskOrder }
  | { readonly kind: 'bad'; readonly line: number; readonly reason: string };

/** As many at a time as came in together. */
export async function* readOrderLines(chunks: AsyncIterable<Buffer>): AsyncGenerator<OrderLine[]> {
  let read: ((line: TextLine) => OrderLine) | undefined;
  for await (const lines of splitLines(unpack(chunks))) {
    const filled = lines.filter(({ text }) => text !== '' && !text.startsWith('#'));
    const [first] = filled;
    if (first === undefined) continue;
    if (read !== undefined) {
      yield filled.map(read);
      continue;
    }
    const columns = readHeader(first.text, first.number);
    read = columns === undefined ? readLine : (line) => readCells(line, columns);
    yield filled.slice(columns === undefined ? 0 : 1).map(read);
  }
}

/** A URL, or an object: lines of a file may be of either kind. */
function readLine(line: TextLine): OrderLine {
  const { number, text, isTooLong } = line;
  if (isTooLong) return bad(number, `the line is longer than ${MAX_LINE_BYTES} bytes`);
  const value = parseJson(text);
  if (value !== undefined) return check(number, value);
  if (text.startsWith('{')) return bad(number, 'it is not an object in JSON');
  return { kind: 'order', line: number, order: { url: text.replace(/^"(.*)"$/, '$1') } };
}

/** Undefined: it is none, so it is a URL. */
function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function readCells(line: TextLine, { separator, names }: Columns): OrderLine {
  if (line.isTooLong) return bad(line.number, `the line is longer than ${MAX_LINE_BYTES} bytes`);
  const cells = splitCells(line.text, separator);
  if (cells.length > names.length)
    return bad(line.number, `it has ${cells.length} columns, not ${names.length}`);
  const given = cells.flatMap((cell, column): [string, unknown][] => {
    const name = names[column];
    return cell === '' || name === undefined ? [] : [[name, readCell(cell, name)]];
  });
  return check(line.number, Object.fromEntries(given));
}

/** Cells are text: digits become a number and true or false what they say, but for what is text anyway. */
function readCell(cell: string, name: string): unknown {
  if (/^(?:url|ref|parent_?ref)$/i.test(name)) return cell;
  if (/^-?\d{1,15}(?:\.\d+)?$/.test(cell)) return Number(cell);
  return cell === 'true' ? true : cell === 'false' ? false : cell;
}

function check(line: number, value: unknown): OrderLine {
  const fault = findFault('', value);
  if (fault !== undefined) return bad(line, `${fault.path}: ${fault.message}`.replace(/^: /, ''));
  const item = readTaskItem(toCamelCase(value));
  return item.kind === 'order' ? { ...item, line } : bad(line, item.reason);
}

function bad(line: number, reason: string): OrderLine {
  return { kind: 'bad', line, reason };
}
