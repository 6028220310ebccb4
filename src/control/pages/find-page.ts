/** The page a person means by an id or a URL. */
import type { Database } from '../../platform/database.ts';
import { ForagerError } from '../../platform/errors.ts';
import { loadSql } from '../../platform/sql-file.ts';
import { listReadings } from './list-readings.ts';
import type { StoredPage } from './page-row.ts';

const find = loadSql(import.meta.url, './find-page.sql');

/** Throws for what is neither an id nor a URL, and for pages nobody has read. */
export async function findPage(db: Database, idOrUrl: string): Promise<StoredPage> {
  const text = idOrUrl.trim();
  if (/^\d{1,15}$/.test(text)) {
    const page = await queryPage(db, Number(text), null, null);
    if (page !== undefined) return page;
    throw new ForagerError('unknown-page', `There is no page with the id ${text}.`, {
      hint: '"forager page list" shows the pages with their ids',
    });
  }
  for (const { domain, hash } of listReadings(text)) {
    const page = await queryPage(db, null, domain, hash);
    if (page !== undefined) return page;
  }
  throw new ForagerError('unknown-page', `No page was read from ${text.slice(0, 300)}.`, {
    hint: `"forager explain ${text.slice(0, 300)}" says why`,
  });
}

async function queryPage(
  db: Database,
  id: number | null,
  domain: string | null,
  hash: Buffer | null,
): Promise<StoredPage | undefined> {
  const { rows } = await db.query<StoredPage>(find, [id, domain, hash]);
  return rows[0];
}
