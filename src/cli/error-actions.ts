/** Prints `error list` and `error stats`. */
import type { Command } from 'commander';
import { ERROR_CATEGORIES, type ErrorCategoryName } from '../contract/errors.ts';
import { countErrors, type ErrorStats } from '../control/errors/count-errors.ts';
import { type ErrorFilter, type ErrorLine, listErrors } from '../control/errors/list-errors.ts';
import type { Database } from '../platform/database.ts';
import { drawBars } from './bars.ts';
import { type CommandContext, makeContext, withDatabase } from './context.ts';
import { UsageError } from './exit.ts';
import { fitTable, SHORTEST_URL } from './fit-table.ts';
import { formatCount, printable, shorten } from './format.ts';
import { formatInstant, formatMoment } from './moments.ts';
import { printBelow } from './print-below.ts';

const PAGE_ROWS = 1000;
const LONGEST_MESSAGE = 300;
const MOST_TOP = 100;

interface ListOptions {
  readonly category?: ErrorCategoryName;
  readonly domain?: string;
  readonly task?: number;
  readonly code?: string;
  readonly since?: Date;
  readonly until?: Date;
  readonly limit: number;
}

export async function showErrors(command: Command): Promise<void> {
  const context = makeContext(command);
  const {
    limit,
    task: taskId,
    category,
    domain,
    code,
    since,
    until,
  } = command.optsWithGlobals<ListOptions>();
  const filter = { category, domain, taskId, code, since, until };
  const errors = await withDatabase(context.config, (db) => readErrors(db, filter, limit));
  if (context.isJson) {
    for (const { atText: _atText, ...shown } of errors) context.printJson(shown);
    return;
  }
  if (errors.length === 0) {
    context.printLine('No errors.');
    return;
  }
  const [head = '', ...lines] = fitTable(
    context.out,
    [
      ...[{ title: 'AT' }, { title: 'CATEGORY', drop: 3 }, { title: 'CODE' }],
      ...[
        { title: 'TASK', drop: 2 },
        { title: 'TRY', drop: 1 },
        { title: 'URL', least: SHORTEST_URL },
      ],
    ],
    errors.map((error) => [
      ...[formatInstant(error.occurredAt), error.category, printable(error.code)],
      ...[String(error.taskId ?? '-'), String(error.attempt), printable(error.url)],
    ]),
  );
  context.printLine(context.out.style.bold(head));
  for (const [index, line] of lines.entries()) {
    context.printLine(line);
    const message = errors[index]?.message ?? '';
    if (message !== '') printBelow(context, shorten(message, LONGEST_MESSAGE));
  }
}

async function readErrors(db: Database, filter: ErrorFilter, limit: number): Promise<ErrorLine[]> {
  const errors: ErrorLine[] = [];
  while (errors.length < limit) {
    const wanted = Math.min(PAGE_ROWS, limit - errors.length);
    const page = await listErrors(db, filter, errors.at(-1), wanted);
    errors.push(...page);
    if (page.length < wanted) break;
  }
  return errors;
}

interface StatsOptions {
  readonly since?: Date;
  readonly until?: Date;
  readonly domain?: string;
  readonly top: number;
}

export async function showErrorStats(command: Command): Promise<void> {
  const context = makeContext(command);
  const { since: from, until: to, domain, top } = command.optsWithGlobals<StatsOptions>();
  if (top > MOST_TOP) throw new UsageError(`--top is at most ${MOST_TOP}.`);
  const stats = await withDatabase(context.config, (db) => countErrors(db, { from, to, domain, top }));
  if (context.isJson) context.printJson(stats);
  else printStats(context, stats);
}

function printStats(context: CommandContext, stats: ErrorStats): void {
  const { style } = context.out;
  const { total, from, to, isPartial, countedFrom } = stats;
  context.printLine(`${formatCount(total)} errors from ${formatMoment(from)} to ${formatMoment(to)}.`);
  if (isPartial && countedFrom !== null) {
    context.printLine(`There are more: these are the latest, from ${formatMoment(countedFrom)} on.`);
  }
  if (total === 0) return;
  const print = (title: string, bars: readonly { label: string; count: number }[]): void => {
    context.printLine(`\n${style.bold(title)}`);
    for (const line of drawBars(bars, style)) context.printLine(`  ${line}`);
  };
  print(
    'By category',
    ERROR_CATEGORIES.map((label) => ({ label, count: stats.categories[label] })),
  );
  print(
    'By code',
    stats.codes.map(({ code, count }) => ({ label: printable(code), count })),
  );
  print(
    'By domain',
    stats.domains.map(({ domain, count }) => ({ label: printable(domain), count })),
  );
  print(
    'By day',
    stats.days.map(({ day, count }) => ({ label: day, count })),
  );
}
