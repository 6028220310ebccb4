/** Runs `parser compare` and prints where two parsers agree. */
import type { Command } from 'commander';
import { findDomain } from '../control/domains/find-domain.ts';
import { readDomain } from '../control/domains/read-domain.ts';
import { chooseParser } from '../control/parsers/choose-parser.ts';
import { type Comparison, compareParsers, type ParserResult } from '../control/parsers/compare-parsers.ts';
import { openConfiguredParsers, parsersDirectory } from '../control/parsers/open-configured-parsers.ts';
import { NO_PARSER } from '../engine/extract/registry.ts';
import { type CommandContext, makeContext, withDatabase } from './context.ts';
import { UsageError } from './exit.ts';
import { printHeading } from './field-list.ts';
import { fitTable } from './fit-table.ts';
import { formatCount, printable, shorten } from './format.ts';
import { LiveLines } from './live-lines.ts';
import { formatShare } from './parser-list.ts';
import { showValue } from './print-extraction.ts';
import { warcDirectory } from './warc-directory.ts';

const BAR_WIDTH = 30;
const VALUE_WIDTH = 100;

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
}

function print(context: CommandContext, domain: string, comparison: Comparison, newText: string): void {
  const { pages, unreadable, fields, examples, old: older, new: newer } = comparison;
  const rest = unreadable === 0 ? '' : `; ${formatCount(unreadable)} more could not be read on this machine`;
  context.printLine(`${formatCount(pages)} stored pages of ${printable(domain)}${rest}.`);
  if (pages === 0) {
    context.printLine('There is nothing to compare: crawl it with bodies kept (FORAGER_KEEP_BODIES) first.');
    return;
  }
  printHeading(context, 'Parsers');
  printTable(
    context,
    ['', 'PARSER', 'VERSION', 'VALID', 'PARTIAL', 'INVALID', 'NONE', 'FAILED', 'RATE', 'MS/PAGE'],
    [rowOf('old', older), rowOf('new', newer)],
  );
  for (const { parser, failure } of [older, newer]) {
    if (failure !== null)
      context.printLine(printable(`  ${parser} has failed, first on ${failure.url}: ${failure.message}`));
  }
  printHeading(context, 'Fields');
  printTable(
    context,
    ['FIELD', 'SAME', 'ONLY OLD', 'ONLY NEW', 'DIFFERENT'],
    fields.map(({ field, same, onlyOld, onlyNew, different }) => [
      field,
      ...[same, onlyOld, onlyNew, different].map(formatCount),
    ]),
  );
  if (examples.length > 0) printHeading(context, 'Differences, some of each field');
  for (const { url, field, old: before, new: after } of examples) {
    context.printLine(printable(`  ${field}  ${url}`));
    context.printLine(`    ${context.out.style.dim('old')}  ${tell(before)}`);
    context.printLine(`    ${context.out.style.dim('new')}  ${tell(after)}`);
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

function tell(value: unknown): string {
  return value === null ? '(not found)' : shorten(printable(showValue(value)), VALUE_WIDTH);
}

function printTable(
  context: CommandContext,
  titles: readonly string[],
  rows: readonly (readonly string[])[],
): void {
  const columns = titles.map((title, index) =>
    index === 0 || title === 'PARSER' || title === 'VERSION' ? { title } : { title, align: 'right' as const },
  );
  const [head = '', ...lines] = fitTable(context.out, columns, rows);
  context.printLine(`  ${context.out.style.bold(head)}`);
  for (const line of lines) context.printLine(`  ${line}`);
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
