/** Prints `product list`. */
import type { Command } from 'commander';
import { findDomain } from '../control/domains/find-domain.ts';
import { listProducts, type Product, type ProductPlace } from '../control/products/list-products.ts';
import type { ProductFilter, ProductSort, SortOrder } from '../control/products/product-walks.ts';
import type { Database } from '../platform/database.ts';
import { type CommandContext, makeContext, withDatabase } from './context.ts';
import type { FitColumn } from './fit-table.ts';
import { formatCount, printable, shorten } from './format.ts';
import { formatInstant } from './moments.ts';
import { printTable } from './print-table.ts';
import { describeAvailability, describeMove, describeRange } from './product-words.ts';

interface ListOptions extends Omit<ProductFilter, 'domainId' | 'hasImage' | 'isMissing'> {
  readonly domain?: string;
  readonly images?: boolean;
  readonly missing?: boolean;
  readonly sort: ProductSort;
  readonly order?: SortOrder;
  readonly below?: number;
  readonly limit: number;
}

const LONGEST_NAME = 40;
const MOST_AT_ONCE = 1000;

const COLUMNS: readonly FitColumn[] = [
  { title: 'URL', least: 20, drop: 6 },
  { title: 'ID', align: 'right' },
  { title: 'NAME', least: 16 },
  { title: 'PRICE', align: 'right' },
  { title: 'CHANGE', align: 'right', drop: 4 },
  { title: 'STOCK', drop: 5 },
  { title: 'RATING', align: 'right', drop: 3 },
  { title: 'BRAND', drop: 2 },
  { title: 'LAST SEEN', drop: 1 },
];

export async function showProducts(command: Command): Promise<void> {
  const context = makeContext(command);
  const options = command.optsWithGlobals<ListOptions>();
  const { limit, sort, below } = options;
  const found = await withDatabase(context.config, async (db) =>
    readProducts(db, await filterOf(db, options), options, limit + 1),
  );
  const shown = found.slice(0, limit);
  if (context.isJson) for (const row of shown) context.printJson(row);
  else if (shown.length === 0) context.printLine('No products.');
  else printProducts(context, shown);
  const last = shown.at(-1);
  if (found.length <= limit || last === undefined) return;
  const isByNumber = sort === 'id' && options.order !== 'asc';
  context.err.write(
    isByNumber || below !== undefined
      ? `There are more: --below ${last.id} shows the next.\n`
      : `The first ${formatCount(limit)}; --limit shows more.\n`,
  );
}

async function filterOf(db: Database, options: ListOptions): Promise<ProductFilter> {
  const { domain, minPrice, maxPrice, currency, availability, minRating, brand, category } = options;
  return {
    ...{ minPrice, maxPrice, currency, availability, minRating, brand, category },
    ...{ changedSince: options.changedSince, hasImage: options.images, isMissing: options.missing },
    domainId: domain === undefined ? undefined : (await findDomain(db, domain)).id,
  };
}

/** A look ends after so many products: here the next one begins where it did. */
async function readProducts(
  db: Database,
  filter: ProductFilter,
  { sort, order = 'desc', below }: ListOptions,
  limit: number,
): Promise<Product[]> {
  const found: Product[] = [];
  let after: ProductPlace | undefined = below === undefined ? undefined : { place: String(below), id: below };
  do {
    const page = Math.min(MOST_AT_ONCE, limit - found.length);
    const { products, next } = await listProducts(db, filter, { sort, order, after, limit: page });
    found.push(...products);
    after = next;
  } while (after !== undefined && found.length < limit);
  return found;
}

function printProducts(context: CommandContext, products: readonly Product[]): void {
  const { style } = context.out;
  printTable(
    context,
    COLUMNS,
    products.map((product) => [
      ...[printable(product.url), String(product.id), printable(shorten(product.name ?? '-', LONGEST_NAME))],
      ...[describeRange(product) ?? '-', describeMove(product.before, product, style) ?? ''],
      product.missingSince === null
        ? (describeAvailability(product.availability) ?? '-')
        : style.yellow('lost'),
      ...[product.rating === null ? '-' : String(product.rating)],
      ...[printable(shorten(product.brand ?? '-', LONGEST_NAME / 2)), formatInstant(product.lastSeenAt)],
    ]),
  );
}
