/** What a backfill did and what the tables look like now. */
import type { BackfillResult } from '../control/backfill/backfill.ts';
import type { CounterName, Tally } from '../control/backfill/tally.ts';
import type { Checks, Validation } from '../control/backfill/validate.ts';
import type { CommandContext } from './context.ts';
import { printHeading } from './field-list.ts';
import { formatCount, formatRate, formatTable, printable, shorten } from './format.ts';
import { paintStatus } from './show-domains.ts';

export function printBackfillReport(
  context: CommandContext,
  result: BackfillResult,
  isDryRun: boolean,
): void {
  const { tally, validation } = result;
  const { style } = context.out;
  if (isDryRun) context.printLine(style.yellow('A dry run: nothing was written.'));
  printDeeds(context, result, isDryRun);
  printCorrections(context, tally);
  printNotes(context, tally);
  if (validation === undefined) {
    context.printLine();
    context.printLine(
      isDryRun
        ? 'Stopped before the end.'
        : `Stopped before the end; what was done stays. "${context.suggest('db backfill')}" goes on.`,
    );
    return;
  }
  printFigures(context, validation);
  if (isDryRun) printFindings(context, validation.checks);
  else printChecks(context, validation);
}

function printDeeds(context: CommandContext, { tally, validation }: BackfillResult, isDryRun: boolean): void {
  const { moved, skipped } = tally;
  const { style } = context.out;
  printHeading(context, isDryRun ? 'What would be done' : 'What was done');
  const rows: [label: string, count: number, meaning: string][] = [
    ['domains merged', tally.merged, 'another spelling of one that stays'],
    ['domains renamed', tally.renamed, 'to the canonical name'],
    ['domains rebuilt', tally.rebuilt, 'rows of theirs were left, but none of their own'],
    ['URLs moved', moved.urls, 'to the domain they name'],
    ['pages moved', moved.pages, ''],
    ['fetches moved', moved.fetches, 'in the log'],
    ['URLs joined', moved.duplicateUrls, 'known to several domains, now to one'],
    ['pages joined', moved.duplicatePages, ''],
    ['counters corrected', tally.correctedDomains, 'domains'],
    ['rates computed', tally.ratesWritten, 'domains'],
    ['passed over', skipped.size, 'a worker has them'],
  ];
  const shown = rows.filter(([, count]) => count > 0);
  if (shown.length === 0) {
    context.printLine(
      validation === undefined
        ? '  Nothing so far.'
        : `  ${style.green('✓')} Nothing: the domains are what the tables say.`,
    );
    return;
  }
  const cells = shown.map(([label, count, meaning]) => [label, formatCount(count), style.dim(meaning)]);
  const [, ...lines] = formatTable([{ title: '' }, { title: '', align: 'right' }, { title: '' }], cells);
  for (const line of lines) context.printLine(`  ${line}`);
}

const COUNTERS: Readonly<Record<CounterName, string>> = {
  pagesDiscovered: 'pages discovered',
  pagesCrawled: 'pages crawled',
  imagesFound: 'images found',
  depth: 'depth reached',
  errors: 'errors',
  firstSeenAt: 'first seen',
  lastCrawledAt: 'last crawled',
};

function printCorrections(context: CommandContext, tally: Tally): void {
  const counters = Object.entries(tally.corrections).filter(([, count]) => count > 0);
  if (counters.length === 0) return;
  printHeading(context, 'Counters');
  const named = counters.map(
    ([counter, count]) => `${COUNTERS[counter as CounterName]} ${formatCount(count)}`,
  );
  context.printLine(`  domains by counter: ${named.join(', ')}`);
  if (tally.largest.length === 0) return;
  const [head = '', ...lines] = formatTable(
    [
      { title: 'LARGEST DIFFERENCES' },
      { title: 'COUNTER' },
      { title: 'WAS', align: 'right' },
      { title: 'IS', align: 'right' },
    ],
    tally.largest.map(({ domain, counter, before, after }) => [
      shorten(printable(domain), 40),
      COUNTERS[counter],
      formatCount(before),
      formatCount(after),
    ]),
  );
  context.printLine(`  ${context.out.style.dim(head)}`);
  for (const line of lines) context.printLine(`  ${line}`);
}

const MOST_NAMED = 5;

