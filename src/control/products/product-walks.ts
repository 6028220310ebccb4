/**
 * How products are found in the order of a list. Mostly by a walk along an index that has that order, which is left as
 * soon as enough have been met; where a filter leaves few, by reading those few through its own index and putting them
 * in order. The planner is not asked which: it takes what is looked for to be spread evenly, and would walk through a
 * million others to the few that are at the end. Everything put into the statements stands here.
 */
export type ProductSort = 'id' | 'updatedAt' | 'price' | 'rating';
export type SortOrder = 'asc' | 'desc';

export interface ProductFilter {
  readonly domainId?: number | undefined;
  /** In digits: exact. */
  readonly minPrice?: string | undefined;
  readonly maxPrice?: string | undefined;
  readonly currency?: string | undefined;
  readonly availability?: readonly string[] | undefined;
  readonly minRating?: string | undefined;
  /** Whatever the case. */
  readonly brand?: string | undefined;
  /** "Garden > Tools" is also what lies below it; whatever the case. */
  readonly category?: string | undefined;
  readonly hasImage?: boolean | undefined;
  readonly changedSince?: Date | undefined;
  readonly isMissing?: boolean | undefined;
}

export type FilterName = keyof ProductFilter;

/** In the order of the parameters of find-products.sql, from $6 on. */
export const FILTERS: readonly FilterName[] = [
  ...(['domainId', 'minPrice', 'maxPrice', 'currency', 'availability', 'minRating', 'brand'] as const),
  ...(['category', 'hasImage', 'changedSince', 'isMissing'] as const),
];

interface Key {
  readonly column: string;
  readonly type: string;
  /** As it stands in a cursor: exact. */
  readonly text: string;
  /** What its index holds. */
  readonly holds: string;
  /** Filters that are bounds of the walk, at its lower and its upper end. */
  readonly lower?: Bound;
  readonly upper?: Bound;
}

interface Bound {
  readonly name: FilterName;
  readonly parameter: string;
}

const KEYS: Readonly<Record<ProductSort, Key>> = {
  id: { column: 'id', type: 'bigint', text: 'l.id::text', holds: '' },
  updatedAt: {
    ...{ column: 'updated_at', type: 'timestamptz', holds: '' },
    text: `to_char(l.updated_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')`,
    lower: { name: 'changedSince', parameter: '$15' },
  },
  price: {
    ...{
      column: 'price',
      type: 'numeric',
      text: 'trim_scale(l.price)::text',
      holds: 'price is not null and ',
    },
    lower: { name: 'minPrice', parameter: '$7' },
    upper: { name: 'maxPrice', parameter: '$8' },
  },
  rating: {
    ...{
      column: 'rating',
      type: 'numeric',
      text: 'trim_scale(l.rating)::text',
      holds: 'rating is not null and ',
    },
    lower: { name: 'minRating', parameter: '$11' },
  },
};

const BEGINNING = '($1::bigint is null or (/* key */ id, id) < ($1, $2::bigint))';

/**
 * Between the bounds. Where a walk goes on, it begins at its place: of a place and a bound the one that lies ahead is
 * given, and not both. The database might begin at the other, and go through all pages before this one.
 */
function rangeOf({ column, type, holds, lower, upper }: Key, order: SortOrder): string {
  const isUp = order === 'asc';
  const [first, last] = isUp ? [lower, upper] : [upper, lower];
  const end =
    last === undefined
      ? ''
      : `(${last.parameter}::${type} is null or ${column} ${isUp ? '<=' : '>='} ${last.parameter}) and `;
  if (first === undefined) return `${holds}${end}${BEGINNING}`;
  const [place, bound] = [`$1::${type}`, `${first.parameter}::${type}`];
  const [ahead, isAhead, before] = isUp
    ? [`greatest(${place}, ${bound})`, `${place} >= ${bound}`, '0']
    : [`least(${place}, ${bound})`, `${place} <= ${bound}`, '9223372036854775807'];
  const id = `case when ${bound} is null or ${isAhead} then $2::bigint else ${before} end`;
  return `${holds}${end}(coalesce(${place}, ${bound}) is null or (${column}, id) ${isUp ? '>' : '<'} (${ahead}, ${id}))`;
}

/**
 * Indexes with the number behind their column. That it is between a value and itself, and the order begins with it, is
 * what leaves the planner no choice: by an equality it would know that the column decides nothing about the order.
 */
