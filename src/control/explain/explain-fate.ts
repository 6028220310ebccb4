/** Will it be fetched next, and why (not)? The facts in sentences; the first reason that decides comes first. */
import { CONSEQUENCES, type OutcomeKind } from '../../engine/outcome.ts';
import { WITHOUT_PROXY } from './explain-domain-fate.ts';
import type { KnownUrl, UrlFacts } from './explain-url.ts';

export interface UrlFate {
  /** Whether the next crawl that works on its domain fetches it. */
  readonly willBeFetched: boolean;
  readonly why: readonly string[];
}

export function explainFate(facts: UrlFacts, showMoment: (date: Date) => string): UrlFate {
  if (facts.known === null) return explainUnknown(facts, showMoment);
  if (facts.known.state !== 'never_crawled') return explainClosed(facts, facts.known, showMoment);
  const obstacles = [...explainDomain(facts, showMoment), ...explainRobots(facts)];
  const { known } = facts;
  if (known.isWaiting && known.retryAt !== null) {
    const failure = describeOutcome(known);
    const times = known.errors === 1 ? 'once' : `${known.errors} times`;
    obstacles.push(
      `It has failed ${times} (${failure}) and is tried again after ${showMoment(known.retryAt)}.`,
    );
  }
  if (obstacles.length > 0) return { willBeFetched: false, why: obstacles };
  const why = [describeTurn(facts, known)];
  if (facts.respectRobots && facts.robots.verdict === 'undecided')
    why.push(`${facts.robots.sentence} If it disallows the URL, that is all.`);
  return { willBeFetched: true, why };
}

function explainUnknown(facts: UrlFacts, showMoment: (date: Date) => string): UrlFate {
  if (facts.domainState === null) {
    const why = [
      `Nothing of ${facts.domain} is known here: it is fetched only if a crawl starts from it or may follow links to it.`,
    ];
    if (facts.trap !== null) why.push(describeTrap(facts.trap));
    return { willBeFetched: false, why };
  }
  const why = [
    'No crawl has met this URL yet: it becomes due when a page in scope links to it or it is given as a seed.',
  ];
  if (facts.trap !== null) why.push(describeTrap(facts.trap));
  const { budget, admitted, shape } = facts.template;
  if (budget !== null && admitted >= budget) {
    why.push(`No further link of the shape ${shape} is taken up: ${admitted} of at most ${budget} were.`);
  }
  return {
    willBeFetched: false,
    why: [...why, ...explainRobots(facts), ...explainDomain(facts, showMoment)],
  };
}

function describeTrap(trap: string): string {
  return `A link to it would not be followed, because it looks like a trap (${trap.replaceAll('-', ' ')}); as a seed or from a sitemap it would be.`;
}

function explainClosed(facts: UrlFacts, known: KnownUrl, showMoment: (date: Date) => string): UrlFate {
  const when = known.lastCrawledAt === null ? '' : ` on ${showMoment(known.lastCrawledAt)}`;
  const outcome = describeOutcome(known);
  if (known.state === 'fetched') {
    return {
      willBeFetched: false,
      why: [
        `It was fetched${when} (${outcome}) and is not due again.`,
        `"forager domain reset ${facts.domain} --recrawl" makes all pages of the domain due again.`,
      ],
    };
  }
  const again = `"forager domain reset ${facts.domain}" makes it due again.`;
  if (known.state === 'blocked') {
    const still = explainRobots(facts);
    const remedy = still.length > 0 ? [...still, 'As long as that stands, a reset would not help.'] : [again];
    return { willBeFetched: false, why: [`It was not fetched${when}: ${outcome}.`, ...remedy] };
  }
  const times = known.errors <= 1 ? '' : ` ${known.errors} times, the last time`;
  return { willBeFetched: false, why: [`It failed${times}${when} (${outcome}) and is given up.`, again] };
}

function describeOutcome({ outcome, status }: KnownUrl): string {
  const phrase = outcome === null ? 'no outcome recorded' : phraseOf(outcome);
  return status === null ? phrase : `${phrase}, status ${status}`;
}

function phraseOf(outcome: string): string {
  return Object.hasOwn(CONSEQUENCES, outcome) ? CONSEQUENCES[outcome as OutcomeKind].phrase : outcome;
}

function explainRobots({ robots, respectRobots }: UrlFacts): string[] {
  return respectRobots && robots.verdict === 'disallowed' ? [robots.sentence] : [];
}

/** What keeps the whole domain from being worked on. */
function explainDomain({ domainState, domain }: UrlFacts, showMoment: (date: Date) => string): string[] {
  if (domainState === null) return [];
  const { status, notBefore, isActive } = domainState;
  const reason = domainState.reason ?? domainState.reasonCode;
  const because = reason === null ? '' : ` (${reason})`;
  const until = notBefore === null ? '' : ` until ${showMoment(notBefore)}`;
  const sentences: string[] = [];
  if (!isActive) sentences.push(`${domain} is switched off: no worker claims it.`);
  if (status === 'blocked' || status === 'unreachable') {
    sentences.push(
      `${domain} is ${status}${because} and left alone${until}. "forager domain reset ${domain}" ends that.`,
    );
  } else if (notBefore !== null && status !== 'exhausted' && domainState.reasonCode === WITHOUT_PROXY) {
    sentences.push(`${domain} waits for a proxy${because}, and looks again after ${showMoment(notBefore)}.`);
  } else if (notBefore !== null && status !== 'exhausted') {
    sentences.push(`${domain} rests${until}${because}. "forager domain reset ${domain}" ends that.`);
  }
  return sentences;
}

function describeTurn(facts: UrlFacts, known: KnownUrl): string {
  const before =
    known.ahead === 0
      ? 'nothing of its domain comes before it'
      : `${known.ahead >= 10_000 ? '10,000 or more' : known.ahead} due URLs of its domain come before it`;
  if (facts.domainState?.isClaimed) {
    return `It is due and its domain is being worked on by ${facts.domainState.claimedBy}: ${before}.`;
  }
  const [run] = facts.unfinishedRuns;
  const which =
    run === undefined ? 'the next crawl that works on its domain' : `run ${run.run} when it goes on`;
  return `It is due and will be fetched by ${which}; ${before}.`;
}
