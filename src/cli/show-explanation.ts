/** Prints `explain` for a URL. */
import type { Command } from 'commander';
import { explainFate } from '../control/explain/explain-fate.ts';
import { gatherUrlFacts, type UrlFacts } from '../control/explain/explain-url.ts';
import { makeContext, withDatabase } from './context.ts';
import { type Field, printFields, printHeading } from './field-list.ts';
import { formatCount, printable } from './format.ts';
import { describeMoment, formatInstant, formatMoment } from './moments.ts';

export async function showExplanation(url: string, command: Command): Promise<void> {
  const context = makeContext(command);
  const { userAgent, respectRobots } = context.config;
  const facts = await withDatabase(context.config, (db) =>
    gatherUrlFacts(db, url, { userAgent, respectRobots }),
  );
  const fate = explainFate(facts, formatMoment);
  if (context.isJson) {
    context.printJson({ kind: 'url', input: url, ...facts, ...fate });
    return;
  }
  const { style } = context.out;
  printFields(context, [...urlFields(facts), ...stateFields(facts), ...domainFields(facts)]);
  if (facts.log.length > 0) {
    printHeading(context, 'Last fetches');
    for (const line of facts.log) {
      const status = line.httpStatus === null ? '' : ` ${line.httpStatus}`;
      const message = line.message === null ? '' : `  ${line.message}`;
      const through = line.proxyId === null ? '' : ` through proxy ${line.proxyId}`;
      const text = `  ${formatInstant(line.fetchedAt)}  ${line.outcome}${status}, ${line.durationMs} ms${through}${message}`;
      context.printLine(printable(text));
    }
  }
  printHeading(context, fate.willBeFetched ? 'It will be fetched' : 'It will not be fetched next');
  for (const sentence of fate.why) {
    const bullet = fate.willBeFetched ? style.green('✓') : style.yellow('–');
    context.printLine(`  ${bullet} ${printable(sentence)}`);
  }
}

function urlFields(facts: UrlFacts): Field[] {
  const { template } = facts;
  const budget =
    template.budget === null
      ? 'no limit'
      : `${formatCount(template.admitted)} of ${formatCount(template.budget)} used`;
  return [
    ['url', facts.url],
    ['key', facts.key],
    ['hash', facts.hash],
    ['domain', facts.domain],
    ['scope', describeScope(facts)],
    ['robots', facts.robots.sentence],
    ['trap', facts.trap === null ? 'no' : facts.trap.replaceAll('-', ' ')],
    ['shape', `${template.shape} (${budget})`],
  ];
}

function describeScope({ unfinishedRuns }: UrlFacts): string {
  const runs = unfinishedRuns.map(({ run, status }) => `run ${run} (${status})`);
  return runs.length === 0
    ? 'depends on the crawl; no unfinished run works on this domain'
    : `its domain belongs to ${runs.join(', ')}`;
}

function stateFields({ known }: UrlFacts): Field[] {
  if (known === null) return [['state', 'unknown: no crawl has met it']];
  return [
    ['state', known.state.replaceAll('_', ' ')],
    ['asked for', known.image ? 'as an image: no page is made of it' : null],
    ['depth', `${known.depth}${known.seed ? ' (a seed)' : ''}`],
    ['priority', `${known.priority} (${['', 'low', 'medium', 'high'][known.priority] ?? ''})`],
    ['discovered', formatMoment(known.discoveredAt)],
    ['last visited', describeMoment(known.lastCrawledAt)],
    ['due', describeDue(known)],
  ];
}

function describeDue(known: NonNullable<UrlFacts['known']>): string {
  if (known.state !== 'never_crawled') return 'no';
  return known.isWaiting && known.retryAt !== null ? `from ${formatMoment(known.retryAt)}` : 'now';
}

function domainFields({ domainState }: UrlFacts): Field[] {
  if (domainState === null) return [['domain state', 'unknown']];
  const { status, isClaimed, claimedBy, claimExpiresAt, notBefore, reason } = domainState;
  return [
    ['domain state', reason === null ? status : `${status}: ${reason}`],
    ['domain rests until', notBefore === null ? null : formatMoment(notBefore)],
    ['domain lease', isClaimed ? `${claimedBy} until ${describeMoment(claimExpiresAt)}` : 'free'],
  ];
}
