/** Prints `product list` and `product show`. */
import type { Command } from 'commander';
import {
  listProducts,
  type Product,
  type ProductDetails,
  readProduct,
} from '../control/products/read-products.ts';
import { type CommandContext, makeContext, withDatabase } from './context.ts';
import { printFields, printHeading } from './field-list.ts';
import { fitTable, SHORTEST_URL } from './fit-table.ts';
import { printable, shorten } from './format.ts';
import { formatInstant } from './moments.ts';

interface ListOptions {
  readonly domain?: string;
  readonly below?: number;
  readonly limit: number;
}

const LONGEST_NAME = 40;
const LONGEST_DATA = 300;

export async function showProducts(command: Command): Promise<void> {
  const context = makeContext(command);
  const { domain, below, limit } = command.optsWithGlobals<ListOptions>();
  const rows = await withDatabase(context.config, (db) => listProducts(db, domain, 'desc', below, limit + 1));
  const shown = rows.slice(0, limit);
  if (context.isJson) for (const row of shown) context.printJson(row);
  else if (shown.length === 0) context.printLine('No products.');
  else printProducts(context, shown);
  const last = shown.at(-1);
  if (rows.length > limit && last !== undefined) {
    context.err.write(`There are more: --below ${last.id} shows the next.\n`);
  }
}

function printProducts(context: CommandContext, products: readonly Product[]): void {
  const [head = '', ...lines] = fitTable(
    context.out,
    [
      { title: 'URL', least: SHORTEST_URL },
      { title: 'ID', align: 'right' },
      { title: 'NAME', drop: 2 },
      { title: 'PRICE', align: 'right' },
      { title: 'STOCK', drop: 3 },
      { title: 'LAST SEEN', drop: 1 },
    ],
    products.map((product) => [
      ...[printable(product.url), String(product.id), printable(shorten(product.name ?? '-', LONGEST_NAME))],
      ...[describePrice(product) ?? '-', describeAvailability(product.availability) ?? '-'],
      formatInstant(product.lastSeenAt),
    ]),
  );
  context.printLine(context.out.style.bold(head));
  for (const line of lines) context.printLine(line);
}

export async function showProduct(id: number, command: Command): Promise<void> {
  const context = makeContext(command);
  const product = await withDatabase(context.config, (db) => readProduct(db, id));
  if (context.isJson) context.printJson(product);
  else printProduct(context, product);
}

function printProduct(context: CommandContext, product: ProductDetails): void {
  const { out } = context;
  const data = JSON.stringify(product.data);
  context.printLine(`${out.style.bold(`Product ${product.id}`)}  ${printable(product.url)}`);
  printFields(
    context,
    [
      ['name', product.name],
      ['domain', product.domain],
      ['price', describePrice(product)],
      ['in stock', describeAvailability(product.availability)],
      ['data', data === '{}' ? null : shorten(data, LONGEST_DATA)],
      ['first seen', formatInstant(product.firstSeenAt)],
      ['last seen', `${formatInstant(product.lastSeenAt)} by ${product.source}`],
      ['changed', formatInstant(product.updatedAt)],
    ],
    '  ',
  );
  printHeading(context, 'Prices');
  const lines = fitTable(
    { isInteractive: out.isInteractive, columns: out.columns - 2 },
    [{ title: 'SINCE' }, { title: 'PRICE', align: 'right' }, { title: 'STOCK' }, { title: 'BY', drop: 1 }],
    product.history.map((point) => [
      ...[formatInstant(point.at), describePrice(point) ?? '-'],
      ...[describeAvailability(point.availability) ?? '-', printable(point.source)],
    ]),
  );
  for (const line of lines) context.printLine(`  ${line}`);
}

/** As it is stored, with two decimals at least: prices are written so. */
export function describePrice({
  price,
  currency,
}: {
  readonly price: string | null;
  readonly currency: string | null;
}): string | null {
  if (price === null) return null;
  const [whole, decimals = ''] = price.split('.');
  const amount = `${whole}.${decimals.padEnd(2, '0')}`;
  return currency === null ? amount : `${amount} ${currency}`;
}

export function describeAvailability(availability: Product['availability']): string | null {
  if (availability === null) return null;
  return availability === 'in_stock' ? 'yes' : 'no';
}
