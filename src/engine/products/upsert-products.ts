/**
 * What was seen of products, from whomever: the one way in. A product is known by its URL; its history gets a point
 * when price, currency or availability are others than before, and whoever wants to be told is told when anything is.
 *
 * Whoever writes holds the products' rows: two at the same time go one after the other, and the second compares with
 * what the first has left. Something older than what is known is left out: it is no news, and the history only grows
 * at its end. A moment that has not come yet counts as now, lest one wrong clock silences everybody after it.
 *
 * Products are locked after tasks, in the order of their URLs, and before the queues of bots. However many there are,
 * it takes three statements, or five where somebody else adds the same ones at the same moment.
 */
import { prepared } from '../../platform/database.ts';
import { byteaArray, dateArray, numberArray } from '../../platform/pg-array.ts';
import { loadSql } from '../../platform/sql-file.ts';
import type { Transaction } from '../../platform/transaction.ts';
import type { FieldProblem, FoundFields, Verdict } from '../extract/product-fields.ts';
import {
  type Changes,
  findChanges,
  hashContent,
  isOfferChange,
  NO_CONTENT,
  type ProductContent,
} from './product-content.ts';

const load = (name: string) => prepared(name, loadSql(import.meta.url, `./${name}.sql`));
const lockProducts = load('lock-products');
const addProducts = load('add-products');
const changeProducts = load('change-products');
const noteSeen = load('note-seen');

/** Where each field was found, and how the parser came to its verdict. */
export interface ParserNotes {
  readonly parserName: string;
  readonly parserVersion: string;
  readonly verdict: Extract<Verdict, 'valid' | 'partial'>;
  readonly problems: readonly FieldProblem[];
  /** Sources, confidence and evidence; the values are the content's. */
  readonly fields: Readonly<Record<string, Omit<NonNullable<FoundFields['name']>, 'value'>>>;
}

export interface SeenProduct {
  readonly domainId: number;
  readonly url: string;
  readonly urlHash: Buffer;
  /** What is not named was not seen, and stays as it was known. */
  readonly content: Partial<ProductContent>;
  /** 'bot', or the parser. */
  readonly source: string;
  /** Undefined: no parser of ours has read it. */
  readonly notes?: ParserNotes | undefined;
  readonly taskId: number | null;
  readonly seenAt: Date;
}

export interface UpsertedProduct {
  readonly productId: number;
  /** Outdated: something newer is known, and nothing was written. */
  readonly kind: 'new' | 'changed' | 'unchanged' | 'outdated';
}

interface KnownProduct extends ProductContent {
  readonly id: number;
  readonly domainId: number;
  readonly urlHash: Buffer;
  readonly lastSeenAt: Date;
  readonly isNewerKnown: boolean;
  /** Its page had no product on it. */
  readonly isMissing: boolean;
}

export async function upsertProduct(tx: Transaction, seen: SeenProduct): Promise<UpsertedProduct> {
  const [upserted] = await upsertProducts(tx, [seen]);
  if (upserted === undefined) throw new Error(`the product at ${seen.url} was not written`);
  return upserted;
}

/** In the order of what was seen; each URL at most once. */
export async function upsertProducts(
  tx: Transaction,
  seen: readonly SeenProduct[],
): Promise<UpsertedProduct[]> {
  const done = new Map<SeenProduct, UpsertedProduct>();
  let open = seen;
  // Twice at most: one that somebody else has added just now is there for the second look. It can only be missing
  // again where it was removed in between.
  while (open.length > 0) {
    const known = await findKnown(tx, open);
    await update(tx, open, known, done);
    const unknown = open.filter((one) => !known.has(one));
    const added = await add(tx, unknown);
    for (const one of unknown) {
      const productId = added.get(keyOf(one));
      if (productId !== undefined) done.set(one, { kind: 'new', productId });
    }
    open = unknown.filter((one) => !done.has(one));
  }
  return seen.flatMap((one) => done.get(one) ?? []);
}

function keyOf({ domainId, urlHash }: { readonly domainId: number; readonly urlHash: Buffer }): string {
  return `${domainId}:${urlHash.toString('hex')}`;
}

