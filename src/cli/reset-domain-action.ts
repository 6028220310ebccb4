/** `domain reset`, and what it did in sentences. */
import type { Command } from 'commander';
import { type ResetReport, resetDomain } from '../control/domains/reset-domain.ts';
import { cliActor, userName } from './cli-actor.ts';
import { makeContext, withDatabase } from './context.ts';
import { formatCount, formatDuration, printable } from './format.ts';
import { formatInstant } from './moments.ts';

interface ResetOptions {
  readonly reason?: string;
  readonly recrawl?: true;
}

export async function resetAndTell(name: string, command: Command): Promise<void> {
  const context = makeContext(command);
  const { reason, recrawl } = command.optsWithGlobals<ResetOptions>();
  const report = await withDatabase(context.config, (db) =>
    resetDomain(db, name, {
      ...{ recrawl: recrawl === true, actor: `person:${userName()}`, auditedAs: cliActor(), reason },
      requestTimeoutMs: context.config.requestTimeoutMs,
    }),
  );
  if (context.isJson) {
    context.printJson({ ...report, why: reason ?? null });
    return;
  }
  for (const sentence of describeReset(report, reason)) context.printLine(printable(sentence));
}

function describeReset(report: ResetReport, reason: string | undefined): string[] {
  const { domain, from, clearedReason, fencedWorker, urlsDueAgain } = report;
  const why = reason === undefined ? '' : ` (${reason})`;
  const sentences = [
    from === 'pending'
      ? `${domain} is pending, as it was${why}.`
      : `${domain} was ${from} and is pending now${why}.`,
  ];
  if (clearedReason !== null) sentences.push(`Forgotten: ${clearedReason}.`);
  sentences.push('Cooldown and error counters are cleared.');
  sentences.push(...describeRest(report, fencedWorker));
  sentences.push(
    urlsDueAgain === 0 ? 'No URL had to be made due again.' : `${describeUrls(report)} due again.`,
  );
  if (report.robotsDropped > 0) sentences.push('Its robots.txt is read again before the next fetch.');
  if (report.sitemapsDueAgain > 0) {
    sentences.push(
      `${formatCount(report.sitemapsDueAgain)} ${plural(report.sitemapsDueAgain, 'sitemap')} to be read again.`,
    );
  }
  return sentences;
}

/** Two may not speak to a site at once, also when one of them has been told to stop. */
function describeRest({ restsUntil, restMs }: ResetReport, fencedWorker: string | null): string[] {
  const sentences =
    fencedWorker === null ? [] : [`The worker ${fencedWorker} had it: it can write nothing more about it.`];
  if (restsUntil !== null && restMs !== null) {
    const whose = fencedWorker === null ? 'a worker whose lease ran out' : 'that worker';
    sentences.push(
      `Requests of ${whose} may still be under way, so nobody claims it for ${formatDuration(restMs)}, until ${formatInstant(restsUntil)}.`,
    );
  }
  return sentences;
}

const STATE_WORDS: Readonly<Record<string, string>> = {
  failed: 'that failed',
  blocked: 'that were blocked',
  fetched: 'that were fetched',
  never_crawled: 'that waited for another attempt',
};

function describeUrls({ urlsByState }: ResetReport): string {
  const parts = Object.entries(urlsByState).map(
    ([state, count]) => `${formatCount(count)} ${plural(count, 'URL')} ${STATE_WORDS[state] ?? state}`,
  );
  return `${parts.join(', ')}:`;
}

function plural(count: number, word: string): string {
  return count === 1 ? word : `${word}s`;
}
