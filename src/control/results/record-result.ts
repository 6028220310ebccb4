/**
 * What a bot has handed in becomes the result of its task, and news of the product at its URL where it has a price.
 * Nothing of it is trusted: text is cleaned, data bounded, times that have not come count as now.
 *
 * The caller holds the task, and has locked its domain before it (for key share at least: the rows written here name
 * the domain, and whoever holds one never waits for an earlier kind). It moves the task afterwards: the queues of bots
 * come last.
 */

import { exactPrice } from '../../engine/products/exact-price.ts';
import { type UpsertedProduct, upsertProduct } from '../../engine/products/upsert-products.ts';
import { prepared } from '../../platform/database.ts';
import { ForagerError } from '../../platform/errors.ts';
import { loadSql } from '../../platform/sql-file.ts';
import type { Transaction } from '../../platform/transaction.ts';
import { cleanData, cleanTitle } from './clean-content.ts';

const record = prepared('record-result', loadSql(import.meta.url, './record-result.sql'));
const findId = loadSql(import.meta.url, './find-result-id.sql');

export interface NewResult {
  readonly taskId: number;
  readonly domainId: number;
  readonly url: string;
  readonly urlHash: Buffer;
  readonly botId: number;
  /** The number of the lock under which it was handed in. */
  readonly lockToken: string;
  /** In digits: exactPrice(…) makes them of a number. */
  readonly price: string | null;
  readonly currency: string | null;
  readonly title: string | null;
  readonly inStock: boolean | null;
  readonly parsedData: Record<string, unknown> | null;
  readonly crawledAt: Date;
  readonly hasHtml: boolean;
}

export interface RecordedResult {
  readonly resultId: string;
  /** Undefined: it has no price with its currency, or a later lock's result is there. */
  readonly product: UpsertedProduct | undefined;
}

export async function recordResult(tx: Transaction, result: NewResult): Promise<RecordedResult> {
  const price = result.price === null ? null : expectPrice(result.price);
  const currency = result.currency === null ? null : expectCurrency(result.currency);
  const title = cleanTitle(result.title);
  const data = cleanData(result.parsedData);
  const { taskId, domainId, crawledAt } = result;
  const { rows } = await tx.query<{ id: string }>(record, [
    ...[taskId, domainId, result.botId, result.lockToken, price, currency, title, result.inStock],
    ...[data === null ? null : JSON.stringify(data), result.hasHtml, crawledAt],
  ]);
  const [recorded] = rows;
  if (recorded === undefined) return { resultId: await findResultId(tx, taskId), product: undefined };
  if (price === null || currency === null) return { resultId: recorded.id, product: undefined };
  const product = await upsertProduct(tx, {
    ...{ domainId, url: result.url, urlHash: result.urlHash, taskId, source: 'bot' },
    content: {
      ...{ price, currency },
      ...(title !== null && { name: title }),
      ...(result.inStock !== null && { availability: result.inStock ? 'in_stock' : 'out_of_stock' }),
      ...(data !== null && { data }),
    },
    seenAt: crawledAt,
  });
  return { resultId: recorded.id, product };
}

async function findResultId(tx: Transaction, taskId: number): Promise<string> {
  const [row] = (await tx.query<{ id: string }>(findId, [taskId])).rows;
  if (row === undefined) throw new Error(`task ${taskId} has no result`);
  return row.id;
}

function expectPrice(text: string): string {
  const price = exactPrice(text);
  if (price === undefined) throw new ForagerError('invalid', 'The price is no number such as 99.99.');
  return price;
}

function expectCurrency(text: string): string {
  const currency = text.trim().toUpperCase();
  if (!/^[A-Z]{3}$/.test(currency)) {
    throw new ForagerError('invalid', 'The currency is not three letters, such as USD.');
  }
  return currency;
}