function printNotes(context: CommandContext, tally: Tally): void {
  const { style } = context.out;
  const list = (names: Iterable<string>): string => {
    const all = [...new Set(names)];
    const more = all.length > MOST_NAMED ? ` … and ${formatCount(all.length - MOST_NAMED)} more` : '';
    return printable(all.slice(0, MOST_NAMED).join(', ')) + more;
  };
  if (tally.skipped.size === 0 && tally.nameless.size === 0) return;
  context.printLine();
  if (tally.skipped.size > 0) {
    context.printLine(`  ${style.yellow('!')} a worker has: ${list(tally.skipped.values())}`);
    context.printLine(`    ${style.dim('run it again when they are released')}`);
  }
  if (tally.nameless.size > 0) {
    context.printLine(`  ${style.yellow('!')} no host can be made of: ${list(tally.nameless)}`);
    context.printLine(
      `    ${style.dim('nobody knows what was meant: correct or delete these rows by hand')}`,
    );
  }
}

function printFigures(context: CommandContext, { totals, statuses }: Validation): void {
  const { style } = context.out;
  printHeading(context, 'Domains');
  context.printLine(
    `  ${formatCount(totals.inLog)} in the log, ${formatCount(totals.inTable)} in the table, ${formatCount(totals.fromBackfills)} of them from backfills`,
  );
  if (statuses.length === 0) return;
  const [head = '', ...lines] = formatTable(
    [
      { title: 'STATUS' },
      { title: 'DOMAINS', align: 'right' },
      { title: 'BACKFILLED', align: 'right' },
      { title: 'PAGES', align: 'right' },
      { title: 'PAGES/DOMAIN', align: 'right' },
      { title: 'IMAGES/PAGE', align: 'right' },
      { title: 'YIELD', align: 'right' },
    ],
    statuses.map((row) => [
      paintStatus(row.status, style),
      formatCount(row.domains),
      formatCount(row.fromBackfills),
      formatCount(row.pages),
      formatRate(row.pagesAverage),
      row.imagesPerPageAverage?.toFixed(2) ?? '–',
      row.imageYieldAverage?.toFixed(2) ?? '–',
    ]),
  );
  context.printLine(`  ${style.dim(head)}`);
  for (const line of lines) context.printLine(`  ${line}`);
}

const CHECKS: Readonly<Record<keyof Checks, readonly [well: string, ill: string]>> = {
  orphanUrls: ['every URL has its domain', 'URLs without a domain'],
  orphanPages: ['every page has its domain', 'pages without a domain'],
  orphanFetches: ['every fetch in the log has its domain', 'fetches in the log without a domain'],
  misnamedDomains: ['every name is canonical', 'names that are not canonical'],
  misplacedRows: [
    'every row is with the domain its URL names',
    'rows with another domain than their URL names',
  ],
  disagreeingCounters: [
    'every counter is what the tables say',
    'domains whose counters are not what the tables say',
  ],
};
const CHECK_NAMES = Object.keys(CHECKS) as (keyof Checks)[];

function printChecks(context: CommandContext, { checks, isWell }: Validation): void {
  const { style } = context.out;
  printHeading(context, 'Checks');
  for (const name of CHECK_NAMES) {
    const [well, ill] = CHECKS[name];
    context.printLine(
      checks[name] === 0
        ? `  ${style.green('✓')} ${well}`
        : `  ${style.red('✗')} ${style.red(`${ill}: ${formatCount(checks[name])}`)}`,
    );
  }
  context.printLine();
  context.printLine(
    isWell ? 'All is in order.' : 'Not all is in order. Run it again; what is wrong then needs a person.',
  );
}

function printFindings(context: CommandContext, checks: Checks): void {
  printHeading(context, 'As it is now');
  for (const name of CHECK_NAMES) {
    const [well, ill] = CHECKS[name];
    const { style } = context.out;
    context.printLine(
      checks[name] === 0
        ? `  ${style.green('✓')} ${well}`
        : `  ${style.yellow('·')} ${ill}: ${formatCount(checks[name])}`,
    );
  }
}

export function backfillJson({ tally, validation }: BackfillResult, isDryRun: boolean): object {
  const { skipped, nameless, correctedDomains, corrections, largest, ...counts } = tally;
  return {
    ...{ isDryRun, isComplete: validation !== undefined, isWell: validation?.isWell ?? null },
    ...counts,
    corrected: { domains: correctedDomains, byCounter: corrections, largest },
    skippedLeased: [...new Set(skipped.values())].sort(),
    nameless: [...nameless].sort(),
    totals: validation?.totals ?? null,
    byStatus: validation?.statuses ?? null,
    checks: validation?.checks ?? null,
  };
}
