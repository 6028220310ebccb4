/** Prints the list of domains: `domain status`. */
import type { Command } from 'commander';
import {
  countDomains,
  type DomainRow,
  type DomainStatus,
  listDomains,
} from '../control/domains/list-domains.ts';
import { type CommandContext, makeContext, withDatabase } from './context.ts';
import { fitTable } from './fit-table.ts';
import { formatCount, printable } from './format.ts';
import { describeMoment, formatMoment } from './moments.ts';
import { printBelow } from './print-below.ts';
import type { Style } from './terminal.ts';

const SHORTEST_DOMAIN = 20;

interface ListOptions {
  readonly status?: DomainStatus;
  readonly limit: number;
}

export async function showStatus(command: Command): Promise<void> {
  const context = makeContext(command);
  const { status, limit } = command.optsWithGlobals<ListOptions>();
  const { rows, total } = await withDatabase(context.config, async (db) => {
    const counts = await countDomains(db);
    const all = [...counts.values()].reduce((sum, count) => sum + count, 0);
    return {
      rows: await listDomains(db, status, limit),
      total: status === undefined ? all : (counts.get(status) ?? 0),
    };
  });
  if (context.isJson) for (const row of rows) context.printJson(row);
  else printStatus(context, rows, status);
  if (total > rows.length) {
    context.err.write(`${formatCount(rows.length)} of ${formatCount(total)} domains; --limit shows more.\n`);
  }
}

function printStatus(
  context: CommandContext,
  rows: readonly DomainRow[],
  status: DomainStatus | undefined,
): void {
  if (rows.length === 0) {
    context.printLine(
      status === undefined
        ? 'No domains yet. "forager crawl https://example.com" starts with one.'
        : `No domain is ${status}.`,
    );
    return;
  }
  const { style } = context.out;
  const [head = '', ...lines] = fitTable(
    context.out,
    [
      { title: 'DOMAIN', least: SHORTEST_DOMAIN },
      { title: 'STATUS' },
      { title: 'PAGES', align: 'right', drop: 4 },
      { title: 'IMAGES', align: 'right', drop: 1 },
      { title: 'ERRORS', align: 'right', drop: 2 },
      { title: 'LAST CRAWLED', drop: 3 },
    ],
    rows.map((row) => [
      printable(row.domain),
      paintStatus(row.status, style) + (row.isActive ? '' : style.yellow(', paused')),
      row.source === 'image' ? 'images only' : `${row.pagesCrawled}/${row.pagesDiscovered}`,
      String(row.imagesFound),
      String(row.errors),
      describeMoment(row.lastCrawledAt),
    ]),
  );
  context.printLine(style.bold(head));
  for (const [index, line] of lines.entries()) {
    context.printLine(line);
    const reason = describeReason(rows[index]);
    if (reason !== undefined) printBelow(context, reason);
  }
}

function describeReason(row: DomainRow | undefined): string | undefined {
  if (row === undefined || (row.reason === null && row.reasonCode === null)) return undefined;
  const parts = [row.reasonCode, row.reason].filter((part) => part !== null);
  const until = row.notBefore === null ? '' : ` (until ${formatMoment(row.notBefore)})`;
  return `reason: ${parts.join(': ')}${until}`;
}

export function paintStatus(status: DomainStatus, style: Style): string {
  if (status === 'active') return style.green(status);
  if (status === 'blocked' || status === 'unreachable') return style.red(status);
  return status === 'pending' ? style.yellow(status) : status;
}
