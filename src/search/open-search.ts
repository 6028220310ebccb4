/** Search as the settings want it: by PostgreSQL, and by a search server where one is given. */
import type { Config } from '../platform/config.ts';
import type { Database } from '../platform/database.ts';
import type { IndexKind } from './elastic/indexes.ts';
import { isBuilt } from './elastic/register.ts';
import type { SearchParts } from './search.ts';
import type { SearchEngine } from './search-engine.ts';
import { SearchServerError } from './search-server-error.ts';
import { ServerConnection } from './server-connection.ts';
import { serverName } from './server-name.ts';

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
  const server = onlyIfBuilt(db, serverName(config), connection.engine);
  return { db, warn, server, close: () => connection.close() };
}

/** An index that was not built since the server was registered may be of any age: it is not asked. */
function onlyIfBuilt(db: Database, name: string, engine: SearchEngine): SearchEngine {
  const check = async (kind: IndexKind): Promise<void> => {
    if (!(await isBuilt(db, name, kind)))
      throw new SearchServerError(`its index of ${kind}s is not built yet`);
  };
  return {
    get kind() {
      return engine.kind;
    },
    searchProducts: async (search) => {
      await check('product');
      return engine.searchProducts(search);
    },
    searchPages: async (search) => {
      await check('page');
      return engine.searchPages(search);
    },
  };
}
