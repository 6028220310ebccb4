/** Prints `product search` and `page search`. */
import type { Command } from 'commander';
import { nameOfSearch, readPlace, writePlace } from '../api/search-cursor.ts';
import { findDomain } from '../control/domains/find-domain.ts';
import type { Product } from '../control/products/list-products.ts';
import type { Config } from '../platform/config.ts';
import type { Database } from '../platform/database.ts';
import { ForagerError } from '../platform/errors.ts';
import { openSearch } from '../search/open-search.ts';
import {
  type Continuation,
  type Result,
  type SearchParts,
  searchPages,
  searchProducts,
} from '../search/search.ts';
import type { PageSearchSort, ProductFilters, ProductSearchSort, Snippet } from '../search/search-engine.ts';
import { type CommandContext, makeContext, withDatabase } from './context.ts';
import { UsageError } from './exit.ts';
import { formatCount, printable } from './format.ts';
import { describeAvailability, describePrice } from './product-words.ts';

interface Options<Sort> {
  readonly domain?: string;
  readonly sort: Sort;
  readonly order: 'asc' | 'desc';
  readonly limit: number;
  readonly cursor?: string;
}

interface ProductOptions extends Options<ProductSearchSort>, Omit<ProductFilters, 'domainId' | 'isMissing'> {
  readonly missing?: boolean;
}

export async function showFoundProducts(words: readonly string[], command: Command): Promise<void> {
  const context = makeContext(command);
  const options = command.optsWithGlobals<ProductOptions>();
  const { sort, order, limit, domain, minPrice, maxPrice, currency, availability, minRating } = options;
  const { brand, category, missing: isMissing } = options;
  const typed = words.join(' ');
  const filters = { minPrice, maxPrice, currency, availability, minRating, brand, category, isMissing };
  const name = nameOfSearch('product-search', { q: typed, sort, order, domain, ...filters });
  const from = readGivenPlace(name, sort, options.cursor);
  const found = await withSearch(context.config, async (search) => {
    const domainId = await domainIdOf(search.db, domain);
    const ordered = { sort, order, limit, filters: { ...filters, domainId }, withFacets: false };
    return searchProducts(search, typed, ordered, from);
  });
  const nextCursor = found.next === undefined ? undefined : writePlace(name, found.next);
  if (context.isJson) printHits(context, found, nextCursor);
  else
    for (const { product, snippets } of found.hits) {
      const title = snippets.name === undefined ? '-' : paint(context, snippets.name);
      context.printLine([title, ...describeOffer(context, product)].join('  '));
      context.printLine(`  ${context.out.style.dim(printable(product.url))}`);
      if (snippets.description !== undefined) context.printLine(`  ${paint(context, snippets.description)}`);
    }
  tell(context, found, 'products', nextCursor, options.cursor !== undefined);
}

/** What it costs, and whether it can be had; or that it is no longer on its page. */
function describeOffer({ out: { style } }: CommandContext, product: Product): string[] {
  const price = describePrice(product);
  const stock = describeAvailability(product.availability);
  const state =
    product.missingSince === null ? (stock === null ? [] : [`stock: ${stock}`]) : [style.yellow('lost')];
  return [...(price === null ? [] : [style.green(price)]), ...state];
}

export async function showFoundPages(words: readonly string[], command: Command): Promise<void> {
  const context = makeContext(command);
  const { sort, order, limit, domain, cursor } = command.optsWithGlobals<Options<PageSearchSort>>();
  const typed = words.join(' ');
  const name = nameOfSearch('page-search', { q: typed, sort, order, domain });
  const from = readGivenPlace(name, sort, cursor);
  const found = await withSearch(context.config, async (search) => {
    const domainId = await domainIdOf(search.db, domain);
    return searchPages(search, typed, { sort, order, limit, domainId }, from);
  });
  const nextCursor = found.next === undefined ? undefined : writePlace(name, found.next);
  if (context.isJson) printHits(context, found, nextCursor);
  else
    for (const { url, title, snippet } of found.hits) {
      context.printLine(context.out.style.bold(printable(title ?? '-')));
      context.printLine(`  ${context.out.style.dim(printable(url))}`);
      if (snippet.length > 0) context.printLine(`  ${paint(context, snippet)}`);
    }
  tell(context, found, 'pages', nextCursor, cursor !== undefined);
}

function readGivenPlace(
  name: string,
  sort: ProductSearchSort | PageSearchSort,
  cursor: string | undefined,
): Continuation | undefined {
  try {
    return readPlace(name, sort, cursor);
  } catch (error) {
    if (!(error instanceof ForagerError)) throw error;
    throw new UsageError('--cursor belongs to another search or another order, or was cut short.');
  }
}

/** A line each; the last of a page tells where the next one begins. */
function printHits(context: CommandContext, { hits }: Result<object>, nextCursor: string | undefined): void {
  for (const [index, hit] of hits.entries()) {
    const isLast = index === hits.length - 1 && nextCursor !== undefined;
    context.printJson(isLast ? { ...hit, nextCursor } : hit);
  }
}

async function withSearch<T>(config: Config, use: (search: SearchParts) => Promise<T>): Promise<T> {
  return withDatabase(config, async (db) => {
    const search = openSearch({ db, config });
    try {
      return await use(search);
    } finally {
      await search.close();
    }
  });
}

async function domainIdOf(db: Database, name: string | undefined): Promise<number | undefined> {
  return name === undefined ? undefined : (await findDomain(db, name)).id;
}

/** What was searched for stands out on a terminal. */
function paint({ out }: CommandContext, snippet: Snippet): string {
  return snippet
    .map(({ text, isHit }) => (isHit ? out.style.bold(out.style.yellow(printable(text))) : printable(text)))
    .join('');
}

/** For people, beside the hits: how many there are, what was searched for instead, and what cannot be found yet. */
function tell(
  { err, isJson }: CommandContext,
  found: Result<unknown>,
  what: 'products' | 'pages',
  nextCursor: string | undefined,
  isLaterPage: boolean,
): void {
  const { total, isTotalExact, hits, searchedFor, isDegraded, waiting } = found;
  if (isDegraded) err.write('The search server does not answer; this is what PostgreSQL found.\n');
  const waits = waiting?.[what] ?? 0;
  if (waits > 0) {
    const lacks = what === 'pages' ? 'The text' : 'The words';
    err.write(`${lacks} of ${formatCount(waits)} ${what} cannot be searched yet: forager search index\n`);
  }
  if (isJson) return;
  if (searchedFor.isCorrected) err.write(`Searched for: ${printable(searchedFor.query)}\n`);
  if (searchedFor.isAnyWord) err.write('Nothing has all of the words; these have at least one.\n');
  if (total === 0) err.write(`No ${what} found.\n`);
  else {
    const some = isLaterPage
      ? `${formatCount(hits.length)} more of `
      : `the first ${formatCount(hits.length)} of `;
    const shown = hits.length < total ? some : '';
    err.write(`${shown}${isTotalExact ? '' : 'more than '}${formatCount(total)} ${what}\n`);
  }
  if (nextCursor !== undefined) err.write(`The next: --cursor ${nextCursor}\n`);
}
