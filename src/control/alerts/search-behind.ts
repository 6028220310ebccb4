/** The search server has not been told of changes for a while: what it finds is no longer what is there. */
import { loadSql } from '../../platform/sql-file.ts';
import type { AlertRule } from './rule.ts';

const findSearchLag = loadSql(import.meta.url, './find-search-lag.sql');

const LONGEST_SECONDS = 600;

interface SearchLag {
  readonly count: number;
  readonly ageSeconds: number;
  readonly failure: string | null;
}

export const searchBehind: AlertRule = {
  code: 'search-behind',
  severity: 'warning',
  hint: '"forager search status" tells what the search server said; a scheduler with SEARCH_URL must run',
  find: async ({ db }) => {
    const [lag] = (await db.query<SearchLag>(findSearchLag, [LONGEST_SECONDS])).rows;
    if (lag === undefined) return [];
    const minutes = Math.round(lag.ageSeconds / 60);
    const why = lag.failure === null ? '' : ` The last failure: ${lag.failure}.`;
    const message = `${lag.count} changes wait for the search server, the first for ${minutes} minutes.${why}`;
    return [{ subject: '', message }];
  },
};
