/** The page a person means by an id or a URL. */
import { canonicalDomain } from '../../engine/frontier/canonical-domain.ts';
import { hashUrlKey, normalizeUrl } from '../../engine/frontier/normalize-url.ts';
import type { Database } from '../../platform/database.ts';
import { ForagerError } from '../../platform/errors.ts';
import { loadSql } from '../../platform/sql-file.ts';
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

/** All that the text may stand for: bare names may be https or http, and a crawl may ignore trailing slashes. */
export function listReadings(text: string): { url: string; key: string; domain: string; hash: Buffer }[] {
  const spellings = hasScheme(text) ? [text] : [`https://${text}`, `http://${text}`];
  const readings = new Map<string, { url: string; key: string; domain: string; hash: Buffer }>();
  let reason = 'it names no host';
  for (const stripTrailingSlash of [false, true]) {
    for (const spelling of spellings) {
      const normal = normalizeUrl(spelling, { stripTrailingSlash });
      if (normal.kind === 'bad') {
        reason = normal.reason;
        continue;
      }
      const domain = canonicalDomain(normal.url);
      if (domain === undefined) continue;
      readings.set(normal.key, { url: normal.url, key: normal.key, domain, hash: hashUrlKey(normal.key) });
    }
  }
  if (readings.size > 0) return [...readings.values()];
  throw new ForagerError('bad-url', `"${text.slice(0, 200)}" is not a URL that can be crawled: ${reason}.`, {
    hint: 'give one such as https://example.com/page',
  });
}

/** `localhost:8080/x` is a host and a port, not a scheme. */
function hasScheme(text: string): boolean {
  return /^[a-z][a-z0-9+.-]*:/i.test(text) && !/^[^/?#\s:]+:\d{1,5}(?:[/?#]|$)/.test(text);
}
