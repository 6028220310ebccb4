/**
 * What domains taught us so far, turned into the score they are claimed by. The score is advice: a domain somebody
 * is writing about at this moment keeps its old one until the next time, and nobody waits.
 */
import type { Database } from '../../platform/database.ts';
import { loadSql } from '../../platform/sql-file.ts';
import { inTransaction, type Transaction } from '../../platform/transaction.ts';

const statement = loadSql(import.meta.url, './reprioritize.sql');

/** Rows written in one transaction: while it lasts, claims pass them over and commits wait for them. */
const SLICE = 1000;

/** Of all domains, or of those named; returns how many rows were written. */
export async function reprioritize(db: Database, domainIds?: readonly number[]): Promise<number> {
  let written = 0;
  for (let after = 0; ; ) {
    const { count, lastId } = await inTransaction(db, (tx) => writeSlice(tx, domainIds ?? null, after));
    written += count;
    if (lastId === null || count < SLICE) return written;
    after = lastId;
  }
}

/** One domain as part of something larger that has it locked already. */
export async function reprioritizeWithin(tx: Transaction, domainId: number): Promise<void> {
  await writeSlice(tx, [domainId], 0);
}

interface Slice {
  readonly count: number;
  readonly lastId: number | null;
}

async function writeSlice(tx: Transaction, domainIds: readonly number[] | null, after: number) {
  const { rows } = await tx.query<Slice>(statement, [domainIds, after, SLICE]);
  return rows[0] ?? { count: 0, lastId: null };
}
