/** Runs `parser compare` and prints where two parsers agree. */
import type { Command } from 'commander';
import { findDomain } from '../control/domains/find-domain.ts';
import { readDomain } from '../control/domains/read-domain.ts';
import { chooseParser } from '../control/parsers/choose-parser.ts';
import { type Comparison, compareParsers, type ParserResult } from '../control/parsers/compare-parsers.ts';
import { openConfiguredParsers, parsersDirectory } from '../control/parsers/open-configured-parsers.ts';
import { NO_PARSER } from '../engine/extract/registry.ts';
import { type CommandContext, makeContext, withDatabase } from './context.ts';
import { EXIT_FAILED, QuietExit, UsageError } from './exit.ts';
import { printHeading } from './field-list.ts';
import type { FitColumn } from './fit-table.ts';
import { formatCount, printable, shorten } from './format.ts';
import { LiveLines } from './live-lines.ts';
import { formatShare } from './parser-list.ts';
import { showValue } from './print-extraction.ts';
import { printTable } from './print-table.ts';
import { warcDirectory } from './warc-directory.ts';
import { wrapFor } from './wrap-text.ts';

const BAR_WIDTH = 30;
const VALUE_WIDTH = 100;
const INDENT = '  ';

const figure = (title: string, drop?: number): FitColumn => ({
  ...{ title, align: 'right' },
  ...(drop !== undefined && { drop }),
});
const PARSER_COLUMNS: readonly FitColumn[] = [
  ...[{ title: '' }, { title: 'PARSER', least: 10 }, { title: 'VERSION', least: 5, drop: 3 }],
  ...[figure('VALID'), figure('PARTIAL'), figure('INVALID', 2), figure('NONE'), figure('FAILED')],
  ...[figure('RATE'), figure('MS/PAGE', 1)],
];
const FIELD_COLUMNS: readonly FitColumn[] = [
  ...[{ title: 'FIELD' }, figure('SAME'), figure('ONLY OLD'), figure('ONLY NEW'), figure('DIFFERENT')],
];

interface CompareOptions {
  readonly domain: string;
  readonly with?: string;
  readonly sample: number;
}

export async function compareAndTell(name: string, command: Command): Promise<void> {
  const context = makeContext(command);
  const options = command.optsWithGlobals<CompareOptions>();
  const parsers = await openConfiguredParsers(context.config);
  const { domain, comparison, newText } = await withDatabase(context.config, async (db) => {
    const { id, domain } = await findDomain(db, options.domain);
    const [oldText, newText] =
      options.with === undefined ? [(await readDomain(db, domain)).parserName, name] : [name, options.with];
    if (oldText === NO_PARSER) {
      throw new UsageError(
        `${domain} has no parser to compare with.`,
        'name both: "forager parser compare generic --with …"',
      );
    }
    const [older, newer] = [await chooseParser(parsers, oldText), await chooseParser(parsers, newText)];
    const progress = startProgress(context);
    try {
      const comparison = await compareParsers(db, {
        ...{ domainId: id, old: older, new: newer, sample: options.sample },
        ...{ warcDirectory: warcDirectory(context.config), onProgress: progress.update },
      });
      return { domain, comparison, newText };
    } finally {
      progress.stop();
    }
  });
  if (context.isJson) context.printJson({ domain, ...comparison });
  else print(context, domain, comparison, newText);
  const { pages, new: newer } = comparison;
  if (pages > 0 && newer.verdicts.failed === pages) throw new QuietExit(EXIT_FAILED);
}

function print(context: CommandContext, domain: string, comparison: Comparison, newText: string): void {
  const { pages, unreadable, fields, examples, old: older, new: newer } = comparison;
  const rest = unreadable === 0 ? '' : `; ${formatCount(unreadable)} more could not be read on this machine`;
  context.printLine(
    `${formatCount(pages)} stored ${pages === 1 ? 'page' : 'pages'} of ${printable(domain)}${rest}.`,
  );
  if (pages === 0) {
    context.printLine('There is nothing to compare: crawl it with bodies kept (FORAGER_KEEP_BODIES) first.');
    return;
  }
  printHeading(context, 'Parsers');
  printTable(context, PARSER_COLUMNS, [rowOf('old', older), rowOf('new', newer)], INDENT);
  for (const { parser, failure } of [older, newer]) {
    if (failure === null) continue;
    const told = printable(`${parser} has failed, first on ${failure.url}: ${failure.message}`);
    for (const line of wrapFor(context.out, told, INDENT.length)) context.printLine(`${INDENT}${line}`);
  }
  printHeading(context, 'Fields');
  printTable(
    context,
    FIELD_COLUMNS,
    fields.map(({ field, same, onlyOld, onlyNew, different }) => [
      field,
      ...[same, onlyOld, onlyNew, different].map(formatCount),
    ]),
    INDENT,
  );
  if (examples.length > 0) printHeading(context, 'Differences, some of each field');
  for (const { url, field, old: before, new: after } of examples) {
    context.printLine(`  ${field}  ${onOneLine(context, url, `  ${field}  `)}`);
    context.printLine(`    ${context.out.style.dim('old')}  ${tell(context, before)}`);
    context.printLine(`    ${context.out.style.dim('new')}  ${tell(context, after)}`);
  }
  context.printLine();
  const isFile = newText !== newer.parser;
  if (isFile)
    context.printLine(
      printable(
        `To use it, put the file into ${parsersDirectory(context.config)} and start the roles again.`,
      ),
    );
  context.printLine(
    `${context.suggest(`domain set ${domain} --parser ${newer.parser}`)} switches the domain to it.`,
  );
}

function rowOf(side: string, { parser, version, verdicts, rate, msPerPage }: ParserResult): string[] {
  const { valid, partial, invalid, none, failed } = verdicts;
  return [
    ...[side, printable(parser), printable(version)],
    ...[valid, partial, invalid, none, failed].map(formatCount),
    ...[formatShare(rate), msPerPage === null ? '-' : msPerPage.toFixed(2)],
  ];
}

function tell(context: CommandContext, value: unknown): string {
  if (value === null) return '(not found)';
  return shorten(onOneLine(context, showValue(value), '    old  '), VALUE_WIDTH);
}

/** As much of it as fits on the terminal behind what stands before it. */
function onOneLine({ out }: CommandContext, text: string, before: string): string {
  return out.isInteractive ? shorten(printable(text), out.columns - before.length) : printable(text);
}

function startProgress({ err, isJson }: CommandContext): {
  update(done: number, total: number): void;
  stop(): void;
} {
  const live = err.isInteractive && !isJson ? new LiveLines(err) : undefined;
  return {
    update: (done, total) => {
      if (live === undefined || (done % 10 !== 0 && done !== total)) return;
      const filled = Math.round((done / total) * BAR_WIDTH);
      const bar = `${err.style.cyan('█'.repeat(filled))}${err.style.dim('░'.repeat(BAR_WIDTH - filled))}`;
      live.draw([`  ${bar}  ${formatCount(done)} of ${formatCount(total)} pages`]);
    },
    stop: () => live?.clear(),
  };
}