const LEADS = {
  brand: {
    ...{ inner: 'brand_key', outer: 'l.brand_key' },
    range: 'brand is not null and lower(brand) between lower($12::text) and lower($12::text) and ',
  },
  domainId: {
    ...{ inner: 'domain_id', outer: 'l.domain_id' },
    range: 'domain_id between $6::bigint and $6::bigint and ',
  },
} as const;

export interface Walk {
  readonly sort: ProductSort;
  readonly lead: keyof typeof LEADS | undefined;
  /** Filters that every product on the way fits. */
  readonly covers: readonly FilterName[];
}

export function chooseWalk(filter: ProductFilter, sort: ProductSort): Walk {
  if (sort !== 'id') {
    const { lower, upper } = KEYS[sort];
    return { sort, lead: undefined, covers: [lower, upper].flatMap((bound) => bound?.name ?? []) };
  }
  const lead = (['brand', 'domainId'] as const).find((name) => filter[name] !== undefined);
  return { sort, lead, covers: lead === undefined ? [] : [lead] };
}

/** The statement along the index of the walk. */
export function walkAlong(statement: string, { sort, lead }: Walk, order: SortOrder): string {
  const start = lead === undefined ? { range: '', inner: '', outer: '' } : LEADS[lead];
  const first = (column: string): string => (column === '' ? '' : `${column} desc, `);
  const along = statement
    .replace(`where /* walk */ ${BEGINNING}`, () => `where ${start.range}${rangeOf(KEYS[sort], order)}`)
    .replaceAll('order by /* walk */ ', `order by ${first(start.inner)}`)
    .replaceAll('order by /* walk l. */ ', `order by ${first(start.outer)}`);
  return inOrder(along, sort, order);
}

function inOrder(statement: string, sort: ProductSort, order: SortOrder): string {
  const { column, type, text } = KEYS[sort];
  const sorted = statement
    .replaceAll('/* place */ l.id::text', text)
    .replaceAll('/* key */ l.id', `l.${column}`)
    .replaceAll('/* key */ id', column)
    .replaceAll(/\$([13])::bigint/g, `$$$1::${type}`);
  if (order === 'desc') return sorted;
  return sorted
    .replaceAll(/(order by [^\n]*)/g, (line) => line.replaceAll(' desc', ' asc'))
    .replaceAll(' < ($1', ' > ($1')
    .replaceAll(' >= ($3', ' <= ($3');
}

export interface Few {
  /** With its values as the parameters of that number, and those after it. */
  readonly condition: (first: number) => string;
  readonly names: readonly FilterName[];
}

/** Filters that may leave few, and have an index; the most telling first. */
const FEWS: readonly Few[] = [
  {
    // Here and below: the order is that of the index that is meant, for where nobody knows yet how few they are.
    names: ['isMissing'],
    condition: (n) => `missing_since is not null and $${n}::boolean order by id`,
  },
  {
    names: ['brand'],
    condition: (n) => `brand is not null and lower(brand) = lower($${n}::text)`,
  },
  {
    // In the order of bytes what begins with "garden > " lies between that and "garden >!".
    names: ['category'],
    condition: (n) =>
      `category is not null and (lower(category) = lower($${n}::text) or (lower(category) ~>=~ (lower($${n}::text) || ' > ') and lower(category) ~<~ (lower($${n}::text) || ' >!')))`,
  },
  { names: ['domainId'], condition: (n) => `domain_id = $${n}::bigint` },
  { names: ['changedSince'], condition: (n) => `updated_at >= $${n}::timestamptz order by updated_at` },
  {
    names: ['minPrice', 'maxPrice'],
    condition: (n) =>
      `price is not null and price >= $${n}::numeric and price <= $${n + 1}::numeric order by price`,
  },
];

/** Those of them that the filter has. */
export function findFews(filter: ProductFilter): Few[] {
  return FEWS.filter(({ names }) =>
    names.every((name) => filter[name] !== undefined && filter[name] !== false),
  );
}

export function countFew(statement: string, few: Few): string {
  return statement.replace('/* few */ domain_id = $2::bigint', few.condition(2));
}

/** The statement over those few, put in order. */
export function gatherFew(statement: string, few: Few, sort: ProductSort, order: SortOrder): string {
  const first = 6 + FILTERS.indexOf(few.names[0] ?? 'domainId');
  const rows = `select *, lower(brand) as brand_key from products where ${few.condition(first)} offset 0`;
  const gathered = statement
    .replace(/\/\* rows: \*\/[\s\S]*\/\* :rows \*\//, () => rows)
    .replaceAll('order by /* walk l. */ ', 'order by ');
  return inOrder(gathered, sort, order);
}
