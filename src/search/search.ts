/**
 * A search from beginning to end: what was typed is tried as it stands; then with words that nothing has corrected;
 * then, any of the words will do. Whichever found something is what later pages go on with.
 */

import { type Product, readProductRows } from '../control/products/list-products.ts';
import type { Database } from '../platform/database.ts';
import { ForagerError } from '../platform/errors.ts';
import { postgresEngine } from './postgres/postgres-engine.ts';
import { type PageHit, readPageHits } from './read-hits.ts';
import type {
  Facets,
  Found,
  FoundPage,
  FoundProduct,
  PageSearch,
  ProductSearch,
  SearchEngine,
  SearchPlace,
} from './search-engine.ts';
import { parseSearchQuery, type SearchQuery, writeSearchQuery } from './search-query.ts';
import { SearchServerError } from './search-server-error.ts';
import { countWaiting, type Waiting } from './status/count-waiting.ts';
import { correctQuery, type Searched } from './words/correct-query.ts';

/** Where a page ended, and by what it was found. */
export interface Continuation {
  readonly engine: SearchEngine['kind'];
  readonly place: SearchPlace;
  readonly searchedFor: SearchedFor;
  readonly total: number;
  readonly isTotalExact: boolean;
}

export interface SearchedFor {
  readonly query: string;
  readonly isAnyWord: boolean;
  readonly isCorrected: boolean;
}

export interface Result<Hit> {
  readonly hits: readonly Hit[];
  readonly total: number;
  readonly isTotalExact: boolean;
  readonly searchedFor: SearchedFor;
  readonly engine: SearchEngine['kind'];
  /** The search server did not answer; PostgreSQL did. */
  readonly isDegraded: boolean;
  readonly next: Continuation | undefined;
  readonly facets: Facets | null;
  /** Where nothing has exactly what was typed: what may have it, but cannot be found yet. Null: nothing waits. */
  readonly waiting: Waiting | null;
}

export interface ProductHit {
  readonly product: Product;
  readonly score: number;
  readonly snippets: FoundProduct['snippets'];
}

type Order<S> = Omit<S, 'query' | 'isAnyWord' | 'after' | 'withTotal'>;

export interface SearchParts {
  readonly db: Database;
  /** The search server; undefined: there is none. Throws SearchServerError when it does not answer. */
  readonly server?: SearchEngine | undefined;
  readonly warn?: ((sentence: string, error?: unknown) => void) | undefined;
}

export async function searchProducts(
  parts: SearchParts,
  typed: string,
  order: Order<ProductSearch>,
  from?: Continuation,
): Promise<Result<ProductHit>> {
  const found = await run(parts, 'products', typed, from, (engine, attempt) =>
    engine.searchProducts({ ...order, ...attempt, withFacets: order.withFacets && from === undefined }),
  );
  // What the hits say of themselves always comes from the database: prices are exact there.
  const rows = await readProductRows(
    parts.db,
    found.hits.map(({ id }) => id),
  );
  const products = new Map(rows.map((product) => [product.id, product]));
  const hits = found.hits.flatMap(({ id, score, snippets }) => {
    const product = products.get(id);
    return product === undefined ? [] : [{ product, score, snippets }];
  });
  return { ...found, hits, facets: found.facets ?? null, waiting: await waitingFor(parts.db, found, from) };
}

export async function searchPages(
  parts: SearchParts,
  typed: string,
  order: Order<PageSearch>,
  from?: Continuation,
): Promise<Result<PageHit>> {
  const found = await run(parts, 'pages', typed, from, (engine, attempt) =>
    engine.searchPages({ ...order, ...attempt }),
  );
  const hits = await readPageHits(parts.db, found.hits);
  return { ...found, hits, facets: null, waiting: await waitingFor(parts.db, found, from) };
}

async function waitingFor(
  db: Database,
  { hits, searchedFor }: Pick<Ran<unknown>, 'hits' | 'searchedFor'>,
  from: Continuation | undefined,
): Promise<Waiting | null> {
  const isExact = hits.length > 0 && !searchedFor.isAnyWord && !searchedFor.isCorrected;
  return isExact || from !== undefined ? null : ((await countWaiting(db)) ?? null);
}

