/** A page of products: filtered, in one of several orders, each page beginning where the last one ended. */
import { MOST_LOOKED_AT } from '../../contract/products.ts';
import type { Availability } from '../../engine/extract/product-fields.ts';
import type { Database, Queryable } from '../../platform/database.ts';
import { textArray } from '../../platform/pg-array.ts';
import { loadSql } from '../../platform/sql-file.ts';
import {
  chooseWalk,
  countFew,
  type Few,
  FILTERS,
  type FilterName,
  findFews,
  gatherFew,
  type ProductFilter,
  type ProductSort,
  type SortOrder,
  walkAlong,
} from './product-walks.ts';

const load = (name: string): string => loadSql(import.meta.url, `./${name}.sql`);
const findProducts = load('find-products');
const countFewProducts = load('count-few-products');
const readRows = load('read-product-rows');

export interface Offer {
  /** In digits: exact. */
  readonly price: string | null;
  readonly currency: string | null;
  readonly availability: Availability | null;
}

export interface Product extends Offer {
  readonly id: number;
  readonly url: string;
  readonly domain: string;
  readonly name: string | null;
  readonly priceHigh: string | null;
  readonly listPrice: string | null;
  readonly rating: number | null;
  readonly reviewCount: number | null;
  readonly brand: string | null;
  readonly category: string | null;
  readonly sku: string | null;
  readonly gtin: string | null;
  readonly mpn: string | null;
  readonly imageUrl: string | null;
  readonly imageCount: number;
  readonly variantCount: number;
  readonly language: string | null;
  readonly verdict: 'valid' | 'partial' | null;
  readonly parser: string | null;
  readonly parserVersion: string | null;
  /** Before its last change of price, currency or availability. */
  readonly before: Offer | null;
  readonly missingSince: Date | null;
  readonly source: string;
  readonly taskId: number | null;
  readonly firstSeenAt: Date;
  readonly lastSeenAt: Date;
  readonly updatedAt: Date;
}

/** Where a page ended: the key of the last product as text, exact, and its number. */
export interface ProductPlace {
  readonly place: string;
  readonly id: number;
}

export interface ListedProducts {
  readonly products: readonly Product[];
  /** Where the next page begins; undefined: there is none. */
  readonly next: ProductPlace | undefined;
}

export interface ProductOrder {
  readonly sort: ProductSort;
  readonly order: SortOrder;
  readonly after: ProductPlace | undefined;
  readonly limit: number;
}

/** At most `limit`: fewer, with a next page nevertheless, where so many that do not fit lay in between. */
export async function listProducts(
  db: Database,
  filter: ProductFilter,
  order: ProductOrder,
  mostLookedAt: number = MOST_LOOKED_AT,
): Promise<ListedProducts> {
  const { places, edge } = await findPlaces(db, filter, order, mostLookedAt);
  const shown = places.slice(0, order.limit);
  const products = await readProductRows(
    db,
    shown.map(({ id }) => id),
  );
  return { products, next: places.length > order.limit ? shown.at(-1) : edge };
}

/** In the order of the numbers; those that are there. */
export async function readProductRows(db: Queryable, ids: readonly number[]): Promise<Product[]> {
  if (ids.length === 0) return [];
  return (await db.query<Product>(readRows, [ids])).rows;
}

interface FoundPlaces {
  readonly places: readonly ProductPlace[];
  /** Nothing behind it has been looked at; undefined: everything has. */
  readonly edge: ProductPlace | undefined;
}

async function findPlaces(
  db: Database,
  filter: ProductFilter,
  order: ProductOrder,
  mostLookedAt: number,
): Promise<FoundPlaces> {
  const { sort, after, limit } = order;
  const walk = chooseWalk(filter, sort);
  const alongWalk = walkAlong(findProducts, walk, order.order);
  if (namesOf(filter).every((name) => walk.covers.includes(name))) {
    return { places: await find(db, alongWalk, filter, { after, limit: limit + 1 }), edge: undefined };
  }
  const few = await findFew(db, filter, mostLookedAt);
  if (few !== undefined) {
    const gathered = gatherFew(findProducts, few, sort, order.order);
    return { places: await find(db, gathered, filter, { after, limit: limit + 1 }), edge: undefined };
  }
  const onTheWay = pick(filter, walk.covers);
  const [edge] = await find(db, alongWalk, onTheWay, { after, limit: 1, offset: mostLookedAt - 1 });
  return { places: await find(db, alongWalk, filter, { after, edge, limit: limit + 1 }), edge };
}

interface Stretch {
  readonly after: ProductPlace | undefined;
  readonly edge?: ProductPlace | undefined;
  readonly limit: number;
  readonly offset?: number;
}

async function find(
  db: Database,
  statement: string,
  filter: ProductFilter,
  { after, edge, limit, offset = 0 }: Stretch,
): Promise<ProductPlace[]> {
  const { rows } = await db.query<ProductPlace>(statement, [
    ...[after?.place ?? null, after?.id ?? null, edge?.place ?? null, edge?.id ?? null, limit],
    ...FILTERS.map((name) => filterValue(filter, name)),
    offset,
  ]);
  return rows;
}

/** A filter that leaves so few that all of them can be looked at each time. */
async function findFew(db: Database, filter: ProductFilter, most: number): Promise<Few | undefined> {
  for (const few of findFews(filter)) {
    const values = [most + 1, ...few.names.map((name) => filterValue(filter, name))];
    const { rows } = await db.query<{ count: number }>(countFew(countFewProducts, few), values);
    if ((rows[0]?.count ?? 0) <= most) return few;
  }
  return undefined;
}

function namesOf(filter: ProductFilter): FilterName[] {
  return FILTERS.filter((name) => filter[name] !== undefined);
}

function pick(filter: ProductFilter, names: readonly FilterName[]): ProductFilter {
  return Object.fromEntries(names.map((name) => [name, filter[name]]));
}

function filterValue(filter: ProductFilter, name: FilterName): unknown {
  if (name === 'availability')
    return filter.availability === undefined ? null : textArray(filter.availability);
  return filter[name] ?? null;
}
