/** Products as they are told, one or a page of many. */
import { MOST_POINTS } from '../../contract/products.ts';
import type { Database, Queryable } from '../../platform/database.ts';
import { ForagerError } from '../../platform/errors.ts';
import { loadSql } from '../../platform/sql-file.ts';
import { findDomain } from '../domains/find-domain.ts';
import type { Availability } from '../../engine/extract/product-fields.ts';

const load = (name: string): string => loadSql(import.meta.url, `./${name}.sql`);
const OF_ALL = { desc: load('list-products-newest'), asc: load('list-products-oldest') };
const OF_DOMAIN = { desc: load('list-domain-products-newest'), asc: load('list-domain-products-oldest') };
const readRow = load('read-product');
const readHistory = load('read-history');

interface Offer {
  /** In digits: exact. */
  readonly price: string | null;
  readonly currency: string | null;
  readonly availability: Availability | null;
  readonly source: string;
  readonly taskId: number | null;
}

export interface Product extends Offer {
  readonly id: number;
  readonly url: string;
  readonly domain: string;
  readonly name: string | null;
  readonly firstSeenAt: Date;
  readonly lastSeenAt: Date;
  readonly updatedAt: Date;
}

export interface PricePoint extends Offer {
  readonly at: Date;
}

export interface ProductDetails extends Product {
  readonly data: Readonly<Record<string, unknown>>;
  /** The latest first. */
  readonly history: readonly PricePoint[];
}

/** Throws for a domain that is not known: an empty list would say that it has no products. */
export async function listProducts(
  db: Database,
  domainName: string | undefined,
  order: 'asc' | 'desc',
  after: number | undefined,
  limit: number,
): Promise<Product[]> {
  const domain = domainName === undefined ? undefined : await findDomain(db, domainName);
  const place = [after ?? null, limit];
  if (domain === undefined) return (await db.query<Product>(OF_ALL[order], place)).rows;
  return (await db.query<Product>(OF_DOMAIN[order], [...place, domain.id])).rows;
}

export async function readProduct(db: Queryable, id: number): Promise<ProductDetails> {
  const [row] = (await db.query<Omit<ProductDetails, 'history'>>(readRow, [id])).rows;
  if (row === undefined) {
    throw new ForagerError('unknown-product', `There is no product ${id}.`, {
      hint: '"forager product list" lists them',
    });
  }
  const { rows: history } = await db.query<PricePoint>(readHistory, [id, MOST_POINTS]);
  return { ...row, history };
}
