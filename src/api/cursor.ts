/** Cursors: where a page ended, as text that means nothing to anybody else and is checked when it comes back. */
import { z } from 'zod';
import { findFault } from './plain-values.ts';
import { Refusal } from './refusal.ts';

/** `list` names the list and its order: a cursor of one is none of another. */
export function writeCursor(list: string, position: readonly unknown[]): string {
  return Buffer.from(JSON.stringify([list, ...position])).toString('base64url');
}

/** A moment to the microsecond, in UTC. The year 0 is none to the database. */
export const momentInCursor = z.iso
  .datetime({ precision: 6 })
  .refine((text) => !text.startsWith('0000'), 'is before all times');

/** The position, or undefined for the first page. */
export function readCursor<T>(list: string, shape: z.ZodType<T>, text: string | undefined): T | undefined {
  if (text === undefined) return undefined;
  const [name, ...position] = parseArray(text);
  // A cursor is text from outside like any other, whatever it was wrapped in.
  const parsed = shape.safeParse(findFault('cursor', position) === undefined ? position : undefined);
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
