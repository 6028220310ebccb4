/** Prints everything about one domain: `domain info`. */

import type { Command } from 'commander';
import { type DomainReport, readDomain } from '../control/domains/read-domain.ts';
import { STANDING_RUN } from '../engine/run/standing-run.ts';
import type { Config } from '../platform/config.ts';
import { type CommandContext, makeContext, withDatabase } from './context.ts';
import { printFields, printHeading } from './field-list.ts';
import { formatBytes, formatCount, formatTable, printable, shorten } from './format.ts';
import { formatInstant, formatMoment } from './moments.ts';
import { printHistory } from './show-domain-history.ts';
import { printState } from './show-domain-state.ts';
import { printScore } from './show-score.ts';

export async function showDomain(name: string, command: Command): Promise<void> {
  const context = makeContext(command);
  const report = await withDatabase(context.config, (db) => readDomain(db, name));
  if (context.isJson) {
    context.printJson(report);
    return;
  }
  printState(context, report);
  printScore(context, report.score, report.status);
  printHistory(context, report.events);
  printSettings(context, report);
  printRobots(context, report);
  printSitemaps(context, report);
  printTemplates(context, report);
  printRuns(context, report);
  printLog(context, report);
}

function printSettings(context: CommandContext, report: DomainReport): void {
  const { config } = context;
  printHeading(context, 'Settings');
  printFields(
    context,
    [
      ['delay', describeSetting(report.crawlDelayMs, config, 'delayMs', 'ms')],
      [
        'requests at once',
        describeSetting(report.maxConcurrentRequests, config, 'maxConcurrentRequests', ''),
      ],
      [
        'pages per run',
        report.maxPagesPerRun ?? `${formatCount(config.maxPagesPerRun)} a turn of a worker (default)`,
      ],
      ['user agent', report.userAgent ?? `${config.userAgent} (default)`],
      ['parser', report.parserName],
      ['images', report.images ?? `${config.images} (default)`],
      ['language', report.language ?? 'what its pages declare (default)'],
      ['scope', report.scope ?? 'as the crawl says (default)'],
      ['include', report.include?.join(', ')],
      ['exclude', report.exclude?.join(', ')],
      ['deepest', report.maxDepth === null ? null : `${report.maxDepth} links from a seed`],
      ['explored', report.isExplored ? null : 'no: there for its tasks only'],
      ['left alone', describeMaintenance(report)],
      ['proxies', describeProxies(report)],
    ],
    '  ',
  );
}

function describeMaintenance({ maintenance }: DomainReport): string | null {
  if (maintenance === null) return null;
  return `every day from ${maintenance.start} to ${maintenance.end}, ${maintenance.timezone}`;
}

const PROXY_MODE_WORDS: Readonly<Record<DomainReport['proxyMode'], string>> = {
  auto: 'where there are any',
  direct: 'never',
  required: 'always: it waits where none can be used',
};

function describeProxies(report: DomainReport): string {
  const { proxyMode, proxyCountry, proxyRotation, proxyRequestsPerHour: perHour } = report;
  const mode = PROXY_MODE_WORDS[proxyMode];
  if (proxyMode === 'direct') return mode;
  const parts = [proxyMode === 'auto' ? `${mode} (default)` : mode];
  if (proxyCountry !== null) parts.push(`only of ${proxyCountry}`);
  if (proxyRotation === 'sticky') parts.push('through one as long as possible');
  if (perHour !== null) parts.push(`at most ${formatCount(perHour)} requests an hour through each`);
  return parts.join(', ');
}

function describeSetting(
  own: number | null,
  config: Config,
  key: 'delayMs' | 'maxConcurrentRequests',
  unit: string,
): string {
  return own === null ? `${config[key]} ${unit}`.trim().concat(' (default)') : `${own} ${unit}`.trim();
}

function printRobots(context: CommandContext, report: DomainReport): void {
  printHeading(context, 'robots.txt');
  if (report.robots.length === 0) context.printLine('  not read yet');
  for (const robots of report.robots) {
    const parts = [
      ACCESS_WORDS[robots.access] ?? robots.access,
      robots.httpStatus === null ? undefined : `status ${robots.httpStatus}`,
      robots.bytes === null ? undefined : formatBytes(robots.bytes),
      robots.crawlDelaySeconds === null
        ? undefined
        : `asks for ${robots.crawlDelaySeconds} s between requests`,
      `read ${formatMoment(robots.fetchedAt)}`,
      robots.isFresh
        ? `good until ${formatMoment(robots.expiresAt)}`
        : 'stale: read again before the next fetch',
    ];
    context.printLine(`  ${printable(robots.origin)}  ${printable(parts.filter(Boolean).join(', '))}`);
    if (robots.note !== null) context.printLine(`    ${printable(robots.note)}`);
  }
}

const ACCESS_WORDS: Readonly<Record<string, string>> = {
  parse: 'has rules',
  'allow-all': 'allows everything',
  'disallow-all': 'cannot be read: nothing may be fetched',
  defer: 'to be asked again later',
};

function printSitemaps(context: CommandContext, report: DomainReport): void {
  if (report.sitemaps.length === 0) return;
  printHeading(context, 'Sitemaps');
  for (const map of report.sitemaps) {
    const note = map.note === null || map.note === '' ? '' : ` (${map.note})`;
    context.printLine(
      printable(`  ${map.state.padEnd(6)}  ${formatCount(map.urls)} URLs  ${map.url}${note}`),
    );
  }
}

function printTemplates(context: CommandContext, report: DomainReport): void {
  if (report.fullTemplates.length === 0) return;
  printHeading(context, 'URL shapes that used up their budget (the site looks endless there)');
  for (const { template, admitted, budget } of report.fullTemplates) {
    context.printLine(printable(`  ${formatCount(admitted)}/${formatCount(budget)}  ${template}`));
  }
}

function printRuns(context: CommandContext, report: DomainReport): void {
  if (report.runs.length === 0) return;
  printHeading(context, 'Recent runs');
  const lines = formatTable(
    [
      { title: 'RUN', align: 'right' },
      { title: 'STATUS' },
      { title: 'PAGES', align: 'right' },
      { title: 'FETCHES', align: 'right' },
      { title: 'ERRORS', align: 'right' },
      { title: 'RECEIVED', align: 'right' },
      { title: 'STARTED' },
    ],
    report.runs.map((run) => [
      run.run === STANDING_RUN ? 'standing' : String(run.run),
      run.endReason === null ? run.status : `${run.status} (${run.endReason})`,
      formatCount(run.pages),
      formatCount(run.fetches),
      formatCount(run.errors),
      formatBytes(run.bytes),
      formatMoment(run.startedAt),
    ]),
  );
  for (const line of lines) context.printLine(`  ${line}`);
}

function printLog(context: CommandContext, report: DomainReport): void {
  if (report.log.length === 0) return;
  printHeading(context, 'Last fetches');
  for (const line of report.log) {
    const status = line.httpStatus === null ? '' : ` ${line.httpStatus}`;
    const message = line.message === null ? '' : `  ${line.message}`;
    const through = line.proxyId === null ? '' : ` through proxy ${line.proxyId}`;
    const url = shorten(line.url, Math.max(40, context.out.columns - 50));
    context.printLine(
      printable(`  ${formatInstant(line.fetchedAt)}  ${line.outcome}${status}${through}  ${url}${message}`),
    );
  }
}
