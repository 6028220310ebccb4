/** Prints `domain top`. */
import type { Command } from 'commander';
import { type TopDomain, type TopOrder, topDomains } from '../control/domains/list-domains.ts';
import { type CommandContext, makeContext, withDatabase } from './context.ts';
import { fitTable } from './fit-table.ts';
import { type Column, formatCount, printable } from './format.ts';
import { describeMoment } from './moments.ts';
import { paintStatus } from './show-domains.ts';

interface TopColumn extends Column {
  /** What it is ordered by; on a narrow terminal that column is kept, whatever else has to go. */
  readonly order?: TopOrder;
  readonly isExtra?: true;
  /** Left out on a narrow terminal where an extra column is kept. */
  readonly givesWay?: true;
  show(row: TopDomain, context: CommandContext, isNarrow: boolean): string;
}

const right = 'right';

const COLUMNS: readonly TopColumn[] = [
  { title: 'DOMAIN', show: ({ domain }) => printable(domain) },
  { title: 'STATUS', show: ({ status }, { out }) => paintStatus(status, out.style) },
  { title: 'SCORE', align: right, show: ({ score }) => formatCount(score) },
  {
    ...{ title: 'PAGES', align: right, order: 'pages', isExtra: true },
    show: ({ pagesCrawled }) => formatCount(pagesCrawled),
  },
  { title: 'LEFT', align: right, givesWay: true, show: ({ pagesRemaining }) => formatCount(pagesRemaining) },
  {
    ...{ title: 'URLS/PAGE', align: right, isExtra: true },
    show: ({ urlsPerPage }) => showRate(urlsPerPage),
  },
  {
    ...{ title: 'IMAGES', align: right, order: 'images', isExtra: true },
    show: ({ imagesFound }) => formatCount(imagesFound),
  },
  { title: 'YIELD', align: right, show: ({ imageYield }) => showRate(imageYield) },
  { title: 'PRODUCTS', align: right, show: ({ productYield }) => showRate(productYield) },
  {
    ...{ title: 'ERRORS', align: right },
    show: ({ errorRate }) => (errorRate === null ? '-' : `${(errorRate * 100).toFixed(1)} %`),
  },
  {
    title: 'CRAWLED',
    show: ({ lastCrawledAt }, _context, isNarrow) =>
      isNarrow ? describeMoment(lastCrawledAt).slice(0, 10) : describeMoment(lastCrawledAt),
  },
];

/** A terminal narrower than this gets fewer columns and dates without the hour. */
const WIDE = 110;

export async function showTop(command: Command): Promise<void> {
  const context = makeContext(command);
  const { by, limit } = command.optsWithGlobals<{ by: TopOrder; limit: number }>();
  const rows = await withDatabase(context.config, (db) => topDomains(db, by, limit));
  if (context.isJson) {
    for (const row of rows) context.printJson(row);
    return;
  }
  if (rows.length === 0) {
    context.printLine(NOTHING[by]);
    return;
  }
  const [head = '', ...lines] = layOut(context, rows, by);
  context.printLine(context.out.style.bold(head));
  for (const line of lines) context.printLine(line);
}

const NO_PAGES = 'No pages yet. "forager crawl https://example.com" fetches some.';
const NOTHING: Readonly<Record<TopOrder, string>> = {
  score: 'No domains yet. "forager crawl https://example.com" starts with one.',
  yield: NO_PAGES,
  products: NO_PAGES,
  pages: NO_PAGES,
  images: NO_PAGES,
  errors: 'No domain had an error.',
};

function layOut(context: CommandContext, rows: readonly TopDomain[], by: TopOrder): string[] {
  const { isInteractive, columns } = context.out;
  const isNarrow = isInteractive && columns < WIDE;
  const shown = isNarrow ? chooseNarrow(by) : COLUMNS;
  const cells = rows.map((row) => shown.map((column) => column.show(row, context, isNarrow)));
  return fitTable(context.out, shown, cells);
}

function chooseNarrow(by: TopOrder): readonly TopColumn[] {
  const needsExtra = COLUMNS.some(({ order }) => order === by);
  return COLUMNS.filter(({ isExtra, order, givesWay }) =>
    isExtra ? order === by : !(needsExtra && givesWay),
  );
}

function showRate(rate: number | null): string {
  return rate === null ? '-' : rate.toFixed(2);
}
