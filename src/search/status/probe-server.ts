/** Asks the search server of SEARCH_URL what it is and has, without writing anything. */
import type { Config } from '../../platform/config.ts';
import { aliasOf, INDEX_KINDS } from '../elastic/indexes.ts';
import { hasIndex } from '../elastic/reindex.ts';
import { connectToServer } from '../elastic/transport.ts';
import { SearchServerError } from '../search-server-error.ts';
import { serverName } from '../server-name.ts';
import type { SearchState } from './search-state.ts';

export interface Probe {
  /** Of SEARCH_URL, as it is registered. */
  readonly name: string;
  /** Such as "opensearch 2.19.0"; null: it does not answer. */
  readonly what: string | null;
  readonly failure: string | null;
  /** Indexes that it has not. */
  readonly missing: readonly string[];
}

/** Undefined: SEARCH_URL names none. */
export async function probeServer(
  config: Pick<Config, 'searchUrl' | 'searchPrefix'>,
): Promise<Probe | undefined> {
  const { searchUrl, searchPrefix } = config;
  if (searchUrl === undefined) return undefined;
  const name = serverName(config);
  try {
    const transport = await connectToServer(searchUrl);
    try {
      const missing: string[] = [];
      for (const kind of INDEX_KINDS) {
        if (!(await hasIndex(transport, searchPrefix, kind))) missing.push(aliasOf(searchPrefix, kind));
      }
      return { name, what: `${transport.kind} ${transport.version}`, failure: null, missing };
    } finally {
      await transport.close();
    }
  } catch (error) {
    if (!(error instanceof SearchServerError)) throw error;
    return { name, what: null, failure: error.message, missing: [] };
  }
}

/** Who answers searches of those that have this SEARCH_URL now; undefined: PostgreSQL. */
export function answeringServer(
  probe: Probe | undefined,
  { server, isBuilt }: Pick<SearchState, 'server' | 'isBuilt'>,
): string | undefined {
  if (probe === undefined || probe.what === null || probe.missing.length > 0) return undefined;
  return server === probe.name && isBuilt === true ? probe.what : undefined;
}
