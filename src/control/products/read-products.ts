/** One product: all that is known of it, where it was found, and what it was before. */
import { MOST_CHANGES, MOST_POINTS } from '../../contract/products.ts';
import type { FieldProblem, FieldSource, ProductVariant } from '../../engine/extract/product-fields.ts';
import type { Changes } from '../../engine/products/product-content.ts';
import type { Database, Queryable } from '../../platform/database.ts';
import { ForagerError } from '../../platform/errors.ts';
import { loadSql } from '../../platform/sql-file.ts';
import { listReadings } from '../pages/list-readings.ts';
import { type Offer, type Product, readProductRows } from './list-products.ts';

const load = (name: string): string => loadSql(import.meta.url, `./${name}.sql`);
const readRest = load('read-product');
const readPoints = load('read-history');
const readImages = load('read-product-images');
const readChanges = load('read-product-changes');
const findByUrl = load('find-product');

export interface PricePoint extends Offer {
  readonly at: Date;
  readonly source: string;
  readonly taskId: number | null;
}

/** To the microsecond, which a Date is not: for whoever asks for what came before. */
export interface PlacedPoint extends PricePoint {
  readonly atText: string;
}

export interface ProductChange {
  readonly id: number;
  readonly at: Date;
  /** What was, and what is; null: that is long. */
  readonly changes: { readonly [Name in keyof Changes]: Changes[Name] | null };
  readonly source: string;
  readonly taskId: number | null;
}

export interface FieldNote {
  readonly source: FieldSource;
  readonly confidence: number;
  readonly evidence?: string;
}

export interface ShownImage {
  readonly url: string;
  readonly alt: string | null;
  readonly imageId: number | null;
  readonly contentType: string | null;
  readonly bytes: number | null;
  readonly width: number | null;
  readonly height: number | null;
  readonly thumbnail: string | null;
  readonly refusedCode: string | null;
  readonly refusedReason: string | null;
  readonly fetchedAt: Date | null;
}

interface RestOfProduct {
  readonly description: string | null;
  readonly categoryPath: readonly string[];
  readonly variants: readonly ProductVariant[];
  readonly fields: Readonly<Record<string, FieldNote>>;
  readonly problems: readonly FieldProblem[];
  readonly data: Readonly<Record<string, unknown>>;
  readonly pageId: number | null;
  /** Its page was not found when it was last asked for. */
  readonly pageMissingSince: Date | null;
}

export interface ProductDetails extends Product, RestOfProduct {
  readonly images: readonly ShownImage[];
  /** The latest first. */
  readonly history: readonly PricePoint[];
  readonly changes: readonly ProductChange[];
}

export async function readProduct(db: Queryable, id: number): Promise<ProductDetails> {
  const [row] = await readProductRows(db, [id]);
  const [rest] = (await db.query<RestOfProduct>(readRest, [id])).rows;
  if (row === undefined || rest === undefined) throw unknownProduct(id);
  const points = await readHistory(db, id, undefined, MOST_POINTS);
  const { rows: changes } = await db.query<ProductChange>(readChanges, [id, MOST_CHANGES]);
  return {
    ...{ ...row, ...rest, images: await readProductImages(db, id) },
    history: points.map(({ atText: _atText, ...point }) => point),
    changes,
  };
}

/** Before a moment, the latest first. */
export async function readHistory(
  db: Queryable,
  id: number,
  before: string | undefined,
  limit: number,
): Promise<PlacedPoint[]> {
  return (await db.query<PlacedPoint>(readPoints, [id, limit, before ?? null])).rows;
}

export async function expectProduct(db: Queryable, id: number): Promise<void> {
  if ((await db.query(readRest, [id])).rows.length === 0) throw unknownProduct(id);
}

async function readProductImages(db: Queryable, id: number): Promise<ShownImage[]> {
  type Row = Omit<ShownImage, 'thumbnail'> & { readonly hasThumbnail: boolean };
  const { rows } = await db.query<Row>(readImages, [id]);
  return rows.map(({ hasThumbnail, ...image }) => ({
    ...image,
    thumbnail: hasThumbnail && image.imageId !== null ? `/api/images/${image.imageId}/thumbnail` : null,
  }));
}

/** The product a person means by its number or by its URL. */
export async function findProduct(db: Database, idOrUrl: string): Promise<number> {
  const text = idOrUrl.trim();
  if (/^\d{1,15}$/.test(text)) return Number(text);
  for (const { domain, hash } of listReadings(text)) {
    const [found] = (await db.query<{ id: number }>(findByUrl, [domain, hash])).rows;
    if (found !== undefined) return found.id;
  }
  throw new ForagerError('unknown-product', `No product is known at ${text.slice(0, 300)}.`, {
    hint: '"forager product list" lists those that are',
  });
}

function unknownProduct(id: number): ForagerError {
  return new ForagerError('unknown-product', `There is no product ${id}.`, {
    hint: '"forager product list" lists them',
  });
}
