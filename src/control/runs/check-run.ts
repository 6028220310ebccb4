/** A run that somebody names must exist, or they would wonder at an empty answer. */
import type { Database } from '../../platform/database.ts';
import { ForagerError } from '../../platform/errors.ts';
import { loadSql } from '../../platform/sql-file.ts';

const findRun = loadSql(import.meta.url, './check-run.sql');

export async function checkRun(db: Database, id: number): Promise<void> {
  const { rows } = await db.query<{ isKnown: boolean; last: number | null }>(findRun, [id]);
  if (rows[0]?.isKnown) return;
  const last = rows[0]?.last ?? null;
  throw new ForagerError('unknown-run', `There is no run ${id}.`, {
    hint:
      last === null
        ? 'nothing was crawled yet'
        : `the last run is ${last}; "forager domain info" shows those of a domain`,
  });
}
