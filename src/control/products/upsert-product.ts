/**
 * What was seen of a product, from whomever: the one way in. A product is known by its URL; its history gets a point
 * when price, currency or availability are others than before, and whoever wants to be told is told when anything is.
 *
 * Whoever writes holds the product's row: two at the same time go one after the other, and the second compares with
 * what the first has left. Something older than what is known is left out: it is no news, and the history only grows
 * at its end. A moment that has not come yet counts as now, lest one wrong clock silences everybody after it.
 *
 * Products are locked after tasks, and before the queues of bots.
 */
import { prepared } from '../../platform/database.ts';
import { loadSql } from '../../platform/sql-file.ts';
import type { Transaction } from '../../platform/transaction.ts';
import { type Availability, hashContent, type ProductContent } from './product-content.ts';

const load = (name: string) => prepared(name, loadSql(import.meta.url, `./${name}.sql`));
const lockProduct = load('lock-product');
const addProduct = load('add-product');
const noteSeen = load('note-seen');
const changeProduct = load('change-product');

export interface SeenProduct {
  readonly domainId: number;
  readonly url: string;
  readonly urlHash: Buffer;
  /** As exactPrice writes it. */
  readonly price: string;
  readonly currency: string;
  /** Null, here and below: it was not seen, and stays as it was known. */
  readonly name: string | null;
  readonly availability: Availability | null;
  /** Fit to be kept (clean-content.ts); takes the place of what was known. */
  readonly data: Readonly<Record<string, unknown>> | null;
  /** 'bot', or the parser. */
  readonly source: string;
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
  readonly content_hash: Buffer;
  readonly is_newer_known: boolean;
}

export async function upsertProduct(tx: Transaction, seen: SeenProduct): Promise<UpsertedProduct> {
  // Twice at most: one that somebody else has added just now is there for the second look. It can only be missing
  // again where it was removed in between.
  for (;;) {
    const known = await findKnown(tx, seen);
    if (known !== undefined) return update(tx, known, seen);
    const productId = await add(tx, seen);
    if (productId !== undefined) return { kind: 'new', productId };
  }
}

async function findKnown(tx: Transaction, seen: SeenProduct): Promise<KnownProduct | undefined> {
  const { rows } = await tx.query<KnownProduct>(lockProduct, [seen.domainId, seen.urlHash, seen.seenAt]);
  return rows[0];
}

async function add(tx: Transaction, seen: SeenProduct): Promise<number | undefined> {
  const content = { ...seen, data: seen.data ?? {} };
  const { rows } = await tx.query<{ id: number }>(addProduct, [
    ...[seen.domainId, seen.url, seen.urlHash, seen.name, seen.price, seen.currency, seen.availability],
    ...[JSON.stringify(content.data), hashContent(content), seen.source, seen.taskId, seen.seenAt],
  ]);
  return rows[0]?.id;
}

async function update(tx: Transaction, known: KnownProduct, seen: SeenProduct): Promise<UpsertedProduct> {
  const productId = known.id;
  if (known.is_newer_known) return { kind: 'outdated', productId };
  const now: ProductContent = {
    name: seen.name ?? known.name,
    price: seen.price,
    currency: seen.currency,
    availability: seen.availability ?? known.availability,
    data: seen.data ?? known.data,
  };
  const hash = hashContent(now);
  if (hash.equals(known.content_hash)) {
    await tx.query(noteSeen, [productId, seen.seenAt, seen.source, seen.taskId]);
    return { kind: 'unchanged', productId };
  }
  const isOffer =
    now.price !== known.price || now.currency !== known.currency || now.availability !== known.availability;
  const { name, price, currency, availability } = known;
  await tx.query(changeProduct, [
    ...[productId, seen.url, now.name, now.price, now.currency, now.availability, JSON.stringify(now.data)],
    ...[hash, seen.source, seen.taskId, isOffer],
    ...[JSON.stringify({ name, price, currency, availability }), seen.seenAt],
  ]);
  return { kind: 'changed', productId };
}
