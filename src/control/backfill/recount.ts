/** The pass over counters: counted anew from urls, pages and log, and rates and score computed from them. */
import type { Database } from '../../platform/database.ts';
import { numberArray, textArray } from '../../platform/pg-array.ts';
import { loadSql } from '../../platform/sql-file.ts';
import { inTransaction, type Transaction } from '../../platform/transaction.ts';
import type { BackfillContext } from './backfill.ts';
import { ERROR_OUTCOMES } from './error-outcomes.ts';
import { lockRows } from './lock-rows.ts';
import { eachPortion } from './portions.ts';
import { type Disagreement, MOMENTS, NUMBERS, noteDisagreements } from './tally.ts';

const load = (name: string): string => loadSql(import.meta.url, `./${name}.sql`);
const listIds = load('list-ids');
const compareCounters = load('compare-counters');
const writeCounters = load('write-counters');
const staleRates = load('stale-rates');
const writeRates = load('write-rates');

type Reader = Pick<Database, 'query'>;
export async function recountDomains(context: BackfillContext): Promise<void> {
  const { db, tally, logSince } = context;
  for await (const ids of eachPortionOfIds(context)) {
    // Looked at without a lock first: only what is wrong is held up, and counted again once it is held.
    const wrong = (await findDisagreements(db, ids, logSince)).map(({ id }) => id);
    if (wrong.length > 0) {
      const corrected = await inTransaction(db, async (tx) => {
        await lockRows(tx, wrong, []);
        return recountWithin(tx, wrong, logSince);
      });
      noteDisagreements(tally, corrected);
    }
    tally.ratesWritten += await refreshRates(db, ids);
  }
}

/** The same without doing it. */
export async function countDisagreements(context: BackfillContext): Promise<void> {
  const { db, tally, logSince } = context;
  for await (const ids of eachPortionOfIds(context)) {
    noteDisagreements(tally, await findDisagreements(db, ids, logSince));
    tally.ratesWritten += (await db.query(staleRates, [ids])).rowCount;
  }
}

/** Of domains this transaction holds. */
export async function recountWithin(
  tx: Transaction,
  ids: readonly number[],
  logSince: string | null,
): Promise<Disagreement[]> {
  if (ids.length === 0) return [];
  const wrong = await findDisagreements(tx, ids, logSince);
  await tx.query(writeCounters, [
    numberArray(wrong.map(({ id }) => id)),
    ...NUMBERS.map((name) => numberArray(wrong.map((row) => row[name]))),
    ...MOMENTS.map((name) => textArray(wrong.map((row) => row[name]))),
  ]);
  return wrong;
}

export async function findDisagreements(
  db: Reader,
  ids: readonly number[],
  logSince: string | null,
): Promise<Disagreement[]> {
  const { rows } = await db.query<Disagreement>(compareCounters, [ids, textArray(ERROR_OUTCOMES), logSince]);
  return rows;
}

async function refreshRates(db: Database, ids: readonly number[]): Promise<number> {
  const { rows } = await db.query<{ id: number }>(staleRates, [ids]);
  if (rows.length === 0) return 0;
  return inTransaction(db, async (tx) => {
    const held = await lockRows(
      tx,
      rows.map(({ id }) => id),
      [],
    );
    const free = held.filter(({ isLeased }) => !isLeased).map(({ id }) => id);
    return (await tx.query(writeRates, [free])).rowCount;
  });
}

export async function* eachPortionOfIds(
  context: Pick<BackfillContext, 'db' | 'size' | 'signal' | 'reached' | 'tally'>,
): AsyncGenerator<number[]> {
  for await (const { after, upto } of eachPortion(context.db, context.size, context.signal)) {
    const { rows } = await context.db.query<{ id: number; leasedName: string | null }>(listIds, [
      after,
      upto,
    ]);
    for (const { id, leasedName } of rows) {
      if (leasedName !== null) context.tally.skipped.set(id, leasedName);
    }
    if (rows.length > 0) yield rows.map(({ id }) => id);
    context.reached(upto);
  }
}
