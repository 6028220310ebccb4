/** How search is. */
import type { Queryable } from '../../platform/database.ts';
import { loadSql } from '../../platform/sql-file.ts';

const listRejects = loadSql(import.meta.url, './list-rejects.sql');
const readState = loadSql(import.meta.url, './read-search-state.sql');

export interface SearchState {
  /** Exactly up to 100,000, about beyond. */
  readonly products: number;
  readonly pages: number;
  readonly pagesWaiting: number;
  readonly outboxCount: number;
  /** Of what has waited longest to be told to the search server; null: nothing waits. */
  readonly outboxAgeSeconds: number | null;
  readonly rejected: number;
  /** The search server that is told of changes; null: there is none. */
  readonly server: string | null;
  /** It has indexes of everything, built since it was registered; null: there is none. */
  readonly isBuilt: boolean | null;
  readonly succeededAt: Date | null;
  readonly failedAt: Date | null;
  readonly failure: string | null;
}

export interface Reject {
  readonly kind: 'product' | 'page';
  readonly key: number;
  readonly reason: string;
  readonly at: Date;
}

/** The latest of what the search server will not take. */
export async function readRejects(db: Queryable): Promise<Reject[]> {
  return (await db.query<Reject>(listRejects)).rows;
}

export async function readSearchState(db: Queryable): Promise<SearchState> {
  const [state] = (await db.query<SearchState>(readState)).rows;
  if (state === undefined) throw new Error('the state of search has no row');
  return state;
}
