/** Names that domains have already, for saying what would be done. */
import type { Database } from '../../platform/database.ts';
import { textArray } from '../../platform/pg-array.ts';
import { loadSql } from '../../platform/sql-file.ts';

const findNames = loadSql(import.meta.url, './find-names.sql');

/** Each with whether its domain is leased. */
export async function findTakenNames(db: Database, names: readonly string[]): Promise<Map<string, boolean>> {
  const { rows } = await db.query<{ domain: string; isLeased: boolean }>(findNames, [textArray(names)]);
  return new Map(rows.map(({ domain, isLeased }) => [domain, isLeased]));
}
