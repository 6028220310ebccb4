/** Search as the settings want it: by PostgreSQL, and by a search server where one is given. */
import type { Config } from '../platform/config.ts';
import type { Database } from '../platform/database.ts';
import type { SearchParts } from './search.ts';
import { ServerConnection } from './server-connection.ts';

export interface OpenSearch extends SearchParts {
  close(): Promise<void>;
}

export interface SearchGround {
  readonly db: Database;
  readonly config: Pick<Config, 'searchUrl' | 'searchPrefix'>;
  readonly warn?: (sentence: string, error?: unknown) => void;
}

export function openSearch({ db, config, warn }: SearchGround): OpenSearch {
  if (config.searchUrl === undefined) return { db, warn, close: async () => undefined };
  const connection = new ServerConnection(config.searchUrl, config.searchPrefix);
  return { db, warn, server: connection.engine, close: () => connection.close() };
}
