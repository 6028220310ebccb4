/** Prints `parser list` and `parser show`. */
import type { Command } from 'commander';
import { openConfiguredParsers, parsersDirectory } from '../control/parsers/open-configured-parsers.ts';
import type { ParseFigures } from '../control/parsers/parse-figures.ts';
import {
  listParsers,
  type ParserDetails,
  type ParserSummary,
  readParser,
} from '../control/parsers/read-parsers.ts';
import { type CommandContext, makeContext, withDatabase } from './context.ts';
import { printFields, printHeading } from './field-list.ts';
import type { FitColumn } from './fit-table.ts';
import { formatCount, printable } from './format.ts';
import { formatMoment } from './moments.ts';
import { printTable } from './print-table.ts';

export async function listAndTell(command: Command): Promise<void> {
  const context = makeContext(command);
  const parsers = await openConfiguredParsers(context.config);
  const rows = await withDatabase(context.config, (db) => listParsers(db, parsers));
  const fileOf = (name: string): string | null =>
    (
      parsers.parsers.find((parser) => parser.name === name) ??
      parsers.troubles.find((one) => one.name === name)
    )?.file ?? null;
  if (context.isJson) {
    for (const row of rows) context.printJson({ ...row, file: fileOf(row.name) });
    return;
  }
  printTable(
    context,
    [
      { title: 'NAME', least: 12 },
      { title: 'VERSION', least: 6 },
      { title: 'FROM', drop: 1 },
      { title: 'DOMAINS', align: 'right' },
      ...FIGURES,
    ],
    rows.map((row) => [
      ...[
        printable(row.name),
        row.version === null ? context.out.style.red('none here') : printable(row.version),
      ],
      ...[row.origin ?? '-', formatCount(row.domains), ...figuresOf(row.lastDay)],
    ]),
  );
  for (const { file, message, hint } of parsers.troubles) {
    context.err.write(printable(`${file}: ${message}; ${hint}`).concat('\n'));
  }
  const own = printable(parsersDirectory(context.config));
  context.err.write(`Your own go into ${own}; figures are of the last 24 hours.\n`);
}

export async function showAndTell(name: string, command: Command): Promise<void> {
  const context = makeContext(command);
  const { days, domain } = command.optsWithGlobals<{ days: number; domain?: string }>();
  const parsers = await openConfiguredParsers(context.config);
  const details = await withDatabase(context.config, (db) => readParser(db, parsers, name, { days, domain }));
  const file = parsers.parsers.find((parser) => parser.name === name)?.file ?? null;
  if (context.isJson) context.printJson({ ...details, file });
  else printDetails(context, details, file);
}

function printDetails(context: CommandContext, details: ParserDetails, file: string | null): void {
  printFields(context, [
    ['parser', details.name],
    ['version', details.version ?? 'none here'],
    ['about', details.description],
    ['from', details.origin],
    ['file', file],
    ['problem', details.problem],
    ['domains', formatCount(details.domains)],
    ['versions', describeVersions(details)],
  ]);
  if (details.days.length > 0) {
    printHeading(context, 'By day');
    printTable(
      context,
      [{ title: 'DAY' }, { title: 'VERSION', least: 6 }, ...FIGURES],
      details.days.map((day) => [day.day, printable(day.version), ...figuresOf(day)]),
    );
  }
  if (details.worstDomains.length > 0) {
    printHeading(context, 'Domains, the last 24 hours; the lowest rate first');
    printTable(
      context,
      [
        { title: 'DOMAIN', least: 16 },
        { title: 'VERSION', drop: 1 },
        ...FIGURES,
        { title: '7 DAYS BEFORE', align: 'right' },
      ],
      details.worstDomains.map((row) => [
        ...[printable(row.domain), printable(row.version ?? '-'), ...figuresOf(row)],
        formatShare(row.rateBefore),
      ]),
    );
  }
  if (details.days.length === 0) context.printLine('It has read no pages with products in that time.');
}

function describeVersions({ versions }: ParserSummary): string {
  return versions.map(({ version, lastAt }) => `${version} (until ${formatMoment(lastAt)})`).join(', ');
}

const FIGURES: readonly FitColumn[] = [
  { title: 'PAGES', align: 'right' },
  { title: 'VALID', align: 'right' },
  { title: 'PARTIAL', align: 'right', drop: 2 },
  { title: 'INVALID', align: 'right', drop: 3 },
  { title: 'LOST', align: 'right', drop: 4 },
  { title: 'FAILED', align: 'right' },
  { title: 'RATE', align: 'right' },
];

function figuresOf({ pages, valid, partial, invalid, lost, failed, rate }: ParseFigures): string[] {
  return [...[pages, valid, partial, invalid, lost, failed].map(formatCount), formatShare(rate)];
}

/** Not rounded up: what is a little less than all is not all. */
export function formatShare(rate: number | null): string {
  return rate === null ? '-' : `${Math.floor(rate * 1000) / 10} %`;
}
