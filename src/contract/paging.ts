/** Lists come in pages. Whoever wants the next one sends back the cursor of the last. */
import { z } from 'zod';
import { numberInText } from './values.ts';

export const MOST_ROWS = 200;

export const pageQuery = {
  limit: numberInText(1, MOST_ROWS).default(50).describe('Rows in one page'),
  cursor: z
    .string()
    .max(1000)
    .optional()
    .describe('`nextCursor` of the page before; the rest of the query must stay the same'),
};

export function pageOf<T extends z.ZodType>(item: T) {
  return z.object({
    items: z.array(item),
    nextCursor: z.string().nullable().describe('Null: this was the last page'),
  });
}

/** The orders that a list knows, and the one it is in unless told otherwise. */
export function sortQuery<const Names extends readonly [string, ...string[]]>(
  names: Names,
  fallback: NoInfer<Names[number]>,
  order: 'asc' | 'desc',
) {
  const sort = z.enum(names);
  return {
    sort: sort.default(fallback as never),
    order: z.enum(['asc', 'desc']).default(order),
  };
}
