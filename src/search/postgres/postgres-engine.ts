import type { Database } from '../../platform/database.ts';
import type { SearchEngine } from '../search-engine.ts';
import { searchPages } from './search-pages.ts';
import { searchProducts } from './search-products.ts';

/** Search where there is nothing but PostgreSQL, and where the search server does not answer. */
export function postgresEngine(db: Pick<Database, 'pool'>): SearchEngine {
  return {
    kind: 'postgresql',
    searchProducts: (search) => searchProducts(db, search),
    searchPages: (search) => searchPages(db, search),
  };
}