type Attempt = Pick<ProductSearch, 'query' | 'isAnyWord' | 'after' | 'withTotal'>;
type Ask<Hit> = (engine: SearchEngine, attempt: Attempt) => Promise<Found<Hit>>;
interface Ran<Hit> extends Omit<Result<Hit>, 'facets' | 'waiting'> {
  readonly facets?: Facets;
}

async function run<Hit extends FoundProduct | FoundPage>(
  parts: SearchParts,
  what: Searched,
  typed: string,
  from: Continuation | undefined,
  ask: Ask<Hit>,
): Promise<Ran<Hit>> {
  const own = postgresEngine(parts.db);
  const { server } = parts;
  if (server === undefined || from?.engine === 'postgresql') {
    const answer = await goOn(parts.db, own, what, typed, from, ask);
    return { ...answer, isDegraded: server !== undefined };
  }
  try {
    return await goOn(parts.db, server, what, typed, from, ask);
  } catch (error) {
    if (!(error instanceof SearchServerError)) throw error;
    parts.warn?.(`The search server does not answer: ${error.message}`);
    if (from !== undefined) throw cannotGoOn();
    return { ...(await goOn(parts.db, own, what, typed, from, ask)), isDegraded: true };
  }
}

/** Scores of one engine mean nothing to another: there is no telling where the page ended. */
function cannotGoOn(): ForagerError {
  return new ForagerError(
    'search-unavailable',
    'The search server, which the last page came from, is away.',
    {
      hint: 'begin again without a cursor: PostgreSQL answers meanwhile',
    },
  );
}

async function goOn<Hit extends FoundProduct | FoundPage>(
  db: Database,
  engine: SearchEngine,
  what: Searched,
  typed: string,
  from: Continuation | undefined,
  ask: Ask<Hit>,
): Promise<Ran<Hit>> {
  if (from !== undefined) {
    const { searchedFor, place: after, total, isTotalExact } = from;
    const query = parseSearchQuery(searchedFor.query);
    const found = await ask(engine, { query, isAnyWord: searchedFor.isAnyWord, after, withTotal: false });
    return answer(engine, { ...found, total, isTotalExact }, searchedFor);
  }
  return begin(db, engine, what, parseSearchQuery(typed), ask);
}

async function begin<Hit extends FoundProduct | FoundPage>(
  db: Database,
  engine: SearchEngine,
  what: Searched,
  typed: SearchQuery,
  ask: Ask<Hit>,
): Promise<Ran<Hit>> {
  const first = { after: undefined, withTotal: true };
  const asTyped = { query: writeSearchQuery(typed), isAnyWord: false, isCorrected: false };
  const found = await ask(engine, { ...first, query: typed, isAnyWord: false });
  if (found.hits.length > 0 || typed.wanted.length === 0) return answer(engine, found, asTyped);
  const corrected = await correctQuery(db, typed, what);
  if (corrected !== undefined) {
    const again = await ask(engine, { ...first, query: corrected, isAnyWord: false });
    const searchedFor = { query: writeSearchQuery(corrected), isAnyWord: false, isCorrected: true };
    if (again.hits.length > 0) return answer(engine, again, searchedFor);
  }
  if (typed.wanted.length < 2) return answer(engine, found, asTyped);
  const query = corrected ?? typed;
  const any = await ask(engine, { ...first, query, isAnyWord: true });
  if (any.hits.length === 0) return answer(engine, any, asTyped);
  const isCorrected = corrected !== undefined;
  return answer(engine, any, { query: writeSearchQuery(query), isAnyWord: true, isCorrected });
}

function answer<Hit extends FoundProduct | FoundPage>(
  { kind }: SearchEngine,
  { hits, total, isTotalExact, isMore, facets }: Found<Hit>,
  searchedFor: SearchedFor,
): Ran<Hit> {
  const last = hits.at(-1);
  const next =
    isMore && last !== undefined
      ? { engine: kind, place: last.place, searchedFor, total, isTotalExact }
      : undefined;
  return {
    ...{ hits, total, isTotalExact, searchedFor, engine: kind, isDegraded: false, next },
    ...(facets === undefined ? {} : { facets }),
  };
}
