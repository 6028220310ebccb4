/** Will the domain be worked on next, and why (not)? The facts in sentences; what decides comes first. */
import { STANDING_RUN } from '../../engine/run/standing-run.ts';
import { type DomainFacts, MOST_AHEAD } from './explain-domain.ts';

/** The code under which a domain rests because no proxy can be used for it just now. */
export const WITHOUT_PROXY = 'no_proxy';

export interface DomainFate {
  /** Somebody is at it, or may claim it now. */
  readonly willBeClaimed: boolean;
  readonly why: readonly string[];
}

/** A domain that was blocked or unreachable comes back by itself this often. */
const AUTOMATIC_RETRIES = 3;

export function explainDomainFate(facts: DomainFacts, showMoment: (date: Date) => string): DomainFate {
  const { isClaimed, claimedBy, claimExpiresAt } = facts.domainState;
  if (isClaimed) {
    const until = claimExpiresAt === null ? '' : ` until ${showMoment(claimExpiresAt)}, unless it is renewed`;
    return { willBeClaimed: true, why: [`${claimedBy} is at work on it: the lease holds${until}.`] };
  }
  const obstacles = [...explainState(facts, showMoment), ...explainBudget(facts)];
  if (obstacles.length > 0) return { willBeClaimed: false, why: obstacles };
  // The queue of a crawl that was stopped is nobody's for now.
  const isInUse = facts.queue.run === STANDING_RUN || facts.queue.runStatus === 'running';
  return { willBeClaimed: isInUse, why: [...explainTurn(facts, showMoment), ...explainWorkers(facts)] };
}

/** What keeps it from being claimed. */
function explainState(facts: DomainFacts, showMoment: (date: Date) => string): string[] {
  const { domain, domainState } = facts;
  const { status, notBefore, nextCrawlAfter } = domainState;
  const sentences: string[] = [];
  if (!domainState.isActive) sentences.push(`${domain} is switched off: no worker claims it.`);
  const reason = domainState.reason ?? domainState.reasonCode;
  const because = reason === null ? '' : ` (${reason})`;
  if (status === 'blocked' || status === 'unreachable') {
    sentences.push(`It is ${status}${because}.`, describeRetry(facts, showMoment));
  } else if (status === 'exhausted') {
    sentences.push('Every URL known of it has been dealt with.', describeRefresh(nextCrawlAfter, showMoment));
  } else if (notBefore !== null && domainState.reasonCode === WITHOUT_PROXY) {
    sentences.push(
      `It waits for a proxy${because}: whether there is one is looked at again after ${showMoment(notBefore)}.`,
      `"forager proxy pool ${domain}" shows its proxies. Whoever adds, assigns or enables one wakes it at once; ` +
        `"forager domain set ${domain} --proxy-mode direct" lets it go without one.`,
    );
  } else if (notBefore !== null) {
    // A reset leaves a rest only where somebody had the domain at that moment.
    const wasTaken = reason === null && domainState.statusCode === 'reset';
    const why = wasTaken ? ': when it was reset, requests of a worker were under way' : because;
    sentences.push(`It rests until ${showMoment(notBefore)}${why}.`);
  } else if (nextCrawlAfter !== null) {
    sentences.push(
      `Its rest is over since ${showMoment(nextCrawlAfter)}; whoever claims next wakes it first.`,
    );
  }
  return sentences;
}

function describeRetry({ domain, domainState }: DomainFacts, showMoment: (date: Date) => string): string {
  const { automaticRetries, nextCrawlAfter } = domainState;
  const reset = `"forager domain reset ${domain}"`;
  if (automaticRetries >= AUTOMATIC_RETRIES) {
    return `It came back by itself ${AUTOMATIC_RETRIES} times already: it waits for a person. ${reset} starts it afresh.`;
  }
  const which = `attempt ${automaticRetries + 1} of ${AUTOMATIC_RETRIES}`;
  const when = nextCrawlAfter === null ? '' : ` after ${showMoment(nextCrawlAfter)}`;
  return `It comes back by itself${when} (${which}); ${reset} does not wait for that.`;
}

function describeRefresh(refreshAt: Date | null, showMoment: (date: Date) => string): string {
  if (refreshAt === null) return 'No time is set for reading its pages again.';
  return `Its pages are read again after ${showMoment(refreshAt)}; a new URL of it would be fetched sooner.`;
}

/** A crawl stops at the number of pages a domain allows a run; the standing order only lets others go first. */
function explainBudget({ queue, budget }: DomainFacts): string[] {
  if (queue.run === STANDING_RUN) return [];
  if (budget !== null && queue.pagesOfRun >= budget) {
    return [`Run ${queue.run} has had its ${budget} pages of this domain.`];
  }
  return [];
}

function explainTurn(facts: DomainFacts, showMoment: (date: Date) => string): string[] {
  const { ahead, queue, domainState } = facts;
  const from = queue.run === STANDING_RUN ? 'the standing order' : `run ${queue.run}`;
  const sentences = [`It can be claimed from the queue of ${from}: ${describeAhead(ahead ?? 0)}.`];
  if (domainState.claimedBy !== null) {
    sentences.push(`The lease of ${domainState.claimedBy} ran out; it is freed before the next claim.`);
  }
  if (domainState.yieldedAt !== null) {
    sentences.push(
      `It had its turn on ${showMoment(domainState.yieldedAt)}: whoever has not had one goes first.`,
    );
  }
  return sentences;
}

function describeAhead(ahead: number): string {
  if (ahead === 0) return 'it is the next one';
  if (ahead >= MOST_AHEAD) return '10,000 domains or more come before it';
  return ahead === 1 ? 'one domain comes before it' : `${ahead} domains come before it`;
}

function explainWorkers({ queue }: DomainFacts): string[] {
  if (queue.workers > 0) return [];
  if (queue.run === STANDING_RUN) {
    return ['No registered worker takes from this queue now: "forager worker" starts one.'];
  }
  if (queue.runStatus === 'running') return [];
  return [
    `Run ${queue.run} is ${queue.runStatus}: it goes on when the same crawl is started again. ` +
      'No worker takes it from there; "forager seed" puts it into the standing order.',
  ];
}
