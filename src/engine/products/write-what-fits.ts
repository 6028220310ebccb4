/**
 * Products of many pages at once, or, where one of them is something the database does not take, one by one: whatever a
 * page says, it must not keep the others from being written, nor stop a crawl for good.
 */
import { errorCode } from '../../platform/errors.ts';
import type { Transaction } from '../../platform/transaction.ts';
import { type SeenProduct, type UpsertedProduct, upsertProducts } from './upsert-products.ts';

export type WrittenProduct = UpsertedProduct | { readonly kind: 'unwritten'; readonly message: string };

/** In the order of what was seen. */
export async function writeWhatFits(
  tx: Transaction,
  seen: readonly SeenProduct[],
): Promise<readonly WrittenProduct[]> {
  if (seen.length === 0) return [];
  const all = await attempt(tx, seen);
  if (Array.isArray(all)) return all;
  const written: WrittenProduct[] = [];
  for (const one of seen) {
    const result = await attempt(tx, [one]);
    if (Array.isArray(result)) written.push(...result);
    else written.push(result);
  }
  return written;
}

async function attempt(
  tx: Transaction,
  seen: readonly SeenProduct[],
): Promise<UpsertedProduct[] | Extract<WrittenProduct, { kind: 'unwritten' }>> {
  await tx.query('savepoint products');
  try {
    const upserted = await upsertProducts(tx, seen);
    await tx.query('release savepoint products');
    return upserted;
  } catch (error) {
    if (!isAboutData(error)) throw error;
    await tx.query('rollback to savepoint products');
    return { kind: 'unwritten', message: error instanceof Error ? error.message : String(error) };
  }
}

/** A value, a rule or a limit of PostgreSQL's: the same would come of it again. */
function isAboutData(error: unknown): boolean {
  return /^(?:22|23|54)[0-9A-Z]{3}$/.test(errorCode(error) ?? '');
}
