/** Prints `product changes`. */
import type { Command } from 'commander';
import { findDomain } from '../control/domains/find-domain.ts';
import {
  type ChangePlace,
  type ListedChange,
  listProductChanges,
} from '../control/products/list-product-changes.ts';
import type { Database } from '../platform/database.ts';
import { type CommandContext, makeContext, withDatabase } from './context.ts';
import type { FitColumn } from './fit-table.ts';
import { formatCount, printable, shorten } from './format.ts';
import { formatMoment } from './moments.ts';
import { printTable } from './print-table.ts';
import { describeMove, describePrice, describeValue } from './product-words.ts';

interface ChangesOptions {
  readonly domain?: string;
  readonly field?: string;
  readonly since?: Date;
  readonly limit: number;
}

const COLUMNS: readonly FitColumn[] = [
  { title: 'URL', least: 20, drop: 1 },
  { title: 'ID', align: 'right', drop: 2 },
  { title: 'NAME', least: 12 },
  { title: 'AT' },
  { title: 'FIELD' },
  { title: 'CHANGE', least: 24 },
];
const LONGEST_NAME = 30;
const MOST_AT_ONCE = 1000;

export async function showProductChanges(command: Command): Promise<void> {
  const context = makeContext(command);
  const options = command.optsWithGlobals<ChangesOptions>();
  const { limit } = options;
  const found = await withDatabase(context.config, (db) => readChanges(db, options, limit + 1));
  const shown = found.slice(0, limit);
  if (context.isJson) for (const { atText: _atText, ...change } of shown) context.printJson(change);
  else if (shown.length === 0) context.printLine('No changes.');
  else printChanges(context, shown);
  if (found.length > limit) context.err.write(`The last ${formatCount(limit)}; --limit shows more.\n`);
}

/** A look ends after so many changes: here the next one begins where it did. */
async function readChanges(
  db: Database,
  { domain, field, since }: ChangesOptions,
  limit: number,
): Promise<ListedChange[]> {
  const domainId = domain === undefined ? undefined : (await findDomain(db, domain)).id;
  const found: ListedChange[] = [];
  let after: ChangePlace | undefined;
  do {
    const page = Math.min(MOST_AT_ONCE, limit - found.length);
    const { changes, next } = await listProductChanges(db, { domainId, field, since }, after, page);
    found.push(...changes);
    after = next;
  } while (after !== undefined && found.length < limit);
  return found;
}

/** A line for each field. */
function printChanges(context: CommandContext, changes: readonly ListedChange[]): void {
  const rows = changes.flatMap((change) =>
    Object.entries(change.changes).map(([field, values]) => [
      ...[
        printable(change.url),
        String(change.productId),
        printable(shorten(change.name ?? '-', LONGEST_NAME)),
      ],
      ...[formatMoment(change.at), printable(field), describeChange(context, change, field, values)],
    ]),
  );
  printTable(context, COLUMNS, rows);
}

function describeChange(
  { out }: CommandContext,
  { currency, changes }: ListedChange,
  field: string,
  values: readonly [unknown, unknown] | null,
): string {
  if (values === null) return 'another text';
  const [before, after] = values;
  const isPrice = field === 'price' && changes.currency === undefined;
  if (!isPrice || typeof before !== 'string' || typeof after !== 'string') {
    return `${describeValue(before)} → ${describeValue(after)}`;
  }
  const [was, is] = [before, after].map((price) => ({ price, currency }));
  const move = was === undefined || is === undefined ? null : describeMove(was, is, out.style);
  const told = `${describePrice({ price: before, currency: null })} → ${describePrice({ price: after, currency })}`;
  return move === null ? told : `${told}  ${move}`;
}
