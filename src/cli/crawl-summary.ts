/** The closing words of a crawl: what there is now, what was passed over and why, and how to go on. */
import type { RunSummary } from '../control/runs/run-summary.ts';
import { CONSEQUENCES, type OutcomeKind } from '../engine/outcome.ts';
import type { CrawlEnd } from '../engine/run/crawl.ts';
import type { CommandContext } from './context.ts';
import {
  formatBytes,
  formatCount,
  formatDuration,
  formatRate,
  formatTable,
  pad,
  printable,
} from './format.ts';
import { imageLines } from './image-lines.ts';
import { formatMoment } from './moments.ts';
import { productLines } from './product-lines.ts';
import { refreshLines } from './refresh-lines.ts';
import type { Style } from './terminal.ts';

export interface SummaryInput {
  readonly end: CrawlEnd;
  readonly summary: RunSummary;
  readonly exported: { readonly rows: number; readonly skippedNoindex: number } | undefined;
  readonly exportFile: string | undefined;
}

const SKIP_PHRASES: Readonly<Record<string, string>> = {
  robots: 'disallowed by robots.txt',
  scope: 'outside the scope of this crawl',
  include: 'not matching --include',
  exclude: 'matching --exclude',
  depth: 'deeper than --max-depth',
  nofollow: 'links marked nofollow',
  'nofollow-page': 'pages whose links are not to be followed',
  noarchive: 'pages not to be kept (noarchive)',
  trap: 'looking like an endless trap',
  login: 'ways back from a login that was met already',
  'bad-url': 'unusable URLs',
  'image-data': 'images within pages (data: URIs)',
  'image-pixel': 'images of a single pixel, by what their page says',
  'image-hosts': 'images on more other hosts than are taken from a page or a domain',
  'image-limit': 'images beyond FORAGER_MAX_IMAGES_PER_PAGE',
};

export function printSummary(context: CommandContext, input: SummaryInput): void {
  if (context.isJson) {
    context.printJson(toJson(context, input));
    return;
  }
  const { style } = context.out;
  for (const line of summaryLines(context, input, style)) context.printLine(line);
}

function toJson(context: CommandContext, { end, summary, exported, exportFile }: SummaryInput): unknown {
  return {
    ...summary,
    reason: end.reason,
    isResumed: end.isResumed,
    restingUntil: end.restingUntil ?? null,
    exported: exported === undefined ? null : { file: exportFile, ...exported },
    dataDir: context.config.dataDir,
  };
}

function summaryLines(context: CommandContext, input: SummaryInput, style: Style): string[] {
  const { end, summary } = input;
  const rate = summary.pages / (summary.durationMs / 1000);
  const unfinished = summary.domains.filter((domain) => domain.reason !== null).length;
  const headline = isFruitless(summary)
    ? style.red('✗ Nothing could be crawled.')
    : end.reason === 'complete' && unfinished > 0
      ? style.yellow(`■ Crawled as far as possible; ${unfinishedPhrase(unfinished, summary.domainCount)}.`)
      : HEADLINES[end.reason](style);
  return [
    '',
    `  ${headline}${end.isResumed ? style.dim(' (went on with an earlier run)') : ''}`,
    '',
    `  ${style.bold(formatCount(summary.pages))} pages in ${formatDuration(summary.durationMs)}  ${style.dim('·')}  ${formatRate(rate)} pages/s  ${style.dim('·')}  ${formatBytes(summary.bytes)}  ${style.dim('·')}  ${formatCount(summary.fetches)} requests`,
    '',
    ...statusLines(summary, style),
    ...domainLines(summary, style),
    ...productLines(summary, style, context.suggest),
    ...imageLines(summary, style, context.suggest),
    ...refreshLines(summary, style),
    ...skipLines(summary, style),
    ...whereLines(context, input, style),
    ...nextLines(context, input, style),
    '',
  ];
}

/** Nothing was read, neither new nor again, and not because there was nothing to read. */
export function isFruitless({ pages, refreshed, domains }: RunSummary): boolean {
  const isBarren = pages === 0 && refreshed.unchanged === undefined;
  return isBarren && domains.some((domain) => domain.reason !== null);
}

/** Blocked or unreachable before its end: the reason stands in the table. */
function unfinishedPhrase(count: number, ofAll: number): string {
  if (ofAll === 1) return 'the domain could not be finished';
  return `${formatCount(count)} of ${formatCount(ofAll)} domains could not be finished`;
}

const HEADLINES: Readonly<Record<CrawlEnd['reason'], (style: Style) => string>> = {
  complete: (style) => style.green('✓ Crawled to the end.'),
  budget: (style) => style.green('✓ The page limit is reached.'),
  stopped: (style) => style.yellow('■ Stopped; nothing is lost.'),
  resting: (style) => style.yellow('■ Paused: some domains must rest first.'),
};

function statusLines(summary: RunSummary, style: Style): string[] {
  const codes = Object.entries(summary.statusCodes).sort(([a], [b]) => a.localeCompare(b));
  const failures = Object.entries(summary.outcomes).filter(
    ([kind]) => (CONSEQUENCES[kind as OutcomeKind]?.isError ?? false) && !hasStatus(kind),
  );
  if (codes.length + failures.length === 0) return [];
  const most = Math.max(...codes.map(([, count]) => count), ...failures.map(([, count]) => count));
  const bar = (count: number): string => '▇'.repeat(Math.max(1, Math.round((count / most) * 30)));
  const paint = (code: string): ((text: string) => string) =>
    code < '300' ? style.green : code < '400' ? style.cyan : style.red;
  const width = Math.max(3, ...failures.map(([kind]) => phraseOf(kind).length));
  return [
    `  ${style.bold('Answers')}`,
    ...codes.map(([code, n]) => `    ${pad(code, width, 'left')}  ${paint(code)(bar(n))} ${formatCount(n)}`),
    ...failures.map(
      ([kind, n]) => `    ${pad(phraseOf(kind), width, 'left')}  ${style.red(bar(n))} ${formatCount(n)}`,
    ),
    '',
  ];
}

