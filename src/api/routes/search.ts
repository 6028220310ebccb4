/** Search over HTTP. */
import { createHash } from 'node:crypto';
import { z } from 'zod';
import { searchPages, searchProducts, suggestProducts } from '../../contract/search.ts';
import { rowId } from '../../contract/values.ts';
import { findDomain } from '../../control/domains/find-domain.ts';
import {
  type Continuation,
  searchPages as findPages,
  searchProducts as findProducts,
} from '../../search/search.ts';
import { MOST_QUERY_CHARS } from '../../search/search-query.ts';
import { suggest } from '../../search/words/suggest.ts';
import { momentInCursor, readCursor, writeCursor } from '../cursor.ts';
import { type Route, route } from '../route.ts';
import type { ServerParts } from '../server-parts.ts';

export function searchRoutes(parts: ServerParts): Route[] {
  const { db, search } = parts;
  return [
    route(searchProducts, async ({ query }) => {
      const { q, cursor, limit, sort, order, facets, domain, ...filters } = query;
      const name = nameOf('product-search', { q, sort, order, domain, ...filters });
      const from = readPlace(name, sort, cursor);
      const domainId = domain === undefined ? undefined : (await findDomain(db, domain)).id;
      const ordered = { sort, order, limit, filters: { ...filters, domainId }, withFacets: facets };
      const { next, ...found } = await findProducts(search, q, ordered, from);
      return { ...found, nextCursor: next === undefined ? null : writePlace(name, next) };
    }),
    route(suggestProducts, async ({ query: { q, limit } }) => ({ suggestions: await suggest(db, q, limit) })),
    route(searchPages, async ({ query }) => {
      const { q, cursor, limit, sort, order, domain } = query;
      const name = nameOf('page-search', { q, sort, order, domain });
      const from = readPlace(name, sort, cursor);
      const domainId = domain === undefined ? undefined : (await findDomain(db, domain)).id;
      const found = await findPages(search, q, { sort, order, limit, domainId }, from);
      const { next, facets: _none, ...answer } = found;
      return { ...answer, nextCursor: next === undefined ? null : writePlace(name, next) };
    }),
  ];
}

/** A cursor of one search is none of another. */
function nameOf(list: string, query: object): string {
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

function readPlace(
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

function writePlace(name: string, { engine, place, searchedFor, total, isTotalExact }: Continuation): string {
  const { query, isAnyWord, isCorrected } = searchedFor;
  return writeCursor(name, [engine, place.key, place.id, query, isAnyWord, isCorrected, total, isTotalExact]);
}
