/** What has changed of products, the latest first. */
import { MOST_LOOKED_AT } from '../../contract/products.ts';
import type { Database } from '../../platform/database.ts';
import { loadSql } from '../../platform/sql-file.ts';
import type { ProductChange } from './read-products.ts';

const ofAll = loadSql(import.meta.url, './list-product-changes.sql');
/** That it is between a value and itself leaves the planner no other index than that of domains. */
const ofDomain = ofAll
  .replace('where /* walk */', 'where domain_id between $9::bigint and $9::bigint and')
  .replace('order by /* walk */', 'order by domain_id desc,')
  .replace('order by /* walk l. */', 'order by l.domain_id desc,');

export interface ChangeFilter {
  readonly domainId?: number | undefined;
  readonly field?: string | undefined;
  readonly since?: Date | undefined;
}

/** To the microsecond, which a Date is not. */
export interface ChangePlace {
  readonly atText: string;
  readonly id: number;
}

export interface ListedChange extends ProductChange, ChangePlace {
  readonly productId: number;
  readonly url: string;
  readonly domain: string;
  readonly name: string | null;
  /** Of the price, as it is now. */
  readonly currency: string | null;
}

export interface ListedChanges {
  readonly changes: readonly ListedChange[];
  /** Where the next page begins; undefined: there is none. */
  readonly next: ChangePlace | undefined;
}

/** At most `limit`: fewer, with a next page nevertheless, where so many of other fields lay in between. */
export async function listProductChanges(
  db: Database,
  filter: ChangeFilter,
  after: ChangePlace | undefined,
  limit: number,
  mostLookedAt: number = MOST_LOOKED_AT,
): Promise<ListedChanges> {
  const read = async (field: string | undefined, rows: number, offset: number, edge?: ChangePlace) => {
    const found = await db.query<ListedChange>(filter.domainId === undefined ? ofAll : ofDomain, [
      ...[after?.atText ?? null, after?.id ?? null, edge?.atText ?? null, edge?.id ?? null, rows, offset],
      ...[filter.since ?? null, field ?? null, filter.domainId ?? null],
    ]);
    return found.rows;
  };
  const [edge] = filter.field === undefined ? [] : await read(undefined, 1, mostLookedAt - 1);
  const found = await read(filter.field, limit + 1, 0, edge);
  const changes = found.slice(0, limit);
  return { changes, next: found.length > limit ? changes.at(-1) : edge };
}
