/** A domain's score, term by term. */
import type { DomainStatus } from '../control/domains/list-domains.ts';
import type { DomainScore } from '../control/domains/read-domain-score.ts';
import type { CommandContext } from './context.ts';
import { printHeading } from './field-list.ts';
import { formatCount, formatTable } from './format.ts';
import { formatSpan } from './moments.ts';

export function printScore(context: CommandContext, score: DomainScore, status: DomainStatus): void {
  const { style } = context.out;
  printHeading(context, 'Score');
  const rows = [
    ['rank', points(score.rankPoints), describeRank(score)],
    ['image yield', points(score.imagePoints), perPage(score.imageYield, 'images stored')],
    ['product yield', points(score.productPoints), perPage(score.productYield, 'products')],
    ['remaining', points(score.remainingPoints), describeRemaining(score)],
    ['errors', points(score.errorPoints), describeErrors(score.errorRate)],
    ['staleness', points(score.stalenessPoints), describeIdle(score)],
    ['sum', formatCount(score.score), ''],
  ];
  if (isStoredOtherwise(score, status))
    rows.push(['stored', formatCount(score.storedScore), describeStored(score, status)]);
  const [, ...lines] = formatTable([{ title: '' }, { title: '', align: 'right' }, { title: '' }], rows);
  for (const [index, line] of lines.entries()) {
    context.printLine(`  ${rows[index]?.[0] === 'sum' ? style.bold(line) : line}`);
  }
}

/** The claim goes by what is stored: it matters where that is something else. */
function isStoredOtherwise(score: DomainScore, status: DomainStatus): boolean {
  return score.storedAt === null || score.storedScore !== score.score || hasNoScore(status);
}

function hasNoScore(status: DomainStatus): boolean {
  return status === 'blocked' || status === 'unreachable';
}

function describeStored({ storedAgeSeconds }: DomainScore, status: DomainStatus): string {
  const age = storedAgeSeconds === null ? 'never computed' : `computed ${formatSpan(storedAgeSeconds)} ago`;
  return hasNoScore(status)
    ? `${age}; not kept up to date while it is ${status}`
    : `${age}; claims go by it until the next time`;
}

function points(value: number): string {
  return value > 0 ? `+${formatCount(value)}` : formatCount(value);
}

function perPage(rate: number | null, what: string): string {
  return rate === null ? 'no page read yet' : `${rate.toFixed(2)} ${what} a page`;
}

function describeErrors(rate: number | null): string {
  return rate === null ? 'no request made yet' : `${(rate * 100).toFixed(1)} % of its requests failed`;
}

function describeRank({ seedRank }: DomainScore): string {
  return seedRank === null ? 'it has none' : `rank ${formatCount(seedRank)}`;
}

/** More than this many make no difference. */
const MOST_REMAINING = 500;

function describeRemaining({ pagesRemaining }: DomainScore): string {
  const urls = pagesRemaining === 1 ? 'known URL' : 'known URLs';
  const counted = pagesRemaining > MOST_REMAINING ? `, of which ${MOST_REMAINING} count` : '';
  return `${formatCount(pagesRemaining)} ${urls} without a page yet${counted}`;
}

function describeIdle({ idleDays, wasVisited }: DomainScore): string {
  const days = Math.floor(idleDays);
  const span = days === 0 ? 'less than a day' : `${formatCount(days)} ${days === 1 ? 'day' : 'days'}`;
  return `${span} since ${wasVisited ? 'the last visit' : 'it was first heard of'}`;
}
