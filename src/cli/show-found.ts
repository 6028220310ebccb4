/** Prints `product search` and `page search`. */
import type { Command } from 'commander';
import { findDomain } from '../control/domains/find-domain.ts';
import type { Config } from '../platform/config.ts';
import type { Database } from '../platform/database.ts';
import { openSearch } from '../search/open-search.ts';
import { type Result, type SearchParts, searchPages, searchProducts } from '../search/search.ts';
import type { PageSearchSort, ProductFilters, ProductSearchSort, Snippet } from '../search/search-engine.ts';
import { type CommandContext, makeContext, withDatabase } from './context.ts';
import { formatCount, printable } from './format.ts';
import { describePrice } from './product-words.ts';

interface Options<Sort> {
  readonly domain?: string;
  readonly sort: Sort;
  readonly order: 'asc' | 'desc';
  readonly limit: number;
}

type ProductOptions = Options<ProductSearchSort> & Omit<ProductFilters, 'domainId'>;

export async function showFoundProducts(words: readonly string[], command: Command): Promise<void> {
  const context = makeContext(command);
  const options = command.optsWithGlobals<ProductOptions>();
  const { sort, order, limit, minPrice, maxPrice, currency, availability, minRating, brand, category } =
    options;
  const found = await withSearch(context.config, async (search) => {
    const domainId = await domainIdOf(search.db, options.domain);
    const filters = { domainId, minPrice, maxPrice, availability, minRating, brand, category };
    const ordered = { sort, order, limit, filters: { ...filters, currency: currency?.toUpperCase() } };
    return searchProducts(search, words.join(' '), { ...ordered, withFacets: false });
  });
  if (context.isJson) for (const hit of found.hits) context.printJson(hit);
  else
    for (const { product, snippets } of found.hits) {
      const price = describePrice(product);
      const name = snippets.name === undefined ? '-' : paint(context, snippets.name);
      context.printLine(`${name}${price === null ? '' : `  ${context.out.style.green(price)}`}`);
      context.printLine(`  ${context.out.style.dim(printable(product.url))}`);
      if (snippets.description !== undefined) context.printLine(`  ${paint(context, snippets.description)}`);
    }
  tell(context, found, 'products');
}

export async function showFoundPages(words: readonly string[], command: Command): Promise<void> {
  const context = makeContext(command);
  const { sort, order, limit, domain } = command.optsWithGlobals<Options<PageSearchSort>>();
  const found = await withSearch(context.config, async (search) => {
    const domainId = await domainIdOf(search.db, domain);
    return searchPages(search, words.join(' '), { sort, order, limit, domainId });
  });
  if (context.isJson) for (const hit of found.hits) context.printJson(hit);
  else
    for (const { url, title, snippet } of found.hits) {
      context.printLine(context.out.style.bold(printable(title ?? '-')));
      context.printLine(`  ${context.out.style.dim(printable(url))}`);
      if (snippet.length > 0) context.printLine(`  ${paint(context, snippet)}`);
    }
  tell(context, found, 'pages');
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

/** For people, beside the hits: how many there are, and what was searched for instead. */
function tell({ err, isJson }: CommandContext, found: Result<unknown>, what: string): void {
  const { total, isTotalExact, hits, searchedFor, isDegraded } = found;
  if (isDegraded) err.write('The search server does not answer; this is what PostgreSQL found.\n');
  if (isJson) return;
  if (searchedFor.isCorrected) err.write(`Searched for: ${printable(searchedFor.query)}\n`);
  if (searchedFor.isAnyWord) err.write('Nothing has all of the words; these have at least one.\n');
  if (total === 0) err.write(`No ${what} found.\n`);
  else {
    const shown = hits.length < total ? `the first ${formatCount(hits.length)} of ` : '';
    err.write(`${shown}${isTotalExact ? '' : 'more than '}${formatCount(total)} ${what}\n`);
  }
}
