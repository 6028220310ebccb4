/** Search over HTTP. */
import { searchPages, searchProducts, suggestProducts } from '../../contract/search.ts';
import { findDomain } from '../../control/domains/find-domain.ts';
import { searchPages as findPages, searchProducts as findProducts } from '../../search/search.ts';
import { suggest } from '../../search/words/suggest.ts';
import { type Route, route } from '../route.ts';
import { nameOfSearch, readPlace, writePlace } from '../search-cursor.ts';
import type { ServerParts } from '../server-parts.ts';

export function searchRoutes(parts: ServerParts): Route[] {
  const { db, search } = parts;
  return [
    route(searchProducts, async ({ query }) => {
      const { q, cursor, limit, sort, order, facets, domain, ...filters } = query;
      const name = nameOfSearch('product-search', { q, sort, order, domain, ...filters });
      const from = readPlace(name, sort, cursor);
      const domainId = domain === undefined ? undefined : (await findDomain(db, domain)).id;
      const ordered = { sort, order, limit, filters: { ...filters, domainId }, withFacets: facets };
      const { next, ...found } = await findProducts(search, q, ordered, from);
      return { ...found, nextCursor: next === undefined ? null : writePlace(name, next) };
    }),
    route(suggestProducts, async ({ query: { q, limit } }) => ({ suggestions: await suggest(db, q, limit) })),
    route(searchPages, async ({ query }) => {
      const { q, cursor, limit, sort, order, domain } = query;
      const name = nameOfSearch('page-search', { q, sort, order, domain });
      const from = readPlace(name, sort, cursor);
      const domainId = domain === undefined ? undefined : (await findDomain(db, domain)).id;
      const found = await findPages(search, q, { sort, order, limit, domainId }, from);
      const { next, facets: _none, ...answer } = found;
      return { ...answer, nextCursor: next === undefined ? null : writePlace(name, next) };
    }),
  ];
}
