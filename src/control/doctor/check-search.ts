/** Is the search server of SEARCH_URL there, does it have its indexes, and is it up to date? */

import type { Config } from '../../platform/config.ts';
import type { Queryable } from '../../platform/database.ts';
import { type Probe, probeServer } from '../../search/status/probe-server.ts';
import { readSearchState, type SearchState } from '../../search/status/search-state.ts';
import { type Check, ok, warning } from './check.ts';

const NAME = 'search';
const LONGEST_SECONDS = 600;
const BUILDS = 'start a scheduler with SEARCH_URL, or "forager search reindex"; PostgreSQL answers meanwhile';

/** What is wrong here is a warning: PostgreSQL answers meanwhile. */
export async function checkSearch(
  db: Queryable,
  config: Pick<Config, 'searchUrl' | 'searchPrefix'>,
): Promise<Check[]> {
  const state = await readSearchState(db);
  const probe = await probeServer(config);
  if (probe !== undefined) return [checkServer(probe, state)];
  if (state.server === null) return [];
  const wait = `${state.outboxCount} changes wait for ${state.server}, and SEARCH_URL names no search server`;
  return [warning(NAME, wait, 'set SEARCH_URL, or "forager search forget" where there is none any more')];
}

function checkServer({ name, what, failure, missing }: Probe, state: SearchState): Check {
  const { server, isBuilt, outboxCount, outboxAgeSeconds, rejected } = state;
  if (what === null) {
    const hint = 'see that it runs, and correct SEARCH_URL; PostgreSQL answers searches meanwhile';
    return warning(NAME, `the search server does not answer: ${failure}`, hint);
  }
  const it = `${what} at ${name}`;
  if (server === null) return warning(NAME, `${it} answers, but was never told of anything`, BUILDS);
  if (server !== name) return warning(NAME, `${it} answers, but changes are told to ${server}`, BUILDS);
  if (missing.length > 0) return warning(NAME, `${it} has no index ${missing.join(', ')} yet`, BUILDS);
  if (isBuilt !== true) return warning(NAME, `the indexes of ${it} are older than its registration`, BUILDS);
  if (outboxAgeSeconds !== null && outboxAgeSeconds > LONGEST_SECONDS) {
    const minutes = Math.round(outboxAgeSeconds / 60);
    const wait = `${outboxCount} changes wait for ${it}, the first for ${minutes} minutes`;
    return warning(NAME, wait, 'start a scheduler with SEARCH_URL');
  }
  if (rejected > 0) {
    return warning(NAME, `${it} refuses ${rejected} documents`, '"forager search status --json" shows why');
  }
  return ok(NAME, `${it} knows of every change${outboxCount === 0 ? '' : ` but ${outboxCount}`}`);
}
