/** Where a page of a search ended, and by what it was found: over HTTP and on the command line alike. */
import { createHash } from 'node:crypto';
import { z } from 'zod';
import { rowId } from '../contract/values.ts';
import type { Continuation } from '../search/search.ts';
import { MOST_QUERY_CHARS } from '../search/search-query.ts';
import { momentInCursor, readCursor, writeCursor } from './cursor.ts';

/** A cursor of one search is none of another. */
export function nameOfSearch(list: string, query: object): string {
  return `${list}:${createHash('sha256').update(JSON.stringify(query)).digest('base64url').slice(0, 16)}`;
}

const score = z.string().regex(/^\d{1,20}(?:\.\d{1,20})?(?:e-\d{1,2})?$/);
const decimal = z.string().regex(/^\d{1,14}(?:\.\d{1,6})?$/);
const KEYS = {
  relevance: score,
  price: decimal,
  rating: decimal,
  updatedAt: momentInCursor,
  crawledAt: momentInCursor,
};

function positionOf(sort: keyof typeof KEYS) {
  return z.tuple([
    z.enum(['postgresql', 'elasticsearch', 'opensearch']),
    KEYS[sort].nullable(),
    rowId,
    z.string().max(MOST_QUERY_CHARS * 2),
    z.boolean(),
    z.boolean(),
    z.int().min(0).max(1_000_000),
    z.boolean(),
  ]);
}

export function readPlace(
  name: string,
  sort: keyof typeof KEYS,
  cursor: string | undefined,
): Continuation | undefined {
  const place = readCursor(name, positionOf(sort), cursor);
  if (place === undefined) return undefined;
  const [engine, key, id, query, isAnyWord, isCorrected, total, isTotalExact] = place;
  const searchedFor = { query, isAnyWord, isCorrected };
  return { engine, place: { key, id }, searchedFor, total, isTotalExact };
}

export function writePlace(
  name: string,
  { engine, place, searchedFor, total, isTotalExact }: Continuation,
): string {
  const { query, isAnyWord, isCorrected } = searchedFor;
  return writeCursor(name, [engine, place.key, place.id, query, isAnyWord, isCorrected, total, isTotalExact]);
}
