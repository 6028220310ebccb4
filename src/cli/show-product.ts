/** Prints `product show`: what it is, where each field was read, and how its price went. */
import type { Command } from 'commander';
import {
  findProduct,
  type PricePoint,
  type ProductDetails,
  readProduct,
} from '../control/products/read-products.ts';
import { type CommandContext, makeContext, withDatabase } from './context.ts';
import { printFields, printHeading } from './field-list.ts';
import { inFieldOrder } from './field-order.ts';
import { type FitColumn, SHORTEST_URL } from './fit-table.ts';
import { formatBytes, formatCount, printable, shorten } from './format.ts';
import { formatInstant, formatMoment } from './moments.ts';
import { formatConfidence, formatEvidence } from './print-extraction.ts';
import { printTable as printRows } from './print-table.ts';
import {
  describeAvailability,
  describeMove,
  describePrice,
  describeRange,
  describeValue,
} from './product-words.ts';
import { drawSparkline } from './sparkline.ts';

const LONGEST_DATA = 300;
const SHOWN_POINTS = 20;
const SHOWN_CHANGES = 10;
const SHOWN_VARIANTS = 20;

export async function showProduct(idOrUrl: string, command: Command): Promise<void> {
  const context = makeContext(command);
  const product = await withDatabase(context.config, async (db) =>
    readProduct(db, await findProduct(db, idOrUrl)),
  );
  if (context.isJson) context.printJson(product);
  else printProduct(context, product);
}

function printProduct(context: CommandContext, product: ProductDetails): void {
  const { out } = context;
  context.printLine(`${out.style.bold(`Product ${product.id}`)}  ${printable(product.url)}`);
  printWhatItIs(context, product);
  printFound(context, product);
  printVariants(context, product);
  printImages(context, product);
  printPrices(context, product.history);
  printChanges(context, product);
}

function printWhatItIs(context: CommandContext, product: ProductDetails): void {
  const data = JSON.stringify(product.data);
  const { rating, reviewCount } = product;
  const reviews =
    reviewCount === null ? '' : ` (${formatCount(reviewCount)} ${reviewCount === 1 ? 'review' : 'reviews'})`;
  const parser = product.parser === null ? null : `${product.parser} ${product.parserVersion ?? ''}`.trim();
  printFields(
    context,
    [
      ['name', product.name],
      ['domain', product.domain],
      ['price', describeRange(product)],
      ['list price', describePrice({ price: product.listPrice, currency: product.currency })],
      ['in stock', describeAvailability(product.availability)],
      ['rating', rating === null ? null : `${rating} of 5${reviews}`],
      ['brand', product.brand],
      ['category', product.category],
      ['SKU', product.sku],
      ['GTIN', product.gtin],
      ['MPN', product.mpn],
      ['description', product.description === null ? null : shorten(product.description, LONGEST_DATA)],
      ['data', data === '{}' ? null : shorten(data, LONGEST_DATA)],
      [
        'parser',
        parser === null ? null : `${parser}${product.verdict === null ? '' : `, ${product.verdict}`}`,
      ],
      ['page', product.pageId],
      ['first seen', formatInstant(product.firstSeenAt)],
      ['last seen', `${formatInstant(product.lastSeenAt)} by ${product.source}`],
      ['changed', formatInstant(product.updatedAt)],
      ['lost since', product.missingSince === null ? null : formatInstant(product.missingSince)],
      ['page not found', describePageMissing(product)],
    ],
    '  ',
  );
  for (const { field, message } of product.problems) {
    context.printLine(`  ${context.out.style.yellow(printable(`${field}: ${message}`))}`);
  }
}

/** Its page is looked for a few times more before it counts as gone. */
function describePageMissing({ pageMissingSince, missingSince }: ProductDetails): string | null {
  return pageMissingSince === null || missingSince !== null
    ? null
    : `since ${formatInstant(pageMissingSince)}`;
}