async function findKnown(
  tx: Transaction,
  seen: readonly SeenProduct[],
): Promise<Map<SeenProduct, KnownProduct>> {
  const { rows } = await tx.query<KnownProduct>(lockProducts, [
    numberArray(seen.map(({ domainId }) => domainId)),
    byteaArray(seen.map(({ urlHash }) => urlHash)),
    dateArray(seen.map(({ seenAt }) => seenAt)),
  ]);
  const byKey = new Map(rows.map((row) => [keyOf(row), row]));
  return new Map(
    seen.flatMap((one) => {
      const row = byKey.get(keyOf(one));
      return row === undefined ? [] : [[one, row] as const];
    }),
  );
}

async function add(tx: Transaction, seen: readonly SeenProduct[]): Promise<Map<string, number>> {
  if (seen.length === 0) return new Map();
  const lines = seen.map((one) => toLine(one, { ...NO_CONTENT, ...one.content }));
  const { rows } = await tx.query<{ id: number; domainId: number; urlHash: Buffer }>(addProducts, [
    JSON.stringify(lines),
  ]);
  return new Map(rows.map((row) => [keyOf(row), row.id]));
}

async function update(
  tx: Transaction,
  seen: readonly SeenProduct[],
  known: ReadonlyMap<SeenProduct, KnownProduct>,
  done: Map<SeenProduct, UpsertedProduct>,
): Promise<void> {
  const changed: ChangedLine[] = [];
  const unchanged: SeenLine[] = [];
  for (const one of seen) {
    const before = known.get(one);
    if (before === undefined) continue;
    const productId = before.id;
    if (before.isNewerKnown) {
      done.set(one, { kind: 'outdated', productId });
      continue;
    }
    const after = { ...contentOf(before), ...one.content };
    const changes = findChanges(before, after);
    if (before.isMissing) changes.isMissing = [true, false];
    if (Object.keys(changes).length === 0) {
      unchanged.push({ id: productId, ...noteLine(one) });
      done.set(one, { kind: 'unchanged', productId });
      continue;
    }
    const { name, price, currency, availability } = before;
    changed.push({
      ...{ ...toLine(one, after), id: productId, changes, is_offer: isOfferChange(changes) },
      before: { name, price, currency, availability },
    });
    done.set(one, { kind: 'changed', productId });
  }
  if (unchanged.length > 0) await tx.query(noteSeen, [JSON.stringify(unchanged)]);
  if (changed.length > 0) await tx.query(changeProducts, [JSON.stringify(changed)]);
}

function contentOf({ id, domainId, urlHash, lastSeenAt, isNewerKnown, isMissing, ...content }: KnownProduct) {
  return content;
}

interface SeenLine {
  readonly id: number;
  readonly [column: string]: unknown;
}

interface ChangedLine extends SeenLine {
  readonly changes: Changes;
  /** Its history gets a point. */
  readonly is_offer: boolean;
}

/** As the columns are called. */
function toLine(seen: SeenProduct, content: ProductContent) {
  return {
    ...{ domain_id: seen.domainId, url: seen.url, url_hash: hex(seen.urlHash) },
    ...{ name: content.name, description: content.description, price: content.price },
    ...{ price_high: content.priceHigh, list_price: content.listPrice, currency: content.currency },
    ...{ availability: content.availability, rating: content.rating, review_count: content.reviewCount },
    ...{ brand: content.brand, category_path: content.categoryPath, category: joined(content.categoryPath) },
    ...{ sku: content.sku, gtin: content.gtin, mpn: content.mpn, image_urls: content.imageUrls },
    ...{ variants: content.variants, language: content.language, data: content.data },
    ...{ content_hash: hex(hashContent(content)), ...noteLine(seen) },
  };
}

function noteLine({ source, taskId, seenAt, notes }: SeenProduct) {
  return {
    ...{ source, task_id: taskId, seen_at: seenAt, parser_name: notes?.parserName },
    ...{ parser_version: notes?.parserVersion, verdict: notes?.verdict },
    ...{ problems: notes?.problems, fields: notes?.fields },
  };
}

/** How a path is told on one line. */
export const CATEGORY_SEPARATOR = ' > ';

function joined(path: readonly string[]): string | null {
  return path.length === 0 ? null : path.join(CATEGORY_SEPARATOR);
}

/** A bytea as text. */
function hex(bytes: Buffer): string {
  return `\\x${bytes.toString('hex')}`;
}
