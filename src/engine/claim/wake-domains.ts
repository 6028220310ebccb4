/** Domains whose time has come: the end of a rest, of a cooldown, or the next reading of what is known. */
import type { Database } from '../../platform/database.ts';
import { loadSql } from '../../platform/sql-file.ts';
import { inTransaction } from '../../platform/transaction.ts';

const wake = loadSql(import.meta.url, './wake-domains.sql');
const requeueUrls = loadSql(import.meta.url, './requeue-refused-urls.sql');
const requeueWalled = loadSql(import.meta.url, './requeue-walled-urls.sql');
const beginRefreshing = loadSql(import.meta.url, './begin-refreshes.sql');
const requeueForRefresh = loadSql(import.meta.url, './requeue-for-refresh.sql');

/** One look wakes only so many: a thousand cooldowns that end at once are no reason for a long transaction. */
const MOST_AT_ONCE = 500;

interface Woken {
  readonly id: number;
  readonly is_retried: boolean;
  readonly is_walled: boolean;
}

/** Rests and cooldowns that are over; URLs that failed because of their domain are due again with it. */
export async function wakeDomains(db: Database): Promise<number> {
  return inTransaction(db, async (tx) => {
    const { rows } = await tx.query<Woken>(wake, [MOST_AT_ONCE]);
    const retried = rows.filter((row) => row.is_retried).map((row) => row.id);
    const walled = rows.filter((row) => row.is_walled).map((row) => row.id);
    if (retried.length > 0) await tx.query(requeueUrls, [retried]);
    if (walled.length > 0) await tx.query(requeueWalled, [walled]);
    return rows.length;
  });
}

/** Exhausted domains in the run's queue whose pages are to be read again. */
export async function beginRefreshes(db: Database, runId: number): Promise<number> {
  return inTransaction(db, async (tx) => {
    const { rows } = await tx.query<{ id: number }>(beginRefreshing, [runId, MOST_AT_ONCE]);
    if (rows.length > 0) await tx.query(requeueForRefresh, [rows.map((row) => row.id)]);
    return rows.length;
  });
}
