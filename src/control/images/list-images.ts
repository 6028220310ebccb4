/** Images in pages: all of them, those of a product, those on the pages of a domain. */
import type { RefusalCode } from '../../engine/images/image-reading.ts';
import type { Database } from '../../platform/database.ts';
import { loadSql } from '../../platform/sql-file.ts';
import { findDomain } from '../domains/find-domain.ts';
import type { ImageRow } from './image-row.ts';

const load = (name: string): string => loadSql(import.meta.url, `./${name}.sql`);
const OF_ALL = load('list-images');
const OF_PRODUCT = load('list-product-images');
const OF_DOMAIN = load('list-domain-images');
const REFUSED = load('list-refused');

export interface ImageFilter {
  readonly contentType?: string | undefined;
  readonly minWidth?: number | undefined;
  readonly minHeight?: number | undefined;
}

function filterValues({ contentType, minWidth, minHeight }: ImageFilter): unknown[] {
  return [contentType ?? null, minWidth ?? null, minHeight ?? null];
}

export async function listImages(
  db: Database,
  filter: ImageFilter & { readonly product?: number | undefined },
  fromId: number | undefined,
  limit: number,
): Promise<ImageRow[]> {
  const { product } = filter;
  const values = [fromId ?? null, limit, ...filterValues(filter)];
  const { rows } =
    product === undefined
      ? await db.query<ImageRow>(OF_ALL, values)
      : await db.query<ImageRow>(OF_PRODUCT, [...values, product]);
  return rows;
}

export interface DomainImageRow extends ImageRow {
  /** What the list is in the order of. */
  readonly urlHash: string;
}

/** On pages of a domain, wherever they lie. Throws for a domain that is not known. */
export async function listDomainImages(
  db: Database,
  domain: string,
  filter: ImageFilter,
  fromHash: string | undefined,
  limit: number,
): Promise<DomainImageRow[]> {
  const { id } = await findDomain(db, domain);
  const from = fromHash === undefined ? null : Buffer.from(fromHash, 'hex');
  const { rows } = await db.query<DomainImageRow>(OF_DOMAIN, [from, limit, ...filterValues(filter), id]);
  return rows;
}

export interface RefusedRow {
  readonly url: string;
  readonly domain: string;
  readonly code: RefusalCode;
  readonly reason: string;
  readonly fetchedAt: Date;
  /** What was there before, and is kept. */
  readonly imageId: number | null;
  readonly domainId: number;
  readonly urlHash: string;
  /** To the microsecond. */
  readonly cursorMoment: string;
}

export async function listRefused(
  db: Database,
  filter: { readonly code?: string | undefined; readonly domain?: string | undefined },
  from: readonly [moment: string, domainId: number, urlHash: string] | undefined,
  limit: number,
): Promise<RefusedRow[]> {
  const domain = filter.domain === undefined ? undefined : await findDomain(db, filter.domain);
  const [moment, domainId, urlHash] = from ?? [];
  const { rows } = await db.query<RefusedRow>(REFUSED, [
    ...[moment ?? null, domainId ?? null, urlHash === undefined ? null : Buffer.from(urlHash, 'hex')],
    ...[limit, filter.code ?? null, domain?.id ?? null],
  ]);
  return rows;
}
