/** Why a page's body was not kept, as far as the records tell. */
import type { Database } from '../../platform/database.ts';
import { loadSql } from '../../platform/sql-file.ts';
import type { StoredPage } from './page-row.ts';

const whyNoBody = loadSql(import.meta.url, './why-no-body.sql');

export async function explainMissingBody(db: Database, page: StoredPage): Promise<string> {
  const { rows } = await db.query<{ keptOthers: boolean; metNoarchive: boolean }>(whyNoBody, [
    page.domain,
    page.run,
  ]);
  const { keptOthers, metNoarchive } = rows[0] ?? { keptOthers: false, metNoarchive: false };
  const what = `The body of ${page.url} was not kept`;
  if (metNoarchive && keptOthers) return `${what}: the page asks for it (noarchive).`;
  if (!metNoarchive) return `${what}: it was crawled with --no-bodies.`;
  return `${what}: the page asks for it (noarchive), or it was crawled with --no-bodies.`;
}
