/** Cursors: where a page ended, as text that means nothing to anybody else and is checked when it comes back. */
import type { z } from 'zod';
import { Refusal } from './refusal.ts';

/** `list` names the list and its order: a cursor of one is none of another. */
export function writeCursor(list: string, position: readonly unknown[]): string {
  return Buffer.from(JSON.stringify([list, ...position])).toString('base64url');
}

/** The position, or undefined for the first page. */
export function readCursor<T>(list: string, shape: z.ZodType<T>, text: string | undefined): T | undefined {
  if (text === undefined) return undefined;
  const [name, ...position] = parseArray(text);
  const parsed = shape.safeParse(position);
  if (name === list && parsed.success) return parsed.data;
  throw new Refusal('bad-cursor', 'The cursor belongs to another list, another order, or was cut short.', {
    hint: 'begin again without a cursor, and change nothing else of the query while going through the pages',
  });
}

function parseArray(text: string): unknown[] {
  try {
    const value: unknown = JSON.parse(Buffer.from(text, 'base64url').toString('utf8'));
    return Array.isArray(value) ? value : [];
  } catch {
    return [];
  }
}

/** A page of at most `limit` rows from one row more, which tells whether there is another page. */
export function toPage<T>(
  rows: readonly T[],
  limit: number,
  cursorOf: (last: T) => string,
): { items: T[]; nextCursor: string | null } {
  const items = rows.slice(0, limit);
  const last = items.at(-1);
  return { items, nextCursor: rows.length > limit && last !== undefined ? cursorOf(last) : null };
}
