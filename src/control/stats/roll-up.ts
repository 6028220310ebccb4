/**
 * How figures grow old. A worker counts in rows of its own, by the minute. After two minutes they become rows of
 * nobody and are added to the totals; after two days an hour is one row; after 400 days only the totals know.
 * Whenever it is done and however often it breaks off: what was ever counted is the totals and the workers' rows.
 */
import type { Database } from '../../platform/database.ts';
import { loadSql } from '../../platform/sql-file.ts';
import { inTransaction } from '../../platform/transaction.ts';

const rollUpWorkers = loadSql(import.meta.url, './roll-up-workers.sql');
const rollUpHours = loadSql(import.meta.url, './roll-up-hours.sql');
const averageGauges = loadSql(import.meta.url, './average-gauges.sql');
const dropOldCounts = loadSql(import.meta.url, './drop-old-counts.sql');
const dropOldGauges = loadSql(import.meta.url, './drop-old-gauges.sql');

/** Rows of one transaction: nobody waits long for it, and what a crash undoes is little. */
const MOST_ROWS = 5000;
/** Any number, as long as everybody uses the same: two roll-ups would wait for each other's rows crosswise. */
const LOCK_ID = 7_240_002;

export async function rollUpStats(db: Database, mostRows = MOST_ROWS): Promise<void> {
  await inPortions(db, rollUpWorkers, mostRows);
}

export async function ageStats(db: Database, mostRows = MOST_ROWS): Promise<void> {
  await inPortions(db, rollUpHours, mostRows);
  for (const statement of [averageGauges, dropOldCounts, dropOldGauges]) {
    await inTransaction(db, (tx) => tx.query(statement));
  }
}

async function inPortions(db: Database, statement: string, mostRows: number): Promise<void> {
  for (let rows = mostRows; rows >= mostRows; ) {
    rows = await inTransaction(db, async (tx) => {
      await tx.query('select pg_advisory_xact_lock($1)', [LOCK_ID]);
      return (await tx.query<{ rows: number }>(statement, [mostRows])).rows[0]?.rows ?? 0;
    });
  }
}
