/**
 * The search server is told of changes from the moment it is registered; what was there before is told by a reindex.
 * Until then the triggers that write changes down are off: whoever has no search server pays nothing for it.
 */
import type { Database, Queryable } from '../../platform/database.ts';
import { loadSql } from '../../platform/sql-file.ts';
import { inTransaction, type Transaction } from '../../platform/transaction.ts';
import type { IndexKind } from './indexes.ts';

const registerTarget = loadSql(import.meta.url, './register-target.sql');
const forgetOthers = loadSql(import.meta.url, './forget-others.sql');
const readBuilt = loadSql(import.meta.url, './read-built.sql');
const advanceVersions = loadSql(import.meta.url, './advance-versions.sql');

const TABLES = ['products', 'page_texts'] as const;
const EVENTS = ['inserted', 'updated', 'deleted'] as const;
const LOCK_ID = 7_240_007;

/** By a name that says nothing of its password. */
export async function registerServer(db: Database, name: string): Promise<void> {
  const { rows } = await db.query<{ isOn: boolean }>(
    `select bool_and(tgenabled <> 'D') and exists (select from search_targets where name = $1) as "isOn"
       from pg_trigger where tgname like '%\\_for\\_search' and not tgisinternal`,
    [name],
  );
  if (rows[0]?.isOn === true) return;
  await inTransaction(db, async (tx) => {
    await tx.query('select pg_advisory_xact_lock($1)', [LOCK_ID]);
    await tx.query(forgetOthers, [name]);
    const { rows: registered } = await tx.query(registerTarget, [name]);
    // Whatever it has is older than the first change that is written down for it now: it is built anew.
    if (registered.length > 0) await forgetAll(tx, ['search_outbox', 'search_rejects', 'search_reindexes']);
    await tx.query(advanceVersions);
    for (const table of TABLES) {
      // Names are from the lists above; identifiers cannot be parameters.
      for (const event of EVENTS)
        await tx.query(`alter table ${table} enable trigger ${table}_${event}_for_search`);
    }
  });
}

/** Nothing is written down any more, and what was is forgotten. */
export async function unregisterServers(db: Database): Promise<void> {
  const { rows } = await db.query<{ isOn: boolean }>('select exists (select from search_targets) as "isOn"');
  if (rows[0]?.isOn !== true) return;
  await inTransaction(db, async (tx) => {
    await tx.query('select pg_advisory_xact_lock($1)', [LOCK_ID]);
    for (const table of TABLES) {
      for (const event of EVENTS)
        await tx.query(`alter table ${table} disable trigger ${table}_${event}_for_search`);
    }
    await forgetAll(tx, ['search_targets', 'search_outbox', 'search_rejects', 'search_reindexes']);
  });
}

/** Names are from the lists above. */
async function forgetAll(tx: Transaction, tables: readonly string[]): Promise<void> {
  for (const table of tables) await tx.query(`delete from ${table}`);
}

/** Whether that server has an index of everything, built since it was registered. */
export async function isBuilt(db: Queryable, name: string, kind: IndexKind): Promise<boolean> {
  const { rows } = await db.query<{ isBuilt: boolean }>(readBuilt, [name, kind]);
  return rows[0]?.isBuilt === true;
}

/**
 * Versions follow the clock: after the database was put back to an earlier state they must not be smaller than those
 * which the server was told before.
 */
export async function keepVersionsAhead(db: Database): Promise<void> {
  const { rows } = await db.query<{ isBehind: boolean }>(
    `select exists (select from search_targets)
            and last_value < (extract(epoch from forager_now()) * 1000000)::bigint - 10000000 as "isBehind"
       from search_versions`,
  );
  if (rows[0]?.isBehind === true) await inTransaction(db, (tx) => tx.query(advanceVersions));
}
