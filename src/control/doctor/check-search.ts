/** Is the search server of SEARCH_URL there, does it have its indexes, and is it up to date? */

import type { Config } from '../../platform/config.ts';
import type { Queryable } from '../../platform/database.ts';
import { aliasOf, INDEX_KINDS } from '../../search/elastic/indexes.ts';
import { hasIndex } from '../../search/elastic/reindex.ts';
import { connectToServer } from '../../search/elastic/transport.ts';
import { SearchServerError } from '../../search/search-server-error.ts';
import { readSearchState } from '../../search/status/search-state.ts';
import { type Check, ok, warning } from './check.ts';

const NAME = 'search';
const LONGEST_SECONDS = 600;

/** What is wrong here is a warning: PostgreSQL answers meanwhile. */
export async function checkSearchServer({
  searchUrl,
  searchPrefix,
}: Pick<Config, 'searchUrl' | 'searchPrefix'>): Promise<Check[]> {
  if (searchUrl === undefined) return [];
  try {
    const transport = await connectToServer(searchUrl);
    try {
      const missing: string[] = [];
      for (const kind of INDEX_KINDS) {
        if (!(await hasIndex(transport, searchPrefix, kind))) missing.push(aliasOf(searchPrefix, kind));
      }
      const what = `${transport.kind} ${transport.version}`;
      if (missing.length === 0) return [ok(NAME, `${what} answers, and has its indexes`)];
      const hint = 'a scheduler with SEARCH_URL builds them, or "forager search reindex"';
      return [warning(NAME, `${what} answers, but has no index ${missing.join(', ')} yet`, hint)];
    } finally {
      await transport.close();
    }
  } catch (error) {
    if (!(error instanceof SearchServerError)) throw error;
    const hint = 'see that it runs, and correct SEARCH_URL; PostgreSQL answers searches meanwhile';
    return [warning(NAME, `the search server does not answer: ${error.message}`, hint)];
  }
}

export async function checkSearchLag(db: Queryable): Promise<Check[]> {
  const { server, outboxCount, outboxAgeSeconds, rejected } = await readSearchState(db);
  if (server === null) return [];
  if (outboxAgeSeconds !== null && outboxAgeSeconds > LONGEST_SECONDS) {
    const minutes = Math.round(outboxAgeSeconds / 60);
    const hint =
      'start a scheduler with SEARCH_URL; "forager search forget" if there is no search server any more';
    return [
      warning(NAME, `${outboxCount} changes wait for ${server}, the first for ${minutes} minutes`, hint),
    ];
  }
  if (rejected === 0) return [ok(NAME, `${server} knows of every change but ${outboxCount}`)];
  return [
    warning(NAME, `${server} refuses ${rejected} documents`, '"forager search status --json" shows why'),
  ];
}
