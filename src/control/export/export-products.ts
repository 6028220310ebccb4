/** Writes out the products as they are known, and the history of their prices. Prices are text: exact in any reader. */
import type { Database, Rows } from '../../platform/database.ts';
import { loadSql } from '../../platform/sql-file.ts';
import { findDomainIds } from '../domains/find-domain.ts';
import { type WriteRequest, writeRows } from './write-rows.ts';

const readProducts = loadSql(import.meta.url, './read-products.sql');
const readPrices = loadSql(import.meta.url, './read-prices.sql');

export interface ExportProductsRequest extends WriteRequest {
  /** In any spelling. */
  readonly domains?: readonly string[] | undefined;
  /** Products that have changed, or points of their history, at this time or later. */
  readonly since?: Date | undefined;
}

const PRODUCT_FIELDS = [
  ...[
    'id',
    'url',
    'domain',
    'name',
    'description',
    'price',
    'priceHigh',
    'listPrice',
    'currency',
    'availability',
  ],
  ...[
    'rating',
    'reviewCount',
    'brand',
    'category',
    'sku',
    'gtin',
    'mpn',
    'imageUrls',
    'variants',
    'language',
    'data',
  ],
  ...[
    'verdict',
    'parser',
    'parserVersion',
    'source',
    'firstSeenAt',
    'lastSeenAt',
    'updatedAt',
    'missingSince',
  ],
] as const;

const PRICE_FIELDS = [
  ...['productId', 'url', 'domain', 'name', 'at', 'price', 'currency', 'availability', 'source'],
] as const;

const PORTION = 1000;

export async function exportProducts(
  db: Database,
  request: ExportProductsRequest,
): Promise<{ rows: number }> {
  return { rows: await writeRows(walkProducts(db, await narrowingOf(db, request)), PRODUCT_FIELDS, request) };
}

export async function exportPrices(db: Database, request: ExportProductsRequest): Promise<{ rows: number }> {
  return { rows: await writeRows(walkPrices(db, await narrowingOf(db, request)), PRICE_FIELDS, request) };
}

interface Narrowing {
  /** Undefined: all of them. */
  readonly domainIds: readonly number[] | undefined;
  readonly since: Date | undefined;
}

async function narrowingOf(db: Database, request: ExportProductsRequest): Promise<Narrowing> {
  const { domains, since } = request;
  return { domainIds: domains?.length ? await findDomainIds(db, domains) : undefined, since };
}

interface ProductRow extends Record<string, unknown> {
  readonly id: number;
}

async function* walkProducts(db: Database, { domainIds, since }: Narrowing): AsyncGenerator<ProductRow> {
  for (const domainId of domainIds ?? [undefined]) {
    yield* walkPortions<ProductRow>((last) => {
      const values = [last?.id ?? 0, domainId ?? null, since ?? null, PORTION];
      return db.query(alongDomain(readProducts, domainId, '$2'), values);
    });
  }
}

interface PriceRow extends Record<string, unknown> {
  readonly productId: number;
  /** To the microsecond, which a Date is not. */
  readonly atText: string;
}

async function* walkPrices(db: Database, { domainIds, since }: Narrowing): AsyncGenerator<PriceRow> {
  for (const domainId of domainIds ?? [undefined]) {
    yield* walkPortions<PriceRow>((last) => {
      const place = [last?.productId ?? 0, last?.atText ?? '-infinity'];
      return db.query(alongDomain(readPrices, domainId, '$3'), [
        ...place,
        domainId ?? null,
        since ?? null,
        PORTION,
      ]);
    });
  }
}

async function* walkPortions<R>(read: (last: R | undefined) => Promise<Rows<R>>): AsyncGenerator<R> {
  let last: R | undefined;
  for (;;) {
    const { rows } = await read(last);
    yield* rows;
    if (rows.length < PORTION) return;
    last = rows.at(-1);
  }
}

/** That it is between a value and itself leaves the planner no other index than that of domains. */
function alongDomain(statement: string, domainId: number | undefined, parameter: string): string {
  if (domainId === undefined) return statement;
  return statement
    .replace('where /* walk */', `where domain_id between ${parameter}::bigint and ${parameter}::bigint and`)
    .replace('order by /* walk */', 'order by domain_id,')
    .replace('order by /* walk l. */', 'order by l.domain_id,');
}
