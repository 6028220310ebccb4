/**
 * The search server is told of changes from the moment it is registered; what was there before is told by a reindex.
 * Until then the triggers that write changes down are off: whoever has no search server pays nothing for it.
 */
import type { Database } from '../../platform/database.ts';
import { loadSql } from '../../platform/sql-file.ts';
import { inTransaction } from '../../platform/transaction.ts';

const registerTarget = loadSql(import.meta.url, './register-target.sql');
const forgetOthers = loadSql(import.meta.url, './forget-others.sql');

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
    await tx.query(registerTarget, [name]);
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
    for (const table of ['search_targets', 'search_outbox', 'search_rejects', 'search_reindexes']) {
      await tx.query(`delete from ${table}`);
    }
  });
}
