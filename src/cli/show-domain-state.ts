/** The head of `domain info`: the state of a domain and what it has brought so far. */

import type { DomainReport } from '../control/domains/read-domain.ts';
import { WITHOUT_PROXY } from '../control/explain/explain-domain-fate.ts';
import { STANDING_RUN } from '../engine/run/standing-run.ts';
import type { CommandContext } from './context.ts';
import { printFields } from './field-list.ts';
import { formatCount, printable } from './format.ts';
import { describeMoment, formatMoment } from './moments.ts';
import { paintStatus } from './show-domains.ts';

export function printState(context: CommandContext, report: DomainReport): void {
  const { style } = context.out;
  context.printLine(`${style.bold(printable(report.domain))}  ${paintStatus(report.status, style)}`);
  const reason = [report.reasonCode, report.reason].filter((part) => part !== null).join(': ');
  printFields(context, [
    ['reason', reason],
    ['since', report.blockedSince === null ? null : formatMoment(report.blockedSince)],
    [
      report.reasonCode === WITHOUT_PROXY ? 'looks for a proxy' : 'not before',
      report.notBefore === null ? null : formatMoment(report.notBefore),
    ],
    ['next refresh', describeRefresh(report)],
    ['automatic retries', report.automaticRetries || null],
    ['switched off', report.isActive ? null : 'yes: it is never claimed'],
    ['worked on by', describeLease(report)],
    ['queue', describeQueue(report)],
    [
      'pages',
      `${formatCount(report.pagesCrawled)} crawled of ${formatCount(report.pagesDiscovered)} URLs discovered`,
    ],
    ['URLs', describeUrls(report)],
    ['images', describeYield(report.imagesFound, 'found', report.score.imagesPerPage, report.imagesStored)],
    ['products', describeYield(report.productsFound, 'found', report.score.productYield)],
    ['errors', describeErrors(report)],
    ['deepest page', `${report.depthReached} links from a seed`],
    ['first seen', formatMoment(report.firstSeenAt)],
    ['last crawled', describeMoment(report.lastCrawledAt)],
    ['parent domain', report.parentDomain === report.domain ? null : report.parentDomain],
    ['found by', report.source === 'image' ? 'image: it is there for what others show' : report.source],
  ]);
}

function describeRefresh({ status, nextRefreshAt, firstPageDueAt, pagesDue }: DomainReport): string | null {
  const pages =
    pagesDue > 0
      ? `${pagesDue >= 10_000 ? '10,000 or more' : formatCount(pagesDue)} pages are due`
      : firstPageDueAt === null
        ? null
        : `its first page is due ${formatMoment(firstPageDueAt)}`;
  if (status !== 'exhausted') return pages;
  const when = nextRefreshAt === null ? 'no time is set' : formatMoment(nextRefreshAt);
  return pages === null ? when : `${when}; ${pages}`;
}

function describeQueue({ queueRun, yieldedAt, isRefreshing }: DomainReport): string {
  const parts = [queueRun === STANDING_RUN ? 'the standing order' : `run ${queueRun}`];
  if (yieldedAt !== null) parts.push(`had its turn ${formatMoment(yieldedAt)}`);
  if (isRefreshing) parts.push('reading known pages again');
  return parts.join(', ');
}

function describeYield(count: number, word: string, rate: number | null, stored = 0): string {
  const perPage = rate === null ? '' : `, ${rate.toFixed(2)} a page`;
  return `${formatCount(count)} ${word}${perPage}${stored === 0 ? '' : `; ${formatCount(stored)} stored`}`;
}

function describeErrors({ errors, consecutiveErrors, score }: DomainReport): string {
  const rate = score.errorRate === null ? '' : ` (${(score.errorRate * 100).toFixed(1)} %)`;
  return `${formatCount(errors)} in all${rate}, ${consecutiveErrors} in a row now`;
}

function describeLease(report: DomainReport): string {
  if (report.claimedBy === null) return 'nobody';
  const until = describeMoment(report.claimExpiresAt);
  return report.isClaimed
    ? `${report.claimedBy} until ${until}`
    : `nobody (the lease of ${report.claimedBy} ran out ${until})`;
}

function describeUrls(report: DomainReport): string {
  const parts = Object.entries(report.urls).map(
    ([state, count]) => `${formatCount(count)} ${state.replaceAll('_', ' ')}`,
  );
  if (report.waitingForRetry > 0)
    parts.push(`${formatCount(report.waitingForRetry)} of them waiting for a retry`);
  return parts.length === 0 ? 'none' : parts.join(', ');
}