function printFound(context: CommandContext, { fields }: ProductDetails): void {
  printTable(
    context,
    'Where it was found',
    [
      { title: 'FIELD' },
      { title: 'SOURCE' },
      { title: 'SURE', align: 'right' },
      { title: 'READ FROM', least: 20 },
    ],
    inFieldOrder(fields).map(([name, { source, confidence, evidence }]) => [
      ...[printable(name), printable(source), formatConfidence(confidence), formatEvidence(evidence)],
    ]),
  );
}

function printVariants(context: CommandContext, { variants, currency }: ProductDetails): void {
  printTable(
    context,
    `Variants (${formatCount(variants.length)})`,
    [
      { title: 'VARIANT', least: 20 },
      { title: 'SKU', drop: 1 },
      { title: 'PRICE', align: 'right' },
      { title: 'STOCK' },
    ],
    variants.slice(0, SHOWN_VARIANTS).map((variant) => {
      const options = Object.entries(variant.options ?? {}).map(([name, value]) => `${name} ${value}`);
      const price = { price: variant.price ?? null, currency: variant.currency ?? currency };
      return [
        ...[printable(variant.name ?? (options.join(', ') || '-')), printable(variant.sku ?? '-')],
        ...[describePrice(price) ?? '-', describeAvailability(variant.availability ?? null) ?? '-'],
      ];
    }),
  );
}

function printImages(context: CommandContext, { images }: ProductDetails): void {
  printTable(
    context,
    `Images (${formatCount(images.length)})`,
    [{ title: 'URL', least: SHORTEST_URL }, { title: 'STORED' }, { title: 'SIZE', drop: 1 }],
    images.map(({ url, imageId, width, height, bytes, refusedCode }) => [
      ...[printable(url), imageId === null ? (refusedCode ?? 'no') : String(imageId)],
      width === null || height === null || bytes === null
        ? '-'
        : `${width} × ${height}, ${formatBytes(bytes)}`,
    ]),
  );
}

function printPrices(context: CommandContext, history: readonly PricePoint[]): void {
  const { style } = context.out;
  const line = drawSparkline(history.map(({ price }) => (price === null ? null : Number(price))).reverse());
  printTable(
    context,
    line === '' ? 'Prices' : `Prices  ${line}`,
    [
      ...[{ title: 'SINCE' }, { title: 'PRICE', align: 'right' as const }],
      ...[
        { title: 'STOCK' },
        { title: 'BY', drop: 1 },
        { title: 'CHANGE', align: 'right' as const, drop: 2 },
      ],
    ],
    history
      .slice(0, SHOWN_POINTS)
      .map((point, index) => [
        ...[formatInstant(point.at), describePrice(point) ?? '-'],
        ...[describeAvailability(point.availability) ?? '-', printable(point.source)],
        describeMove(history[index + 1] ?? null, point, style) ?? '',
      ]),
  );
  if (history.length > SHOWN_POINTS) {
    context.printLine(`  and ${formatCount(history.length - SHOWN_POINTS)} before; --json has them`);
  }
}

function printChanges(context: CommandContext, { changes }: ProductDetails): void {
  const rows = changes
    .slice(0, SHOWN_CHANGES)
    .flatMap(({ at, changes: fields }) =>
      Object.entries(fields).map(([name, change]) => [
        ...[formatMoment(at), printable(name)],
        change === null || change === undefined
          ? 'another text'
          : `${describeValue(change[0])} → ${describeValue(change[1])}`,
      ]),
    );
  printTable(context, 'Changes', [{ title: 'AT' }, { title: 'FIELD' }, { title: 'CHANGE', least: 20 }], rows);
}

/** With its heading; nothing where there is nothing to show. */
function printTable(
  context: CommandContext,
  title: string,
  columns: readonly FitColumn[],
  rows: readonly (readonly string[])[],
): void {
  if (rows.length === 0) return;
  printHeading(context, title);
  printRows(context, columns, rows, '  ');
}
