/** Names of time zones: those that the database knows, since it goes by them. */
import type { Queryable } from '../../platform/database.ts';
import { ForagerError } from '../../platform/errors.ts';
import { loadSql } from '../../platform/sql-file.ts';

const findTimezone = loadSql(import.meta.url, './find-timezone.sql');

/** As the database writes it; throws for one it does not know. */
export async function expectTimezone(db: Queryable, name: string): Promise<string> {
  const [found] = (await db.query<{ name: string }>(findTimezone, [name])).rows;
  if (found !== undefined) return found.name;
  throw new ForagerError('bad-timezone', `There is no time zone "${name}".`, {
    hint: 'give a name such as Europe/Berlin, America/New_York or UTC',
  });
}