const STATUS_KINDS = new Set([
  'gone',
  'refused',
  'client-error',
  'throttled',
  'server-error',
  'redirect-loop',
]);

function hasStatus(kind: string): boolean {
  return STATUS_KINDS.has(kind);
}

function phraseOf(kind: string): string {
  return CONSEQUENCES[kind as OutcomeKind]?.phrase ?? kind;
}

function domainLines(summary: RunSummary, style: Style): string[] {
  const columns = [
    { title: 'Domain' },
    { title: 'State' },
    { title: 'Pages', align: 'right' as const },
    { title: 'Known URLs', align: 'right' as const },
    { title: 'Errors', align: 'right' as const },
    { title: 'Size', align: 'right' as const },
  ];
  const rows = summary.domains.map((domain) => [
    domain.domain,
    paintState(domain.status, style),
    formatCount(domain.pages),
    formatCount(domain.discovered),
    domain.errors === 0 ? style.dim('–') : style.red(formatCount(domain.errors)),
    formatBytes(domain.bytes),
  ]);
  const [head = '', ...body] = formatTable(columns, rows);
  const lines = body.flatMap((line, i) => {
    const domain = summary.domains[i];
    if (domain?.reason == null) return [`  ${line}`];
    const until = domain.restingUntil === null ? '' : `, until ${formatMoment(domain.restingUntil)}`;
    return [`  ${line}`, `    ${style.yellow(`└ ${printable(domain.reason).replace(/\.$/, '')}${until}`)}`];
  });
  const hidden = summary.domainCount - summary.domains.length;
  const more = hidden > 0 ? [style.dim(`  … and ${formatCount(hidden)} more: forager domain status`)] : [];
  return [`  ${style.bold(head)}`, ...lines, ...more, ''];
}

function paintState(status: string, style: Style): string {
  if (status === 'exhausted') return style.green('complete');
  if (status === 'blocked' || status === 'unreachable') return style.red(status);
  return style.yellow(status);
}

function skipLines(summary: RunSummary, style: Style): string[] {
  const skipped = Object.entries(summary.skipped).map(
    ([reason, count]) => [count, SKIP_PHRASES[reason] ?? reason] as const,
  );
  const unwanted = summary.outcomes['unwanted-type'];
  if (unwanted !== undefined) skipped.push([unwanted, 'not web pages (images, PDFs …)']);
  if (summary.duplicates > 0)
    skipped.push([summary.duplicates, 'exact copies of other pages (kept, and marked by their hash)']);
  if (skipped.length === 0) return [];
  const width = Math.max(...skipped.map(([count]) => formatCount(count).length));
  return [
    `  ${style.bold('Passed over')}`,
    ...skipped
      .sort(([a], [b]) => b - a)
      .map(([count, phrase]) => `    ${pad(formatCount(count), width, 'right')}  ${phrase}`),
    '',
  ];
}

function whereLines(
  context: CommandContext,
  { exported, exportFile, summary }: SummaryInput,
  style: Style,
): string[] {
  const { config } = context;
  const kept = [
    ...(config.databaseUrl === undefined ? ['database'] : []),
    ...(config.keepBodies ? ['WARC files'] : []),
  ].join(' and ');
  const place = kept === '' ? 'the database of DATABASE_URL' : `${config.dataDir}${style.dim(`  (${kept})`)}`;
  const lines = [`  ${style.bold('Data')}      ${place}`];
  if (exported !== undefined) {
    const noindex =
      exported.skippedNoindex > 0 ? style.dim(`  (${exported.skippedNoindex} marked noindex left out)`) : '';
    const all = exported.rows > summary.pages ? ' (all there are of these domains)' : '';
    lines.push(
      `  ${style.bold('Exported')}  ${exportFile}: ${formatCount(exported.rows)} pages${all}${noindex}`,
    );
  }
  return lines;
}

function nextLines(context: CommandContext, { end, summary }: SummaryInput, style: Style): string[] {
  const again = style.cyan('run the same command again');
  switch (end.reason) {
    case 'stopped':
      return [`  ${style.bold('Go on')}     ${again}`];
    case 'budget':
      return [`  ${style.bold('Go on')}     run it again with a larger limit`];
    case 'resting': {
      const when = end.restingUntil === undefined ? '' : ` after ${formatMoment(end.restingUntil)}`;
      return [`  ${style.bold('Go on')}     ${again}${when}`];
    }
    case 'complete': {
      const first = summary.domains[0]?.domain ?? 'example.com';
      const look = `${style.bold('Look')}      ${context.suggest(`page list --domain ${first}`)}`;
      if (summary.fetches > 0) return [`  ${look}`];
      const why = summary.domains[0]?.reason == null ? 'nothing was due' : 'to try again';
      return [`  ${style.bold('Note')}      ${why}: ${context.suggest(`domain reset ${first} --recrawl`)}`];
    }
  }
}
