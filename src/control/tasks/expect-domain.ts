/** A domain by its number, which tasks are asked for by. */
import type { Database } from '../../platform/database.ts';
import { ForagerError } from '../../platform/errors.ts';
import { loadSql } from '../../platform/sql-file.ts';

const find = loadSql(import.meta.url, './expect-domain.sql');

/** Throws when there is none. */
export async function expectDomain(db: Database, id: number): Promise<void> {
  if ((await db.query(find, [id])).rows.length > 0) return;
  throw new ForagerError('unknown-domain', `There is no domain of the number ${id}.`, {
    hint: 'name it instead: "forager domain status" lists the domains that are known',
  });
}
