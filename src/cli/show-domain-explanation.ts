/** Prints `explain` for a domain. */
import type { Command } from 'commander';
import type { DomainStatus } from '../control/domains/list-domains.ts';
import { type DomainFacts, gatherDomainFacts } from '../control/explain/explain-domain.ts';
import { explainDomainFate, WITHOUT_PROXY } from '../control/explain/explain-domain-fate.ts';
import { STANDING_RUN } from '../engine/run/standing-run.ts';
import { type CommandContext, makeContext, withDatabase } from './context.ts';
import { type Field, printFields, printHeading } from './field-list.ts';
import { formatCount, printable } from './format.ts';
import { describeMoment, formatMoment } from './moments.ts';
import { paintStatus } from './show-domains.ts';
import { printScore } from './show-score.ts';
import { wrapFor } from './wrap-text.ts';

export async function showDomainExplanation(name: string, command: Command): Promise<void> {
  const context = makeContext(command);
  const { maxPagesPerRun, enablePerDomainBudget, enableSmartScheduling } = context.config;
  const facts = await withDatabase(context.config, (db) =>
    gatherDomainFacts(db, name, {
      ...{ maxPagesPerRun, enablePerDomainBudget },
      isByScore: (run) => (run === STANDING_RUN ? workersGoByScore(command) : enableSmartScheduling),
    }),
  );
  const fate = explainDomainFate(facts, formatMoment);
  if (context.isJson) {
    context.printJson({ kind: 'domain', input: name, ...facts, ...fate });
    return;
  }
  const { style } = context.out;
  const { domain, domainState } = facts;
  context.printLine(`${style.bold(printable(domain))}  ${paintStatus(domainState.status, style)}`);
  printFields(context, [...stateFields(facts), ...queueFields(facts)]);
  printScore(context, facts.score, domainState.status);
  printHeading(context, headingOf(domainState.isClaimed, fate.willBeClaimed));
  for (const sentence of fate.why) printBullet(context, sentence, fate.willBeClaimed);
}

function headingOf(isClaimed: boolean, willBeClaimed: boolean): string {
  if (isClaimed) return 'It is being worked on';
  return willBeClaimed ? 'It can be claimed now' : 'It will not be claimed now';
}

/** What a worker started with the same environment would do: by score unless told otherwise. */
function workersGoByScore(command: Command): boolean {
  return makeContext(command, {}, { enableSmartScheduling: true }).config.enableSmartScheduling;
}

function printBullet(context: CommandContext, sentence: string, isGood: boolean): void {
  const { style } = context.out;
  const [first = '', ...rest] = wrapFor(context.out, printable(sentence), 4);
  context.printLine(`  ${isGood ? style.green('✓') : style.yellow('–')} ${first}`);
  for (const line of rest) context.printLine(`    ${line}`);
}

function stateFields({ domainState, lastMove }: DomainFacts): Field[] {
  const { isClaimed, claimedBy, claimExpiresAt, status } = domainState;
  const reason = domainState.reason ?? domainState.reasonCode;
  return [
    ['state', describeState(status, domainState.firstSeenAt, lastMove)],
    ['reason', reason === lastMove?.code ? null : reason],
    describeRest(domainState),
    ['automatic retries', domainState.automaticRetries || null],
    ['switched off', domainState.isActive ? null : 'yes: it is never claimed'],
    ['lease', describeLease(isClaimed, claimedBy, claimExpiresAt)],
    ['last visited', describeMoment(domainState.lastCrawledAt)],
    ['mode', domainState.isRefreshing ? 'reading known pages again' : null],
  ];
}

/** A rest that has passed matters only where nobody has ended it yet. */
function describeRest(domain: DomainFacts['domainState']): Field {
  const { status, isClaimed, notBefore, nextCrawlAfter, reasonCode } = domain;
  const at = isClaimed ? notBefore : nextCrawlAfter;
  const moment = at === null ? null : formatMoment(at);
  if (status === 'exhausted') return ['read again from', moment];
  if (reasonCode === WITHOUT_PROXY && notBefore !== null) return ['looks for a proxy', moment];
  return [notBefore === null ? 'rested until' : 'rests until', moment];
}

function describeState(status: DomainStatus, firstSeenAt: Date, move: DomainFacts['lastMove']): string {
  // It moved on while this was being read.
  if (move !== null && move.to !== status) return status;
  if (move === null) return `${status} since it was first heard of, ${formatMoment(firstSeenAt)}`;
  return `${status} since ${formatMoment(move.at)}: ${move.meaning ?? move.code} (${move.code})`;
}

function describeLease(isClaimed: boolean, claimedBy: string | null, expiresAt: Date | null): string {
  if (claimedBy === null) return 'free';
  const moment = describeMoment(expiresAt);
  return isClaimed ? `${claimedBy} until ${moment}` : `free: that of ${claimedBy} ran out ${moment}`;
}

function queueFields({ queue, claimOrder, domainState, budget }: DomainFacts): Field[] {
  const isStanding = queue.run === STANDING_RUN;
  const which = isStanding ? 'the standing order' : `run ${queue.run} (${queue.runStatus})`;
  const order = claimOrder === 'score' ? 'by score' : 'in order of arrival';
  const workers =
    queue.workers === 1 ? '1 worker' : `${queue.workers === 0 ? 'no' : formatCount(queue.workers)} workers`;
  return [
    ['queue', `${which}, ${order}; ${workers} at it`],
    ['turn', describeTurn(domainState)],
    ['budget', describeBudget(budget, isStanding, domainState.maxPagesPerRun)],
    ['pages', describePages(queue.pagesOfRun, isStanding, domainState)],
  ];
}

function describeTurn({ status, isClaimed, yieldedAt }: DomainFacts['domainState']): string | null {
  if (isClaimed) return 'it has it now';
  if (status !== 'pending' && status !== 'active') return null;
  return yieldedAt === null ? 'still to come' : `had it on ${formatMoment(yieldedAt)}`;
}

function describeBudget(budget: number | null, isStanding: boolean, own: number | null): string {
  if (budget === null) return 'no limit of its own';
  const whose = budget === own ? "the domain's own" : isStanding ? 'default' : "the run's";
  return `${formatCount(budget)} pages a ${isStanding ? 'turn' : 'run'} (${whose})`;
}

function describePages(ofRun: number, isStanding: boolean, domain: DomainFacts['domainState']): string {
  const all = `${formatCount(domain.pagesCrawled)} read of ${formatCount(domain.pagesDiscovered)} known`;
  return isStanding ? all : `${all}, ${formatCount(ofRun)} of them in this run`;
}
