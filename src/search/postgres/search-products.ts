/** Products by words, from PostgreSQL. */
import type { Database, Queryable } from '../../platform/database.ts';
import { textArray } from '../../platform/pg-array.ts';
import { loadSql } from '../../platform/sql-file.ts';
import {
  type FacetName,
  type Facets,
  type Found,
  type FoundProduct,
  MOST_COUNTED,
  MOST_FACET_VALUES,
  MOST_RANKED,
  type ProductFilters,
  type ProductSearch,
  type ProductSearchSort,
  type SearchOrder,
} from '../search-engine.ts';
import { inSnapshot } from './snapshot.ts';
import { HIT_BEGINS, HIT_ENDS, hasHit, toSnippet } from './snip.ts';
import { makeTextQuery, type TextQuery } from './tsquery.ts';

const rankProducts = loadSql(import.meta.url, './rank-products.sql');
const sortProducts = loadSql(import.meta.url, './sort-products.sql');
const countProducts = loadSql(import.meta.url, './count-products.sql');
const snipProducts = loadSql(import.meta.url, './snip-products.sql');

const SORTS: Readonly<Record<Exclude<ProductSearchSort, 'relevance'>, Readonly<Record<string, string>>>> = {
  price: { column: 'price', type: 'numeric', text: 'h.value::text' },
  rating: { column: 'rating', type: 'numeric', text: 'h.value::text' },
  updatedAt: {
    ...{ column: 'updated_at', type: 'timestamptz' },
    text: `to_char(h.value at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')`,
  },
};

export async function searchProducts(
  db: Pick<Database, 'pool'>,
  search: ProductSearch,
): Promise<Found<FoundProduct>> {
  return inSnapshot(db, async (snapshot) => {
    const query = await makeTextQuery(snapshot, 'products', search.query, search.isAnyWord);
    if (query === undefined) return { ...NOTHING, ...(search.withFacets ? { facets: NO_FACETS } : {}) };
    const rows = await find(snapshot, query, search);
    const shown = rows.slice(0, search.limit);
    const counted = await count(snapshot, query, search, shown.length);
    const snippets = await snip(snapshot, query.wanted, shown);
    return {
      ...counted,
      isMore: rows.length > search.limit,
      hits: shown.map(({ id, score, key }) => ({
        ...{ id, score, place: { key, id }, snippets: snippets.get(id) ?? {} },
      })),
    };
  });
}

interface Row {
  readonly id: number;
  readonly score: number;
  readonly key: string | null;
}

async function find(db: Queryable, query: TextQuery, search: ProductSearch): Promise<Row[]> {
  const { sort, order, after, limit, filters } = search;
  const statement = sort === 'relevance' ? rankProducts : sortedBy(sort, order);
  const { rows } = await db.query<Row>(statement, [
    ...[query.wanted, query.unwanted, after?.key ?? null, after?.id ?? null, limit + 1, MOST_RANKED],
    ...valuesOf(filters),
  ]);
  return rows;
}

function sortedBy(sort: Exclude<ProductSearchSort, 'relevance'>, order: SearchOrder): string {
  const parts: Readonly<Record<string, string>> = {
    ...SORTS[sort],
    order,
    beyond: order === 'asc' ? '>' : '<',
  };
  return sortProducts.replace(/\{(\w+)\}/g, (whole, name: string) => parts[name] ?? whole);
}

type Counted = Pick<Found<FoundProduct>, 'total' | 'isTotalExact' | 'facets'>;

async function count(
  db: Queryable,
  query: TextQuery,
  { after, filters, withFacets, withTotal }: ProductSearch,
  shown: number,
): Promise<Counted> {
  if (after === undefined && shown === 0) {
    return { total: 0, isTotalExact: true, ...(withFacets ? { facets: NO_FACETS } : {}) };
  }
  if (!withTotal && !withFacets) return { total: 0, isTotalExact: false };
  const { rows } = await db.query<{ facet: FacetName | null; value: string; count: number }>(countProducts, [
    ...[query.wanted, query.unwanted, MOST_COUNTED + 1, withFacets, MOST_FACET_VALUES],
    ...valuesOf(filters),
  ]);
  const found = rows[0]?.count ?? 0;
  const total = { total: Math.min(found, MOST_COUNTED), isTotalExact: found <= MOST_COUNTED };
  if (!withFacets) return total;
  const of = (name: FacetName) =>
    rows.filter(({ facet }) => facet === name).map(({ value, count: times }) => ({ value, count: times }));
  const facets = {
    ...{ brand: of('brand'), category: of('category'), domain: of('domain') },
    ...{ availability: of('availability'), currency: of('currency') },
  };
  return { ...total, facets };
}

async function snip(
  db: Queryable,
  wanted: string,
  rows: readonly Row[],
): Promise<Map<number, FoundProduct['snippets']>> {
  if (rows.length === 0) return new Map();
  const ids = rows.map(({ id }) => id);
  const found = await db.query<{ id: number; name: string | null; description: string | null }>(
    snipProducts,
    [wanted, ids, HIT_BEGINS, HIT_ENDS],
  );
  return new Map(
    found.rows.map(({ id, name, description }) => {
      const [ofName, ofDescription] = [toSnippet(name ?? ''), toSnippet(description ?? '')];
      return [
        id,
        {
          ...(ofName.length > 0 ? { name: ofName } : {}),
          ...(hasHit(ofDescription) ? { description: ofDescription } : {}),
        },
      ];
    }),
  );
}

/** In the order of the parameters. */
function valuesOf(filters: ProductFilters): unknown[] {
  const { domainId, minPrice, maxPrice, currency, availability, minRating, brand, category, isMissing } =
    filters;
  const states = availability === undefined ? null : textArray(availability);
  return [domainId, minPrice, maxPrice, currency, states, minRating, brand, category, isMissing].map(
    (value) => value ?? null,
  );
}

const NO_FACETS: Facets = { brand: [], category: [], domain: [], availability: [], currency: [] };
const NOTHING = { hits: [], total: 0, isTotalExact: true, isMore: false };
